"""Which passages hold these words, in a millisecond? Memory-mapped arrays, plus what is newer.

The base is a snapshot file derived from the database; what was added since is inverted in memory
(the delta: small segments, joined as they grow), what was removed since is masked. A reader asks
for a `View`: an immutable picture of one moment, refreshed when the database has changed, at a cost
in proportion to what is new. With no snapshot and many passages there is no view: FTS5 answers
until `build_snapshot` has run.
"""

import sqlite3
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from engine.keyword.forward import (
    DOCUMENT_FIELDS,
    PASSAGE_FIELDS,
    read_documents,
    read_passages,
    read_some_documents,
)
from engine.keyword.layer import build_layer
from engine.keyword.segment import (
    Integers,
    Segment,
    Tokens,
    build_segment,
    join_tokens,
    segment_from_arrays,
)
from engine.keyword.snapshot import Snapshot, file_identity, open_snapshot
from engine.keyword.view import View, compose_view
from engine.store.database import Database

KIND = "postings"
DELTA_LIMIT = 20_000  # passages: above it, or above a fifth of the base, a new snapshot is due
FIRST_SNAPSHOT = 500  # passages that are worth a first one
MEMORY_LIMIT = 30_000  # passages inverted in memory when there is no snapshot at all

LAST = "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = ?), 0)"
_REMOVED = "SELECT id FROM removals WHERE kind = ?"


@dataclass(frozen=True, slots=True)
class _Delta:
    """Units that are newer than the snapshot; the tokens are kept for joining."""

    tokens: Tokens
    segment: Segment


class Postings:
    """Base, delta and removals of one database; safe to ask from several threads."""

    def __init__(self, database: Database, path: Path) -> None:
        self._database = database
        self._path = path
        self._guard = threading.Lock()
        self._seen = threading.local()
        self._view: View | None = None
        self._base: Snapshot | None = None
        self._reset(None)

    @classmethod
    def open(cls, database: Database, path: Path) -> Self:
        """The postings of `database`, with the snapshot at `path` if it is there and ours."""
        postings = cls(database, path)
        postings.view()
        return postings

    def _reset(self, base: Snapshot | None) -> None:
        self._base = base
        facts = base.facts if base else {}
        self._last_passage = int(facts.get("last_passage", 0))
        self._last_document = int(facts.get("last_document", 0))
        self._passage_deltas: list[_Delta] = []
        self._document_deltas: list[_Delta] = []
        self._state: tuple[object, ...] = ()
        self._view = None

    def view(self, *, whole: bool = False) -> View | None:
        """The index as the database is now; None while FTS5 has to answer. `whole` never gives
        None: without a snapshot everything is inverted in memory, a second for 100,000 passages."""
        connection = self._database.connection()
        version = (self._database.data_version(), connection.total_changes, id(connection))
        view = self._view
        # No view is never the last word: a snapshot may be there since, without a change.
        if view is not None and getattr(self._seen, "version", None) == version:
            return view
        with self._guard:
            self._refresh(whole)
            self._seen.version = version
            return self._view

    def _refresh(self, whole: bool) -> None:
        # The file is looked at before the database, so the database is never the older of the two.
        identity = file_identity(self._path)
        if identity != (self._base.identity if self._base else None):
            self._adopt()
        with self._database.read() as connection:
            last_passage = int(connection.execute(LAST, ("chunks",)).fetchone()[0])
            last_document = int(connection.execute(LAST, ("documents",)).fetchone()[0])
            if self._base and not self._is_ours(connection, last_passage):
                self._reset(None)
            small = whole or bool(self._passage_deltas) or _is_small(connection)
            if self._base is None and not small:
                self._view = None
                return
            removed = {kind: _removed(connection, kind) for kind in ("chunk", "document", "fields")}
            state = (last_passage, last_document, *(one.tobytes() for one in removed.values()))
            if self._view is None or state != self._state:
                self._extend(connection, removed["fields"])
                self._last_passage, self._last_document = last_passage, last_document
                self._view = self._compose(removed)
                self._state = state

    def _adopt(self) -> None:
        found = open_snapshot(self._path, KIND)
        if found is not None or self._base is None:
            self._reset(found)

    def _is_ours(self, connection: sqlite3.Connection, last_passage: int) -> bool:
        facts = self._base.facts if self._base else {}
        return (
            facts.get("database") == database_identity(connection)
            and int(facts.get("last_passage", 0)) <= last_passage
        )

    def _extend(self, connection: sqlite3.Connection, moved: Integers) -> None:
        passages = read_passages(connection, self._last_passage)
        _append(self._passage_deltas, passages)
        documents = read_documents(connection, self._last_document)
        _append(self._document_deltas, documents)
        # Moved documents keep their number: their fields are read anew each time, from the few.
        self._moved = read_some_documents(connection, moved.tolist())

    def _compose(self, removed: dict[str, Integers]) -> View:
        base_passages, base_documents = self._base_segments()
        passages = build_layer(
            [*base_passages, *(delta.segment for delta in self._passage_deltas)],
            removed["chunk"],
            len(PASSAGE_FIELDS),
        )
        moved = build_segment(self._moved)
        documents = build_layer(
            [*base_documents, *(delta.segment for delta in self._document_deltas), moved],
            np.concatenate([removed["document"], removed["fields"]]),
            len(DOCUMENT_FIELDS),
            exempt=1,
        )
        return compose_view(passages, documents)

    def _base_segments(self) -> tuple[list[Segment], list[Segment]]:
        if self._base is None:
            return [], []
        arrays = self._base.arrays
        return [segment_from_arrays(arrays, "passages")], [segment_from_arrays(arrays, "documents")]

    @property
    def snapshot(self) -> Snapshot | None:
        """The file that is mapped now, for whoever keeps more in it."""
        return self._base

    def needs_snapshot(self) -> bool:
        """Whether so much is new or gone that a snapshot should be made."""
        view = self.view()
        if view is None:
            return True
        fresh = sum(delta.segment.size for delta in self._passage_deltas)
        gone = 0 if view.passages.alive is None else int((~view.passages.alive).sum())
        base = len(view.passages.ids) - fresh
        return max(fresh, gone) > (min(DELTA_LIMIT, base // 5) if base else FIRST_SNAPSHOT)


def _append(deltas: list[_Delta], fresh: Tokens) -> None:
    """Add a segment; join neighbours of like size, so that there are few and each token moves
    a logarithmic number of times."""
    if not len(fresh.ids):
        return
    parts = [fresh]
    while deltas and len(deltas[-1].tokens.ids) <= 2 * sum(len(part.ids) for part in parts):
        parts.insert(0, deltas.pop().tokens)
    joined = join_tokens(parts)
    deltas.append(_Delta(joined, build_segment(joined)))


def _is_small(connection: sqlite3.Connection) -> bool:
    found = connection.execute("SELECT 1 FROM chunks LIMIT 1 OFFSET ?", (MEMORY_LIMIT,))
    return found.fetchone() is None


def _removed(connection: sqlite3.Connection, kind: str) -> Integers:
    rows = connection.execute(_REMOVED, (kind,)).fetchall()
    return np.array([row[0] for row in rows], np.int64)


def database_identity(connection: sqlite3.Connection) -> str:
    """Tells one database, and one way of analysing, from another."""
    rows = connection.execute(
        "SELECT key, value FROM meta WHERE key = 'schema_changed' OR key LIKE '%key' ORDER BY key"
    ).fetchall()
    return "|".join(f"{key}={value}" for key, value in rows)
