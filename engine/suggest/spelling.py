"""Did you mean …? Words that the index does not know, mended by those it does.

A neighbour counts by how near and how common it is: log(1 + frequency) / (1 + distance)², and half
as much when it begins with another letter, which people rarely get wrong. Worked: for `databse`,
`database` (distance 1, met 17,376 times) gets ln 17,377 / 4 = 2.44, `databases` (2; 500 times)
ln 501 / 9 = 0.69.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product

from engine.keyword import KeywordIndex
from engine.text import analyse_with_offsets, query_terms
from engine.text.distance import max_edits
from engine.text.normalise import fold, to_nfkc

SHORTEST = 4  # letters: below it every word is near every other
MOST_EACH = 5
RARE = 2  # a word met no more often than this may itself be a typo


@dataclass(frozen=True, slots=True)
class Correction:
    """The query mended, and how sure that is (comparable within one answer)."""

    text: str
    score: float
    words: tuple[tuple[str, str], ...]  # what was typed, what is meant


def suggest_spelling(
    index: KeywordIndex, text: str, languages: Sequence[str], *, limit: int = 3
) -> list[Correction]:
    """Mended queries, the likeliest first; empty when every word is known or none can be mended."""
    places = _words(text)
    options: list[list[tuple[str, float]]] = []
    for start, end in places:
        word = text[start:end]
        found = [] if _is_known(index, word, languages) else _neighbours(index, word)
        options.append(found or [(word, 0.0)])
    corrections = [
        _correction(text, places, choice) for choice in islice(product(*options), 200)
    ]
    corrections = [one for one in corrections if one.words]
    return sorted(corrections, key=lambda one: (-one.score, one.text))[:limit]


def _words(text: str) -> list[tuple[int, int]]:
    """Where the words of a query stand; parts of compounds are left to their wholes."""
    spans: list[tuple[int, int]] = []
    for token in analyse_with_offsets(text, ""):
        if not spans or token.start >= spans[-1][1]:
            spans.append((token.start, token.end))
    return [(start, end) for start, end in spans if text[start:end].isalpha()]


def _is_known(index: KeywordIndex, word: str, languages: Sequence[str]) -> bool:
    if len(word) < SHORTEST:
        return True
    forms = index.vocabulary.find_forms(word)
    if forms:
        return max(one.frequency for one in forms) > RARE
    return any(index.find_term(term) for term in query_terms(word, languages))


def _neighbours(index: KeywordIndex, word: str) -> list[tuple[str, float]]:
    key = fold(to_nfkc(word))
    edits = max(max_edits(key), 1)
    own = sum(one.frequency for one in index.vocabulary.find_forms(word))
    scores: dict[str, float] = {}
    for one in index.vocabulary.expand_fuzzy(word, edits).found:
        if one.form == key or one.frequency <= own * 10 or not one.written:
            continue
        score = math.log1p(one.frequency) / (1 + one.distance) ** 2
        if one.form[:1] != key[:1]:
            score /= 2
        scores[one.form] = max(score, scores.get(one.form, 0.0))
    return sorted(scores.items(), key=lambda one: (-one[1], one[0]))[:MOST_EACH]


def _correction(
    text: str, places: Sequence[tuple[int, int]], choice: Sequence[tuple[str, float]]
) -> Correction:
    mended, last, pairs = "", 0, []
    for (start, end), (word, _) in zip(places, choice, strict=True):
        typed = text[start:end]
        mended += text[last:start] + word
        last = end
        if word != typed:
            pairs.append((typed, word))
    return Correction(mended + text[last:], sum(score for _, score in choice), tuple(pairs))
