"""Which days does a phrase mean? From ISO forms and everyday words to a half-open range of days.

With today = 2026-05-15: `2026-03` → 1 March up to 1 April; `last week` → Monday 4 up to Monday 11
May; `3 days ago` → 12 May; `P7D` and `last 7 days` → 9 May up to 16 May; `march` → March 2026.
"""

import re
from datetime import date, timedelta

Days = tuple[date | None, date | None]  # first day, and the day after the last; None: open

MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul",
         "august aug", "september sep sept", "october oct", "november nov", "december dec"), 1)
    for name in names.split()
}  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NUMBERS = {
    name: number
    for number, name in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
         "eleven", "twelve"])
} | {"a": 1, "an": 1, "couple": 2, "few": 3}  # fmt: skip

_UNITS = {"d": "day", "w": "week", "m": "month", "y": "year"}
_ISO = re.compile(r"(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?")
_EUROPEAN = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_COMPACT = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)")
_PERIOD = re.compile(r"p?(\d{1,4})\s?([dwmy])")
_AGO = re.compile(r"(\w+) (day|week|month|year)s? ago")
_PAST = re.compile(r"(?:in )?(?:the )?(?:last|past|previous) (?:(\w+) )?(day|week|month|year)s?")
_THIS = re.compile(r"(this|last|previous) (\w+)")
_MONTH_YEAR = re.compile(r"(?:(\d{1,2})\.? )?([a-z]+)(?: (\d{1,2}),?)?(?: (\d{4}))?")


def find_days(text: str, today: date) -> Days | None:
    """The days a phrase stands for; None when it is no date."""
    text = " ".join(text.lower().replace(",", " ").replace("_", " ").split())
    for separator in ("..", "/", " to ", "–"):
        if separator in text:
            return _find_range(text, separator, today)
    return _find_one(text, today)


def _find_range(text: str, separator: str, today: date) -> Days | None:
    first, _, last = text.partition(separator)
    first, last = first.strip(), last.strip()
    if separator == "/" and last.replace("/", "").isdigit() and len(last) < 6:
        return _find_one(text, today)  # 2026/03/01
    low = _find_one(first, today) if first else (None, None)
    high = _find_one(last, today) if last else (None, None)
    if low is None or high is None or not (first or last):
        return None
    if low[0] and high[1] and low[0] >= high[1]:
        return None
    return low[0], high[1]


def _find_one(text: str, today: date) -> Days | None:
    try:
        days = _find_written(text) or _find_spoken(text, today) or _find_named(text, today)
        return None if days and days[0] == days[1] else days
    except (ValueError, OverflowError):  # 2026-02-31, or ten thousand years ago
        return None


def _find_written(text: str) -> Days | None:
    if found := _COMPACT.fullmatch(text):
        return _day(date(int(found[1]), int(found[2]), int(found[3])))
    if found := _EUROPEAN.fullmatch(text):
        return _day(date(int(found[3]), int(found[2]), int(found[1])))
    if found := _ISO.fullmatch(text):
        year, month, day = int(found[1]), found[2], found[3]
        if day:
            return _day(date(year, int(month), int(day)))
        return month_days(year, int(month)) if month else (date(year, 1, 1), date(year + 1, 1, 1))
    return None


def _find_spoken(text: str, today: date) -> Days | None:
    plain = {"today": 0, "yesterday": 1, "tomorrow": -1}
    if text in plain:
        return _day(today - timedelta(days=plain[text]))
    if found := _PERIOD.fullmatch(text):
        return _past(int(found[1]), _UNITS[found[2]], today)
    if found := _AGO.fullmatch(text):
        count = _number(found[1])
        return None if count is None else _ago(count, found[2], today)
    if (found := _PAST.fullmatch(text)) and found[1]:
        count = _number(found[1])
        return None if count is None else _past(count, found[2], today)
    if found := _THIS.fullmatch(text):
        return _around(found[1] != "this", found[2], today)
    return None


def _find_named(text: str, today: date) -> Days | None:
    """A month or weekday by name: the latest that has begun."""
    if text in WEEKDAYS:
        return _day(_last_weekday(text, today))
    found = _MONTH_YEAR.fullmatch(text)
    month = MONTHS.get(found[2]) if found else None
    if found is None or month is None:
        return None
    day = found[1] or found[3]
    year = int(found[4]) if found[4] else today.year
    if not found[4] and date(year, month, int(day or 1)) > today:
        year -= 1
    return _day(date(year, month, int(day))) if day else month_days(year, month)


def month_days(year: int, month: int) -> Days:
    """The days of a month."""
    return date(year, month, 1), _shift(date(year, month, 1), 1)


def _day(day: date) -> Days:
    return day, day + timedelta(days=1)


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 5 else NUMBERS.get(text)


def _ago(count: int, unit: str, today: date) -> Days:
    """The very day, week, month or year that long ago."""
    if unit == "day":
        return _day(today - timedelta(days=count))
    start = _start(unit, today)
    if unit == "week":
        start -= timedelta(weeks=count)
        return start, start + timedelta(weeks=1)
    months = 1 if unit == "month" else 12
    return _shift(start, -months * count), _shift(start, -months * (count - 1))


def _past(count: int, unit: str, today: date) -> Days:
    """The stretch of that length that ends today."""
    tomorrow = today + timedelta(days=1)
    if unit in ("day", "week"):
        return tomorrow - timedelta(days=count * (7 if unit == "week" else 1)), tomorrow
    return _shift(tomorrow, -count * (12 if unit == "year" else 1)), tomorrow


def _around(last: bool, what: str, today: date) -> Days | None:
    """This or the last week, month, year, weekday or month by name."""
    if what in ("day", "week", "month", "year"):
        return _ago(int(last), what, today)
    if what in WEEKDAYS:
        return _day(_last_weekday(what, today - timedelta(days=int(last))))
    month = MONTHS.get(what)
    if month is None:
        return None
    began = month < today.month or (month == today.month and not last)
    return month_days(today.year if began or not last else today.year - 1, month)


def _last_weekday(name: str, today: date) -> date:
    return today - timedelta(days=(today.weekday() - WEEKDAYS.index(name)) % 7)


def _start(unit: str, today: date) -> date:
    if unit == "week":
        return today - timedelta(days=today.weekday())
    return today.replace(day=1) if unit == "month" else date(today.year, 1, 1)


def _shift(day: date, months: int) -> date:
    """The same day so many months later, or the month's last."""
    years, month = divmod(day.month - 1 + months, 12)
    for number in range(day.day, 0, -1):
        try:
            return date(day.year + years, month + 1, number)
        except ValueError:
            if number <= 28:
                raise
    raise ValueError(day)
