"""Proves of languages and stop words:

1. the 18 stemmed languages and the 33 stop lists promised are there, and their data opens;
2. a word is tested as typed, case and accents folded;
3. automatic stop words are those in at least 85 % of the passages.
"""

import pytest

from engine.text.languages import LANGUAGES, find_language
from engine.text.stem import open_stemmer
from engine.text.stopwords import (
    automatic_stopwords,
    custom_stopwords,
    is_stopword,
    language_stopwords,
)

STEMMED = [
    "ar", "da", "nl", "en", "fi", "fr", "de", "el", "hu", "it", "no", "pt", "ro", "ru", "es", "sv",
    "ta", "tr",
]  # fmt: skip
LISTED = [
    "ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "fa", "fi", "fr", "gu", "he", "hi", "hu",
    "id", "it", "ja", "ko", "ms", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sv", "tr", "uk", "vi",
    "zh",
]  # fmt: skip


def test_codes_are_unique() -> None:
    codes = [row.code for row in LANGUAGES]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("code", STEMMED)
def test_stemmer_opens(code: str) -> None:
    row = find_language(code)
    assert row is not None
    assert row.stemmer
    assert open_stemmer(code)("x") == "x"


@pytest.mark.parametrize("code", LISTED)
def test_stop_list_opens(code: str) -> None:
    assert len(language_stopwords(code)) >= 40


def test_unknown_language_keeps_words() -> None:
    assert find_language("xx") is None
    assert open_stemmer("xx")("running") == "running"
    assert language_stopwords("xx") == frozenset()


def test_region_is_ignored() -> None:
    assert find_language("pt-BR") == find_language("PT_pt") == find_language("pt")


def test_stop_word_is_folded_before_the_look_up() -> None:
    assert is_stopword("Don’t", language_stopwords("en"))
    assert is_stopword("Für", language_stopwords("de"))
    assert not is_stopword("invoice", language_stopwords("en"))
    assert is_stopword("Foo", custom_stopwords(["fóo"]))


def test_automatic_stop_words_are_nearly_everywhere() -> None:
    assert automatic_stopwords({"the": 100, "of": 85, "bee": 84}, 100) == {"the", "of"}
    assert automatic_stopwords({"the": 0}, 0) == frozenset()
