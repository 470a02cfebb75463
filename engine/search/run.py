"""How is a question answered? Words and meaning side by side, fused, shaped, checked, shown.

1. Read the question: its tree, its filters, what plain language meant as filters.
2. Words from the postings while the model turns the question into a vector (its own thread).
3. Every candidate of either side gets both scores, so that none is punished for not being asked.
4. Fuse, cut, page; only then are rows loaded, snippets cut and files looked at.
5. Nothing found: once more with typos allowed, and said so.
"""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from engine.cancel import check_cancelled
from engine.config import Config
from engine.keyword import KeywordHits, build_snapshot, open_keyword_index
from engine.keyword.hits import empty_hits
from engine.keyword.names import NameIndex, build_name_snapshot
from engine.models import Result
from engine.rank.feedback import has_drifted
from engine.search.combine import (
    Fused,
    MeaningSide,
    WordSide,
    combine,
    is_doubtful,
    nothing_relevant,
)
from engine.search.concepts import Concepts
from engine.search.facets import count_facets, raise_pinned, read_rows, sort_fused
from engine.search.feedback import widen
from engine.search.meaning import (
    NOTHING,
    Near,
    find_near,
    foreign_documents,
    vectors_of,
)
from engine.search.modes import BY_NAME
from engine.search.page import Pages
from engine.search.question import Question, read_languages, read_question
from engine.search.quick import find_more, find_names
from engine.search.request import SearchRequest, SearchResponse, SemanticState
from engine.search.results import Shown
from engine.search.shape import Wish, shape_list
from engine.search.sides import complete_sides, is_strict
from engine.search.words import find_words, has_winner, share_of_words
from engine.store.database import Database
from engine.store.pins import pinned_documents
from engine.suggest.complete import complete
from engine.suggest.spelling import suggest_spelling

