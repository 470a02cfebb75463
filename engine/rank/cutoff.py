"""Where does relevance drop? Cuts a ranked list at its elbow (ra).

Scores 8.0, 7.5, 7.0, 3.2 with ratio 0.5 keep three: 3.2 / 7.0 = 0.46 is the first step below it.
A ratio of 0 switches the elbow off; the most that are kept is a limit of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Cutoff:
    """How many stay, and why."""

    keep: int
    reason: str  # ratio_below, zero_or_negative, max_reached, too_few, none
    ratio: float | None = None  # after / before, where the ratio made the cut
    before: float | None = None
    after: float | None = None

    def sentence(self) -> str:
        """The reason in words, for --explain and the footer of a list."""
        if self.reason == "ratio_below":
            return f"elbow at ratio {self.ratio:.2f}: {self.before:.3g} falls to {self.after:.3g}"
        return {
            "zero_or_negative": "the rest scores nothing",
            "max_reached": "most that are considered",
            "too_few": "too few to cut",
        }.get(self.reason, "no clear drop")


def find_elbow(scores: Sequence[float], ratio: float = 0.3, most: int = 50) -> Cutoff:
    """The cut for `scores` in falling order: before the first step below `ratio`."""
    if len(scores) < 2:
        return Cutoff(min(len(scores), most), "too_few")
    cut = _find_drop(scores, ratio)
    if cut.keep > most:
        return Cutoff(most, "max_reached")
    return cut


def _find_drop(scores: Sequence[float], ratio: float) -> Cutoff:
    for place, (before, after) in enumerate(pairwise(scores)):
        if before <= 0.0:
            return Cutoff(place, "zero_or_negative")
        if after <= 0.0:
            return Cutoff(place + 1, "zero_or_negative")
        if after / before < ratio:
            return Cutoff(place + 1, "ratio_below", after / before, before, after)
    return Cutoff(len(scores), "none")
