"""How is a ranked list shaped? What a person has switched on: fair folders, signals, features,
ordered rules, a cross-encoder, no copies, variety, whole sections, a cut at the elbow. Each is off
by default, since the judged sets gain nothing from it.

Only the first POOL documents are looked at; the rest follow as they were.
"""

import sqlite3
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.config import RankingSettings
from engine.rank import Asked, Candidate, rank
from engine.rank.content import score_features
from engine.rank.cutoff import find_elbow
from engine.rank.diversify import drop_similar, spread_terms, spread_vectors
from engine.rank.normalise import boost_roots, normalise_roots
from engine.rank.rerank import Judge, rerank
from engine.rank.rules import order_by_rules
from engine.search.combine import Fused
from engine.search.describe import describe, read_idf, state_facts
from engine.search.sections import join_sections

POOL = 50
NEAR_FACTOR = 1.5  # ra's, for the folder one works in
Floats = npt.NDArray[np.float32]
Fetch = Callable[[npt.NDArray[np.int64]], Floats]

_PLACE = "SELECT root_id, path FROM documents WHERE id = ?"
_TEXT = "SELECT text FROM chunks WHERE id = ?"


@dataclass(frozen=True, slots=True)
class Wish:
    """What the list shall answer, and by which settings."""

    settings: RankingSettings
    text: str
    terms: tuple[tuple[str, ...], ...] = ()  # of each word: the index terms it was found as
    fuzzy: bool = False  # found with typos only

    @property
    def flat(self) -> tuple[str, ...]:
        """The terms of all words."""
        return tuple(term for some in self.terms for term in some)


def shape_list(
    connection: sqlite3.Connection,
    fused: list[Fused],
    wish: Wish,
    *,
    fetch: Fetch,
    judge: Judge | None = None,
) -> list[Fused]:
    """The list as the settings want it."""
    settings = wish.settings
    pool, rest = fused[:POOL], fused[POOL:]
    if (settings.per_root or settings.near_folders) and pool:
        pool = _by_roots(connection, pool, settings)
    if (settings.signals > 0.0 or settings.features > 0.0 or settings.rules) and pool:
        pool = _by_content(connection, pool, wish)
    if judge is not None and pool:
        pool = _by_judge(connection, pool, wish, judge)
    if (settings.duplicate_cosine < 1.0 or settings.diversity < 1.0) and len(pool) > 1:
        pool = _by_likeness(connection, pool, settings, fetch)
    if settings.aggregate > 0.0:
        pool = [_join(connection, one, settings.aggregate) for one in pool]
    shaped = [*pool, *rest]
    if settings.elbow_ratio > 0.0:
        scores = [one.score for one in shaped]
        shaped = shaped[: find_elbow(scores, settings.elbow_ratio, settings.elbow_most).keep]
    return shaped


def _by_roots(
    connection: sqlite3.Connection, pool: list[Fused], settings: RankingSettings
) -> list[Fused]:
    """Each root's best counts alike, and files below a near folder more."""
    places = [connection.execute(_PLACE, (one.document_id,)).fetchone() or (0, "") for one in pool]
    scores = np.array([one.score for one in pool], np.float64)
    if settings.per_root:
        scores = normalise_roots(scores, [root for root, _ in places]) * float(scores.max())
    near = [Path(folder).expanduser() for folder in settings.near_folders]
    if near:
        inside: list[Hashable] = [
            any(folder in Path(path).parents for folder in near) for _, path in places
        ]
        scores = np.minimum(boost_roots(scores, inside, {True: NEAR_FACTOR}), 1.0)
    return _reorder(pool, scores.tolist())


def _by_content(connection: sqlite3.Connection, pool: list[Fused], wish: Wish) -> list[Fused]:
    """Signals and features move scores; rules, when there are any, decide the order."""
    settings = wish.settings
    hits = {one.document_id: describe(connection, one) for one in pool}
    if settings.signals > 0.0:
        idf = read_idf(connection, wish.flat)
        asked = Asked(wish.text, wish.flat, time.time(), idf)
        chosen = [hits[one.document_id] for one in pool]
        ranked = rank(asked, chosen, [one.score for one in pool], settings)
        pool = [replace(pool[place], score=score) for place, score, _ in ranked]
    if settings.features > 0.0:
        pool = _by_features(pool, hits, wish)
    if settings.rules:
        facts = [
            state_facts(hits[one.document_id], wish.terms, -one.score, wish.fuzzy) for one in pool
        ]
        pool = [pool[place] for place in order_by_rules(facts, settings.rules)]
    return pool


def _by_features(pool: list[Fused], hits: dict[int, Candidate], wish: Wish) -> list[Fused]:
    added = [
        one.score + wish.settings.features * score_features(hits[one.document_id].terms, wish.flat)
        for one in pool
    ]
    most = max(1.0, *added)
    return _reorder(pool, [score / most for score in added])


def _by_judge(
    connection: sqlite3.Connection, pool: list[Fused], wish: Wish, judge: Judge
) -> list[Fused]:
    passages: list[str] = []
    for one in pool:
        row = connection.execute(_TEXT, (one.chunks[0] if one.chunks else 0,)).fetchone()
        passages.append(row[0] if row else "")
    scores = [one.score for one in pool]
    order, fresh = rerank(wish.text, passages, scores, judge, wish.settings.rerank_count)
    return [replace(pool[place], score=score) for place, score in zip(order, fresh, strict=True)]


def _by_likeness(
    connection: sqlite3.Connection, pool: list[Fused], settings: RankingSettings, fetch: Fetch
) -> list[Fused]:
    """Copies go, and the rest is spread: by vectors, or by terms as long as there are none."""
    chunks = np.array([one.chunks[0] if one.chunks else 0 for one in pool], np.int64)
    found = fetch(chunks)
    vectors = np.nan_to_num(found)
    if settings.duplicate_cosine < 1.0:
        kept = drop_similar(vectors, settings.duplicate_cosine)
        pool, vectors = [pool[place] for place in kept], vectors[kept]
    if settings.diversity >= 1.0:
        return pool
    relevance = [one.score for one in pool]
    if np.isfinite(found).any():
        order = spread_vectors(relevance, vectors, settings.diversity)
    else:
        terms = [frozenset(describe(connection, one).terms) for one in pool]
        order = spread_terms(relevance, terms, settings.diversity)
    return [pool[place] for place in order]


def _join(connection: sqlite3.Connection, one: Fused, threshold: float) -> Fused:
    chunks = join_sections(connection, one.document_id, one.chunks, threshold)
    return one if chunks == one.chunks else replace(one, chunks=chunks)


def _reorder(pool: Sequence[Fused], scores: Sequence[float]) -> list[Fused]:
    order = sorted(range(len(pool)), key=lambda place: (-scores[place], place))
    return [replace(pool[place], score=scores[place]) for place in order]
