"""How are equals told apart? Ordered rules: the first that differs decides.

words       more of the query's words first
typo        fewer corrected letters first
proximity   words standing closer together first (sum of the gaps between neighbours)
attribute   a match in an earlier field first (0 title, 1 heading, 2 path, 3 body)
sort        the person's own order, when one is asked for (lower first)
exactness   more words matched letter for letter first

Two words, one typo against one word, no typo: `words` stands before `typo`, so the first wins.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.errors import InvalidValueError


@dataclass(frozen=True, slots=True)
class Facts:
    """What the rules look at in one hit."""

    words: int = 0
    typos: int = 0
    proximity: int = 0
    attribute: int = 0
    sort: float = 0.0
    exactness: int = 0


RULES: dict[str, Callable[[Facts], float]] = {  # lower is better
    "words": lambda facts: -facts.words,
    "typo": lambda facts: facts.typos,
    "proximity": lambda facts: facts.proximity,
    "attribute": lambda facts: facts.attribute,
    "sort": lambda facts: facts.sort,
    "exactness": lambda facts: -facts.exactness,
}
DEFAULT_RULES = tuple(RULES)


def order_by_rules(facts: Sequence[Facts], rules: Sequence[str] = DEFAULT_RULES) -> list[int]:
    """The places of the hits, best first; hits equal under every rule keep their order."""
    unknown = [rule for rule in rules if rule not in RULES]
    if unknown:
        raise InvalidValueError(
            name="ranking rules",
            problem=f"there is no rule “{unknown[0]}”",
            fix=f"Rules: {', '.join(RULES)}.",
        )
    keys = [tuple(RULES[rule](one) for rule in rules) for one in facts]
    return sorted(range(len(facts)), key=keys.__getitem__)


def measure_proximity(positions: Sequence[Sequence[int]], far: int = 8) -> int:
    """The least sum of gaps between neighbouring query words; a gap counts `far` at most.

    Positions [3, 20] and [5] give 2; a word that is absent counts as far from both neighbours.
    """
    total = 0
    for first, second in pairwise(positions):
        gaps = [abs(one - other) for one in first for other in second]
        total += min(min(gaps, default=far), far)
    return total
