"""Which files are there to be opened? Every name in the ledger, kept ready for quick open.

The base is a snapshot file, like that of the words; names that came later are kept beside it. What
has gone since is noticed when an answer is checked against the ledger.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.keyword.name_rank import LETTERS, Ranked, rank_names, rank_near, split_words
from engine.keyword.name_table import NameTable, build_table, table_from_arrays
from engine.keyword.postings import database_identity
from engine.keyword.snapshot import Snapshot, file_identity, open_snapshot, write_snapshot
from engine.store.database import Database

KIND = "names"
DELTA_LIMIT = 50_000

_ALL = "SELECT path, changed FROM files"
_NEWER = "SELECT path, changed FROM files WHERE changed >= ?"
_THERE = "SELECT path, document_id, state FROM files WHERE path = ?"


@dataclass(frozen=True, slots=True)
class NameHit:
    """One file of the answer."""

    path: str
    score: float
    document: int | None  # its document, when its text is indexed
    state: str


@dataclass(frozen=True, slots=True)
class NameHits:
    """Files, best first."""

    hits: tuple[NameHit, ...]
    fuzzy: bool = False  # nothing was found as typed; those near come first


class NameIndex:
    """File names of one database: a snapshot, and what is newer."""

    def __init__(self, database: Database, path: Path) -> None:
        self._database = database
        self._path = path
        self._guard = threading.Lock()
        self._seen = threading.local()
        self._base: Snapshot | None = None
        self._tables: list[NameTable] = []
        self._last = -1.0
        self._known: set[str] = set()  # newer paths that are in a table already
        self._fresh: list[tuple[list[str], NameTable]] = []

    def tables(self) -> list[NameTable]:
        """Base and newer names, as the database is now."""
        connection = self._database.connection()
        version = (self._database.data_version(), connection.total_changes, id(connection))
        if getattr(self._seen, "version", None) == version:
            return self._tables
        with self._guard:
            self._refresh()
            self._seen.version = version
            return self._tables

    def _refresh(self) -> None:
        identity = file_identity(self._path)
        if not self._tables or identity != (self._base.identity if self._base else None):
            self._adopt()
        with self._database.read() as connection:
            rows = connection.execute(_NEWER, (self._last,)).fetchall()
        fresh = [path for path, _ in rows if path not in self._known]
        if not fresh:
            return
        self._last = max(changed for _, changed in rows)
        self._known.update(fresh)
        while self._fresh and len(self._fresh[-1][0]) <= 2 * len(fresh):
            fresh = self._fresh.pop()[0] + fresh
        self._fresh.append((fresh, build_table(fresh)))
        base = self._tables[:1] if self._base else []
        self._tables = [*base, *(table for _, table in self._fresh)]

    def _adopt(self) -> None:
        found = open_snapshot(self._path, KIND)
        with self._database.read() as connection:
            if found is not None and found.facts["database"] != database_identity(connection):
                found = None
        self._base = found
        self._tables = [table_from_arrays(found.arrays)] if found else []
        self._last = float(found.facts["last_changed"]) if found else -1.0
        self._known, self._fresh = set(), []

    def needs_snapshot(self) -> bool:
        """Whether so many names are new that a snapshot should be made."""
        self.tables()
        return len(self._known) > min(DELTA_LIMIT, max(2000, self._base_size() // 5))

    def _base_size(self) -> int:
        return self._tables[0].names.size if self._base else 0

    def search(self, text: str, *, limit: int = 50) -> NameHits:
        """The files meant by `text`, best first; only those that are still in the ledger."""
        words = split_words(text)
        if not words:
            return NameHits(())
        tables = self.tables()
        ranked = rank_names(tables, words, limit)
        fuzzy = False
        if not ranked or ranked[0][0] < LETTERS * len(words):
            near = rank_near(tables, words, limit)
            fuzzy = bool(near)
            ranked = near + ranked
        return NameHits(self._verify(ranked, limit), fuzzy)

    def _verify(self, ranked: Sequence[Ranked], limit: int) -> tuple[NameHit, ...]:
        connection = self._database.connection()
        hits: dict[str, NameHit] = {}
        for score, path in ranked:
            row = connection.execute(_THERE, (path,)).fetchone()
            if row is not None and path not in hits:
                hits[path] = NameHit(path, score, row[1], row[2])
            if len(hits) == limit:
                break
        return tuple(hits.values())


def build_name_snapshot(database: Database, path: Path) -> int:
    """Write the snapshot of all names; returns how many there are."""
    with database.read() as connection:
        rows = connection.execute(_ALL).fetchall()
        identity = database_identity(connection)
    facts = {"database": identity, "last_changed": max((row[1] for row in rows), default=-1.0)}
    write_snapshot(path, KIND, facts, build_table(row[0] for row in rows).arrays())
    return len(rows)
