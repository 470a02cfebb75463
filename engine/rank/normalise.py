"""How do folders of different richness compete fairly? Each root's best hit counts 1 (ra).

Roots a (4500, 3200, 3000) and b (800, 600) become 1, 0.71, 0.67 and 1, 0.75. With one root in the
answer the scores stay as they are. A root that is nearer to the person's work may weigh more.
"""

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from engine.rank.fuse import Scores


def normalise_roots(scores: Scores, roots: Sequence[Hashable]) -> Scores:
    """The scores as shares of their root's best, if more than one root has hits."""
    if len(set(roots)) < 2:
        return scores
    best: dict[Hashable, float] = {}
    for root, score in zip(roots, scores.tolist(), strict=True):
        best[root] = max(best.get(root, 0.0), score)
    tops = np.array([best[root] or 1.0 for root in roots], dtype=np.float64)
    return scores / tops


def boost_roots(
    scores: Scores, roots: Sequence[Hashable], boosts: Mapping[Hashable, float]
) -> Scores:
    """The scores times their root's factor (1.5 for the root one is working in, as ra does)."""
    factors = np.array([boosts.get(root, 1.0) for root in roots], dtype=np.float64)
    return scores * factors
