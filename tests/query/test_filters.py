"""Proves of filters: sizes, dates, kinds, folders, languages and flags become these conditions; one
name said twice widens, different names narrow; a wrong value is explained.
"""

from datetime import date, datetime

import pytest

from engine.query import parse
from engine.query.filters import Condition, find_fault, resolve
from engine.query.kinds import KINDS
from engine.query.nodes import Filter

TODAY = date(2026, 5, 15)


def conditions(text: str) -> tuple[Condition, ...]:
    return resolve(parse(text).filters, TODAY)


def midnight(day: str | None) -> float | None:
    return None if day is None else datetime.fromisoformat(day).timestamp()


SIZES = [
    ("size:>1mb", 1_000_001, None),
    ("size>=1mb", 1_000_000, None),
    ("size<10k", None, 10_000),
    ("size:<=10kb", None, 10_001),
    ("size:1mb..5mb", 1_000_000, 5_000_001),
    ("size:..2gb", None, 2_000_000_001),
    ("size:1mib..", 1_048_576, None),
    ("size:1mb", 500_000, 1_500_000),
    ("size:12", 12, 13),
    ("size:large", 10_000_000, None),
]


@pytest.mark.parametrize(("text", "low", "high"), SIZES, ids=[row[0] for row in SIZES])
def test_size_is_a_range_of_bytes(text: str, low: float | None, high: float | None) -> None:
    assert conditions(text) == (Condition("size", low=low, high=high),)


DATES = [
    ("date:2026-03", "modified", "2026-03-01", "2026-04-01"),
    ("before:2026-03", "modified", None, "2026-03-01"),
    ("after:2026-03", "modified", "2026-03-01", None),
    ('after:"last week"', "modified", "2026-05-04", None),
    ("date>2026-03", "modified", "2026-04-01", None),
    ("date:<=2026-03", "modified", None, "2026-04-01"),
    ("created:2025", "created", "2025-01-01", "2026-01-01"),
    ("is:recent", "modified", "2026-05-09", None),
]


@pytest.mark.parametrize(("text", "what", "low", "high"), DATES, ids=[row[0] for row in DATES])
def test_date_is_a_range_of_seconds(
    text: str, what: str, low: str | None, high: str | None
) -> None:
    wanted = Condition(what, low=midnight(low), high=midnight(high))
    assert conditions(text) == (wanted,)


def test_kind_is_its_endings() -> None:
    assert conditions("kind:pdf") == (Condition("ext", frozenset({"pdf"})),)
    assert {"xlsx", "ods", "csv"} <= conditions("kind:spreadsheets")[0].values
    assert conditions("is:pdf") == conditions("kind:pdf")


def test_endings_lose_their_dots() -> None:
    assert conditions("ext:.PDF,*.txt")[0].values == {"pdf", "txt"}
    assert conditions("ext:pdf/txt")[0].values == {"pdf", "txt"}


def test_two_spellings_of_one_ending_are_one() -> None:
    assert conditions("ext:markdown")[0].values == {"md", "markdown"}


def test_same_name_twice_widens() -> None:
    assert conditions("kind:pdf kind:epub")[0].values == {
        "pdf",
        "epub",
        "mobi",
        "azw",
        "azw3",
        "fb2",
    }
    assert len(conditions("kind:code ext:py")) == 2
    assert len(conditions("date:2026 before:2026-03")) == 2


def test_negation_is_kept_apart() -> None:
    kept, dropped = conditions("ext:md -ext:txt")
    assert (kept.negated, dropped.negated) == (False, True)


def test_folder_language_tree_and_tags() -> None:
    assert conditions("in:~/Documents/")[0] == Condition("folder", frozenset({"~/Documents"}))
    assert conditions("lang:German,fr")[0] == Condition("language", frozenset({"de", "fr"}))
    assert conditions("tree:notes")[0] == Condition("tree", frozenset({"notes"}))
    assert conditions("is:tagged")[0] == Condition("tagged")
    assert conditions("is:untagged")[0] == Condition("tagged", negated=True)


@pytest.mark.parametrize(
    "wrong",
    [Filter("size", "5mb..1mb"), Filter("size", ".."), Filter("date", "soon"), Filter("kind", ","),
     Filter("ext", "."), Filter("lang", "x-y-z"), Filter("is", "nice")],
    ids=str,
)  # fmt: skip
def test_wrong_value_is_explained(wrong: Filter) -> None:
    fault = find_fault(wrong)
    assert fault is not None
    assert fault.problem
    assert fault.fix


def test_kind_names_are_unique() -> None:
    names = [name for kind in KINDS for name in (kind.name, *kind.aliases)]
    assert len(names) == len(set(names))
