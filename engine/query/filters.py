"""What does a filter ask of a file? Its typed text as a set of values or a range.

`size:>1mb` → more than 1,000,000 bytes (as the Finder counts; mib is 1,048,576); `date:2026-03` →
from 1 March up to 1 April, local time; `kind:sheet` → the endings of spreadsheets. Filters of one
name are alternatives (kind:pdf kind:image), except dates and sizes, which all hold.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from engine.query.dates import Days, find_days
from engine.query.kinds import KINDS, find_kind
from engine.query.nodes import Filter
from engine.text.languages import LANGUAGES, find_language

MEGABYTE = 1_000_000
RECENT_DAYS = 7

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?(?:ytes?)?", re.IGNORECASE)
_SIZE_NAMES: dict[str, tuple[int | None, int | None]] = {
    "empty": (None, 1), "tiny": (None, 16_000), "small": (None, MEGABYTE),
    "medium": (MEGABYTE, 10 * MEGABYTE), "large": (10 * MEGABYTE, None),
    "big": (10 * MEGABYTE, None), "huge": (100 * MEGABYTE, None),
}  # fmt: skip
# Two spellings of one ending: who asks for one wants both.
_SAME_ENDINGS = (
    {"md", "markdown"}, {"jpg", "jpeg"}, {"htm", "html"}, {"yml", "yaml"}, {"tif", "tiff"},
    {"mpg", "mpeg"},
)  # fmt: skip
_DAY_HINT = 'Write a day, month or year (2026-03-01, 2026-03, 2026), a range (2026-01..2026-03), ' \
    'or words such as yesterday, "last week", "3 days ago"'  # fmt: skip
_SIZE_HINT = "Write a size such as 500k, 1mb or 2gb, or a range such as 1mb..5mb"


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold for a file. Either one of `values`, or low ≤ x < high."""

    what: str  # ext, folder, tree, language, modified, created, size, tagged
    values: frozenset[str] = frozenset()
    low: float | None = None  # bytes, or POSIX seconds
    high: float | None = None
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a filter's value cannot be read."""

    problem: str
    fix: str


def resolve(filters: Iterable[Filter], today: date) -> tuple[Condition, ...]:
    """The conditions that a file must meet, all of them."""
    found: list[Condition] = []
    merged: dict[tuple[str, bool], int] = {}
    for item in filters:
        condition = read_condition(item, today)
        key = (item.name, item.negated)
        if condition.values and key in merged:
            earlier = found[merged[key]]
            values = earlier.values | condition.values
            found[merged[key]] = Condition(earlier.what, values, negated=item.negated)
            continue
        if condition.values:
            merged[key] = len(found)
        found.append(condition)
    return tuple(found)


def find_fault(item: Filter) -> Fault | None:
    """What is wrong with a filter's value, or None."""
    try:
        read_condition(item, date(2026, 1, 1))
    except _UnreadableError as exc:
        return exc.fault
    return None


class _UnreadableError(ValueError):
    """A value that means nothing; `find_fault` turns it into words before a query is accepted."""

    def __init__(self, problem: str, fix: str) -> None:
        super().__init__(problem)
        self.fault = Fault(problem, fix)


def read_condition(item: Filter, today: date) -> Condition:
    """The condition of one filter; ValueError when `find_fault` would complain."""
    read = {
        "kind": _read_kind, "ext": _read_endings, "in": _read_folder, "tree": _read_tree,
        "lang": _read_language,
    }  # fmt: skip
    if item.name in read:
        what, values = read[item.name](item.value)
        return Condition(what, values, negated=item.negated)
    if item.name == "size":
        low, high = read_sizes(item.value, item.op)
        return Condition("size", low=low, high=high, negated=item.negated)
    if item.name == "is":
        return _read_is(item, today)
    return _read_dates(item, today)


def _split(value: str) -> list[str]:
    return [part.strip() for part in re.split(r"[,;|/]", value) if part.strip()]


def _read_kind(value: str) -> tuple[str, frozenset[str]]:
    endings: set[str] = set()
    for name in _split(value):
        kind = find_kind(name)
        if kind is None:
            known = ", ".join(row.name for row in KINDS)
            raise _UnreadableError(f"unknown kind: {name}", f"Kinds are: {known}")
        endings |= kind.endings
    return "ext", _some(endings, "kind:pdf")


