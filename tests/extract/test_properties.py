"""What holds for any text.

1. No text format refuses text, whatever it says.
2. No word is lost: what stands in the file stands in the sections (text, titles or fields).
3. A section's line is where its text begins.
"""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.extract import extract
from engine.models import Extracted

WORDS = st.sampled_from(
    ["garden", "Brücke", "日本", "#", "##", "==", "--", "```", "~~~", "[[", "]]"]
)
MARKS = st.sampled_from(
    [" ", "\n", "\n\n", "\t", "* ", "= ", ": ", ",", '"', "'", "def ", "class ", "("]
)
TEXTS = st.lists(st.one_of(WORDS, MARKS), max_size=60).map("".join)
WORD = re.compile(r"garden|Brücke|日本")


def all_words(found: Extracted) -> str:
    parts = [found.title, found.author, found.description, *found.tags, *found.keywords]
    parts += [f"{section.title}\n{section.text}" for section in found.sections]
    return "\n".join(parts)


@pytest.mark.parametrize(
    "ending",
    [".txt", ".md", ".rst", ".adoc", ".org", ".tex", ".py", ".js", ".c", ".css", ".yaml", ".toml",
     ".csv", ".json", ".jsonl"],
)  # fmt: skip
@given(text=TEXTS)
@settings(max_examples=60, deadline=None)
def test_no_word_is_lost(ending: str, text: str) -> None:
    found = extract(f"/x/note{ending}", text.encode())
    wanted, got = WORD.findall(text), WORD.findall(all_words(found))
    assert len(got) >= len(wanted)


@pytest.mark.parametrize(
    "ending", [".md", ".rst", ".adoc", ".org", ".tex", ".py", ".js", ".yaml", ".toml", ".txt"]
)
@given(text=TEXTS)
@settings(max_examples=60, deadline=None)
def test_a_sections_line_is_where_its_text_begins(ending: str, text: str) -> None:
    lines = text.split("\n")
    for section in extract(f"/x/note{ending}", text.encode()).sections:
        if section.line is None or section.kind == "front matter" or not section.text.strip():
            continue
        first = section.text.split("\n")[0]
        assert first.strip() in lines[section.line - 1]


@pytest.mark.parametrize(
    "ending", [".html", ".xml", ".ics", ".vcf", ".srt", ".eml", ".mbox", ".ipynb"]
)
@given(text=st.text(max_size=300))
@settings(max_examples=60, deadline=None)
def test_any_text_is_read_or_refused_in_words(ending: str, text: str) -> None:
    from engine.errors import FileError

    try:
        found = extract(f"/x/note{ending}", text.encode("utf-8", "replace"))
    except FileError as exc:
        assert str(exc).strip()  # noqa: PT017 the words are what this test is about
        return
    all_words(found).encode("utf-8")
