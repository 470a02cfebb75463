"""Whatever is typed, the answer comes in time and without a fault.

1. Random strings, read strictly, raise nothing but the query error; read leniently, nothing at all.
2. None takes longer than a second.
"""

import contextlib
import time
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.errors import QuerySyntaxError
from engine.keyword import KeywordIndex
from engine.query import parse
from engine.store.database import Database
from engine.store.migrations import migrate
from tests.keyword.conftest import Library, Page

SIGNS = [
    *'"()*?~^:|!+-/\\.,\x00\n ab1',
    "NEAR(", "ONEAR(", "FIRST(", " OR ", " AND ", " NOT ", "2 of (", "title:", "sounds:", "~2",
    "apple", "red", "é", "東京都", "猫", "getUserById", "node.js", "C++", "'", "\u0301", "😀",
]  # fmt: skip
TYPED = st.one_of(
    st.lists(st.sampled_from(SIGNS), max_size=12).map("".join), st.text(max_size=30)
)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KeywordIndex]:
    folder = tmp_path_factory.mktemp("random")
    with Database(folder / "sagasu.db", writable=True) as database:
        migrate(database)
        library = Library(database, folder / "words.snapshot")
        library.add(
            Page("a.txt", ("red apples a b C++ node.js getUserById", "é 東京都の猫 😀 1 2 3")),
            Page("b.txt", ("a a b b a b apple red",), title="Apple"),
        )
        library.open()
        library.add(Page("c.txt", ("apple pie",)))
        yield library.open(snapshot=False)


def check(index: KeywordIndex, text: str) -> None:
    began = time.monotonic()
    with contextlib.suppress(QuerySyntaxError):
        index.search(parse(text), languages=("en", "ja"))
    strict = time.monotonic()
    query = parse(text, lenient=True)
    index.search(query, languages=("en", "ja"), typing=True, fuzzy=True)
    lenient = time.monotonic()
    index.search_exact(text, languages=("en", "ja"))
    assert max(strict - began, lenient - strict, time.monotonic() - lenient) < 1.0


@given(TYPED)
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_text_is_answered(index: KeywordIndex, text: str) -> None:
    check(index, text)


@pytest.mark.slow
@given(TYPED)
@settings(max_examples=10_000, deadline=None, suppress_health_check=list(HealthCheck))
def test_ten_thousand_texts_are_answered(index: KeywordIndex, text: str) -> None:
    check(index, text)
