"""Bad input gets one clear sentence, what to do, a fitting exit code, and nothing is lost."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.journeys.conftest import Run


def test_an_empty_query(sagasu: Run, folder: Path) -> None:
    sagasu("index", str(folder))
    told = sagasu("search", " ", code=2).stderr
    assert told.startswith("sagasu: query cannot be empty")
    assert "hint:" in told


def test_a_query_that_cannot_be_read_shows_the_place(sagasu: Run, folder: Path) -> None:
    sagasu("index", str(folder))
    told = sagasu("search", '"open', code=2).stderr.splitlines()
    assert told[1:3] == ['  "open', "  ^"]


def test_a_missing_folder(sagasu: Run, tmp_path: Path) -> None:
    told = sagasu("index", str(tmp_path / "nowhere"), code=2).stderr
    assert f"{tmp_path / 'nowhere'} does not exist." in told


def test_searching_before_anything_is_indexed(sagasu: Run) -> None:
    told = sagasu("search", "anything", code=3).stderr
    assert "There is no index yet" in told
    assert "sagasu index" in told


def test_random_bytes_named_pdf_are_ledgered_and_the_rest_is_indexed(
    sagasu: Run, folder: Path
) -> None:
    (folder / "broken.pdf").write_bytes(os.urandom(4096))
    told = sagasu("index", str(folder))
    assert "Indexed 6 file(s)" in told.stdout
    assert "1 failed" in told.stdout
    why = sagasu("why", str(folder / "broken.pdf")).stdout
    assert "damaged" in why


def test_an_unreadable_file_and_a_closed_data_folder_say_so(folder: Path, home: Path) -> None:
    rights = "-dac_override,-dac_read_search"
    drop = ["setpriv", "--bounding-set", rights, "--inh-caps", rights] if os.geteuid() == 0 else []
    if drop and shutil.which("setpriv") is None:
        pytest.skip("root may read everything, and there is no setpriv to give that up")

    def run(data: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [*drop, sys.executable, "-m", "engine.cli.main", *arguments],
            capture_output=True,
            text=True,
            env={**os.environ, "SAGASU_HOME": str(data)},
            cwd=Path(__file__).resolve().parents[2],
        )

    (folder / "work/meeting.txt").chmod(0)
    assert "1 failed" in run(home, "index", str(folder)).stdout
    told = run(home, "why", str(folder / "work/meeting.txt")).stdout
    assert "cannot be opened: Permission denied" in told
    (home.parent / "closed").mkdir(mode=0o555)
    refused = run(home.parent / "closed" / "home", "index", str(folder))
    assert refused.returncode == 3
    assert "not writable: Permission denied" in refused.stderr


def test_a_data_folder_that_is_a_file(sagasu: Run, folder: Path, home: Path) -> None:
    home.write_text("not a folder")
    told = sagasu("index", str(folder), code=3).stderr
    assert "not writable" in told
    assert "SAGASU_HOME" in told
    assert home.read_text() == "not a folder"


def test_a_damaged_database_says_what_to_do_and_is_left_alone(
    sagasu: Run, folder: Path, home: Path
) -> None:
    sagasu("index", str(folder))
    database = home / "sagasu.db"
    for extra in ("sagasu.db-wal", "sagasu.db-shm"):
        (home / extra).unlink(missing_ok=True)
    database.write_bytes(b"this is not a database at all " * 400)
    before = database.read_bytes()
    for command in (("search", "revenue"), ("index", str(folder)), ("status",)):
        told = sagasu(*command, code=3).stderr
        assert "damaged" in told
        assert "sagasu doctor --repair" in told
        assert "Traceback" not in told
    assert database.read_bytes() == before


@pytest.mark.parametrize("damage", ["truncate", "noise", "delete"])
def test_a_damaged_vector_snapshot_is_made_anew(
    sagasu: Run, folder: Path, home: Path, damage: str
) -> None:
    sagasu("index", str(folder))
    snapshot = home / "vectors.usearch"
    content = snapshot.read_bytes()
    if damage == "truncate":
        snapshot.write_bytes(content[: len(content) // 2])
    elif damage == "noise":
        snapshot.write_bytes(os.urandom(len(content)))
    else:
        snapshot.unlink()
    found = sagasu("search", "how can I rest better at night", "--output", "files").stdout
    assert found.splitlines()[0].endswith("sleep.txt")


def test_a_wrong_setting_names_file_line_and_key(sagasu: Run, home: Path) -> None:
    home.mkdir()
    (home / "config.yaml").write_text("debug: false\nserver:\n  prot: 9000\n")
    told = sagasu("status", code=2).stderr
    assert f"{home / 'config.yaml'}, line 3: server.prot: there is no such setting" in told
    assert "Did you mean server.port?" in told


def test_two_writers_never_meet(sagasu: Run, folder: Path, home: Path) -> None:
    from engine.api import Engine

    with Engine.open(home, write=True):
        told = sagasu("index", str(folder), code=3).stderr
    assert f"process {os.getpid()}" in told


def test_a_file_with_newlines_in_its_name_cannot_forge_output(sagasu: Run, folder: Path) -> None:
    (folder / "evil\nIndexed: all.txt").write_text("zanzibar spices")
    sagasu("index", str(folder))
    lines = sagasu("search", "--no-semantic", "zanzibar", "--output", "files").stdout.splitlines()
    assert len(lines) == 1
    assert stat.S_ISREG((folder / "evil\nIndexed: all.txt").stat().st_mode)
