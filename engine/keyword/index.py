"""Which passages hold these words? The one object that searching asks.

Opened once for a database; every question sees the database as it is at that moment. Questions may
come from several threads.
"""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.keyword.answer import PER_DOCUMENT, Ask, answer
from engine.keyword.compile import Compiler, Leaf
from engine.keyword.exact import ExactSearch
from engine.keyword.fallback import Totals, candidate_view, count_matching, read_totals
from engine.keyword.hits import KeywordHits, empty_hits
from engine.keyword.match import Matcher
from engine.keyword.postings import Postings
from engine.keyword.scoring import make_weighing
from engine.keyword.scoring.bm25 import BM25
from engine.keyword.scoring.weighing import Weighing
from engine.keyword.view import View
from engine.keyword.vocabulary import Vocabulary
from engine.keyword.words import Choice, Word
from engine.query import Query, nodes
from engine.store.database import Database

Integers = npt.NDArray[np.int64]


class KeywordIndex:
    """Words of one database: postings where there is a snapshot, FTS5 where not."""

    def __init__(self, database: Database, path: Path) -> None:
        self.database = database
        self.postings = Postings.open(database, path)
        self.vocabulary = Vocabulary(database, self.postings)
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

    def search(
        self,
        query: Query,
        *,
        languages: Sequence[str],
        limit: int = 100,
        per_document: int = PER_DOCUMENT,
        scorer: str | Weighing = "bm25",
        allowed: Integers | None = None,
        typing: bool = False,
        fuzzy: bool = False,
        cancelled: Callable[[], bool] | None = None,
    ) -> KeywordHits:
        """The best passages of the best `limit` documents that the query's tree leaves.

        `typing`: the word at the end of the text may be unfinished. `fuzzy`: words that the index
        does not know may be typos. `cancelled` is asked between steps; a cancelled answer is empty
        and flagged so.
        """
        weighing = make_weighing(scorer) if isinstance(scorer, str) else scorer
        ask = Ask(limit, per_document, weighing, allowed, cancelled)
        compiler = Compiler(self.database, self.vocabulary, languages, fuzzy=fuzzy)
        end = len(query.text) if typing else -1
        plain = _plain_words(query.tree)
        leaves = [compiler.compile(one, typing=one.end == end) for one in plain or ()]
        if not leaves or weighing.phrase_boost != 1.0 or any(map(_needs_positions, leaves)):
            return self._search_tree(query.tree, plain, compiler, end, ask)
        words = [word for leaf in leaves for word in leaf.words]
        return self._rank(words, frozenset[str]().union(*(leaf.flags for leaf in leaves)), ask)

    def _search_tree(
        self,
        tree: nodes.Node | None,
        plain: Sequence[nodes.Word] | None,
        compiler: Compiler,
        end: int,
        ask: Ask,
    ) -> KeywordHits:
        view = self.postings.view(whole=True)
        assert view is not None
        if tree is None:
            return answer(view, (), ask, left=view.living_documents())
        matcher = Matcher(self.database, view, compiler, typed_end=end, weighing=ask.weighing)
        found = matcher.match(tree)
        phrase = None
        if plain is not None and len(plain) > 1:
            phrase = matcher.phrase_documents([word.text for word in plain])
        flags = frozenset(found.flags)
        return answer(
            view, found.words, ask, memo=matcher.memo, left=found.documents, phrase=phrase,
            flags=flags,
        )

    def search_exact(
        self,
        text: str,
        *,
        languages: Sequence[str],
        limit: int = 100,
        per_document: int = PER_DOCUMENT,
        allowed: Integers | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> KeywordHits:
        """Passages that hold exactly these characters (case aside), wherever words begin."""
        view = self.postings.view(whole=True)
        assert view is not None
        compiler = Compiler(self.database, self.vocabulary, languages, fuzzy=False)
        ask = Ask(limit, per_document, allowed=allowed, cancelled=cancelled)
        return ExactSearch(self.database, view, self.vocabulary, compiler).search(text, ask)

    def find_titles(
        self, text: str, *, languages: Sequence[str], limit: int = 10
    ) -> list[tuple[int, str]]:
        """Documents (number and title) whose titles hold all these words, the last one as far as
        it is typed; best first."""
        parts = text.split()
        words = [nodes.Must(nodes.Word(one)) for one in parts[:-1]]
        last = [nodes.Must(nodes.Prefix(one)) for one in parts[-1:]]
        tree = nodes.Field("title", nodes.Words((*words, *last)))
        hits = self.search(Query(text, tree), languages=languages, limit=limit, per_document=1)
        rows = (
            self.database.connection().execute(_TITLE, (number,)).fetchone()
            for number in hits.documents.tolist()
        )
        return [row for row in rows if row is not None]

    def rank_words(
        self,
        words: Sequence[Word],
        *,
        limit: int = 100,
        per_document: int = PER_DOCUMENT,
        weighing: Weighing | None = None,
        allowed: Integers | None = None,
    ) -> KeywordHits:
        """The best passages of the best `limit` documents for words of which none must occur."""
        ask = Ask(limit, per_document, weighing or Weighing(), allowed)
        return self._rank(words, frozenset(), ask)

    def _rank(self, words: Sequence[Word], flags: frozenset[str], ask: Ask) -> KeywordHits:
        if not words:
            return empty_hits()
        view, total = self._view_for(words, ask.weighing)
        if view is None:
            return empty_hits([word.text for word in words], flags)
        flags = flags if total is None else flags | {"fts5"}
        return answer(view, words, ask, flags=flags, total=total)

    def _view_for(
        self, words: Sequence[Word], weighing: Weighing
    ) -> tuple[View | None, int | None]:
        """What to score: all postings, or FTS5's candidates (and how many documents there are in
        all) while there are none."""
        view = self.postings.view()
        if view is not None:
            return view, None
        if not isinstance(weighing.scorer, BM25):
            # Only BM25 can do without the collection's term counts: the others wait for arrays.
            return self.postings.view(whole=True), None
        with self.database.read() as connection:
            found = candidate_view(connection, words, self._read_totals())
            return found, count_matching(connection, words)

    def _read_totals(self) -> Totals:
        connection = self.database.connection()
        state = (id(connection), self.database.data_version(), connection.total_changes)
        with self._guard:
            if self._totals is None or self._totals[0] != state:
                self._totals = (state, read_totals(connection))
            return self._totals[1]


_TITLE = "SELECT id, title FROM documents WHERE id = ?"


def _needs_positions(leaf: Leaf) -> bool:
    return bool(leaf.sequences) and not leaf.loose


def _plain_words(tree: nodes.Node | None) -> list[nodes.Word] | None:
    """The words of a query that is nothing but plain words; None for every other."""
    parts = tree.parts if isinstance(tree, nodes.Words) else (tree,)
    plain = [part for part in parts if isinstance(part, nodes.Word)]
    return plain if len(plain) == len(parts) else None
