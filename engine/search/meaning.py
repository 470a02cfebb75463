"""Which passages mean what was asked? Vectors near the query's, as passages of allowed documents.

A filter never starves the answer: when few documents are allowed their vectors are compared one by
one, otherwise more neighbours are fetched until enough are allowed or there are no more.
"""

import sqlite3
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.ports import Vectors
from engine.store.vectors import passages_of
from engine.vector import VectorIndex

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

FEW_DOCUMENTS = 500
MODEL_LANGUAGES = ("en", "")  # what all-MiniLM-L6-v2 was taught; "": not known
GROWTH = 4


@dataclass(frozen=True, slots=True)
class Near:
    """Passages by falling cosine; parallel arrays."""

    chunks: Integers
    documents: Integers
    cosines: Floats
    keys: Integers  # of their vectors

    def __len__(self) -> int:
        return len(self.chunks)

    def keep(self, which: "npt.NDArray[np.bool_] | slice") -> "Near":
        """Some of them."""
        return Near(
            self.chunks[which], self.documents[which], self.cosines[which], self.keys[which]
        )

    def find_keys(self, chunks: Integers) -> Integers:
        """The vectors of these passages; 0 for one that is not here."""
        if not len(self):
            return np.zeros(len(chunks), np.int64)
        order = np.argsort(self.chunks)
        places = self.chunks[order].searchsorted(chunks).clip(max=len(self) - 1)
        found = order[places]
        return np.where(self.chunks[found] == chunks, self.keys[found], 0)


_NONE = np.empty(0, np.int64)
NOTHING = Near(_NONE, _NONE, np.empty(0, np.float32), _NONE)


def find_near(
    connection: sqlite3.Connection,
    index: VectorIndex,
    vector: Vectors,
    count: int,
    allowed: Integers | None = None,
) -> Near:
    """The `count` passages nearest to `vector`, of allowed documents only."""
    if not len(index) or (allowed is not None and not len(allowed)):
        return NOTHING
    if allowed is not None and len(allowed) <= FEW_DOCUMENTS:
        return _among(connection, index, vector, count, allowed)
    wanted = count
    while True:
        keys, cosines = index.search(vector, wanted)
        near = _passages(connection, keys, cosines, allowed)
        if len(near) >= count or wanted >= len(index):
            return near.keep(slice(count))
        wanted = min(len(index), wanted * GROWTH)


def _among(
    connection: sqlite3.Connection,
    index: VectorIndex,
    vector: Vectors,
    count: int,
    allowed: Integers,
) -> Near:
    marks = ",".join("?" * len(allowed))
    rows = connection.execute(
        f"SELECT vector_id FROM chunks WHERE document_id IN ({marks})", allowed.tolist()
    ).fetchall()
    keys = np.unique(np.array([row[0] for row in rows], np.int64))
    near = _passages(connection, *index.search_among(vector, keys, count), allowed)
    return near.keep(slice(count))


def _passages(
    connection: sqlite3.Connection, keys: Integers, cosines: Floats, allowed: Integers | None
) -> Near:
    rows = passages_of(connection, keys.tolist())
    if not rows:
        return NOTHING
    table = np.array(rows, np.int64)
    if allowed is not None:
        table = table[np.isin(table[:, 2], allowed)]
    by_key = dict(zip(keys.tolist(), cosines.tolist(), strict=True))
    scores = np.array([by_key[key] for key in table[:, 0].tolist()], np.float32)
    order = np.lexsort((table[:, 1], -scores))
    return Near(table[order, 1], table[order, 2], scores[order], table[order, 0])


def vectors_of(connection: sqlite3.Connection, index: VectorIndex, chunks: Integers) -> Floats:
    """The vector of each passage, a row each; NaN where there is none yet."""
    return index.vectors(keys_of(connection, chunks))


def keys_of(connection: sqlite3.Connection, chunks: Integers) -> Integers:
    """The number of each passage's vector; 0 for a passage that is gone."""
    found: dict[int, int] = {}
    for start in range(0, len(chunks), 500):
        batch = chunks[start : start + 500].tolist()
        marks = ",".join("?" * len(batch))
        found.update(
            connection.execute(f"SELECT id, vector_id FROM chunks WHERE id IN ({marks})", batch)
        )
    return np.array([found.get(chunk, 0) for chunk in chunks.tolist()], np.int64)


def foreign_documents(
    connection: sqlite3.Connection, documents: Integers, languages: tuple[str, ...]
) -> frozenset[int]:
    """Those of `documents` in a language that the model does not read."""
    if all(language in MODEL_LANGUAGES for language in languages) or not len(documents):
        return frozenset()
    marks = ",".join("?" * len(documents))
    rows = connection.execute(
        f"SELECT id, language FROM documents WHERE id IN ({marks})", documents.tolist()
    )
    return frozenset(row[0] for row in rows if row[1] not in MODEL_LANGUAGES)
