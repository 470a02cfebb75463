"""Does every candidate have both scores? What one side found is looked up on the other.

A strict question (AND, NOT, quotes, fields) binds meaning too: a document that its operators leave
out is not let in because it means something close.
"""

import sqlite3
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from engine.keyword import KeywordHits
from engine.ports import Vectors
from engine.query import Query
from engine.query.nodes import Must, Word, Words
from engine.search.meaning import NOTHING, Near, keys_of
from engine.vector import VectorIndex

Integers = npt.NDArray[np.int64]


def is_strict(query: Query) -> bool:
    """Whether operators say what must and must not occur."""
    tree = query.tree
    if isinstance(tree, Words):
        return any(isinstance(part, Must) for part in tree.parts)
    return tree is not None and not isinstance(tree, Word)


def complete_sides(
    connection: sqlite3.Connection,
    index: VectorIndex,
    vector: Vectors,
    words: KeywordHits,
    near: Near,
    *,
    strict: bool,
) -> tuple[KeywordHits, Near]:
    """Both sides over the same documents."""
    missing = np.setdiff1d(near.documents, words.documents)
    if len(missing) and len(words) and words.among is not None:
        words = _join(words, words.among(missing))
    if strict:
        near = near.keep(np.isin(near.documents, words.documents))
    if not len(words):
        return words, near if not strict else NOTHING
    return words, _add_cosines(connection, index, vector, words, near)


def _join(words: KeywordHits, more: KeywordHits) -> KeywordHits:
    return replace(
        words,
        chunks=np.concatenate([words.chunks, more.chunks]),
        documents=np.concatenate([words.documents, more.documents]),
        scores=np.concatenate([words.scores, more.scores]),
        matched=np.concatenate([words.matched, more.matched]),
        words=words.words or more.words,
        terms=words.terms or more.terms,
    )


def _add_cosines(
    connection: sqlite3.Connection,
    index: VectorIndex,
    vector: Vectors,
    words: KeywordHits,
    near: Near,
) -> Near:
    others = np.setdiff1d(words.chunks[words.chunks > 0], near.chunks)
    keys = keys_of(connection, others)
    cosines = index.cosines(vector, keys)
    known = np.isfinite(cosines)
    owner = dict(zip(words.chunks.tolist(), words.documents.tolist(), strict=True))
    owners = np.array([owner[chunk] for chunk in others[known].tolist()], np.int64)
    return Near(
        np.concatenate([near.chunks, others[known]]),
        np.concatenate([near.documents, owners]),
        np.concatenate([near.cosines, cosines[known]]),
        np.concatenate([near.keys, keys[known]]),
    )
