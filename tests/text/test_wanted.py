"""Proves of the terms a query's word stands for:

1. they hold whatever any document of these languages would have been indexed with;
2. alternatives keep wholes and parts apart, and parts in order;
3. a typed beginning also finds words whose ending the stemmer has cut;
4. a word shorter than its script's n-grams is recognised.
"""

from hypothesis import given
from hypothesis import strategies as st

from engine.text import analyse, prefix_terms, query_alternatives, query_terms, short_run


def test_terms_of_all_languages_come_first_language_first() -> None:
    assert query_terms("running", ["en", "de"]) == ("run", "running")


def test_identifier_is_its_whole_or_its_parts_in_order() -> None:
    assert query_alternatives("getUserById", ["en"]) == (
        ("getuserbyid",),
        ("get", "user", "by", "id"),
    )


def test_path_is_one_sequence() -> None:
    assert query_alternatives("api/handlers", ["en"]) == (("api", "handler"),)


def test_ideographs_are_one_sequence() -> None:
    assert query_alternatives("東京都", ["ja", "en"]) == (("東京", "京都"),)


@given(st.text(max_size=30), st.lists(st.sampled_from(["en", "de", "ru", "ja"]), min_size=1))
def test_document_terms_are_among_the_query_terms(word: str, languages: list[str]) -> None:
    for language in languages:
        assert set(analyse(word, language)) <= set(query_terms(word, languages))


def test_beginning_finds_stems_that_are_shorter() -> None:
    folded, stems = prefix_terms("Handli", ["en"])
    assert folded == "handli"
    assert stems == ("handl",)


def test_beginning_of_an_identifier_drops_its_joints() -> None:
    assert prefix_terms("parse_j", ["en"]) == ("parsej", ())


def test_single_ideograph_is_a_short_run() -> None:
    assert short_run("猫") == "猫"
    assert short_run("黒猫") is None
    assert short_run("cat") is None
    assert short_run("ไท") == "ไท"
