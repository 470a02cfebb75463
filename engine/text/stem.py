"""What is a word's stem? Snowball's answer for its language.

A Latin word in a text of another script (`server` in a Russian manual) is stemmed as English: such
words nearly always are, and one rule for all of them keeps a query's variants few.
"""

import re
from collections.abc import Callable
from functools import cache

import Stemmer  # type: ignore[import-not-found]  # an extension without stubs

from engine.text.languages import find_language

Stem = Callable[[str], str]

_ACRONYMS = re.compile(r"(?!https$)[b-df-hj-np-tv-xz]{2,}[b-df-hj-np-rtvwxz]s")

SNOWBALL = f"snowball-{Stemmer.version()}"


@cache
def open_stemmer(language: str) -> Stem:
    """The stemming function of a language; the identity where there is none."""
    row = find_language(language)
    if row is None:
        return _keep
    if row.code == "en":
        return _english(_snowball("english"))
    if row.script == "latin":
        return _snowball(row.stemmer) if row.stemmer else _keep
    return _by_script(_snowball(row.stemmer) if row.stemmer else _keep, open_stemmer("en"))


def _keep(word: str) -> str:
    return word


def _snowball(name: str) -> Stem:
    # Results are kept by the analysis already; a second cache only costs.
    stem: Stem = Stemmer.Stemmer(name, 0).stemWord
    return stem


def _english(snowball: Stem) -> Stem:
    """Snowball takes no plural from a word without vowels; PDFs and URLs are full of them."""

    def stem(word: str) -> str:
        return word[:-1] if _ACRONYMS.fullmatch(word) else snowball(word)

    return stem


def _by_script(native: Stem, latin: Stem) -> Stem:
    def stem(word: str) -> str:
        return latin(word) if word.isascii() else native(word)

    return stem
