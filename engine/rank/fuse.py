"""How do two lists of scores become one? Sums of scores on one scale, or of ranks.

Both sides give one number per candidate, in the same order; NaN marks a candidate that a side has
not seen. Every scale brings the numbers of one side to a common measure:

top     s / highest: the least possible score, 0, stays 0. An unseen candidate gets 0.
minmax  (s - low) / (high - low), where `low` is the least possible score if known, else the lowest
        seen. An unseen candidate gets 0; when all are equal, the seen ones get 0.5.
zscore  (s - mean) / deviation. An unseen candidate gets the lowest seen; deviation 0 gives 0.

Keyword scores 8, 4, NaN and cosines 0.2, 0.6, 0.4, on minmax with low 0 for the words, give
1, 0.5, 0 and 0, 1, 0.5; with weights 0.5 and 0.5 the sums are 0.5, 0.75, 0.25: the second is first.

Reciprocal rank fusion adds weight / (k + rank): first and third with k = 60 gives 1/61 + 1/63 =
0.0323. The bonus (0.05 for a first place, 0.02 for the next two) keeps a side's winner on top.
(Cormack, Clarke, Büttcher 2009; Bruch, Gai, Ingber 2023 for the convex sum.)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Scores: TypeAlias = npt.NDArray[np.float64]


def scale_top(scores: Scores) -> Scores:
    """The scores as shares of the highest; unseen, and all when nothing is above 0, are 0."""
    seen = np.nan_to_num(scores, nan=0.0)
    highest = float(seen.max(initial=0.0))
    return np.maximum(seen, 0.0) / highest if highest > 0.0 else np.zeros_like(seen)


def scale_minmax(scores: Scores, low: float | None = None, high: float | None = None) -> Scores:
    """The scores from 0 (lowest, or `low`) to 1 (highest, or `high`); unseen ones are 0."""
    seen = ~np.isnan(scores)
    scaled = np.zeros_like(scores)
    if not seen.any():
        return scaled
    bottom = float(scores[seen].min()) if low is None else low
    top = float(scores[seen].max()) if high is None else high
    if top > bottom:
        scaled[seen] = np.clip((scores[seen] - bottom) / (top - bottom), 0.0, 1.0)
    else:
        scaled[seen] = 0.5
    return scaled


def scale_zscore(scores: Scores) -> Scores:
    """The scores in deviations from their mean; an unseen one is as bad as the worst seen."""
    seen = ~np.isnan(scores)
    scaled = np.zeros_like(scores)
    if not seen.any():
        return scaled
    deviation = float(scores[seen].std())
    if deviation > 0.0:
        scaled[seen] = (scores[seen] - scores[seen].mean()) / deviation
        scaled[~seen] = scaled[seen].min()
    return scaled


def fuse_linear(sides: Sequence[Scores], weights: Sequence[float]) -> Scores:
    """The weighted sum of sides that are on one scale; the weights are made to add up to 1."""
    total = sum(weights)
    fused = np.zeros_like(sides[0])
    if total <= 0.0:
        return fused
    for side, weight in zip(sides, weights, strict=True):
        fused += side * (weight / total)
    return fused


def rank_scores(scores: Scores) -> npt.NDArray[np.int64]:
    """Places from 1 by falling score, equal scores in the order given; 0 for unseen ones."""
    ranks = np.zeros(len(scores), dtype=np.int64)
    seen = np.flatnonzero(~np.isnan(scores))
    order = seen[np.argsort(-scores[seen], kind="stable")]
    ranks[order] = np.arange(1, len(order) + 1)
    return ranks


@dataclass(frozen=True, slots=True)
class TopBonus:
    """What a place at the very top adds to a sum of reciprocal ranks."""

    first: float = 0.05
    near: float = 0.02
    near_until: int = 3  # the last place that still counts as near the top


NO_BONUS = TopBonus(0.0, 0.0, 0)


def fuse_ranks(
    sides: Sequence[Scores],
    weights: Sequence[float],
    k: float = 60.0,
    bonus: TopBonus = NO_BONUS,
) -> Scores:
    """Sums of weight / (k + rank) over the sides that have seen a candidate, with the bonus."""
    fused = np.zeros(len(sides[0]), dtype=np.float64)
    for side, weight in zip(sides, weights, strict=True):
        ranks = rank_scores(side)
        seen = ranks > 0
        fused[seen] += weight / (k + ranks[seen])
        fused[ranks == 1] += bonus.first
        fused[(ranks > 1) & (ranks <= bonus.near_until)] += bonus.near
    return fused
