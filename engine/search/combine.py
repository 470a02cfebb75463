"""How do words and meaning become one list? The one place that calls rank's functions.

Both sides come with scores for every candidate of either. Passages become documents by their best,
each side is brought to 0–1, the two are summed by a share that the question itself moves, and every
document is drawn a little towards its nearest neighbours. What is shown at the end is that order
with a confidence: the best of nonsense does not look like the best of treasure.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.config import RankingSettings
from engine.models import Explanation
from engine.query import Query
from engine.query.classify import classify
from engine.rank.calibrate import calibrate, is_nothing, score_confidence
from engine.rank.fuse import (
    Scores,
    TopBonus,
    fuse_linear,
    fuse_ranks,
    scale_minmax,
    scale_top,
    scale_zscore,
)
from engine.rank.neighbours import smooth_scores
from engine.rank.weights import (
    CLEAR_PLACE,
    Share,
    Tuning,
    choose_share,
    measure_certainty,
    weigh_variance,
)

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
DOUBT_BELOW = 0.3  # an irrelevant first hit has a confidence of 0.02, a relevant one of 0.97
Fetch = Callable[[Integers], Floats]  # the stored vectors of passages, a row of NaN for none


@dataclass(frozen=True, slots=True)
class WordSide:
    """Passages with their keyword scores; parallel arrays."""

    chunk_ids: Integers
    document_ids: Integers
    scores: Floats
    complete: bool = True  # False: the list was cut, and what is not in it may match too
    coverage: Floats | None = None  # share of the question's words in the passage or its document
    words: int = 0  # content words asked for; 0: not known
    fuzzy: bool = False  # found with typos only


@dataclass(frozen=True, slots=True)
class MeaningSide:
    """Passages with their cosines; parallel arrays."""

    chunk_ids: Integers
    document_ids: Integers
    cosines: Floats
    fetch: Fetch | None = None
    foreign: frozenset[int] = frozenset()  # documents in languages that the model cannot read


@dataclass(slots=True)  # not frozen: hundreds are made for each question, at a third of the cost
class Fused:
    """One document of the answer, before it is shown."""

    document_id: int
    score: float  # 0 to 1
    keyword: float
    semantic: float
    chunks: tuple[int, ...]  # the passages that speak for it, best first; 0: none
    by_meaning: bool = False
    confidence: float = 1.0
    why: Explanation | None = None


@dataclass(frozen=True, slots=True)
class _Table:
    """The candidates as parallel arrays, one row a document."""

    documents: Integers
    keyword: Scores  # NaN: no word of the question is in it
    cosine: Scores  # NaN: no passage has a vector
    coverage: Scores
    nearest: Integers  # the passage with the best cosine, 0 for none


class _Row(NamedTuple):
    """One document with every number on the way to its score."""

    document: int
    keyword: float  # as the words' side gave it; NaN for none
    cosine: float
    by_words: float  # on the common scale
    by_meaning: float
    summed: float
    neighbours: float
    confidence: float
    score: float


def combine(
    query: Query,
    words: WordSide,
    meaning: MeaningSide,
    settings: RankingSettings,
    *,
    explain: bool = False,
) -> list[Fused]:
    """Documents in falling order of both sides together."""
    table = _tabulate(words, meaning)
    if not len(table.documents):
        return []
    share = _choose(query, words, meaning, table, settings)
    by_words, by_meaning = _scale(table, settings.fusion)
    if 0.0 < share.meaning < 1.0 and settings.fusion == "convex":
        # The best by words counts in full only if it holds a third of them: else it is by chance.
        by_words = by_words * min(3.0 * _held_by_best(table), 1.0)
    if settings.variance:
        by_words = by_words * _spread(table.keyword)
        by_meaning = by_meaning * _spread(table.cosine)
    summed = _fuse(table, by_words, by_meaning, share.meaning, settings)
    foreign = _foreign_share(meaning, table)
    drawn = summed
    if 0.0 < share.meaning < 1.0 and meaning.fetch is not None and foreign < 0.5:
        drawn = _draw(table, summed, meaning.fetch, settings)
    confidence = score_confidence(table.cosine, table.coverage, 1.0 - foreign)
    final = calibrate(drawn, confidence)
    chunks = _rank_chunks(words, meaning, share.meaning)
    order = np.lexsort((table.documents, -drawn))
    columns = (
        table.documents, table.keyword, table.cosine, by_words, by_meaning, summed, drawn - summed,
        confidence, final,
    )  # fmt: skip
    rows = map(_Row, *(column[order].tolist() for column in columns))
    return [_build(row, chunks[row.document], share if explain else None) for row in rows]


def nothing_relevant(fused: list[Fused], settings: RankingSettings) -> bool:
    """Whether even the best of the answer is unlikely to be what was asked for."""
    return is_nothing(_first_confidences(fused), settings.abstain_below)


def is_doubtful(fused: list[Fused]) -> bool:
    """Whether the answer is too uncertain to stand if something else can still be tried."""
    return is_nothing(_first_confidences(fused), DOUBT_BELOW)


def _first_confidences(fused: list[Fused]) -> Scores:
    return np.array([one.confidence for one in fused[:CLEAR_PLACE]], np.float64)


def _tabulate(words: WordSide, meaning: MeaningSide) -> _Table:
    documents = np.unique(np.concatenate([words.document_ids, meaning.document_ids]))
    size = len(documents)
    rows = np.searchsorted(documents, words.document_ids)
    keyword = np.full(size, -np.inf)
    np.maximum.at(keyword, rows, words.scores.astype(np.float64))
    coverage = np.zeros(size)
    if words.coverage is not None:
        np.maximum.at(coverage, rows, words.coverage.astype(np.float64))
    else:
        coverage[rows] = np.nan
    order = np.argsort(meaning.cosines, kind="stable")  # the best is written last
    places = np.searchsorted(documents, meaning.document_ids[order])
    cosine, nearest = np.full(size, np.nan), np.zeros(size, np.int64)
    cosine[places] = meaning.cosines[order]
    nearest[places] = meaning.chunk_ids[order]
    return _Table(
        documents, np.where(np.isfinite(keyword), keyword, np.nan), cosine, coverage, nearest
    )


def _choose(
    query: Query, words: WordSide, meaning: MeaningSide, table: _Table, settings: RankingSettings
) -> Share:
    """The share of meaning; all or nothing when only one side has spoken."""
    if not len(words.chunk_ids) or not len(meaning.chunk_ids):
        alone = 1.0 if len(meaning.chunk_ids) else 0.0
        return Share(alone, (("one side only", alone),))
    if not settings.adaptive:
        return Share(settings.semantic_weight, (("set", settings.semantic_weight),))
    tuning = Tuning(
        settings.semantic_weight, settings.clarity_slope, settings.clarity_middle,
        settings.short_bonus, settings.foreign_factor,
    )  # fmt: skip
    return choose_share(
        table.keyword[~np.isnan(table.keyword)],
        words=words.words or len(query.words),
        certainty=_certainty(words, table),
        foreign=_foreign_share(meaning, table),
        intent=classify(query).intent.value,
        tuning=tuning,
    )


def _certainty(words: WordSide, table: _Table) -> float:
    """How far to believe the words: 1 when nothing speaks against them."""
    return measure_certainty(_held_by_best(table), words.fuzzy)


def _held_by_best(table: _Table) -> float:
    """The share of the question's words in the best document by words; 1 when it is not known."""
    held = float(table.coverage[int(np.argmax(np.nan_to_num(table.keyword, nan=-np.inf)))])
    return 1.0 if np.isnan(held) else held


