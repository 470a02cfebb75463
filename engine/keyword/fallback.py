"""Who answers while there is no snapshot? FTS5 finds candidates, the forward index scores them.

FTS5 ranks by its own bm25() to choose at most `CANDIDATES` passages; they are scored by the same
code as ever, from a small view of just them with the statistics of the whole index. So a passage
gets the same score on both roads, up to the length average, which is that of all passages on both.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.keyword.forward import (
    DOCUMENT_FIELDS,
    PASSAGE_FIELDS,
    read_some_documents,
    read_some_passages,
)
from engine.keyword.layer import build_layer
from engine.keyword.scoring.scorer import Statistics
from engine.keyword.segment import build_segment
from engine.keyword.view import View, compose_view
from engine.keyword.words import Word

CANDIDATES = 1000

_PASSAGES = "SELECT rowid FROM passages_fts WHERE passages_fts MATCH ? ORDER BY rank LIMIT ?"
_DOCUMENTS = "SELECT rowid FROM documents_fts WHERE documents_fts MATCH ? ORDER BY rank LIMIT ?"
_COUNT_PASSAGES = "SELECT count(*) FROM passages_fts WHERE passages_fts MATCH ?"
_COUNT_DOCUMENTS = "SELECT count(*) FROM documents_fts WHERE documents_fts MATCH ?"
_TOTAL = """
SELECT count(*) FROM (
    SELECT document_id FROM chunks
    WHERE id IN (SELECT rowid FROM passages_fts WHERE passages_fts MATCH ?)
    UNION SELECT rowid FROM documents_fts WHERE documents_fts MATCH ?)
"""
_FIRST = "SELECT min(id) FROM chunks WHERE document_id = ?"


def quote(term: str) -> str:
    """A term as an FTS5 string."""
    return '"' + term.replace('"', '""') + '"'


@dataclass(frozen=True, slots=True)
class Totals:
    """The statistics of all passages and of all documents' fields."""

    passages: Statistics
    documents: Statistics


def read_totals(connection: sqlite3.Connection) -> Totals:
    """Counted by SQL; the caller keeps them until the database changes."""
    units, size, trail = connection.execute(
        "SELECT count(*), coalesce(sum(length(tokens)), 0) / 4, coalesce(sum(trail_length), 0)"
        " FROM chunks"
    ).fetchone()
    documents, words = connection.execute(
        "SELECT count(*), coalesce(sum(length(tokens)), 0) / 4 FROM documents"
    ).fetchone()
    return Totals(Statistics(units, size, (trail, size - trail)), Statistics(documents, words))


def candidate_view(
    connection: sqlite3.Connection, words: Sequence[Word], totals: Totals
) -> View | None:
    """The passages and documents that FTS5 likes best for these words, as a small view."""
    known = [word for word in words if any(choice.term_id for choice in word.choices)]
    if not known:
        return None
    expression = " OR ".join(_any(word) for word in known)
    chunks = [row[0] for row in connection.execute(_PASSAGES, (expression, CANDIDATES))]
    named = [row[0] for row in connection.execute(_DOCUMENTS, (expression, CANDIDATES))]
    for document in named:
        first = connection.execute(_FIRST, (document,)).fetchone()[0]
        if first is not None:
            chunks.append(first)
    passages = build_segment(read_some_passages(connection, sorted(set(chunks))))
    owners = set(named) | set(np.unique(passages.documents).tolist())
    fields = build_segment(read_some_documents(connection, sorted(owners)))
    return compose_view(
        replace(
            build_layer([passages], _NONE, len(PASSAGE_FIELDS)),
            statistics=totals.passages,
            frequencies=_frequencies(connection, words, _COUNT_PASSAGES),
        ),
        replace(
            build_layer([fields], _NONE, len(DOCUMENT_FIELDS)),
            statistics=totals.documents,
            frequencies=_frequencies(connection, words, _COUNT_DOCUMENTS),
        ),
    )


_NONE = np.zeros(0, np.int64)


def _any(word: Word) -> str:
    return " OR ".join(quote(choice.term) for choice in word.choices if choice.term_id)


def _frequencies(
    connection: sqlite3.Connection, words: Sequence[Word], count: str
) -> dict[tuple[int, ...], int]:
    found: dict[tuple[int, ...], int] = {}
    for word in words:
        key = tuple(choice.term_id for choice in word.choices)
        if any(key):
            found[key] = int(connection.execute(count, (_any(word),)).fetchone()[0])
    return found


def count_matching(connection: sqlite3.Connection, words: Sequence[Word]) -> int:
    """How many documents hold any of the words, in a passage or in a field."""
    expressions = [_any(word) for word in words if any(c.term_id for c in word.choices)]
    if not expressions:
        return 0
    expression = " OR ".join(expressions)
    return int(connection.execute(_TOTAL, (expression, expression)).fetchone()[0])
