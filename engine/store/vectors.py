"""Which vectors are there, and which passages wait for theirs? The queue of meaning, and its store.

Vectors are shared by hash and outlive their last passage until `sweep_vectors`. A row without a
vector waits; the one with the largest priority is next. A priority is a date: that of the file's
last change, or of the moment when somebody opened it.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.store.rows import look_up, next_id

OPENING = 86_400.0  # seconds: what each opening after the first adds to a priority


def known_vectors(connection: sqlite3.Connection) -> npt.NDArray[np.int64]:
    """The numbers of all vectors that have been computed."""
    rows = connection.execute("SELECT id FROM vectors WHERE vector IS NOT NULL").fetchall()
    return np.fromiter((row[0] for row in rows), dtype=np.int64, count=len(rows))


def fetch_vectors(
    connection: sqlite3.Connection, ids: Sequence[int], dimensions: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float16]]:
    """The vectors with these numbers; those without one, or of another length, are left out."""
    query = "SELECT id, vector FROM vectors WHERE id IN ({}) AND length(vector) = ?"
    found = list(look_up(connection, query, ids, dimensions * 2))
    keys = np.array([row[0] for row in found], dtype=np.int64)
    joined = b"".join(row[1] for row in found)
    return keys, np.frombuffer(joined, np.float16).reshape(len(found), dimensions)


def passages_of(
    connection: sqlite3.Connection, vectors: Sequence[int]
) -> list[tuple[int, int, int]]:
    """Vector, passage and document numbers of every passage that uses one of `vectors`."""
    query = "SELECT vector_id, id, document_id FROM chunks WHERE vector_id IN ({})"
    return [(row[0], row[1], row[2]) for row in look_up(connection, query, vectors)]


def claim_vectors(
    connection: sqlite3.Connection, wanted: Mapping[bytes, float]
) -> dict[bytes, int]:
    """The vector of each hash: one that is there already, or a place in the queue."""
    known = look_up(connection, "SELECT hash, id FROM vectors WHERE hash IN ({})", wanted)
    found: dict[bytes, int] = dict(known)
    connection.executemany(
        "UPDATE vectors SET priority = ?1 WHERE id = ?2 AND vector IS NULL AND priority < ?1",
        ((wanted[one], number) for one, number in found.items()),
    )
    first = next_id(connection, "vectors")
    missing = [one for one in wanted if one not in found]
    fresh = {one: number for number, one in enumerate(missing, first)}
    connection.executemany(
        "INSERT INTO vectors (id, hash, priority) VALUES (?,?,?)",
        ((number, one, wanted[one]) for one, number in fresh.items()),
    )
    return found | fresh


def raise_priority(connection: sqlite3.Connection, document: int, opened: float) -> None:
    """A document was opened: its meaning is wanted as if it had been written at that moment, and
    each further opening counts a day. Those that have their vectors keep it for the next model."""
    connection.execute(
        "UPDATE vectors SET priority = max(priority + ?, ?) "
        "WHERE id IN (SELECT vector_id FROM chunks WHERE document_id = ?)",
        (OPENING, opened, document),
    )


def sweep_vectors(connection: sqlite3.Connection) -> int:
    """Forget the vectors that no passage uses any more; returns how many."""
    gone = connection.execute(
        "SELECT id FROM vectors WHERE NOT EXISTS "
        "(SELECT 1 FROM chunks WHERE chunks.vector_id = vectors.id)"
    ).fetchall()
    connection.executemany("INSERT OR IGNORE INTO removals VALUES ('vector', ?)", gone)
    connection.executemany("DELETE FROM vectors WHERE id = ?", gone)
    return len(gone)


def waiting_passages(connection: sqlite3.Connection, limit: int) -> list[tuple[int, str, str]]:
    """The next passages without a vector: vector id, trail, text; those wanted first come first."""
    return connection.execute(_WAITING, (limit,)).fetchall()


def count_waiting(connection: sqlite3.Connection) -> int:
    """How many passages still wait for their vector."""
    row = connection.execute("SELECT count(*) FROM vectors WHERE vector IS NULL").fetchone()
    return int(row[0])


def store_vectors(
    connection: sqlite3.Connection, ids: Iterable[int], vectors: "np.ndarray[Any, Any]"
) -> None:
    """Keep vectors as float16: half the size, and the very numbers that the index searches."""
    halves = vectors.astype(np.float16)
    connection.executemany(
        "UPDATE vectors SET vector = ? WHERE id = ?",
        ((half.tobytes(), one) for half, one in zip(halves, ids, strict=True)),
    )


_WAITING = """
SELECT waiting.id, chunks.trail, chunks.text
FROM (SELECT id FROM vectors WHERE vector IS NULL ORDER BY priority DESC, id LIMIT ?) AS waiting
JOIN chunks ON chunks.id = (SELECT min(id) FROM chunks WHERE vector_id = waiting.id)
"""
