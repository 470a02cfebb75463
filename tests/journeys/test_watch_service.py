"""The service, as people run it: one process that watches, indexes and answers.

1. A second one is refused, with the process and the address of the first.
2. It stops within five seconds of SIGTERM or SIGINT, also in the middle of indexing.
3. Killed at any moment and started again, its index ends as a fresh one would be.
4. Its log is a private file without the words that people search for.
"""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

HOUSE = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 60.0
SETTINGS = "embedding:\n  model_path: /nowhere\nwatch:\n  debounce_ms: 20\nfiles:\n  workers: 1\n"


class Service:
    """A running `sagasu server`."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.process = subprocess.Popen(
            [sys.executable, "-m", "engine.cli.main", "server", "--port", "0"],
            cwd=HOUSE,
            env={**os.environ, "SAGASU_HOME": str(home)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        until(lambda: self.facts().get("pid") == self.process.pid)

    def facts(self) -> dict[str, Any]:
        try:
            return dict(json.loads((self.home / "service.json").read_text()))
        except (OSError, ValueError):
            return {}

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        request = Request(
            self.facts()["address"] + path,
            json.dumps(body).encode() if body is not None else None,
            {
                "Authorization": f"Bearer {(self.home / 'token').read_text().strip()}",
                "Content-Type": "application/json",
            },
            method=method,
        )
        with urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def find(self, words: str) -> list[str]:
        body = {"query": words, "mode": "bm25", "plain_filters": False}
        results = self.ask("POST", "/api/v1/search", body)["results"]
        return sorted(Path(one["path"]).name for one in results)

    def stop(self, number: signal.Signals) -> float:
        """Send a signal; how long it took to end."""
        started = time.monotonic()
        self.process.send_signal(number)
        self.process.communicate(timeout=PATIENCE_SECONDS)
        return time.monotonic() - started


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    place = tmp_path / "home"
    place.mkdir(mode=0o700)
    (place / "config.yaml").write_text(SETTINGS)
    return place


@pytest.fixture
def start(home: Path) -> Iterator[Callable[[], Service]]:
    started: list[Service] = []

    def run() -> Service:
        started.append(Service(home))
        return started[-1]

    yield run
    for service in started:
        if service.process.poll() is None:
            service.stop(signal.SIGKILL)


@pytest.fixture
def many(tmp_path: Path) -> Path:
    folder = tmp_path / "Documents"
    folder.mkdir()
    for number in range(400):
        (folder / f"{number}.txt").write_text(f"letter {number} about lanterns " * 40)
    return folder


def test_a_second_service_is_refused_with_the_place_of_the_first(
    start: Callable[[], Service], home: Path
) -> None:
    first = start()
    second = subprocess.run(
        [sys.executable, "-m", "engine.cli.main", "server", "--port", "0"],
        cwd=HOUSE, env={**os.environ, "SAGASU_HOME": str(home)},
        capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False,
    )  # fmt: skip
    assert second.returncode == 1
    assert str(first.process.pid) in second.stderr
    assert first.facts()["address"] in second.stderr
    assert first.ask("GET", "/health") == {"status": "ok"}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda one: one.name)
def test_it_stops_soon_in_the_middle_of_indexing(
    start: Callable[[], Service], many: Path, number: signal.Signals
) -> None:
    service = start()
    service.ask("POST", "/api/v1/watch/directories", {"path": str(many)})
    until(lambda: service.ask("GET", "/api/v1/status")["documents"] > 0)
    assert service.stop(number) < 5 * 2  # five seconds, twice over for a busy machine
    assert service.process.returncode == 0
    assert service.facts() == {}
    again = start()
    until(lambda: again.ask("GET", "/api/v1/status")["documents"] == 400)


def change(folder: Path, chance: random.Random) -> None:
    files = sorted(folder.rglob("*.txt"))
    for path in chance.sample(files, 12):
        what = chance.choice(("write", "rename", "delete", "move"))
        if what == "write":
            path.write_text(f"changed {chance.random()}")
        elif what == "rename":
            path.rename(path.with_name(f"r{chance.randint(0, 10**9)}.txt"))
        elif what == "move":
            place = folder / f"folder{chance.randint(0, 3)}"
            place.mkdir(exist_ok=True)
            path.replace(place / path.name)
        else:
            path.unlink()


def read_ledger(home: Path) -> dict[str, list[Any]]:
    connection = sqlite3.connect(f"file:{home / 'sagasu.db'}?mode=ro", uri=True)
    found = {
        "files": connection.execute("SELECT path, state, reason FROM files ORDER BY 1").fetchall(),
        "documents": connection.execute(
            "SELECT path, uid, title, hex(content_hash), size FROM documents ORDER BY 1"
        ).fetchall(),
        "passages": connection.execute(
            "SELECT path, position, text FROM chunks JOIN documents ON documents.id = document_id"
            " ORDER BY 1, 2"
        ).fetchall(),
        "integrity": connection.execute("PRAGMA integrity_check").fetchall(),
    }
    connection.close()
    return found


def test_killed_and_started_again_it_ends_as_a_fresh_index(
    start: Callable[[], Service], many: Path, home: Path, tmp_path: Path
) -> None:
    chance = random.Random(7)
    service = start()
    service.ask("POST", "/api/v1/watch/directories", {"path": str(many)})
    for _ in range(4):
        change(many, chance)
        time.sleep(chance.uniform(0, 0.5))  # a kill comes at any moment
        service.stop(signal.SIGKILL)
        change(many, chance)
        service = start()
        change(many, chance)
    (many / "fence.txt").write_text("the last fence")
    until(lambda: service.find("fence") == ["fence.txt"])
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    (fresh / "config.yaml").write_text(SETTINGS)
    subprocess.run(
        [sys.executable, "-m", "engine.cli.main", "index", "-q", str(many)],
        cwd=HOUSE, env={**os.environ, "SAGASU_HOME": str(fresh)}, check=True, timeout=120,
    )  # fmt: skip
    wanted = read_ledger(fresh)
    until(lambda: read_ledger(home)["documents"] == wanted["documents"])
    until(lambda: read_ledger(home) == wanted)
    assert wanted["integrity"] == [("ok",)]


def test_the_log_is_private_and_without_questions(
    start: Callable[[], Service], home: Path, many: Path
) -> None:
    service = start()
    service.ask("POST", "/api/v1/watch/directories", {"path": str(many)})
    until(lambda: bool(service.find("lanterns")))
    service.find("zebrafinch")
    service.stop(signal.SIGTERM)
    log = home / "sagasu.log"
    assert log.stat().st_mode & 0o777 == 0o600
    text = log.read_text()
    assert "listening on" in text
    assert "zebrafinch" not in text
    assert "lanterns" not in text
