"""Openings: 1 the worked figures; 2 no number of openings reaches the bound; 3 they fade by half in
30 days; 4 an unfinished query profits by the share typed; 5 a strong result is not overtaken by a
weak one; 6 what was learned is shown and can be forgotten by pair, query or all; 7 it survives in
the file, a broken file starts anew; 8 the number of pairs is bounded.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.frecency import (
    DAY,
    HALF_LIFE_DAYS,
    MOST_BOOST,
    MOST_PAIRS,
    JsonOpenings,
    Opening,
    Openings,
    add_opening,
    boosts_for,
    fade,
    frequent_files,
    reorder,
    stem_query,
)


class HandClock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.time = 1_700_000_000.0

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def openings(tmp_path: Path, clock: HandClock) -> Openings:
    return Openings(JsonOpenings(tmp_path / "openings.json"), clock)


def test_worked_figures(openings: Openings) -> None:
    openings.learn("invoice", "/a.pdf")
    assert openings.boosts("Invoice") == {"/a.pdf": pytest.approx(0.075)}
    openings.learn("invoice", "/a.pdf")
    openings.learn("  INVOICE ", "/a.pdf")
    assert openings.boosts("invoice") == {"/a.pdf": pytest.approx(0.1125)}
    assert openings.boosts("inv") == {"/a.pdf": pytest.approx(0.1125 * 3 / 7)}


def test_one_letter_and_other_queries_gain_nothing(openings: Openings) -> None:
    openings.learn("invoice", "/a.pdf")
    assert openings.boosts("i") == openings.boosts("") == openings.boosts("invoices") == {}


@given(st.floats(0, 1e9), st.floats(0, 1e10))
def test_never_reaches_the_bound(weight: float, age: float) -> None:
    boosts = boosts_for([Opening("tax", "/a", weight, 0.0)], "tax", age)
    assert 0.0 <= boosts["/a"] <= MOST_BOOST


def test_fades_by_half_in_thirty_days_and_never_grows() -> None:
    opening = Opening("tax", "/a", 4.0, 1000.0)
    assert fade(opening, 1000.0 + HALF_LIFE_DAYS * DAY) == pytest.approx(2.0)
    assert fade(opening, 0.0) == 4.0


def test_opened_file_rises_and_strong_results_stay() -> None:
    rows = [("/strong", 0.9, "s"), ("/b", 0.50, "b"), ("/opened", 0.45, "o")]
    assert reorder(rows, {"/opened": 0.1}) == [(0.0, "s"), (0.1, "o"), (0.0, "b")]


def test_equal_scores_keep_their_order() -> None:
    rows = [(f"/{n}", 0.5, n) for n in range(5)]
    assert [n for _, n in reorder(rows, {})] == [0, 1, 2, 3, 4]


def test_learned_is_shown_and_forgotten_by_pair_query_or_all(openings: Openings) -> None:
    for query, path in [("tax", "/a"), ("tax", "/b"), ("rent", "/a"), ("rent", "/c")]:
        openings.learn(query, path)
    openings.learn("rent", "/c")
    assert (openings.rows(10)[0].query, openings.rows(10)[0].path) == ("rent", "/c")
    assert openings.forget("tax", "/b") == 1
    assert openings.forget("rent") == 2
    assert [(one.query, one.path) for one in openings.rows(10)] == [("tax", "/a")]
    assert openings.forget() == 1
    assert openings.rows(10) == ()


def test_survives_in_the_file(tmp_path: Path, clock: HandClock) -> None:
    file = tmp_path / "openings.json"
    Openings(JsonOpenings(file), clock).learn("探す", "/メモ.md")
    assert Openings(JsonOpenings(file), clock).boosts("探す")
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", ["{", '[["a"]]', "3", '[["q", "p", "x", 1]]'])
def test_broken_file_starts_anew(tmp_path: Path, clock: HandClock, content: str) -> None:
    file = tmp_path / "openings.json"
    file.write_text(content)
    openings = Openings(JsonOpenings(file), clock)
    assert openings.rows(5) == ()
    openings.learn("tax", "/a")
    assert len(Openings(JsonOpenings(file), clock).rows(5)) == 1


def test_number_of_pairs_is_bounded_and_the_faintest_go() -> None:
    openings = tuple(Opening(f"q{n}", "/a", 1.0, float(n)) for n in range(MOST_PAIRS))
    after = add_opening(openings, "new", "/b", 1e6)
    assert len(after) == MOST_PAIRS
    assert {one.query for one in openings} - {one.query for one in after} == {"q0"}


def test_frequent_files_over_all_queries() -> None:
    rows = [
        Opening("a", "/x", 1.0, 0.0),
        Opening("b", "/x", 1.0, 0.0),
        Opening("c", "/y", 1.5, 0.0),
    ]
    assert frequent_files(rows, 0.0, 5) == [("/x", 2.0), ("/y", 1.5)]


@given(st.text(max_size=40))
def test_stem_of_a_stem_is_itself(text: str) -> None:
    assert stem_query(stem_query(text)) == stem_query(text)
