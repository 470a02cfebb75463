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
from engine.search.combine import Fused, MeaningSide, WordSide, combine
from engine.search.meaning import (
    NOTHING,
    Near,
    cosines_of,
    find_near,
    foreign_documents,
    vectors_of,
)
from engine.search.modes import BY_NAME
from engine.search.question import Question, read_question
from engine.search.request import SearchRequest, SearchResponse, SemanticState
from engine.search.results import Shown, build_results
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
        if not len(answer.words) and question.can_be_fuzzy():
            again = self._answer(replace(question, fuzzy=True))
            if len(again.words):
                answer = replace(again, auto_fuzzy=True)
        response = self._respond(question, answer)
        return replace(response, query_time_ms=(time.perf_counter() - started) * 1000)

    def _answer(self, question: Question) -> Answer:
        request, settings = question.request, self.rooms.config.search
        vector = self._ask_model(question)
        words = empty_hits()
        if request.keyword_enabled and BY_NAME[request.mode].words:
            limit = max(settings.top_k_candidates, request.offset + request.limit)
            words = find_words(self.keyword, question, limit, question.allowed)
        if vector is None:
            return Answer(self._fuse(question, words, NOTHING, None), words, NOTHING)
        near = self._find_near(question, vector.result())
        return Answer(self._fuse(question, words, near, vector.result()), words, near)

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
    ) -> list[Fused]:
        """Both scores for every candidate of either side, then one list."""
        if len(near) and len(words) and vector is not None:
            words, near = self._complete(question, words, near, vector)
        connection = self.rooms.database.connection()
        documents = np.concatenate([words.documents, near.documents])
        fused = combine(
            question.query,
            WordSide(
                words.chunks, words.documents, words.scores,
                coverage=share_of_words(words), words=len(words.words),
            ),
            MeaningSide(
                near.chunks, near.documents, near.cosines,
                fetch=lambda chunks: vectors_of(connection, chunks),
                foreign=foreign_documents(connection, documents, question.languages),
            ),
            self.rooms.config.ranking,
            explain=question.request.explain,
        )
        return [one for one in fused if self._is_enough(question, one)]

    def _complete(
        self, question: Question, words: KeywordHits, near: Near, vector: "Vectors"
    ) -> tuple[KeywordHits, Near]:
        index = self.rooms.vectors()
        assert index is not None
        connection = self.rooms.database.connection()
        others = np.setdiff1d(words.chunks[words.chunks > 0], near.chunks)
        cosines = cosines_of(connection, index, vector, others)
        known = np.isfinite(cosines)
        owner = dict(zip(words.chunks.tolist(), words.documents.tolist(), strict=True))
        owners = np.array([owner[chunk] for chunk in others[known].tolist()], np.int64)
        near = Near(
            np.concatenate([near.chunks, others[known]]),
            np.concatenate([near.documents, owners]),
            np.concatenate([near.cosines, cosines[known]]),
        )
        missing = np.setdiff1d(near.documents, words.documents)
        if len(missing):
            more = find_words(self.keyword, question, len(missing), missing)
            words = replace(
                words,
                chunks=np.concatenate([words.chunks, more.chunks]),
                documents=np.concatenate([words.documents, more.documents]),
                scores=np.concatenate([words.scores, more.scores]),
                matched=np.concatenate([words.matched, more.matched]),
            )
        return words, near

    def _is_enough(self, question: Question, one: Fused) -> bool:
        request = question.request
        if one.keyword > 0 and one.keyword >= request.min_keyword_score:
            return True
        return one.by_meaning and one.semantic >= request.min_semantic_score

    def _respond(self, question: Question, answer: Answer) -> SearchResponse:
        request = question.request
        page = answer.fused[request.offset : request.offset + request.limit]
        terms = frozenset(term for some in answer.words.terms for term in some)
        shown = Shown(terms, question.query.words, request.snippets)
        results = build_results(
            self.rooms.database.connection(), page, shown, request.offset + 1
        )
        keyword_total = sum(one.keyword > 0 for one in answer.fused)
        return SearchResponse(
            query=request.query,
            query_time_ms=0.0,
            total=max(len(answer.fused), answer.words.total_documents),
            results=tuple(results),
            mode=request.mode,
            total_keyword=max(keyword_total, answer.words.total_documents),
            total_semantic=sum(one.keyword <= 0 for one in answer.fused),
            auto_fuzzy=answer.auto_fuzzy,
            chips=question.chips,
            semantic=self.rooms.semantic(),
        )
