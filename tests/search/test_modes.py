"""Every mode, on a folder whose answers can be worked out by hand.

1. Each mode reads the same words in its own way.
2. Operators mean what they say, in hybrid too: meaning cannot bring in what they leave out.
3. The list of modes has no name twice and a help line each.
"""

import pytest

from engine.errors import RequestError, UnknownModeError
from engine.search.modes import MODES
from tests.search.conftest import Ask

BUDGETS = {"budget 2025.txt", "budget 2026.txt"}


@pytest.mark.parametrize(
    ("mode", "query", "expected"),
    [
        ("bm25", "roses water", {"roses.md"}),
        ("bm25", "old", {"roses.md", "compost.md"}),
        ("boolean", "old roses", {"roses.md"}),
        ("boolean", "old AND NOT roses", {"compost.md"}),
        ("boolean", "vienna OR compost", {"travel.md", "compost.md"}),
        ("phrase", "marketing budget", BUDGETS),
        ("phrase", "budget marketing", set()),
        ("phrase", "roses in late winter", {"roses.md"}),
        ("proximity", "roses winter", {"roses.md"}),
        ("proximity", "roses compost", set()),
        ("prefix", "market", BUDGETS),
        ("wildcard", "mark*ing", BUDGETS),
        ("wildcard", "*eting", BUDGETS),
        ("span", "ONEAR(marketing budget, 3)", BUDGETS),
        ("span", "ONEAR(budget marketing, 3)", set()),
        ("span", "FIRST(prune, 3)", {"roses.md"}),
        ("fuzzy", "compsot", {"compost.md"}),
        ("phonetic", "komposst", {"compost.md"}),
        ("quorum", "compost leaves vienna hotel", {"compost.md", "travel.md"}),
        ("exact", "leaves rot slow", {"compost.md"}),
        ("exact", "ust every", set()),
        ("dfr", "hotel", {"travel.md"}),
        ("lm_dirichlet", "hotel", {"travel.md"}),
        ("lm_jelinek_mercer", "hotel", {"travel.md"}),
        ("bm25f", "hotel", {"travel.md"}),
        ("sagasu", "hotel early", {"travel.md"}),
        ("names", "trvl", {"travel.md"}),
        ("names", "4711", {"IMG_4711.jpg"}),
    ],
)
def test_a_mode_reads_the_words_in_its_own_way(
    ask: Ask, mode: str, query: str, expected: set[str]
) -> None:
    assert set(ask(query, mode=mode)) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('"marketing budget" -2025', {"budget 2026.txt"}),
        ("title:travel", {"travel.md"}),
        ("+budget +2026", {"budget 2026.txt"}),
        ("ext:md old", {"roses.md", "compost.md"}),
        ("roses AND vienna", set()),
    ],
)
def test_operators_bind_meaning_too(ask: Ask, query: str, expected: set[str]) -> None:
    assert set(ask(query)) == expected


def test_meaning_alone_finds_what_shares_no_word(ask: Ask) -> None:
    assert ask("how to look after flowers", mode="semantic")[0] == "roses.md"
    assert ask("how to look after flowers")[0] == "roses.md"


def test_identifiers_are_found_whole_and_by_their_parts(ask: Ask) -> None:
    for query in ("parse_json", "parseJson", "getUserById", "user by id"):
        assert ask(query, mode="bm25")[0] == "parse.py", query


def test_accents_and_umlauts_do_not_matter(ask: Ask) -> None:
    for query in ("Müller", "muller", "strasse", "Bäume"):
        assert ask(query, mode="bm25") == ["müller.txt"], query


def test_an_unknown_mode_is_refused_with_the_list(ask: Ask) -> None:
    with pytest.raises(UnknownModeError) as caught:
        ask("x", mode="magic")
    assert "hybrid" in caught.value.advice


@pytest.mark.parametrize(
    "options", [{"limit": 0}, {"limit": 10_000}, {"offset": -1}, {"sort": "shoe size"}], ids=str
)
def test_values_out_of_range_are_refused(ask: Ask, options: dict[str, object]) -> None:
    with pytest.raises(RequestError):
        ask("roses", **options)


def test_modes_have_names_of_their_own_and_help() -> None:
    names = [mode.name for mode in MODES]
    assert len(set(names)) == len(names)
    assert all(mode.help for mode in MODES)
