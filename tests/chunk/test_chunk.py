"""Passages.

1. Cutting is lossless, at the strongest break that fits.
2. Every passage fits the model together with its trail, in every script.
3. Parents follow depth, trails say each title once.
4. Small neighbours under one heading share a passage; pages do not.
5. Lines count from the section's first line.
6. An overlap repeats the last words of the passage before.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chunk import TRAIL_JOINT, Sizes, chunk, embedding_hash, embedding_text
from engine.chunk.outline import build_trails, find_parents
from engine.chunk.pack import Room, pack
from engine.chunk.split import PROSE, split
from engine.embed.catalogue import bundled_folder
from engine.embed.wordpiece import PieceCounter
from engine.models import Extracted, Section


def count_words(text: str) -> int:
    return len(text.split())


@pytest.fixture(scope="module")
def pieces() -> PieceCounter:
    return PieceCounter(Path(bundled_folder()))


def document(*sections: Section, title: str = "") -> Extracted:
    return Extracted("text", sections, title=title)


@given(st.text(max_size=400), st.integers(1, 20))
def test_cutting_loses_nothing(text: str, most: int) -> None:
    parts = list(split(text, lambda part: len(part) <= most, PROSE))
    assert "".join(parts) == text
    assert all(len(part) <= most for part in parts)


def test_a_text_is_cut_at_paragraphs_before_sentences() -> None:
    text = "One two three.\n\nFour five. Six seven."
    assert list(split(text, lambda part: count_words(part) <= 4, PROSE)) == [
        "One two three.\n\n",
        "Four five. Six seven.",
    ]


def test_passages_are_packed_until_the_next_sentence_would_not_fit() -> None:
    text = "a a a a. b b b. c c. d d d d d d."
    spans = [text[one.start : one.end] for one in pack(text, Room(8, 99), count_words, code=False)]
    assert spans == ["a a a a. b b b. ", "c c. d d d d d d."]


def test_an_overlap_repeats_the_last_words() -> None:
    text = "a b c d. e f g h. i j k l."
    spans = [text[o.start : o.end] for o in pack(text, Room(6, 99, 2), count_words, code=False)]
    assert spans == ["a b c d. ", "c d. e f g h. ", "g h. i j k l."]


def test_parents_follow_depth() -> None:
    sections = [Section("", depth=depth) for depth in (0, 1, 2, 2, 1, 3)]
    assert find_parents(sections) == [None, 0, 1, 1, 0, 4]


def test_a_trail_says_each_title_once() -> None:
    sections = [Section("", "Guide", 1), Section("", "Setup", 2)]
    parents = find_parents(sections)
    assert build_trails(sections, parents, "Guide") == [("Guide",), ("Guide", "Setup")]


@pytest.mark.parametrize(
    "text",
    [
        "word " * 900,
        "안녕하세요" * 300,
        "検索" * 500,
        "aGVsbG8gd29ybGQ" * 200,
        "ภาษาไทย" * 300,
        "é" * 900,
    ],
    ids=["english", "korean", "japanese", "base64", "thai", "accents"],
)
def test_every_passage_fits_the_model_with_its_trail(text: str, pieces: PieceCounter) -> None:
    long_title = "A very long heading that goes on " * 20
    made = chunk(
        document(Section(text, long_title, 1), title="Report"), Sizes(256, 512), pieces.count
    )
    assert "".join("".join(one.text.split()) for one in made) == "".join(text.split())
    for one in made:
        whole = embedding_text(TRAIL_JOINT.join(one.trail), one.text)
        assert pieces.count(whole) + 2 <= 256


def test_small_neighbours_under_one_heading_share_a_passage() -> None:
    made = chunk(
        document(
            Section("Intro.", "Guide", 1, "heading", line=2),
            Section("First step.", "One", 2, "heading", line=4),
            Section("Second step.", "Two", 2, "heading", line=6),
        ),
        Sizes(256, 512),
        count_words,
    )
    assert [one.text for one in made] == ["Intro.\n\nOne\nFirst step.\n\nTwo\nSecond step."]
    assert made[0].trail == ("Guide",)


def test_pages_stay_apart() -> None:
    made = chunk(
        document(Section("Short.", kind="page", number=1), Section("Also.", kind="page", number=2)),
        Sizes(256, 512),
        count_words,
    )
    assert [(one.text, one.section) for one in made] == [("Short.", 0), ("Also.", 1)]


def test_a_heading_with_nothing_below_it_can_be_found() -> None:
    made = chunk(document(Section("", "Empty chapter", 1, "heading")), Sizes(256, 512), count_words)
    assert [one.text for one in made] == ["Empty chapter"]


def test_lines_count_from_the_first_line_of_the_section() -> None:
    text = "\n".join(f"line {number} with some words." for number in range(40))
    made = chunk(document(Section(text, line=10)), Sizes(40, 512), count_words)
    for one in made:
        number = int(one.text.split()[1])
        assert one.line == 10 + number


def test_equal_texts_have_equal_hashes_and_trails_matter() -> None:
    assert embedding_hash("A", "text") == embedding_hash("A", "text")
    assert embedding_hash("A", "text") != embedding_hash("B", "text")
