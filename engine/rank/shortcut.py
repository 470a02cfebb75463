"""Is the answer already clear? One hit far ahead ends the search early.

A word search whose first score s0 and second s1 have s0 / (s0 + s1) ≥ 0.85 needs no second opinion:
9.0 against 1.0 gives 0.90, 9.0 against 3.0 gives 0.75. The gap, (s0 - s1) / s0, must be 0.15 at
least; a single hit has no rival and wins only if it is whole (every word of the query is in it).
"""

from dataclasses import dataclass

import numpy as np

from engine.rank.fuse import Scores


@dataclass(frozen=True, slots=True)
class Winner:
    """The clear first, and by how much."""

    index: int
    share: float
    gap: float


def find_winner(
    scores: Scores, least_share: float = 0.85, least_gap: float = 0.15, complete: bool = True
) -> Winner | None:
    """The hit that needs no second opinion, or None; `complete`: it has every word asked for."""
    if len(scores) == 0 or not complete:
        return None
    order = np.argsort(-scores, kind="stable")
    first = float(scores[order[0]])
    second = max(float(scores[order[1]]), 0.0) if len(scores) > 1 else 0.0
    if first <= 0.0:
        return None
    share, gap = first / (first + second), (first - second) / first
    if share < least_share or gap < least_gap:
        return None
    return Winner(int(order[0]), share, gap)
