"""Which passages hold these words? The one object that searching asks.

Opened once for a database; every question sees the database as it is at that moment. Questions may
come from several threads.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.keyword.answer import PER_DOCUMENT, Ask, answer
from engine.keyword.compile import Compiler, Leaf
from engine.keyword.exact import ExactSearch
from engine.keyword.explain import explain_unit
from engine.keyword.fallback import Totals, candidate_view, count_matching, read_totals
from engine.keyword.hits import KeywordHits, empty_hits
from engine.keyword.layer import Mask
from engine.keyword.match import Matcher
from engine.keyword.postings import Postings
from engine.keyword.scoring import make_weighing
from engine.keyword.scoring.bm25 import BM25
from engine.keyword.scoring.weighing import Weighing
from engine.keyword.view import View, places_of
from engine.keyword.vocabulary import Vocabulary
from engine.keyword.words import Choice, Memo, Word
from engine.models import Explanation
from engine.query import Query, nodes
from engine.store.database import Database

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Tree:
    """What a tree leaves of a view."""

    view: View
    memo: Memo
    left: Mask
    phrase: Mask | None = None  # documents with the whole query as a phrase


@dataclass(frozen=True, slots=True)
class _Plan:
    """A question, compiled."""

    words: list[Word]
    flags: frozenset[str]
    tree: _Tree | None = None


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
        plan = self._plan(query, languages, weighing, typing=typing, fuzzy=fuzzy)
        if plan.tree is None:
            return self._rank(plan.words, plan.flags, ask)
        tree = plan.tree
        return answer(
            tree.view, plan.words, ask, memo=tree.memo, left=tree.left, phrase=tree.phrase,
            flags=plan.flags,
        )

    def explain(
        self,
        query: Query,
        document: int,
        chunk: int,
        *,
        languages: Sequence[str],
        scorer: str | Weighing = "bm25",
        typing: bool = False,
        fuzzy: bool = False,
    ) -> Explanation | None:
        """How the score of one hit of `search` came about; None when there is no such hit now."""
        weighing = make_weighing(scorer) if isinstance(scorer, str) else scorer
        plan = self._plan(query, languages, weighing, typing=typing, fuzzy=fuzzy)
        view = self.postings.view(whole=True)
        assert view is not None
        owners = places_of(view.document_ids, np.array([document], np.int64))
        if not len(owners):
            return None
        units = places_of(view.passages.ids, np.array([chunk], np.int64))
        unit = int(units[0]) if len(units) else int(view.first_units[owners[0]])
        held = plan.tree.phrase if plan.tree else None
        phrase = held is not None and bool(held[owners[0]])
        return explain_unit(view, plan.words, weighing, unit, phrase=phrase)

    def _plan(
        self,
        query: Query,
        languages: Sequence[str],
        weighing: Weighing,
        *,
        typing: bool,
        fuzzy: bool,
    ) -> "_Plan":
        """The words to score and, unless they are plain words only, what the tree leaves."""
        compiler = Compiler(self.database, self.vocabulary, languages, fuzzy=fuzzy)
        end = len(query.text) if typing else -1
        plain = _plain_words(query.tree)
        leaves = [compiler.compile(one, typing=one.end == end) for one in plain or ()]
        if leaves and weighing.phrase_boost == 1.0 and not any(map(_needs_positions, leaves)):
            flags = frozenset[str]().union(*(leaf.flags for leaf in leaves))
            return _Plan([word for leaf in leaves for word in leaf.words], flags)
        view = self.postings.view(whole=True)
        assert view is not None
        if query.tree is None:
            return _Plan([], frozenset(), _Tree(view, {}, view.living_documents()))
        matcher = Matcher(self.database, view, compiler, typed_end=end, weighing=weighing)
        found = matcher.match(query.tree)
        phrase = None
        if weighing.phrase_boost != 1.0 and plain is not None and len(plain) > 1:
            phrase = matcher.phrase_documents([word.text for word in plain])
        tree = _Tree(view, matcher.memo, found.documents, phrase)
        return _Plan(found.words, frozenset(found.flags), tree)

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
