"""A folder goes in at one end, a ranked answer comes out at the other.

1. A question that shares no word with a passage finds it: meaning is real.
2. Words, names and typos find their files.
3. JSON is one document on standard output; highlights are offsets into the snippet.
4. A second run reads nothing; changes, moves and removals are followed.
5. Without the model words go on, and every answer says that meaning is off.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.conftest import Run


def ask(sagasu: Run, *words: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(sagasu("search", "--output", "json", *words).stdout)
    return answer


def names(answer: dict[str, Any]) -> list[str]:
    return [Path(row["path"]).name for row in answer["results"]]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("how can I rest better at night", "sleep.txt"),
        ("complaint because the radiator is faulty", "landlord.txt"),
        ("gears skipping while riding uphill", "bicycle.md"),
        ("making bread ferment slowly", "sourdough.md"),
    ],
)
def test_a_question_without_a_shared_word_finds_its_passage(
    sagasu: Run, folder: Path, question: str, expected: str
) -> None:
    text = (next(folder.rglob(expected))).read_text().lower()
    meaningful = [word for word in question.lower().split() if len(word) > 4]
    assert not [word for word in meaningful if word in text]
    sagasu("index", str(folder))
    answer = ask(sagasu, question)
    assert names(answer)[0] == expected
    assert "meaning" in answer["results"][0]["matched"]


def test_words_names_and_typos_find_their_files(sagasu: Run, folder: Path) -> None:
    sagasu("index", str(folder))
    assert names(ask(sagasu, "quarterly", "revenue"))[0] == "meeting.txt"
    assert names(ask(sagasu, "budget"))[0] == "budget.csv"
    typo = ask(sagasu, "--no-semantic", "quartrely")
    assert typo["auto_fuzzy"] is True
    assert names(typo)[0] == "meeting.txt"


def test_highlights_are_offsets_into_the_snippet(sagasu: Run, folder: Path) -> None:
    sagasu("index", str(folder))
    row = ask(sagasu, "heating", "repaired")["results"][0]
    marked = [row["snippet"][start:end] for start, end in row["highlights"]]
    assert marked == ["heating", "repair"]
    assert row["location"]["line"] in (1, 3)


def test_a_heading_and_its_trail_come_with_the_hit(sagasu: Run, folder: Path) -> None:
    sagasu("index", str(folder))
    place = ask(sagasu, "starter", "overnight")["results"][0]["location"]
    assert place["heading"] == "Sourdough"
    assert place["trail"] == ["Baking", "Sourdough"]


def test_only_differences_are_touched(sagasu: Run, folder: Path) -> None:
    def index() -> dict[str, Any]:
        report: dict[str, Any] = json.loads(sagasu("index", "--output", "json", str(folder)).stdout)
        return report

    assert index()["indexed"] == 6
    assert {k: v for k, v in index().items() if k in ("indexed", "unchanged")} == {
        "indexed": 0,
        "unchanged": 6,
    }
    (folder / "work/meeting.txt").rename(folder / "work/minutes.txt")
    (folder / "health/sleep.txt").unlink()
    (folder / "notes/bicycle.md").write_text("# Bicycle\n\nThe saddle squeaks.\n")
    report = index()
    assert (report["moved"], report["removed"], report["indexed"]) == (1, 1, 1)
    assert report["embedded"] == 1
    assert names(ask(sagasu, "revenue"))[0] == "minutes.txt"
    assert "sleep.txt" not in names(ask(sagasu, "bed earlier screens"))


def test_without_the_model_words_go_on_and_it_is_said(
    sagasu: Run, folder: Path, home: Path
) -> None:
    home.mkdir()
    (home / "config.yaml").write_text(f"embedding:\n  model_path: {home / 'nothing'}\n")
    told = sagasu("index", str(folder))
    assert "meaning is off" in told.stderr
    answer = ask(sagasu, "revenue")
    assert names(answer) == ["meeting.txt"]
    assert answer["semantic"]["on"] is False
    assert "make model" in answer["semantic"]["reason"]
    assert "off" in sagasu("status").stdout


def test_the_data_folder_is_private(sagasu: Run, folder: Path, home: Path) -> None:
    sagasu("index", str(folder))
    assert home.stat().st_mode & 0o777 == 0o700
    for path in home.iterdir():
        assert path.stat().st_mode & 0o077 == 0, path


@pytest.mark.skipif(os.geteuid() != 0, reason="cutting off the network needs root")
def test_everything_works_with_the_network_cut_off(sagasu: Run, folder: Path, home: Path) -> None:
    import subprocess
    import sys

    script = "import sys; from engine.cli.main import run; sys.exit(run(sys.argv[1:]))"
    for arguments in (["index", str(folder)], ["search", "revenue", "--output", "files"]):
        done = subprocess.run(
            ["unshare", "-n", sys.executable, "-c", script, *arguments],
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "SAGASU_HOME": str(home)},
            cwd=Path(__file__).resolve().parents[2],
        )
        assert done.returncode == 0, done.stderr
    assert "meeting.txt" in done.stdout