def _spread(scores: Scores) -> float:
    """What a side's own variance leaves of its weight; unseen candidates say nothing of it."""
    return weigh_variance(scale_minmax(scores[~np.isnan(scores)]), 1.0)


def _foreign_share(meaning: MeaningSide, table: _Table) -> float:
    """How foreign the ten best documents by words are (by meaning, if there are none): 0 up to a
    half of them, since a language may be guessed wrong, 1 when all are."""
    if not meaning.foreign:
        return 0.0
    side = table.keyword if (~np.isnan(table.keyword)).any() else table.cosine
    best = np.argsort(-np.nan_to_num(side, nan=-np.inf), kind="stable")[:CLEAR_PLACE]
    best = best[~np.isnan(side[best])]
    share = float(np.mean([int(table.documents[row]) in meaning.foreign for row in best]))
    return max(0.0, 2.0 * share - 1.0)


def _scale(table: _Table, fusion: str) -> tuple[Scores, Scores]:
    """Both sides on one scale."""
    if fusion == "zscore":
        return scale_zscore(table.keyword), scale_zscore(table.cosine)
    if fusion == "minmax":
        return scale_minmax(table.keyword), scale_minmax(table.cosine)
    return scale_top(table.keyword), scale_minmax(table.cosine)


def _fuse(
    table: _Table, by_words: Scores, by_meaning: Scores, share: float, settings: RankingSettings
) -> Scores:
    weights = (1.0 - share, share)
    if settings.fusion == "rrf":
        bonus = TopBonus(settings.rrf_first_bonus, settings.rrf_near_bonus)
        return fuse_ranks((table.keyword, table.cosine), weights, settings.rrf_k, bonus)
    summed = fuse_linear((by_words, by_meaning), weights)
    return summed - min(float(summed.min()), 0.0)  # z-scores may be negative, scores may not


