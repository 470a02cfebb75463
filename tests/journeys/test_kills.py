"""Killed at any moment, run again: the index equals that of an undisturbed run.

Between the kills files are changed, renamed and deleted. SAGASU_KILLS sets how many (make crash:
200; make test: 20), spread over the workers of the test run.
"""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

KILLS = int(os.environ.get("SAGASU_KILLS", "20"))
CAMPAIGNS = 4
HOUSE = Path(__file__).resolve().parents[2]
WORDS = (
    (HOUSE / "ARCHITECTURE.md").read_text(encoding="utf-8").split()
    if (HOUSE / "ARCHITECTURE.md").exists()
    else ["river", "stone", "lantern", "winter", "harvest", "copper", "violin"]
)


def write_file(path: Path, chance: random.Random) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    sections = [
        f"## Part {number}\n\n" + " ".join(chance.choices(WORDS, k=chance.randint(5, 200)))
        for number in range(chance.randint(1, 4))
    ]
    path.write_text(f"# {path.stem}\n\n" + "\n\n".join(sections) + "\n", encoding="utf-8")


def change_folder(folder: Path, chance: random.Random) -> None:
    files = sorted(path for path in folder.rglob("*.md"))
    for path in chance.sample(files, min(3, len(files))):
        what = chance.choice(("write", "rename", "delete", "copy"))
        if what == "write":
            write_file(path, chance)
        elif what == "rename":
            path.rename(path.with_name(f"moved-{chance.randint(0, 10**9)}.md"))
        elif what == "copy":
            path.with_name(f"copy-{chance.randint(0, 10**9)}.md").write_bytes(path.read_bytes())
        else:
            path.unlink()
    write_file(folder / f"new-{chance.randint(0, 10**9)}.md", chance)


def start_index(home: Path, folder: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "engine.cli.main", "index", "-q", str(folder)],
        env={**os.environ, "SAGASU_HOME": str(home)},
        cwd=HOUSE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def finish(process: "subprocess.Popen[bytes]") -> None:
    _, told = process.communicate(timeout=600)
    assert process.returncode == 0, told.decode()


def read_index(home: Path) -> dict[str, object]:
    """Everything that matters, named by path and position instead of by row number."""
    connection = sqlite3.connect(f"file:{home / 'sagasu.db'}?mode=ro", uri=True)
    connection.execute(
        "CREATE VIRTUAL TABLE temp.words USING fts5vocab('main', 'passages_fts', 'instance')"
    )
    connection.execute(
        "CREATE VIRTUAL TABLE temp.fields USING fts5vocab('main', 'documents_fts', 'instance')"
    )
    found: dict[str, object] = {
        "integrity": connection.execute("PRAGMA integrity_check").fetchall(),
        "documents": connection.execute(
            "SELECT path, uid, title, language, hex(content_hash), size FROM documents ORDER BY 1"
        ).fetchall(),
        "files": connection.execute(
            "SELECT path, state, reason FROM files ORDER BY path"
        ).fetchall(),
        "passages": connection.execute(
            "SELECT path, position, text, trail, line FROM chunks JOIN documents ON "
            "documents.id = document_id ORDER BY 1, 2"
        ).fetchall(),
        "words": connection.execute(
            "SELECT path, position, term, col, offset FROM temp.words "
            "JOIN chunks ON chunks.id = doc JOIN documents ON documents.id = document_id "
            "ORDER BY 1, 2, 4, 5"
        ).fetchall(),
        "fields": connection.execute(
            "SELECT path, term, col, offset FROM temp.fields JOIN documents ON documents.id = doc "
            "ORDER BY 1, 3, 4"
        ).fetchall(),
        "stray words": connection.execute(
            "SELECT count(*) FROM temp.words WHERE doc NOT IN (SELECT id FROM chunks)"
        ).fetchone(),
        "vectors": connection.execute(
            "SELECT hex(hash), length(vector) FROM vectors ORDER BY 1"
        ).fetchall(),
    }
    connection.close()
    return found


@pytest.mark.parametrize("campaign", range(CAMPAIGNS))
def test_killed_at_any_moment_the_index_ends_as_if_undisturbed(
    tmp_path: Path, campaign: int
) -> None:
    chance = random.Random(campaign)
    folder, home = tmp_path / "Documents", tmp_path / "home"
    for number in range(60):
        write_file(folder / f"folder{number % 5}" / f"note{number}.md", chance)
    seconds = 3.0
    killed = 0
    for _ in range(max(1, KILLS // CAMPAIGNS)):
        process = start_index(home, folder)
        started = time.monotonic()
        try:
            process.wait(timeout=chance.uniform(0.1, seconds))
            seconds = max(0.5, time.monotonic() - started)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            killed += 1
        process.communicate(timeout=30)
        change_folder(folder, chance)
    finish(start_index(home, folder))
    fresh = tmp_path / "fresh"
    finish(start_index(fresh, folder))
    disturbed, undisturbed = read_index(home), read_index(fresh)
    assert killed > 0
    assert disturbed["integrity"] == [("ok",)]
    for what, value in undisturbed.items():
        assert disturbed[what] == value, what
    assert undisturbed["passages"]
    assert undisturbed["stray words"] == (0,)
