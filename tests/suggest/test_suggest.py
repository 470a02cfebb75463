"""Suggestions come from the index's own words.

1. A word that the index does not know is mended by near and common ones; known words are left.
2. The whole query is mended, everything else in it stays as typed.
3. Completions are written forms, not stems, and titles; nothing is offered after a blank.
4. Words that sound alike are found, the word itself is not.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.keyword import KeywordIndex
from engine.store.database import Database
from engine.store.migrations import migrate
from engine.suggest import complete, find_sounding, suggest_spelling
from tests.keyword.conftest import Library, Page

LANGUAGES = ("en",)
PAGES = (
    Page("a.txt", ("invoices and an invoice about invoices " * 4,), title="Invoice handbook"),
    Page("b.txt", ("the database receives invoices from the server " * 3,), title="Databases"),
    Page("c.txt", ("smith and smyth invented the invention " * 3,), title="Inventions"),
)


@pytest.fixture(params=["snapshot", "delta"])
def index(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[KeywordIndex]:
    with Database(tmp_path / "sagasu.db", writable=True) as database:
        migrate(database)
        library = Library(database, tmp_path / "words.snapshot")
        library.add(*PAGES)
        yield library.open(snapshot=request.param == "snapshot")


def test_an_unknown_word_is_mended(index: KeywordIndex) -> None:
    assert suggest_spelling(index, "databse", LANGUAGES)[0].text == "database"
    assert suggest_spelling(index, "recieves", LANGUAGES)[0].text == "receives"


def test_known_words_are_left_alone(index: KeywordIndex) -> None:
    assert suggest_spelling(index, "invoice server", LANGUAGES) == []
    assert suggest_spelling(index, "qqqqqq", LANGUAGES) == []


def test_the_rest_of_the_query_stays_as_typed(index: KeywordIndex) -> None:
    best = suggest_spelling(index, 'title:databse AND "the servr"', LANGUAGES)[0]
    assert best.text == 'title:database AND "the server"'
    assert best.words == (("databse", "database"), ("servr", "server"))


def test_completions_are_words_as_written(index: KeywordIndex) -> None:
    found = [one.text for one in complete(index, "the invo", LANGUAGES) if one.kind == "word"]
    assert found == ["the invoices", "the invoice"]


def test_titles_complete_too(index: KeywordIndex) -> None:
    found = [one.text for one in complete(index, "invoice hand", LANGUAGES) if one.kind == "title"]
    assert found == ["Invoice handbook"]


def test_nothing_is_offered_after_a_blank(index: KeywordIndex) -> None:
    assert complete(index, "invoice ", LANGUAGES) == []
    assert complete(index, "", LANGUAGES) == []


def test_words_that_sound_alike_are_found(index: KeywordIndex) -> None:
    assert "smyth" in find_sounding(index, "smith")
    assert "smith" not in find_sounding(index, "smith")
