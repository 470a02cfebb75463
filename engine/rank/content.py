"""How well does a text answer the query? Sagasu's table and multipliers, and LSS's features.

The words side by side 0.8; all of them in one heading 0.7 (times 1 + (5 - level) / 10); all in the
text 0.6; some 0.3 times their share. Terms come analysed, so that forms of a word are equal. Query
(tax, return): text "… tax return …" 0.8, heading "Return of tax" of level 2: 0.7 · 1.3 = 0.91, both
somewhere 0.6, one of them 0.15.

Multipliers: rare words up to 2 (1 + tf-idf, capped); a match in the first tenth 1.3; a phrase 1.3,
all words 1, some 0.7. LSS adds to a fused score 0.4 · share of common terms (Jaccard) + 0.3 when
the words stand side by side + 0.1 when a number of the query occurs.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.rank.diversify import measure_jaccard

PHRASE, HEADING, ALL_WORDS, SCATTERED = 0.8, 0.7, 0.6, 0.3
EARLY_SHARE, EARLY_FACTOR = 0.1, 1.3
MOST_RARE = 2.0
QUALITY: dict[str, float] = {"phrase": 1.3, "heading": 1.0, "all_words": 1.0, "partial": 0.7}
JACCARD_WEIGHT, PHRASE_WEIGHT, DIGIT_WEIGHT = 0.4, 0.3, 0.1


@dataclass(frozen=True, slots=True)
class Match:
    """A score and what it was given for."""

    score: float
    how: str  # none, partial, all_words, heading, phrase


def find_phrase(terms: Sequence[str], asked: Sequence[str]) -> int | None:
    """Where the asked terms stand side by side; None when they do not."""
    size = len(asked)
    if not size:
        return None
    first, wanted = asked[0], list(asked)
    for place in range(len(terms) - size + 1):
        if terms[place] == first and list(terms[place : place + size]) == wanted:
            return place
    return None


def score_content(
    terms: Sequence[str],
    asked: Sequence[str],
    headings: Sequence[tuple[int, Sequence[str]]] = (),
) -> Match:
    """The best row of the table; `headings` are levels from 1 with their terms."""
    wanted, present = set(asked), set(terms)
    if not wanted:
        return Match(0.0, "none")
    found = [Match(0.0, "none")]
    if len(asked) > 1 and find_phrase(terms, asked) is not None:
        found.append(Match(PHRASE, "phrase"))
    for level, words in headings:
        if wanted <= set(words):
            found.append(Match(min(HEADING * (1 + (5 - level) * 0.1), 1.0), "heading"))
    if wanted <= present:
        found.append(Match(ALL_WORDS, "all_words"))
    elif wanted & present:
        found.append(Match(SCATTERED * len(wanted & present) / len(wanted), "partial"))
    return max(found, key=lambda match: match.score)


def boost_rare(
    counts: Mapping[str, int], length: int, idf: Mapping[str, float], asked: Sequence[str]
) -> float:
    """1 + the mean tf · idf of the asked terms, at most 2."""
    if not asked or length <= 0:
        return 1.0
    total = sum(counts.get(term, 0) / length * idf.get(term, 0.0) for term in set(asked))
    return min(1.0 + total / len(set(asked)), MOST_RARE)


def boost_early(terms: Sequence[str], asked: Sequence[str]) -> float:
    """1.3 when an asked term stands in the first tenth."""
    early = terms[: math.ceil(len(terms) * EARLY_SHARE)]
    return EARLY_FACTOR if set(early) & set(asked) else 1.0


def score_features(terms: Sequence[str], asked: Sequence[str]) -> float:
    """LSS's addends after fusion, from 0 to 0.8."""
    score = JACCARD_WEIGHT * measure_jaccard(frozenset(terms), frozenset(asked))
    if len(asked) > 1 and find_phrase(terms, asked) is not None:
        score += PHRASE_WEIGHT
    if any(any(map(str.isdigit, term)) for term in set(asked) & set(terms)):
        score += DIGIT_WEIGHT
    return score
