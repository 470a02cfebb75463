"""Which passages hold these words? The one object that searching asks.

Opened once for a database; every question sees the database as it is at that moment. Questions may
come from several threads.
"""

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.keyword.fallback import Totals, candidate_view, count_matching, read_totals
from engine.keyword.hits import KeywordHits, empty_hits, take_best, word_bits
from engine.keyword.postings import Postings
from engine.keyword.scoring.bm25 import BM25
from engine.keyword.scoring.weighing import Weighing
from engine.keyword.view import View
from engine.keyword.words import Choice, Word, score_words
from engine.store.database import Database

PER_DOCUMENT = 3


class KeywordIndex:
    """Words of one database: postings where there is a snapshot, FTS5 where not."""

    def __init__(self, database: Database, path: Path) -> None:
        self.database = database
        self.postings = Postings.open(database, path)
        self._totals: tuple[object, Totals] | None = None
        self._guard = threading.Lock()

    def find_term(self, term: str) -> int:
        """The vocabulary number of a term; 0 when the index has never met it."""
        row = self.database.connection().execute(
            "SELECT id FROM vocabulary WHERE term = ?", (term,)
        ).fetchone()
        return int(row[0]) if row else 0

    def word(self, text: str, terms: Sequence[str], boost: float = 1.0) -> Word:
        """A plain word that may be found as any of `terms`."""
        return Word(text, tuple(Choice(term, self.find_term(term)) for term in terms), boost)

    def rank_words(
        self,
        words: Sequence[Word],
        *,
        limit: int = 100,
        per_document: int = PER_DOCUMENT,
        weighing: Weighing | None = None,
        allowed: npt.NDArray[np.int64] | None = None,
    ) -> KeywordHits:
        """The best passages of the best `limit` documents for words of which none must occur."""
        texts = tuple(word.text for word in words)
        if not words:
            return empty_hits()
        weighing = weighing or Weighing()
        view, total, flags = self._view_for(words, weighing)
        if view is None:
            return empty_hits(texts)
        scores = score_words(view, words, weighing)
        mask = None if allowed is None else view.document_mask(allowed)
        units, found = take_best(
            view, scores, limit=limit, per_document=per_document, allowed=mask
        )
        return KeywordHits(
            view.unit_chunks[units],
            view.document_ids[view.unit_documents[units]],
            scores.values[units],
            word_bits(view, units, scores.matches),
            texts,
            tuple(tuple(one.term for one in word.choices if one.term_id) for word in words),
            found if total is None or allowed is not None else total,
            flags,
        )

    def _view_for(
        self, words: Sequence[Word], weighing: Weighing
    ) -> tuple[View | None, int | None, frozenset[str]]:
        """What to score: all postings, or FTS5's candidates while there are none."""
        view = self.postings.view()
        if view is not None:
            return view, None, frozenset()
        if not isinstance(weighing.scorer, BM25):
            # Only BM25 can do without the collection's term counts: the others wait for arrays.
            return self.postings.view(whole=True), None, frozenset()
        with self.database.read() as connection:
            found = candidate_view(connection, words, self._read_totals())
            total = count_matching(connection, words)
        return found, total, frozenset({"fts5"})

    def _read_totals(self) -> Totals:
        connection = self.database.connection()
        state = (id(connection), self.database.data_version(), connection.total_changes)
        with self._guard:
            if self._totals is None or self._totals[0] != state:
                self._totals = (state, read_totals(connection))
            return self._totals[1]
