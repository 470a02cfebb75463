"""What became of every file seen? One row each: its state, the reason, and how it looked.

Paths under a folder are found by range, never by LIKE: 'a/b' covers 'a/b/' up to 'a/b0', since
'0' follows '/' in the alphabet, and no character in a name can act as a wildcard.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.models import State


@dataclass(frozen=True, slots=True)
class Root:
    """A folder (or single file) that is searched."""

    id: int
    path: str
    watched: bool
    paused: bool
    added: float
    scanned: float | None
    event_id: int | None
    volume: str


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One file, as it was when we last looked."""

    path: str
    root_id: int
    state: State
    reason: str
    rule: str
    size: int
    mtime_ns: int
    inode: int
    device: int
    document_id: int | None
    changed: float


_ROOT = "SELECT id, path, watched, paused, added, scanned, event_id, volume FROM roots"
_FILE = (
    "SELECT path, root_id, state, reason, rule, size, mtime_ns, inode, device, document_id,"
    " changed FROM files"
)


def list_roots(connection: sqlite3.Connection) -> list[Root]:
    """Every root, in the order they were added."""
    return [_root(row) for row in connection.execute(_ROOT + " ORDER BY id")]


def find_root(connection: sqlite3.Connection, path: str) -> Root | None:
    """The root at exactly this path."""
    row = connection.execute(_ROOT + " WHERE path = ?", (path,)).fetchone()
    return _root(row) if row else None


def covering_root(connection: sqlite3.Connection, path: str) -> Root | None:
    """The root that `path` lies in, or is."""
    best: Root | None = None
    for root in list_roots(connection):
        inside = path == root.path or path.startswith(root.path.rstrip("/") + "/")
        if inside and (best is None or len(root.path) > len(best.path)):
            best = root
    return best


def add_root(connection: sqlite3.Connection, path: str, *, watched: bool, added: float) -> Root:
    """A new root, or the one that is there already; watching is switched on, never off."""
    connection.execute(
        "INSERT INTO roots (path, watched, added) VALUES (?,?,?) "
        "ON CONFLICT (path) DO UPDATE SET watched = max(watched, excluded.watched)",
        (path, int(watched), added),
    )
    found = find_root(connection, path)
    assert found is not None
    return found


def set_mark(connection: sqlite3.Connection, path: str, event_id: int, volume: str) -> None:
    """Remember how far the journal of the root's volume has been read."""
    connection.execute(
        "UPDATE roots SET event_id = ?, volume = ? WHERE path = ?", (event_id, volume, path)
    )


def pause_root(connection: sqlite3.Connection, path: str, paused: bool) -> bool:
    """Keep a root fresh no longer, or again; False when there is no such root."""
    changed = connection.execute("UPDATE roots SET paused = ? WHERE path = ?", (paused, path))
    return changed.rowcount > 0


def absorb_roots(connection: sqlite3.Connection, root: Root) -> None:
    """Roots inside `root` become part of it; what was indexed there stays."""
    low, high = below(root.path)
    inner = connection.execute(
        "SELECT id FROM roots WHERE path >= ? AND path < ?", (low, high)
    ).fetchall()
    for (number,) in inner:
        for table in ("files", "documents"):
            connection.execute(
                f"UPDATE {table} SET root_id = ? WHERE root_id = ?", (root.id, number)
            )
        connection.execute("DELETE FROM roots WHERE id = ?", (number,))


def _root(row: tuple[int, str, int, int, float, float | None, int | None, str]) -> Root:
    number, path, watched, paused, added, scanned, event_id, volume = row
    return Root(number, path, bool(watched), bool(paused), added, scanned, event_id, volume)


def below(path: str) -> tuple[str, str]:
    """The range of paths inside the folder `path`: low <= path < high."""
    stem = path.rstrip("/")
    return stem + "/", stem + "0"


def find_file(connection: sqlite3.Connection, path: str) -> LedgerRow | None:
    """The ledger's row for `path`."""
    row = connection.execute(_FILE + " WHERE path = ?", (path,)).fetchone()
    return _file(row) if row else None


def files_below(connection: sqlite3.Connection, path: str) -> Iterator[LedgerRow]:
    """`path` itself and everything inside it."""
    low, high = below(path)
    query = _FILE + " WHERE path = ? OR (path >= ? AND path < ?) ORDER BY path"
    for row in connection.execute(query, (path, low, high)):
        yield _file(row)


def _file(row: tuple[Any, ...]) -> LedgerRow:
    path, root, state, *rest = row
    return LedgerRow(path, root, State(state), *rest)


def put_files(connection: sqlite3.Connection, rows: Iterable[LedgerRow]) -> None:
    """Write rows, replacing those of the same path."""
    connection.executemany(
        "INSERT OR REPLACE INTO files VALUES (?,?,?,?,?,?,?,?,?,?,?)",
        (
            (
                row.path,
                row.root_id,
                row.state.value,
                row.reason,
                row.rule,
                row.size,
                row.mtime_ns,
                row.inode,
                row.device,
                row.document_id,
                row.changed,
            )
            for row in rows
        ),
    )


def delete_file(connection: sqlite3.Connection, path: str) -> None:
    """Forget one row."""
    connection.execute("DELETE FROM files WHERE path = ?", (path,))


def count_states(connection: sqlite3.Connection, path: str = "") -> list[tuple[str, str, int]]:
    """State, reason and how many, the largest group first; below `path` when one is given."""
    where, values = "", []
    if path:
        low, high = below(path)
        where, values = "WHERE path = ? OR (path >= ? AND path < ?)", [path, low, high]
    return connection.execute(
        f"SELECT state, reason, count(*) FROM files {where} GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2",
        values,
    ).fetchall()


def get_meta(connection: sqlite3.Connection, key: str) -> str | None:
    """A remembered fact about the index itself."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row else None


def set_meta(connection: sqlite3.Connection, key: str, value: str) -> None:
    """Remember a fact about the index itself."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (key, value))


def list_links(connection: sqlite3.Connection, root_id: int, limit: int) -> list[str]:
    """Links under a root: what is said of them depends on where they point."""
    rows = connection.execute(
        "SELECT path FROM files WHERE root_id = ? AND state = 'skipped' AND reason >= 'link t'"
        " AND reason < 'link u' LIMIT ?",
        (root_id, limit),
    )
    return [row[0] for row in rows]


def read_looks(
    connection: sqlite3.Connection, paths: Sequence[str]
) -> dict[str, tuple[int, int, int, int, str]]:
    """Of each path: size, date in nanoseconds, inode, device, and its root's path."""
    found: dict[str, tuple[int, int, int, int, str]] = {}
    for start in range(0, len(paths), 500):
        batch = list(paths[start : start + 500])
        marks = ",".join("?" * len(batch))
        rows = connection.execute(
            "SELECT files.path, size, mtime_ns, inode, device, roots.path FROM files "
            f"JOIN roots ON roots.id = root_id WHERE files.path IN ({marks})",
            batch,
        )
        found.update((row[0], row[1:]) for row in rows)
    return found


def find_inode(
    connection: sqlite3.Connection, inode: int, device: int
) -> list[tuple[str, int, int]]:
    """Every path under which this file has been seen, with size and date in nanoseconds."""
    if not inode:  # some network volumes give every file the number 0
        return []
    return connection.execute(
        "SELECT path, size, mtime_ns FROM files WHERE inode = ? AND device = ?", (inode, device)
    ).fetchall()
