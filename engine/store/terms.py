"""Which number does a term have? The vocabulary, with a bounded memory of the ids in use.

Passages keep their terms as uint32 ids in order: forward index and positions in one BLOB. Ids are
given once and never change, so snapshots may hold them.
"""

import sqlite3
from array import array
from collections.abc import Iterable, Sequence

import numpy as np

from engine.store.rows import look_up

REMEMBERED = 300_000  # about 40 MB; beyond it the memory starts afresh with the batch
BYTES_EACH = 4  # of a term's number


class TermIds:
    """Gives terms their numbers, making new ones as needed. Belongs to the writer."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}

    def encode(self, connection: sqlite3.Connection, terms: str) -> bytes:
        """Terms joined by blanks, as a BLOB of uint32 numbers in order."""
        return self.encode_all(connection, [terms])[0]

    def encode_all(self, connection: sqlite3.Connection, texts: Sequence[str]) -> list[bytes]:
        """The same for many texts, their new terms looked up and numbered together."""
        words = [text.split() for text in texts]
        unknown: set[str] = set()
        for one in words:
            unknown.update(one)
        unknown.difference_update(self._ids)
        if len(self._ids) + len(unknown) > REMEMBERED:
            self._ids.clear()
            unknown.update(*words)
        if unknown:
            self._learn(connection, unknown)
        find = self._ids.__getitem__
        return [array("I", map(find, one)).tobytes() for one in words]

    def _learn(self, connection: sqlite3.Connection, unknown: set[str]) -> None:
        found = _find(connection, sorted(unknown))
        last = connection.execute("SELECT coalesce(max(id), 0) FROM vocabulary").fetchone()[0]
        fresh = {
            term: number for number, term in enumerate(sorted(unknown.difference(found)), last + 1)
        }
        connection.executemany("INSERT INTO vocabulary (term, id) VALUES (?,?)", fresh.items())
        self._ids |= found
        self._ids |= fresh

    def forget(self) -> None:
        """Drop the memory: after a rollback it may hold numbers that were never kept."""
        self._ids.clear()


def _find(connection: sqlite3.Connection, terms: Iterable[str]) -> dict[str, int]:
    return dict(look_up(connection, "SELECT term, id FROM vocabulary WHERE term IN ({})", terms))


def decode(connection: sqlite3.Connection, numbers: bytes) -> list[str]:
    """The terms of a BLOB, in order."""
    ids = np.frombuffer(numbers, dtype=np.uint32).tolist()
    query = "SELECT id, term FROM vocabulary WHERE id IN ({})"
    names: dict[int, str] = dict(look_up(connection, query, set(ids)))
    return [names[number] for number in ids]
