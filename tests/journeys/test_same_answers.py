"""The command line asks a running service, or opens the index itself: the answers are the same."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.journeys.conftest import Run

QUESTIONS = (
    ("search", "quarterly revenue"),
    ("search", "how can I rest better at night"),
    ("search", "--no-semantic", "chian cassete"),
    ("search", "ext:md the"),
    ("search", "--mode", "names", "meet"),
)


@contextmanager
def running_service(home: Path) -> Iterator[None]:
    process = subprocess.Popen(
        [sys.executable, "-m", "engine.cli.main", "server", "--port", "0"],
        env={**os.environ, "SAGASU_HOME": str(home)},
        cwd=Path(__file__).resolve().parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert "listens on" in process.stdout.readline()
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


def answers(sagasu: Run, folder: Path) -> list[Any]:
    found: list[Any] = []
    for words in QUESTIONS:
        answer = json.loads(sagasu(*words, "--output", "json").stdout)
        rows = [(row["path"], round(row["score"], 3), row["snippet"]) for row in answer["results"]]
        found.append((answer["query"], rows, answer["suggestions"], answer["auto_fuzzy"]))
    path = str(folder / "notes/bicycle.md")
    found.append(sagasu("why", path).stdout)
    found.append(sagasu("whynot", "revenue", path).stdout)
    found.append(sagasu("complete", "quart").stdout)
    found.append(sagasu("get", path).stdout)
    found.append(sagasu("ls").stdout)
    found.append(sagasu("similar", path, "--limit", "3").stdout)
    return found


def test_a_service_and_the_index_itself_give_the_same_answers(
    sagasu: Run, folder: Path, home: Path
) -> None:
    sagasu("index", str(folder))
    alone = answers(sagasu, folder)
    with running_service(home):
        assert (home / "service.json").exists()
        served = answers(sagasu, folder)
    assert served == alone
    assert not (home / "service.json").exists()


def test_a_service_that_was_killed_is_not_asked(sagasu: Run, folder: Path, home: Path) -> None:
    sagasu("index", str(folder))
    (home / "service.json").write_text(
        json.dumps({"pid": os.getpid(), "address": "http://127.0.0.1:9", "started": 0})
    )
    assert "meeting.txt" in sagasu("search", "revenue", "--output", "files").stdout


def test_a_running_service_indexes_for_the_command_line(
    sagasu: Run, folder: Path, home: Path
) -> None:
    home.mkdir()
    with running_service(home):
        assert "Indexed 6 file(s)" in sagasu("index", str(folder)).stdout
        (folder / "late.txt").write_text("a walrus on the beach")
        assert "Indexed 1 file(s)" in sagasu("index", str(folder / "late.txt")).stdout
        assert "late.txt" in sagasu("search", "--no-semantic", "walrus", "-o", "files").stdout
        assert sagasu("index", str(folder / "nowhere"), code=2).stderr
        assert "watched" in sagasu("status").stdout
