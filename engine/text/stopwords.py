"""Which words say nothing? By list, by the user's own list, or by frequency.

Stop words are a matter of queries: the index keeps every word, because phrases need them. A word is
tested as it was typed, case and accents folded, before stemming.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path

from engine.text.languages import LANGUAGES
from engine.text.normalise import fold, to_nfkc

AUTOMATIC_SHARE = 0.85  # a term in that share of all passages tells none apart

_FOLDER = Path(__file__).resolve().parents[2] / "resources" / "stopwords"


class StopWords(StrEnum):
    """Where the stop words come from."""

    NONE = "none"
    LANGUAGE = "language"
    CUSTOM = "custom"
    AUTOMATIC = "automatic"


@cache
def read_stopwords(language: str) -> tuple[str, ...]:
    """The list of a language as written, accents and all; empty where there is none."""
    if not any(row.code == language and row.stopwords for row in LANGUAGES):
        return ()
    return tuple((_FOLDER / f"{language}.txt").read_text(encoding="utf-8").split())


@cache
def language_stopwords(language: str) -> frozenset[str]:
    """The list of a language, folded."""
    return custom_stopwords(read_stopwords(language))


def custom_stopwords(words: Iterable[str]) -> frozenset[str]:
    """Any list, folded."""
    return frozenset(fold(to_nfkc(word)).replace("'", "") for word in words)


def automatic_stopwords(
    frequencies: Mapping[str, int], passages: int, share: float = AUTOMATIC_SHARE
) -> frozenset[str]:
    """The terms (not words: they are stemmed) that occur in at least that share of the passages."""
    least = share * passages
    return frozenset(term for term, df in frequencies.items() if passages and df >= least)


def is_stopword(word: str, stopwords: frozenset[str]) -> bool:
    """Whether a word as typed is on a folded list."""
    return fold(to_nfkc(word)).replace("'", "").strip("?!.,;:") in stopwords
