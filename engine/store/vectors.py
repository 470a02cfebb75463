"""Which vectors are there? Reads the stored ones for the graph and maps them to passages."""

import sqlite3
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_AT_ONCE = 500


def known_vectors(connection: sqlite3.Connection) -> npt.NDArray[np.int64]:
    """The numbers of all vectors that have been computed."""
    rows = connection.execute("SELECT id FROM vectors WHERE vector IS NOT NULL").fetchall()
    return np.fromiter((row[0] for row in rows), dtype=np.int64, count=len(rows))


def fetch_vectors(
    connection: sqlite3.Connection, ids: Sequence[int], dimensions: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float16]]:
    """The vectors with these numbers; those without one, or of another length, are left out."""
    found: list[tuple[int, bytes]] = []
    for start in range(0, len(ids), _AT_ONCE):
        batch = list(ids[start : start + _AT_ONCE])
        marks = ",".join("?" * len(batch))
        found += connection.execute(
            f"SELECT id, vector FROM vectors WHERE id IN ({marks}) AND length(vector) = ?",
            (*batch, dimensions * 2),
        ).fetchall()
    keys = np.array([row[0] for row in found], dtype=np.int64)
    joined = b"".join(row[1] for row in found)
    return keys, np.frombuffer(joined, np.float16).reshape(len(found), dimensions)


def passages_of(
    connection: sqlite3.Connection, vectors: Sequence[int]
) -> list[tuple[int, int, int]]:
    """Vector, passage and document numbers of every passage that uses one of `vectors`."""
    found: list[tuple[int, int, int]] = []
    for start in range(0, len(vectors), _AT_ONCE):
        batch = list(vectors[start : start + _AT_ONCE])
        marks = ",".join("?" * len(batch))
        found += connection.execute(
            f"SELECT vector_id, id, document_id FROM chunks WHERE vector_id IN ({marks})", batch
        ).fetchall()
    return found
