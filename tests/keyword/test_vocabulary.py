"""The vocabulary's expansions, against a plain scan of all its words.

1. Prefix, wildcard and infix find exactly what fnmatch finds, whatever the alphabet.
2. Fuzzy finds exactly the words within the distance; a swap counts one; nearest first.
3. Sounds and regular expressions; a regular expression that takes long is cut off in time.
4. Stems are reached through their written forms; new words are found without a snapshot.
5. An answer that would be longer says that it is capped.
"""

import fnmatch
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.keyword.lexicon import Entry, build_lexicon, wildcard_pieces
from engine.keyword.vocabulary import Vocabulary
from engine.store.database import Database
from engine.store.migrations import migrate
from engine.text.distance import edit_distance
from tests.keyword.conftest import Library, Page

WORDS = (
    "invoices invoice invention voice voices novice receive server servers smith smyth"
)

FORM = st.text("abcé東", min_size=1, max_size=6)
FORMS = st.lists(FORM, min_size=1, max_size=20, unique=True)


@given(FORMS, st.text("ab*?é東", min_size=1, max_size=5))
def test_the_gram_index_loses_nothing(forms: list[str], pattern: str) -> None:
    lexicon = build_lexicon(Entry(form, 1, 1) for form in forms)
    found = set(lexicon.forms(lexicon.find_pieces(wildcard_pieces(pattern))))
    wanted = {form for form in forms if fnmatch.fnmatchcase(form, pattern)}
    assert wanted <= found


@given(FORMS, FORM, st.integers(0, 2))
def test_the_letter_masks_lose_nothing(forms: list[str], word: str, edits: int) -> None:
    lexicon = build_lexicon(Entry(form, 1, 1) for form in forms)
    found = set(lexicon.forms(lexicon.find_near(word, edits)))
    assert {form for form in forms if edit_distance(form, word) <= edits} <= found


@given(FORMS, FORM)
def test_beginnings_are_found_exactly(forms: list[str], prefix: str) -> None:
    lexicon = build_lexicon(Entry(form, 1, 1) for form in forms)
    found = set(lexicon.forms(lexicon.find_prefix(prefix)))
    assert found == {form for form in forms if form.startswith(prefix)}


@pytest.fixture(params=["snapshot", "delta"])
def vocabulary(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Vocabulary]:
    with Database(tmp_path / "sagasu.db", writable=True) as database:
        migrate(database)
        library = Library(database, tmp_path / "words.snapshot")
        library.add(Page("words.txt", (WORDS,)))
        yield library.open(snapshot=request.param == "snapshot").vocabulary


def forms(vocabulary: Vocabulary, kind: str, text: str) -> set[str]:
    return {one.form for one in getattr(vocabulary, f"expand_{kind}")(text).found}


def test_stems_are_reached_through_written_forms(vocabulary: Vocabulary) -> None:
    assert forms(vocabulary, "prefix", "invoices") == {"invoices"}
    assert forms(vocabulary, "wildcard", "*oices") & {"invoices", "voices"}
    assert "novice" in forms(vocabulary, "wildcard", "no?ice")


def test_fuzzy_counts_a_swap_as_one_and_sorts_by_distance(vocabulary: Vocabulary) -> None:
    found = vocabulary.expand_fuzzy("recieve").found
    assert [(one.form, one.distance) for one in found] == [("receive", 1)]
    near = vocabulary.expand_fuzzy("servers", 2).found
    assert [one.distance for one in near] == sorted(one.distance for one in near)
    assert not vocabulary.expand_fuzzy("smit").found


def test_sounds_and_patterns(vocabulary: Vocabulary) -> None:
    assert {"smith", "smyth"} <= forms(vocabulary, "sound", "smith")
    assert forms(vocabulary, "regex", "sm[iy]th") == {"smith", "smyth"}
    assert forms(vocabulary, "infix", "ovi") == {"novice"}


def test_a_slow_pattern_is_cut_off(vocabulary: Vocabulary) -> None:
    began = time.monotonic()
    vocabulary.expand_wildcard("*" + "e*" * 30 + "z")
    assert time.monotonic() - began < 1.0


def test_a_longer_answer_says_so(vocabulary: Vocabulary) -> None:
    answer = vocabulary.expand_prefix("s", 1)
    assert answer.capped
    assert len(answer.found) == 1
