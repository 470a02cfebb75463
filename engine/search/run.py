"""How is a question answered? Words and meaning side by side, fused, shaped, checked, shown.

1. Read the question: its tree, its filters, what plain language meant as filters.
2. Words from the postings while the model turns the question into a vector (its own thread).
3. Every candidate of either side gets both scores, so that none is punished for not being asked.
4. Fuse, cut, page; only then are rows loaded, snippets cut and files looked at.
5. Nothing found: once more with typos allowed, and said so.
"""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.config import Config
from engine.keyword import KeywordHits, build_snapshot, open_keyword_index
from engine.keyword.hits import empty_hits
from engine.search.combine import Fused, MeaningSide, WordSide, combine, nothing_relevant
from engine.search.facets import count_facets, read_rows, sort_fused
from engine.search.meaning import (
    NOTHING,
    Near,
    find_near,
    foreign_documents,
    vectors_of,
)
from engine.search.modes import BY_NAME
from engine.search.question import Question, read_question
from engine.search.request import SearchRequest, SearchResponse, SemanticState
from engine.search.results import Shown, build_results
from engine.search.sides import complete_sides, is_strict
from engine.search.words import find_words, share_of_words
from engine.store.database import Database

if TYPE_CHECKING:
    from engine.embed.onnx import OnnxEmbedder
    from engine.ports import Vectors
    from engine.vector import VectorIndex


@dataclass(frozen=True, slots=True)
class Rooms:
    """What searching needs of the other rooms."""

    database: Database
    config: Config
    postings: Path
    embedder: "Callable[[], OnnxEmbedder | None]"
    vectors: "Callable[[], VectorIndex | None]"
    semantic: Callable[[], SemanticState]


@dataclass(frozen=True, slots=True)
class Answer:
    """Fused documents and the facts around them."""

    fused: list[Fused]
    words: KeywordHits
    near: Near
    auto_fuzzy: bool = False


class Searcher:
    """Answers questions on one index; safe to ask from several threads."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.keyword = open_keyword_index(rooms.database, rooms.postings)
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="sagasu-search")

    def close(self) -> None:
        """End the helping threads."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def save_snapshots(self, *, always: bool = False) -> None:
        """Write the word snapshot when enough has changed, or always."""
        if always or self.keyword.postings.needs_snapshot():
            build_snapshot(self.rooms.database, self.rooms.postings)

    def search(self, request: SearchRequest) -> SearchResponse:
        """The answer to one question, which has been checked."""
        started = time.perf_counter()
        question = read_question(request, self.rooms.database, self.keyword)
        answer = self._answer(question)
        if question.can_be_fuzzy() and self._found_nothing(answer):
            again = self._answer(replace(question, fuzzy=True))
            if again.words.total_documents:
                answer = replace(again, auto_fuzzy=True)
        response = self._respond(question, answer)
        return replace(response, query_time_ms=(time.perf_counter() - started) * 1000)

    def _found_nothing(self, answer: Answer) -> bool:
        """No word occurs, and what means something close is not close enough to be it."""
        if answer.words.total_documents:
            return False
        return not answer.fused or nothing_relevant(answer.fused, self.rooms.config.ranking)

    def _answer(self, question: Question) -> Answer:
        request, settings = question.request, self.rooms.config.search
        vector = self._ask_model(question)
        words = empty_hits()
        if _uses_words(question):
            limit = max(settings.top_k_candidates, request.offset + request.limit)
            words = find_words(self.keyword, question, limit, question.allowed)
        found = vector.result() if vector is not None else None
        near = NOTHING if found is None else self._find_near(question, found)
        fused, words = self._fuse(question, words, near, found)
        return Answer(fused, words, near)

    def _ask_model(self, question: Question) -> "Future[Vectors] | None":
        """The question's vector, made in another thread while words are looked up."""
        request = question.request
        if not request.semantic_enabled or not BY_NAME[request.mode].semantic:
            return None
        embedder, text = self.rooms.embedder(), question.query.plain.strip()
        if embedder is None or not text or self.rooms.vectors() is None:
            return None
        return self._pool.submit(embedder.embed_query, text)

    def _find_near(self, question: Question, vector: "Vectors") -> Near:
        index = self.rooms.vectors()
        assert index is not None
        request, settings = question.request, self.rooms.config.search
        count = max(settings.top_k_candidates, request.offset + request.limit)
        connection = self.rooms.database.connection()
        return find_near(connection, index, vector, count, question.allowed)

    def _fuse(
        self, question: Question, words: KeywordHits, near: Near, vector: "Vectors | None"
    ) -> tuple[list[Fused], KeywordHits]:
        """Both scores for every candidate of either side, then one list."""
        connection, index = self.rooms.database.connection(), self.rooms.vectors()
        if len(near) and vector is not None and index is not None and _uses_words(question):
            words, near = complete_sides(
                connection,
                index,
                vector,
                words,
                near,
                strict=is_strict(question.query),
                find=lambda count, some: find_words(self.keyword, question, count, some),
            )
        documents = np.concatenate([words.documents, near.documents])
        fused = combine(
            question.query,
            WordSide(
                words.chunks,
                words.documents,
                words.scores,
                coverage=share_of_words(words),
                words=len(words.words),
            ),
            MeaningSide(
                near.chunks,
                near.documents,
                near.cosines,
                fetch=lambda chunks: vectors_of(connection, chunks),
                foreign=foreign_documents(connection, documents, question.languages),
            ),
            self.rooms.config.ranking,
            explain=question.request.explain,
        )
        return [one for one in fused if self._is_enough(question, one)], words

    def _is_enough(self, question: Question, one: Fused) -> bool:
        request = question.request
        if one.keyword > 0 and one.keyword >= request.min_keyword_score:
            return True
        return one.by_meaning and one.semantic >= request.min_semantic_score

    def _respond(self, question: Question, answer: Answer) -> SearchResponse:
        request, connection = question.request, self.rooms.database.connection()
        fused = answer.fused
        rows = read_rows(connection, fused) if request.facets or request.sort != "relevance" else {}
        if request.sort != "relevance":
            fused = sort_fused(fused, rows, request.sort)
        page = fused[request.offset : request.offset + request.limit]
        terms = frozenset(term for some in answer.words.terms for term in some)
        shown = Shown(terms, question.query.words, request.snippets)
        by_words = max(sum(one.keyword > 0 for one in fused), answer.words.total_documents)
        by_meaning = sum(one.keyword <= 0 for one in fused)
        return SearchResponse(
            query=request.query,
            query_time_ms=0.0,
            total=by_words + by_meaning,
            results=tuple(build_results(connection, page, shown, request.offset + 1)),
            mode=request.mode,
            total_keyword=by_words,
            total_semantic=by_meaning,
            auto_fuzzy=answer.auto_fuzzy,
            nothing_relevant=nothing_relevant(fused, self.rooms.config.ranking),
            chips=question.chips,
            facets=count_facets(rows) if request.facets else {},
            semantic=self.rooms.semantic(),
            stages={
                "by words": len(answer.words),
                "by meaning": len(answer.near),
                "documents": len(fused),
                "shown": len(page),
            },
        )


def _uses_words(question: Question) -> bool:
    return question.request.keyword_enabled and BY_NAME[question.request.mode].words
