"""What if the database is damaged? Checked, and replaced by a sound one that keeps what it can.

Your files are never touched. A damaged index is moved aside, a fresh one takes its place with the
folders that could still be read from the old one; the next scan fills it again.
"""

import sqlite3
import time
from pathlib import Path

from engine.errors import EngineError
from engine.store.database import Database
from engine.store.migrations import migrate


def check_integrity(path: Path) -> str:
    """What SQLite says is wrong with the file; empty when it is sound."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            rows = connection.execute("PRAGMA integrity_check(3)").fetchall()
        finally:
            connection.close()
    except sqlite3.Error as exc:
        return str(exc)
    return "" if rows == [("ok",)] else "; ".join(str(row[0]) for row in rows)


def check_words(database: Database) -> str:
    """What FTS5 says is wrong with the word tables; empty when they are sound."""
    try:
        with database.write() as connection:
            for table in ("passages_fts", "documents_fts"):
                connection.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")
    except (sqlite3.Error, EngineError) as exc:
        return str(exc)
    connection = database.connection()
    chunks = connection.execute("SELECT count(*) FROM chunks").fetchone()[0]
    rows = connection.execute("SELECT count(*) FROM passages_fts_docsize").fetchone()[0]
    return "" if chunks == rows else f"{chunks} passages, but words of {rows}"


def check_vectors(database: Database, dimensions: int) -> list[int]:
    """Numbers of the vectors that cannot be right: of another length, or not finite."""
    import numpy as np

    wrong: list[int] = []
    for number, blob in database.connection().execute(
        "SELECT id, vector FROM vectors WHERE vector IS NOT NULL"
    ):
        vector = np.frombuffer(blob, np.float16) if len(blob) == 2 * dimensions else None
        if vector is None or not np.isfinite(vector).all():
            wrong.append(number)
    return wrong


def replace_database(path: Path) -> tuple[Path, int]:
    """Move the damaged file aside and make a fresh one; where it went, and how many folders
    could be carried over."""
    roots = _read_roots(path)
    aside = path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
    path.rename(aside)
    for ending in ("-wal", "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)
    with Database(path, writable=True) as fresh:
        migrate(fresh)
        with fresh.write() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO roots (path, watched, paused, added) VALUES (?,?,?,?)", roots
            )
    return aside, len(roots)


def _read_roots(path: Path) -> list[tuple[str, int, int, float]]:
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        try:
            return connection.execute("SELECT path, watched, paused, added FROM roots").fetchall()
        finally:
            connection.close()
    except sqlite3.Error:
        return []  # that part is lost too; the caller says how many folders were carried over
