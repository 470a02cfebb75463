"""Which filters hide in plain language? A fixed grammar, the same answer every time.

"pdf invoices from last march over 1 mb in downloads" → kind:pdf, date:2026-03, size:>1mb,
in:downloads and the words "invoices". Careful on purpose: `may`, `march`, `over`, `in` or `pdf` by
themselves are words, and so is `in 2024` (the text may be about it; `from 2024` is about the file).
Every chip knows the text it came from; given back in `ignore`, that text stays words.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import date, timedelta

from engine.query.dates import MONTHS, WEEKDAYS, Days, find_days
from engine.query.kinds import KINDS, find_kind
from engine.query.nodes import Filter
from engine.text.languages import LANGUAGES


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter found in plain words."""

    filter: Filter
    text: str  # what was typed; the key for `ignore`
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class PlainFilters:
    """The chips of a question and the words that are left."""

    chips: tuple[Chip, ...]
    rest: str


OLDEST = date(1980, 1, 1)  # no file is older; a text may well be about 1945

Rule = tuple["re.Pattern[str]", Callable[["re.Match[str]", date], Filter | None]]

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY = "|".join(WEEKDAYS)
_NUMBER = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_ISO = r"(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?"
_RELATIVE = (
    rf"(?:(?:last|past|previous) (?:{_NUMBER} )?(?:day|week|month|year)s?|this (?:week|month|year)"
    rf"|{_NUMBER} (?:day|week|month|year)s? ago|last (?:{_MONTH}|{_DAY})"
    rf"|(?:\d{{1,2}} )?(?:{_MONTH}) (?:\d{{1,2}},? )?(?:19|20)\d\d)"
)
_NAMED = rf"(?:{_RELATIVE}|today|yesterday|{_MONTH}|{_DAY}|{_ISO})"
_SURE = re.compile(_RELATIVE.replace(" ", "[ ]+"))
_CHANGED = r"(?:modified|changed|edited|updated|saved|created|made|received|sent|written)"
_SIZE = r"(\d+(?:\.\d+)?)\s*(kb|mb|gb|tb|kilobytes?|megabytes?|gigabytes?|k|m|g)\b"
_OVER = r"(?:over|above|larger than|bigger than|more than|greater than|at least)"
_UNDER = r"(?:under|below|smaller than|less than|at most|up to)"
_FILES = r"(?:files?|documents?)"
_FOLDERS = "downloads|documents|desktop|pictures|movies|music|dropbox|icloud|onedrive"
_LANGUAGE = "|".join(row.name.lower() for row in LANGUAGES)
_ENDING = "|".join(
    sorted({re.escape(one) for kind in KINDS for one in kind.endings}, key=len, reverse=True)
)

# Plain enough to count at the edge of a question; singular, they need another chip beside them.
_PLURALS = frozenset({
    "pdfs", "spreadsheets", "presentations", "images", "photos", "pictures", "screenshots",
    "videos", "emails", "ebooks",
})  # fmt: skip
_SINGULARS = frozenset({
    "pdf", "spreadsheet", "presentation", "image", "photo", "picture", "screenshot", "video",
    "email", "ebook", "markdown", "excel", "powerpoint", "slides",
})  # fmt: skip
_FILLER = re.compile(
    r"^(?:(?:show|give|find|get|list)(?: me)?|search for)? *(?:(?:all|my|the)\b *)*"
    r"(?:(?:about|containing|mentioning)\b *)?"
)
_HIDDEN = re.compile(r'"[^"]*"?|\S*[:<>]\S+|[-+!]\S+')


def split_filters(
    text: str, today: date, *, ignore: Collection[str] = (), folders: Collection[str] = ()
) -> PlainFilters:
    """The chips in a plain question and the rest of its words.

    `ignore` holds the texts of chips that the user put back; `folders` names that may follow `in`.
    """
    kept = {_squeeze(one) for one in ignore}
    masked = _HIDDEN.sub(lambda found: "\0" * len(found[0]), text.lower())
    if len(masked) != len(text):  # a letter whose lower case is longer: places would not fit
        return PlainFilters((), text)
    chips: list[Chip] = []
    for pattern, build in (*_RULES, _folder_rule(folders)):
        for found in pattern.finditer(masked):
            start, end = found.span()
            if _squeeze(found[0]) in kept:
                masked = masked[:start] + "\0" * (end - start) + masked[end:]
            elif (item := build(found, today)) is not None:
                masked = _take(masked, text, (start, end), item, chips)
    masked = _take_kinds(masked, text, kept, chips)
    rest = " ".join(_cut(text, masked).split())
    if chips and (bare := _FILLER.sub("", rest.lower(), count=1)) != rest.lower():
        rest = rest[len(rest) - len(bare) :]
    if not rest and len(chips) == 1 and chips[0].filter.name == "date":
        return PlainFilters((), text)  # `last week` by itself may be a title
    return PlainFilters(tuple(sorted(chips, key=lambda chip: chip.start)), rest)


def _squeeze(text: str) -> str:
    return " ".join(text.lower().split())


def _take(masked: str, text: str, span: tuple[int, int], item: Filter, chips: list[Chip]) -> str:
    start, end = span
    value = item.value
    if item.name == "in":  # folders keep their capitals
        place = masked.rindex(value, start, end)
        value = text[place : place + len(value)]
    placed = Filter(item.name, value, item.op, item.negated, start=start, end=end)
    chips.append(Chip(placed, text[start:end], start, end))
    return masked[:start] + "\1" * (end - start) + masked[end:]


