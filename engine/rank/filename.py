"""How well does a file's name answer the query? Sagasu's table, from 1.0 (the very name) down.

exact 1.0 · exact but for separators 0.95 · all words in order 0.9 · in any order 0.8 · the query as
part of the name 0.6 · every word begins a word of the name 0.5 · some words do: their share of 0.5.

`Budget_2026-final.xlsx` has the words budget, 2026, final, and its ending. "budget 2026 final" is
exact (so is "budget_2026-final.xlsx"), "budget2026final" is 0.95, "budget final" 0.9, "final
budget" 0.8, "get 2026" 0.6, "bud fin" 0.5, "budget plan" 0.25.
"""

import re
from collections.abc import Sequence

from engine.text.normalise import fold, to_nfkc

EXACT, SQUEEZED, IN_ORDER, ANY_ORDER, SUBSTRING, PREFIX = 1.0, 0.95, 0.9, 0.8, 0.6, 0.5

_PARTS = re.compile(r"[^\W_]+")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def split_name(name: str) -> list[str]:
    """The folded words of a name: cut at signs and before capitals inside words."""
    return [fold(part) for part in _PARTS.findall(_HUMPS.sub(" ", to_nfkc(name)))]


def score_filename(name: str, query: str) -> float:
    """From 0 to 1; the ending may be part of the query or not."""
    stem, _, ending = name.rpartition(".") if "." in name.lstrip(".") else (name, "", "")
    words, asked = split_name(stem), split_name(query)
    if not words or not asked:
        return 0.0
    if ending and len(asked) > 1 and asked[-1] == fold(ending):
        asked = asked[:-1]
    return score_words(words, asked)


def score_words(words: Sequence[str], asked: Sequence[str]) -> float:
    """The table, for words that are folded already."""
    if list(words) == list(asked):
        return EXACT
    if "".join(words) == "".join(asked):
        return SQUEEZED
    if _follows(words, asked):
        return IN_ORDER
    if set(asked) <= set(words):
        return ANY_ORDER
    if " ".join(asked) in " ".join(words) or "".join(asked) in "".join(words):
        return SUBSTRING
    begun = sum(any(word.startswith(one) for word in words) for one in asked)
    return PREFIX * begun / len(asked)


def _follows(words: Sequence[str], asked: Sequence[str]) -> bool:
    rest = iter(words)
    return all(any(word == one for word in rest) for one in asked)
