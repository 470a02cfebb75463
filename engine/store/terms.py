"""Which number does a term have? The vocabulary, with a bounded memory of the ids in use.

Passages keep their terms as uint32 ids in order: forward index and positions in one BLOB. Ids are
given once and never change, so snapshots may hold them.
"""

import sqlite3
from array import array
from collections.abc import Iterable
from itertools import islice

import numpy as np

REMEMBERED = 300_000  # about 40 MB; beyond it the memory starts afresh
_LOOK_UP = 500  # values in one IN (…): below SQLite's old limit of 999


class TermIds:
    """Gives terms their numbers, making new ones as needed. Belongs to the writer."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def learn(self, connection: sqlite3.Connection, terms: Iterable[str]) -> None:
        """Make sure that every one of `terms` has a number in memory and in the vocabulary."""
        unknown = set(terms).difference(self._ids)
        if len(self._ids) + len(unknown) > REMEMBERED:
            self._ids.clear()
        if not unknown:
            return
        found = _find(connection, unknown)
        fresh = unknown.difference(found)
        if fresh:
            connection.executemany(
                "INSERT INTO vocabulary (term) VALUES (?)", ((term,) for term in sorted(fresh))
            )
            found.update(_find(connection, fresh))
        self._ids.update(found)

    def encode(self, connection: sqlite3.Connection, terms: str) -> bytes:
        """Terms joined by blanks, as a BLOB of uint32 numbers in order."""
        words = terms.split()
        try:
            return array("I", map(self._ids.__getitem__, words)).tobytes()
        except KeyError:
            self.learn(connection, words)
            return array("I", map(self._ids.__getitem__, words)).tobytes()

    def forget(self) -> None:
        """Drop the memory: after a rollback it may hold numbers that were never kept."""
        self._ids.clear()


def _find(connection: sqlite3.Connection, terms: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    rest = iter(terms)
    while batch := list(islice(rest, _LOOK_UP)):
        marks = ",".join("?" * len(batch))
        rows = connection.execute(f"SELECT term, id FROM vocabulary WHERE term IN ({marks})", batch)
        found.update(rows.fetchall())
    return found


def decode(connection: sqlite3.Connection, numbers: bytes) -> list[str]:
    """The terms of a BLOB, in order."""
    ids = np.frombuffer(numbers, dtype=np.uint32).tolist()
    names: dict[int, str] = {}
    rest = iter(set(ids))
    while batch := list(islice(rest, _LOOK_UP)):
        marks = ",".join("?" * len(batch))
        rows = connection.execute(f"SELECT id, term FROM vocabulary WHERE id IN ({marks})", batch)
        names.update(rows.fetchall())
    return [names[number] for number in ids]
