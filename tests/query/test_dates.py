"""Proves of dates in words and numbers: each phrase of the table stands for exactly these days, as
seen from Friday 15 May 2026; what is no date is none; any text is safe.
"""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.query.dates import find_days

TODAY = date(2026, 5, 15)

PHRASES = [
    ("2026", "2026-01-01", "2027-01-01"),
    ("2026-03", "2026-03-01", "2026-04-01"),
    ("2026-12", "2026-12-01", "2027-01-01"),
    ("2026-03-01", "2026-03-01", "2026-03-02"),
    ("2026/03/01", "2026-03-01", "2026-03-02"),
    ("20260301", "2026-03-01", "2026-03-02"),
    ("01.03.2026", "2026-03-01", "2026-03-02"),
    ("today", "2026-05-15", "2026-05-16"),
    ("Yesterday", "2026-05-14", "2026-05-15"),
    ("this week", "2026-05-11", "2026-05-18"),
    ("last week", "2026-05-04", "2026-05-11"),
    ("last_week", "2026-05-04", "2026-05-11"),
    ("last month", "2026-04-01", "2026-05-01"),
    ("this year", "2026-01-01", "2027-01-01"),
    ("last year", "2025-01-01", "2026-01-01"),
    ("3 days ago", "2026-05-12", "2026-05-13"),
    ("two weeks ago", "2026-04-27", "2026-05-04"),
    ("a month ago", "2026-04-01", "2026-05-01"),
    ("last 7 days", "2026-05-09", "2026-05-16"),
    ("past three months", "2026-02-16", "2026-05-16"),
    ("P7D", "2026-05-09", "2026-05-16"),
    ("2w", "2026-05-02", "2026-05-16"),
    ("march", "2026-03-01", "2026-04-01"),
    ("last march", "2026-03-01", "2026-04-01"),
    ("may", "2026-05-01", "2026-06-01"),
    ("last may", "2025-05-01", "2025-06-01"),
    ("june", "2025-06-01", "2025-07-01"),
    ("march 2024", "2024-03-01", "2024-04-01"),
    ("1 march 2024", "2024-03-01", "2024-03-02"),
    ("March 1, 2024", "2024-03-01", "2024-03-02"),
    ("monday", "2026-05-11", "2026-05-12"),
    ("last friday", "2026-05-08", "2026-05-09"),
    ("2026-01..2026-03", "2026-01-01", "2026-04-01"),
    ("2026-01/2026-03", "2026-01-01", "2026-04-01"),
    ("2026-01..", "2026-01-01", None),
    ("..2026-03", None, "2026-04-01"),
    ("P7D/", "2026-05-09", None),
]


@pytest.mark.parametrize(("text", "first", "after"), PHRASES, ids=[row[0] for row in PHRASES])
def test_phrase_means_these_days(text: str, first: str | None, after: str | None) -> None:
    days = find_days(text, TODAY)
    assert days is not None
    assert [day and str(day) for day in days] == [first, after]


@pytest.mark.parametrize(
    "text",
    ["", "..", "soon", "2026-13", "2026-02-30", "99999 years ago", "2026-05..2026-01", "0000"],
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert find_days(text, TODAY) is None


@given(st.text(max_size=25) | st.text("0123456789-/. pdwmyago", max_size=12))
def test_any_text_is_safe(text: str) -> None:
    days = find_days(text, TODAY)
    if days and days[0] and days[1]:
        assert days[0] < days[1]
