"""Proves of filters in plain language:

1. each question of the table gives these chips and these words;
2. an accidental word is no filter;
3. a chip that was put back stays words, and nothing else takes its place;
4. every chip's filter can be resolved, its span holds its text, and any string is safe.
"""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.query.filters import find_fault
from engine.query.plain_filters import split_filters
from engine.query.printer import print_query

TODAY = date(2026, 5, 15)

QUESTIONS = [
    (
        "pdf invoices from last march over 1 mb in downloads",
        "kind:pdf date:2026-03 size:>1mb in:downloads",
        "invoices",
    ),
    ("pdfs about bees", "kind:pdf", "bees"),
    ("photos from 2024", "kind:image date:2024", ""),
    ("notes last week", "date:2026-05-04..2026-05-10", "notes"),
    ("show me all spreadsheets modified yesterday", "kind:sheet date:2026-05-14", ""),
    ("docx files about tax", "ext:docx", "tax"),
    ("lease in the Contracts folder", "in:Contracts", "lease"),
    ("Report in ~/Work/X", "in:~/Work/X", "Report"),
    ("emails from anna since monday", "kind:mail after:2026-05-11", "from anna"),
    ("invoices between 1 and 5 mb", "size:1mb..5mb", "invoices"),
    ("films under 700mb", "size:<700mb", "films"),
    ("budget from january to march", "date:2026-01-01..2026-03-31", "budget"),
    ("letters written in german", "lang:de", "letters"),
    ("big files in downloads", "is:big in:downloads", ""),
    ("contract march 2025", "date:2025-03", "contract"),
    ("letter created last year", "created:2025", "letter"),
    ("thesis before 2020", "before:2020-01-01", "thesis"),
    ("3 days ago meeting", "date:2026-05-12", "meeting"),
    ("kind:pdf taxes from last year", "date:2025", "kind:pdf taxes"),
]


@pytest.mark.parametrize(("text", "chips", "rest"), QUESTIONS, ids=[row[0] for row in QUESTIONS])
def test_question_gives_chips_and_words(text: str, chips: str, rest: str) -> None:
    found = split_filters(text, TODAY)
    assert [print_query(chip.filter) for chip in found.chips] == chips.split()
    assert found.rest == rest


WORDS = [
    "may", "march", "over", "in", "pdf", "images", "today", "yesterday", "last week",
    "march madness", "may the force be with you", "mind over matter", "convert pdf to word",
    "over 100 people", "running in march", "elections in 2024", "what happened in may 1945",
    "report 2026", '"from last week"', "sunday", "notes", "a week in paris", "from dusk till dawn",
]  # fmt: skip


@pytest.mark.parametrize("text", WORDS)
def test_accidental_words_stay_words(text: str) -> None:
    found = split_filters(text, TODAY)
    assert (found.chips, found.rest) == ((), text)


def test_chip_that_was_put_back_stays_words() -> None:
    text = "pdf invoices from last march over 1 mb"
    chips = split_filters(text, TODAY).chips
    again = split_filters(text, TODAY, ignore={chips[1].text})
    assert [chip.filter.name for chip in again.chips] == ["kind", "size"]
    assert again.rest == "invoices from last march"


def test_folders_of_the_user_are_known_by_name() -> None:
    assert split_filters("lease in attic", TODAY).chips == ()
    found = split_filters("lease in Attic", TODAY, folders=["attic"])
    assert [print_query(chip.filter) for chip in found.chips] == ["in:Attic"]


PIECES = st.sampled_from(
    ["pdf", "pdfs", "in", "from", "last", "march", "over", "1 mb", "downloads", "week", "2024",
     "the", "folder", "files", "between", "and", "5", "mb", "since", "monday", "İ", '"', ",",
     "written", "german", "ago", "3 days"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=9).map(" ".join) | st.text(max_size=40))
def test_chips_are_sound(text: str) -> None:
    found = split_filters(text, TODAY)
    for chip in found.chips:
        assert find_fault(chip.filter) is None
        assert text[chip.start : chip.end] == chip.text
    ends = [0, *(chip.end for chip in found.chips)]
    assert all(end <= chip.start for end, chip in zip(ends, found.chips, strict=False))
