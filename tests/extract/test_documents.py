"""Real documents of many programs, beside the project where they exist.

1. At least 97% of the phrases that must be found are found.
2. Every file that cannot be read says why.
3. Hostile files neither crash, hang, nor grow, and leak nothing from outside.

The work is done in a child process with hard limits (this file, run as a program), one file at a
time: when one takes the child down, it is named and a new child goes on with the next.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parents[2]
DOCUMENTS = PROJECT.parent / "shared" / "data" / "docs-dev"
MOST_SECONDS = 20
MOST_BYTES = 1536 << 20

pytestmark = pytest.mark.skipif(
    not (DOCUMENTS / "manifest.jsonl").exists(), reason="the document collection is not here"
)


def fold(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).replace("\u00ad", "").replace("\u200b", "")
    return " ".join(text.casefold().split())


def read_manifest() -> list[dict[str, Any]]:
    lines = (DOCUMENTS / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def run_files() -> None:
    """Runs in the child: names on stdin, one JSON line each on stdout."""
    from engine.errors import FileError
    from engine.extract import extract

    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    for line in sys.stdin:
        signal.alarm(MOST_SECONDS)
        try:
            found = extract(str(DOCUMENTS / line.rstrip("\n")))
            parts = [found.title, found.author, found.description]
            parts += [f"{section.title}\n{section.text}" for section in found.sections]
            answer = {"text": "\n".join(parts), "error": ""}
        except FileError as exc:
            answer = {"text": "", "error": f"{type(exc).__name__}: {exc}"}
        signal.alarm(0)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def extract_all(names: list[str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    while len(found) < len(names):
        rest = names[len(found) :]
        child = subprocess.run(
            [sys.executable, __file__],
            input="".join(f"{name}\n" for name in rest),
            capture_output=True,
            text=True,
            timeout=600,
            env={**os.environ, "PYTHONPATH": str(PROJECT)},
        )
        for name, line in zip(rest, child.stdout.splitlines(), strict=False):
            found[name] = json.loads(line)
        if child.returncode and len(found) < len(names):
            words = f"exit {child.returncode}: {child.stderr[-500:]}"
            found[names[len(found)]] = {"text": "", "error": "", "crash": words}
    return found


@pytest.fixture(scope="module")
def results() -> dict[str, dict[str, str]]:
    return extract_all([entry["file"] for entry in read_manifest()])


def test_nothing_crashes_or_hangs(results: dict[str, dict[str, str]]) -> None:
    assert {name: row["crash"] for name, row in results.items() if "crash" in row} == {}


def test_97_percent_of_phrases_are_found(results: dict[str, dict[str, str]]) -> None:
    total, missing = 0, []
    for entry in read_manifest():
        if entry.get("needs_ocr") or entry.get("optional") or "expect" not in entry:
            continue
        text = fold(results[entry["file"]]["text"])
        total += len(entry["expect"])
        missing += [(entry["file"], p) for p in entry["expect"] if fold(p) not in text]
    assert total > 400
    assert len(missing) <= 0.03 * total, missing


def test_what_cannot_be_read_says_why(results: dict[str, dict[str, str]]) -> None:
    for entry in read_manifest():
        if entry.get("expect_error"):
            row = results[entry["file"]]
            assert row["error"], entry["file"]
            if "encrypted" in entry.get("tags", ()):
                assert row["error"].startswith("EncryptedFileError"), entry["file"]


def test_hostile_files_leak_nothing(results: dict[str, dict[str, str]]) -> None:
    for entry in read_manifest():
        if entry.get("robust_only"):
            row = results[entry["file"]]
            assert len(row["text"]) < 1_000_000
            assert not [a for a in entry.get("absent", ()) if fold(a) in fold(row["text"])]


if __name__ == "__main__":
    run_files()