def _read_endings(value: str) -> tuple[str, frozenset[str]]:
    names = {part.lower().lstrip("*").lstrip(".") for part in _split(value)}
    for same in _SAME_ENDINGS:
        if names & same:
            names |= same
    return "ext", _some(names - {""}, "ext:md")


def _read_folder(value: str) -> tuple[str, frozenset[str]]:
    return "folder", frozenset({value.rstrip("/") or "/"})


def _read_tree(value: str) -> tuple[str, frozenset[str]]:
    return "tree", frozenset({value})


def _read_language(value: str) -> tuple[str, frozenset[str]]:
    codes: set[str] = set()
    by_name = {row.name.lower(): row.code for row in LANGUAGES}
    for name in _split(value):
        row = find_language(name)
        code = row.code if row else by_name.get(name.lower())
        if code is None:
            known = ", ".join(row.code for row in LANGUAGES)
            raise _UnreadableError(f"unknown language: {name}", f"Languages are: {known}")
        codes.add(code)
    return "language", _some(codes, "lang:de")


def _some(values: set[str], example: str) -> frozenset[str]:
    if not values:
        raise _UnreadableError("the filter has no value", f"For example {example}")
    return frozenset(values)


def read_sizes(value: str, op: str = ":") -> tuple[float | None, float | None]:
    """Bytes from the first up to, not including, the second."""
    if op == ":" and value.lower() in _SIZE_NAMES:
        return _SIZE_NAMES[value.lower()]
    if op == ":" and ".." in value:
        first, _, last = value.partition("..")
        low = _read_bytes(first)[0] if first else None
        high = _read_bytes(last)[0] + 1 if last else None
        if (low is None and high is None) or (low is not None and high is not None and low >= high):
            raise _UnreadableError(f"not a range of sizes: {value}", _SIZE_HINT)
        return low, high
    size, unit = _read_bytes(value)
    if op == ":":  # what is shown as that size: 1mb is 0.5 to 1.5 mb
        return max(0.0, size - unit / 2), size + max(1.0, unit / 2)
    bounds = {">": (size + 1, None), ">=": (size, None), "<": (None, size), "<=": (None, size + 1)}
    return bounds[op]


def _read_bytes(value: str) -> tuple[float, float]:
    found = _SIZE.fullmatch(value.strip())
    if found is None:
        raise _UnreadableError(f"not a size: {value}", _SIZE_HINT)
    unit = float((1024 if found[3] else 1000) ** " kmgt".index(found[2].lower() or " "))
    return float(found[1]) * unit, unit if unit > 1 else 0.0


def _read_is(item: Filter, today: date) -> Condition:
    name, negated = item.value.lower(), item.negated
    if name in ("tagged", "untagged"):
        return Condition("tagged", negated=negated != (name == "untagged"))
    if name in ("recent", "new"):
        tomorrow = today + timedelta(days=1)
        days = RECENT_DAYS if name == "recent" else 1
        return _date_condition("modified", (tomorrow - timedelta(days=days), None), negated)
    if name in _SIZE_NAMES:
        low, high = _SIZE_NAMES[name]
        return Condition("size", low=low, high=high, negated=negated)
    if find_kind(name) is None:
        raise _UnreadableError(
            f"unknown: is:{item.value}", "Write is:recent, is:new, is:large, is:tagged or a kind"
        )
    return Condition("ext", _read_kind(name)[1], negated=negated)


def _read_dates(item: Filter, today: date) -> Condition:
    days = find_days(item.value, today)
    if days is None:
        raise _UnreadableError(f"not a date: {item.value}", _DAY_HINT)
    low, high = days
    if item.name == "before" or item.op == "<":
        days = (None, low if low else high)
    elif item.name == "after" or item.op == ">=":
        days = (low, None) if low else (high, None)
    elif item.op == ">":
        days = (high, None) if high else (low, None)
    elif item.op == "<=":
        days = (None, high)
    what = "created" if item.name == "created" else "modified"
    return _date_condition(what, days, item.negated)


def _date_condition(what: str, days: Days, negated: bool) -> Condition:
    low, high = (None if day is None else _midnight(day) for day in days)
    return Condition(what, low=low, high=high, negated=negated)


def _midnight(day: date) -> float:
    return datetime.combine(day, time.min).timestamp()