def _draw(table: _Table, summed: Scores, fetch: Fetch, settings: RankingSettings) -> Scores:
    """The best documents drawn towards their neighbours; the rest keep their distance."""
    if settings.neighbour_share <= 0.0:
        return summed
    order = np.argsort(-summed, kind="stable")
    pool, beyond = order[: settings.neighbour_pool], order[settings.neighbour_pool :]
    pool = pool[table.nearest[pool] > 0]
    drawn = summed.copy()
    drawn[beyond] *= 1.0 - settings.neighbour_share
    if len(pool):
        drawn[pool] = smooth_scores(
            summed[pool],
            fetch(table.nearest[pool]),
            settings.neighbour_share,
            settings.neighbour_count,
        )
    return drawn


def _rank_chunks(words: WordSide, meaning: MeaningSide, share: float) -> dict[int, tuple[int, ...]]:
    """The passages of each document, best first."""
    top = max(float(words.scores.max(initial=0.0)), 1e-9)
    close = max(float(meaning.cosines.max(initial=0.0)), 1e-9)
    both = np.concatenate([words.chunk_ids, meaning.chunk_ids])
    owners = np.concatenate([words.document_ids, meaning.document_ids])
    scores = np.concatenate(
        [words.scores * ((1.0 - share) / top), meaning.cosines * (share / close)]
    ).clip(min=0.0)
    order = np.lexsort((both, owners))  # a document found by its name alone has the passage 0
    both, owners, scores = both[order], owners[order], scores[order]
    first = np.ones(len(both), bool)
    first[1:] = (both[1:] != both[:-1]) | (owners[1:] != owners[:-1])
    starts = np.flatnonzero(first)
    both, owners, scores = both[starts], owners[starts], np.add.reduceat(scores, starts)
    order = np.lexsort((both, -scores, owners))
    chunks, owners = both[order].tolist(), owners[order]
    starts = np.flatnonzero(np.r_[True, owners[1:] != owners[:-1]])
    ends = [*starts[1:].tolist(), len(chunks)]
    return {
        document: tuple(chunks[start:end])
        for document, start, end in zip(owners[starts].tolist(), starts.tolist(), ends, strict=True)
    }


def _build(row: _Row, chunks: tuple[int, ...], share: Share | None) -> Fused:
    """The row as a document of the answer, explained when the share is given."""
    found = not math.isnan(row.cosine)
    return Fused(
        row.document,
        row.score,
        0.0 if math.isnan(row.keyword) else row.keyword,
        max(row.cosine, 0.0) if found else 0.0,
        chunks,
        found,
        row.confidence,
        _explain(row, share) if share is not None else None,
    )


def _explain(row: _Row, share: Share) -> Explanation:
    """The score as a tree: every number, and what it was made of."""
    moves = tuple(Explanation(value, what) for what, value in share.steps)
    return Explanation(
        row.score,
        "score: the sum drawn to its neighbours, as a share of the best, times confidence",
        (
            Explanation(
                row.summed,
                "sum: (1 - share) · words + share · meaning",
                (
                    Explanation(
                        row.by_words, "words, of the best", (Explanation(row.keyword, "keyword"),)
                    ),
                    Explanation(
                        row.by_meaning, "meaning, scaled", (Explanation(row.cosine, "cosine"),)
                    ),
                    Explanation(share.meaning, "share of meaning", moves),
                ),
            ),
            Explanation(row.neighbours, "what the nearest neighbours add or take"),
            Explanation(row.confidence, "confidence: cosine and share of words held"),
        ),
    )