def _cut(text: str, masked: str) -> str:
    return "".join(" " if mark == "\1" else one for one, mark in zip(text, masked, strict=True))


def _take_kinds(masked: str, text: str, kept: set[str], chips: list[Chip]) -> str:
    """A kind of file: plural at an edge of the question, or beside any other chip."""
    words = list(re.finditer(r"[^\s\0\1]+", masked))
    for place, word in enumerate(words):
        name = word[0].strip(",.?!")
        at_edge = place in (0, len(words) - 1) or words[place - 1][0] in ("all", "my")
        alone = len(words) < 2 and not chips
        sure = (name in _PLURALS and at_edge) or (name in _PLURALS | _SINGULARS and bool(chips))
        if sure and not alone and name not in kept and find_kind(name) is not None:
            kind = find_kind(name)
            item = Filter("kind", kind.name if kind else name)
            return _take(masked, text, word.span(), item, chips)
    return masked


def _build_size(found: "re.Match[str]", op: str) -> Filter:
    return Filter("size", f"{found[1]}{found[2][0]}b", op)


def _build_range(found: "re.Match[str]", today: date) -> Filter:
    first = f"{found[1]}{(found[2] or found[4])[0]}b"
    return Filter("size", f"{first}..{found[3]}{found[4][0]}b")


def _build_date(found: "re.Match[str]", today: date) -> Filter | None:
    days = find_days(found["when"], today)
    if days is None or days[0] is None or not OLDEST <= days[0] <= today:
        return None
    groups = found.groupdict()
    side = groups.get("side") or ""
    if side in ("in", "on") and not groups["verb"] and not _SURE.fullmatch(found["when"]):
        return None
    if side in ("before", "until", "till"):
        return Filter("before", str(days[0]))
    if side in ("since", "after"):
        return Filter("after", str(days[0]))
    created = (groups.get("verb") or "").startswith(("created", "made", "written"))
    return Filter("created" if created else "date", _write_days(days))


def _build_between(found: "re.Match[str]", today: date) -> Filter | None:
    first, last = find_days(found[1], today), find_days(found[2], today)
    if first is None or last is None or not first[0] or not last[1] or first[0] >= last[1]:
        return None
    return Filter("date", _write_days((first[0], last[1])))


def _write_days(days: Days) -> str:
    """The shortest form: 2026, 2026-03, 2026-03-01 or a range of days."""
    first, after = days
    if first is None or after is None:
        return f"{first or ''}..{after - timedelta(days=1) if after else ''}"
    for form in ("%Y", "%Y-%m", "%Y-%m-%d"):
        if find_days(first.strftime(form), first) == days:
            return first.strftime(form)
    return f"{first}..{after - timedelta(days=1)}"


def _build_language(found: "re.Match[str]", today: date) -> Filter:
    return Filter("lang", next(row.code for row in LANGUAGES if row.name.lower() == found[1]))


def _rule(pattern: str, build: Callable[["re.Match[str]", date], Filter | None]) -> Rule:
    return re.compile(rf"(?<![^\s,]){pattern.replace(' ', '[ ]+')}(?![^\s,.?!])"), build


def _folder_rule(folders: Collection[str]) -> Rule:
    names = "|".join([_FOLDERS, *(re.escape(one.lower()) for one in folders)])
    pattern = (
        rf"(?:in|inside|within|under) (?:(?:the|my) )?(?:(?P<known>{names})(?: folder)?"
        rf"|folder (?P<after>[\w.-]+)|(?P<before>[\w.-]+) (?:folder|directory)|(?P<path>~?/\S+))"
    )
    return _rule(pattern, _build_folder)


def _build_folder(found: "re.Match[str]", today: date) -> Filter | None:
    name = found["known"] or found["after"] or found["before"] or found["path"]
    return None if name in ("the", "my", "a", "this") else Filter("in", name)


_RULES: tuple[Rule, ...] = (
    _rule(rf"between (\d+(?:\.\d+)?)\s*([kmg]b)? and {_SIZE}", _build_range),
    _rule(rf"{_OVER} {_SIZE}", lambda found, today: _build_size(found, ">")),
    _rule(rf"{_UNDER} {_SIZE}", lambda found, today: _build_size(found, "<")),
    _rule(
        rf"(?:{_CHANGED} )?(?:from|between) ({_NAMED}) (?:to|and|until|till) ({_NAMED})",
        _build_between,
    ),
    _rule(
        rf"(?:(?P<verb>{_CHANGED}) )?"
        rf"(?P<side>from|in|since|after|before|during|until|till|on) (?:the )?(?P<when>{_NAMED})",
        _build_date,
    ),
    _rule(rf"(?P<verb>{_CHANGED}) (?:the )?(?P<when>{_NAMED})", _build_date),
    _rule(rf"(?P<when>{_RELATIVE})", _build_date),
    _rule(rf"(?:written|{_FILES}) in ({_LANGUAGE})", _build_language),
    _rule(rf"\.?({_ENDING}) files?", lambda found, today: Filter("ext", found[1])),
    _rule(r"(large|big|huge|tiny|small) files?", lambda found, today: Filter("is", found[1])),
)