if TYPE_CHECKING:
    from engine.embed.cross_encoder import CrossEncoder
    from engine.embed.onnx import OnnxEmbedder
    from engine.ports import Vectors
    from engine.rank.rerank import Judge
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
    report_stale: Callable[[Sequence[str]], None] = lambda paths: None


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
        self.names = NameIndex(rooms.database, _names_path(rooms.postings))
        self._concepts = Concepts(self.keyword.vocabulary)
        self._cross_encoder: CrossEncoder | None = None
        self._languages: tuple[object, tuple[str, ...]] = (None, ())
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="sagasu-search")
        self._pages = Pages(rooms.database, rooms.report_stale)

    def close(self) -> None:
        """End the helping threads."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._pages.close()

    def save_snapshots(self, *, always: bool = False) -> None:
        """Write the word snapshot when enough has changed, or always."""
        if always or self.keyword.postings.needs_snapshot():
            build_snapshot(self.rooms.database, self.rooms.postings)
        if always or self.names.needs_snapshot():
            build_name_snapshot(self.rooms.database, _names_path(self.rooms.postings))

    def search(self, request: SearchRequest) -> SearchResponse:
        """The answer to one question, which has been checked."""
        started = time.perf_counter()
        question = read_question(request, self.rooms.database, self.languages())
        if request.mode == "names":
            response = self._quick_open(question)
            return replace(response, query_time_ms=(time.perf_counter() - started) * 1000)
        answer = self._answer(question)
        if question.has_plain_chips() and self._found_nothing(answer):
            # "rename photos" may be about photos, not of them: better words than an empty filter.
            plain = replace(request, plain_filters=False)
            words = read_question(plain, self.rooms.database, self.languages())
            again = self._answer(words)
            if again.words.total_documents:
                question, answer = words, again
        if question.can_be_fuzzy() and self._found_nothing(answer):
            again = self._answer(replace(question, fuzzy=True))
            if again.words.total_documents:
                answer = replace(again, auto_fuzzy=True)
        response = self._respond(question, answer)
        return replace(response, query_time_ms=(time.perf_counter() - started) * 1000)

    def languages(self) -> tuple[str, ...]:
        """The languages of the indexed documents; read anew when something was written."""
        connection = self.rooms.database.connection()
        state = (id(connection), self.rooms.database.data_version(), connection.total_changes)
        if self._languages[0] != state:
            self._languages = (state, read_languages(self.rooms.database))
        return self._languages[1]

    def suggest(self, text: str, limit: int = 3) -> list[str]:
        """The question with its unknown words mended, the likeliest first."""
        found = suggest_spelling(self.keyword, text, self.languages(), limit=limit)
        return [one.text for one in found]

    def complete(self, text: str, limit: int = 8) -> list[str]:
        """How the last word may go on."""
        return [one.text for one in complete(self.keyword, text, self.languages(), limit=limit)]

    def _quick_open(self, question: Question) -> SearchResponse:
        request = question.request
        connection = self.rooms.database.connection()
        wanted = request.offset + request.limit
        found = find_names(connection, self.names, question.query.text, wanted, request.scopes)
        return SearchResponse(
            query=request.query,
            query_time_ms=0.0,
            total=len(found),
            results=tuple(self._pages.check(request, found[request.offset :])),
            mode=request.mode,
            total_keyword=len(found),
            chips=question.chips,
            semantic=self.rooms.semantic(),
        )

    def _add_names(self, question: Question, results: list[Result], nothing: bool) -> list[Result]:
        """Files known by name only, behind what content found, or first when that is nothing."""
        request = question.request
        if request.mode != "hybrid" or request.offset or question.allowed is not None:
            return results
        full = len(results) >= request.limit and not nothing
        if full or is_strict(question.query):
            return results
        connection = self.rooms.database.connection()
        more = find_more(connection, self.names, question.query.plain, request.scopes)
        known = {one.path for one in results}
        more = self._pages.check(request, [one for one in more if one.path not in known])
        ranked = [*more, *results] if nothing else [*results, *more]
        return [replace(one, rank=place) for place, one in enumerate(ranked[: request.limit], 1)]

    def _found_nothing(self, answer: Answer) -> bool:
        """No word occurs, and what means something close is not close enough to be it."""
        if answer.words.total_documents:
            return False
        return not answer.fused or is_doubtful(answer.fused)

    def _answer(self, question: Question) -> Answer:
        vector = self._ask_model(question)
        words = self._find_words(question)
        if vector is not None and has_winner(question, words, self.rooms.config.ranking):
            vector = None
        found = vector.result() if vector is not None else None
        first = self._bring_together(question, words, found)
        connection, settings = self.rooms.database.connection(), self.rooms.config.ranking
        wider = widen(
            connection, question, first.fused, words.terms, found, settings, self._fetch
        )  # fmt: skip
        if wider is None:
            return first
        again = self._bring_together(wider.question, self._find_words(wider.question), wider.vector)
        old, new = ([one.document_id for one in some.fused] for some in (first, again))
        return first if has_drifted(old, new) else again

    def _find_words(self, question: Question) -> KeywordHits:
        if not _uses_words(question):
            return empty_hits()
        request, settings = question.request, self.rooms.config.search
        limit = max(settings.top_k_candidates, request.offset + request.limit)
        return find_words(self.keyword, question, limit, question.allowed)

    def _bring_together(
        self, question: Question, words: KeywordHits, vector: "Vectors | None"
    ) -> Answer:
        check_cancelled()
        near = NOTHING if vector is None else self._find_near(question, vector)
        fused, words = self._fuse(question, words, near, vector)
        return Answer(fused, words, near)

    def _ask_model(self, question: Question) -> "Future[Vectors] | None":
        """The question's vector, made in another thread while words are looked up."""
        request = question.request
        if not request.semantic_enabled or not BY_NAME[request.mode].semantic:
            return None
        embedder, text = self.rooms.embedder(), request.hypothesis or question.query.plain.strip()
        if embedder is None or not text or self.rooms.vectors() is None:
            return None
        if self.rooms.config.ranking.concepts:
            return self._pool.submit(self._concepts.embed, embedder, text)
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
            strict = is_strict(question.query)
            words, near = complete_sides(connection, index, vector, words, near, strict=strict)
        documents = np.concatenate([words.documents, near.documents])

        def fetch(chunks: npt.NDArray[np.int64]) -> "Vectors":
            if index is None:
                return self._fetch(chunks)
            return index.vectors(near.find_keys(chunks))

        fused = combine(
            question.query,
            WordSide(
                words.chunks,
                words.documents,
                words.scores,
                coverage=share_of_words(words),
                words=len(words.words),
                fuzzy="fuzzy" in words.flags,
            ),
            MeaningSide(
                near.chunks,
                near.documents,
                near.cosines,
                fetch=fetch,
                foreign=foreign_documents(connection, documents, question.languages),
            ),
            self.rooms.config.ranking,
            explain=question.request.explain,
        )
        enough = [one for one in fused if self._is_enough(question, one)]
        shaped = shape_list(
            connection,
            enough,
            Wish(
                self.rooms.config.ranking,
                question.query.plain,
                words.terms,
                "fuzzy" in words.flags,
            ),
            fetch=fetch,
            judge=self._judge(),
        )
        return shaped, words

    def _fetch(self, chunks: npt.NDArray[np.int64]) -> "Vectors":
        index = self.rooms.vectors()
        if index is None:
            return np.full((len(chunks), 1), np.nan, np.float32)
        return vectors_of(self.rooms.database.connection(), index, chunks)

    def _judge(self) -> "Judge | None":
        """The person's own cross-encoder, opened at its first use; None when there is none."""
        folder = self.rooms.config.ranking.rerank_model
        if not folder:
            return None
        if self._cross_encoder is None:
            from engine.embed.cross_encoder import CrossEncoder

            self._cross_encoder = CrossEncoder(Path(folder).expanduser())
        encoder = self._cross_encoder
        return lambda text, passages: np.asarray(encoder.score(text, passages), np.float32)

    def _is_enough(self, question: Question, one: Fused) -> bool:
        request = question.request
        if one.keyword > 0 and one.keyword >= request.min_keyword_score:
            return True
        least = request.min_semantic_score or self.rooms.config.search.default_min_semantic_score
        return one.by_meaning and one.semantic >= least

    def _respond(self, question: Question, answer: Answer) -> SearchResponse:
        check_cancelled()
        request, connection = question.request, self.rooms.database.connection()
        fused = answer.fused
        nothing = nothing_relevant(fused, self.rooms.config.ranking)
        # Better no answer than noise; but what a filter leaves is asked for.
        if nothing and request.mode == "hybrid" and question.allowed is None:
            fused = [one for one in fused if one.keyword > 0]
        rows = read_rows(connection, fused) if request.facets or request.sort != "relevance" else {}
        if request.sort != "relevance":
            fused = sort_fused(fused, rows, request.sort)
        else:
            fused = raise_pinned(fused, pinned_documents(connection, request.query))
        terms = frozenset(term for some in answer.words.terms for term in some)
        # FTS5 gives a choice of candidates: what is not among them may hold the words too.
        scored = answer.words.among is not None and "fts5" not in answer.words.flags
        shown = Shown(terms, question.query.words, request.snippets, scored)
        by_words = max(sum(one.keyword > 0 for one in fused), answer.words.total_documents)
        by_meaning = sum(one.keyword <= 0 for one in fused)
        built: dict[int, list[Result]] = {}
        page = self._pages.show(request, fused, shown, built)
        listed = self._pages.show_lists(request, fused, shown, built)
        results = self._add_names(question, list(page.results), nothing)
        suggestions: list[str] = []
        unknown = not request.typing and not all(answer.words.terms)
        if answer.auto_fuzzy or unknown or is_doubtful(answer.fused):
            suggestions = self.suggest(question.query.text)
        return SearchResponse(
            query=request.query,
            query_time_ms=0.0,
            total=max(len(results), by_words + by_meaning - page.dropped),
            results=tuple(results),
            mode=request.mode,
            total_keyword=by_words,
            total_semantic=by_meaning,
            auto_fuzzy=answer.auto_fuzzy,
            suggestions=tuple(suggestions),
            nothing_relevant=nothing,
            chips=question.chips,
            facets=count_facets(rows) if request.facets else {},
            semantic=self.rooms.semantic(),
            by_words=listed[0],
            by_meaning=listed[1],
            stages={
                "by words": len(answer.words),
                "by meaning": len(answer.near),
                "documents": len(fused),
                "shown": len(page.results),
            },
        )


def _names_path(postings: Path) -> Path:
    return postings.with_name(f"{postings.name}-names")


def _uses_words(question: Question) -> bool:
    return question.request.keyword_enabled and BY_NAME[question.request.mode].words
