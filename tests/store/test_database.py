"""The database.

1. A transaction is kept whole or not at all.
2. One writer; its lock dies with it, and names the holder.
3. Readers see the last commit and cannot write.
4. A newer schema is refused; an older one is brought up to date.
5. What SQLite complains about becomes our words.
6. A cancel ends what is being read, and leaves the connection as it was.
"""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from engine.cancel import Cancel
from engine.errors import (
    IndexDamagedError,
    IndexLockedError,
    IndexOutdatedError,
    SearchCancelledError,
    StoreUnwritableError,
)
from engine.store.database import Database
from engine.store.migrations import STEPS, migrate
from engine.store.repair import check_integrity, check_words, replace_database


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "sagasu.db"


def test_a_failed_transaction_leaves_nothing(path: Path) -> None:
    with Database(path, writable=True) as database:
        migrate(database)
        with pytest.raises(ZeroDivisionError), database.write() as connection:
            connection.execute("INSERT INTO meta VALUES ('a', 'b')")
            raise ZeroDivisionError
        assert database.connection().execute(
            "SELECT count(*) FROM meta WHERE key='a'"
        ).fetchone() == (0,)


def test_a_write_inside_a_write_is_one_transaction(path: Path) -> None:
    with Database(path, writable=True) as database:
        migrate(database)
        with pytest.raises(ZeroDivisionError), database.write() as outer:
            with database.write() as inner:
                inner.execute("INSERT INTO meta VALUES ('a', 'b')")
            assert outer is inner
            raise ZeroDivisionError
        assert database.connection().execute(
            "SELECT count(*) FROM meta WHERE key='a'"
        ).fetchone() == (0,)


def test_a_second_writer_is_told_who_holds_the_lock(path: Path) -> None:
    with Database(path, writable=True), pytest.raises(IndexLockedError, match=str(os.getpid())):
        Database(path, writable=True).open()
    Database(path, writable=True).open().close()


def test_the_lock_of_a_killed_writer_is_free(path: Path) -> None:
    code = (
        "import sys, os, signal; from pathlib import Path\n"
        "from engine.store.database import Database\n"
        "Database(Path(sys.argv[1]), writable=True).open()\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], cwd=Path(__file__).resolve().parents[2]
    )
    assert done.returncode == -9
    Database(path, writable=True).open().close()


def test_a_reader_cannot_write_and_sees_the_last_commit(path: Path) -> None:
    with Database(path, writable=True) as writer:
        migrate(writer)
        with Database(path, writable=False) as reader:
            with writer.write() as connection:
                connection.execute("INSERT INTO meta VALUES ('a', 'b')")
                unseen = reader.connection().execute("SELECT 1 FROM meta WHERE key='a'").fetchone()
            assert unseen is None
            assert reader.connection().execute(
                "SELECT value FROM meta WHERE key='a'"
            ).fetchone() == ("b",)
            with pytest.raises(StoreUnwritableError), reader.write() as connection:
                connection.execute("DELETE FROM meta")


def test_a_newer_schema_is_refused(path: Path) -> None:
    with Database(path, writable=True) as database:
        migrate(database)
        database.connection().execute(f"PRAGMA user_version = {len(STEPS) + 1}")
        with pytest.raises(IndexOutdatedError, match="newer Sagasu"):
            migrate(database)


def test_a_damaged_file_is_named_as_such(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database " * 1000)
    with pytest.raises(IndexDamagedError, match="damaged"):
        Database(path, writable=True).open()


def test_repair_moves_the_damage_aside_and_keeps_the_folders(path: Path) -> None:
    with Database(path, writable=True) as database:
        migrate(database)
        with database.write() as connection:
            connection.execute("INSERT INTO roots (path, added) VALUES ('/Users/ana/Documents', 1)")
            connection.execute("INSERT INTO meta VALUES ('filler', ?)", ("x" * 50_000,))
    damaged = bytearray(path.read_bytes())
    damaged[-40_000:-20_000] = os.urandom(20_000)
    path.write_bytes(damaged)
    assert check_integrity(path) != ""
    aside, folders = replace_database(path)
    assert folders == 1
    assert aside.read_bytes() == bytes(damaged)
    assert check_integrity(path) == ""
    with Database(path, writable=True) as database:
        rows = database.connection().execute("SELECT path FROM roots").fetchall()
        assert rows == [("/Users/ana/Documents",)]
        assert check_words(database) == ""


def test_a_cancel_stops_what_its_thread_reads_and_nothing_after_it(path: Path) -> None:
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM n) SELECT count(*) FROM n"
    cancel = Cancel()

    def read() -> None:
        with database.cancellable():
            database.connection().execute(endless).fetchone()

    with Database(path, writable=True) as database:
        threading.Timer(0.2, cancel.cancel).start()
        with pytest.raises(SearchCancelledError):
            cancel.run(read)
        cancel.cancel()  # its block is over: the connection is not touched again
        assert database.connection().execute("SELECT 1").fetchone() == (1,)
        with pytest.raises(SearchCancelledError):
            cancel.run(read)
