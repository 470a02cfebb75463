"""Proves of distances and sounds:

1. a swap of neighbours is one edit for typos and two for Levenshtein;
2. the edits allowed grow with the length, and numbers allow none;
3. names that sound alike share a code; what has no Latin letters has none.
"""

import pytest

from engine.text.distance import (
    edit_distance,
    jaro_winkler,
    levenshtein,
    max_edits,
    trigram_similarity,
)
from engine.text.phonetic import sound_codes, sounds_like


def test_transposition_counts_one() -> None:
    assert edit_distance("recieve", "receive") == 1
    assert levenshtein("recieve", "receive") == 2


def test_distance_stops_at_the_most() -> None:
    assert edit_distance("kitten", "sitting", 2) == 3
    assert edit_distance("kitten", "sitting") == 3


def test_jaro_winkler_matches_the_published_value() -> None:
    assert jaro_winkler("martha", "marhta") == pytest.approx(0.9611, abs=1e-4)


def test_trigram_similarity_is_the_share_of_common_trigrams() -> None:
    assert trigram_similarity("word", "word") == 1.0
    assert trigram_similarity("word", "words") == pytest.approx(4 / 7)
    assert trigram_similarity("abc", "xyz") == 0.0


@pytest.mark.parametrize(
    ("word", "edits"),
    [
        ("", 0),
        ("four", 0),
        ("fives", 1),
        ("eightchr", 1),
        ("ninechars", 2),
        ("2026-03-01", 0),
        ("h264x", 0),
    ],
)
def test_edits_grow_with_length(word: str, edits: int) -> None:
    assert max_edits(word) == edits


@pytest.mark.parametrize(
    ("one", "other"),
    [("Smith", "Schmidt"), ("Catherine", "Kathryn"), ("Müller", "Muller"), ("night", "knight")],
)
def test_these_sound_alike(one: str, other: str) -> None:
    assert sounds_like(one, other)


def test_these_do_not_sound_alike() -> None:
    assert not sounds_like("Smith", "Jones")
    assert sound_codes("東京") == ()
    assert sound_codes("1234") == ()
    assert sound_codes("Smith") == ("SM0", "XMT")
