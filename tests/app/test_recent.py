"""Recent searches: 1 newest first, each once; 2 a query that only grew leaves one entry; 3 bounded,
zero remembers nothing; 4 kept in the file; 5 forgotten one by one or all; 6 a broken
file starts anew.
"""

from pathlib import Path

import pytest

from app.recent import RecentSearches, add_query


def test_newest_first_each_once() -> None:
    assert add_query(("a b", "tax", "rent"), "Tax", 5) == ("Tax", "a b", "rent")


def test_query_that_grew_leaves_one_entry() -> None:
    queries: tuple[str, ...] = ()
    for typed in ("t", "ta", "tax", "tax ret", "tax  return"):
        queries = add_query(queries, typed, 5)
    assert queries == ("tax return",)


def test_bounded_and_zero_remembers_nothing() -> None:
    assert add_query(("b1", "b2"), "aa", 2) == ("aa", "b1")
    assert add_query(("b1", "b2"), "aa", 0) == ()


def test_kept_and_forgotten(tmp_path: Path) -> None:
    recent = RecentSearches(tmp_path / "recent.json")
    for query in ("rent", "tax", "plans"):
        recent.add(query, 10)
    assert RecentSearches(tmp_path / "recent.json").queries() == ("plans", "tax", "rent")
    recent.forget("TAX")
    assert recent.queries() == ("plans", "rent")
    recent.forget()
    assert recent.queries() == ()


@pytest.mark.parametrize("content", ["{", '{"a": 1}'])
def test_broken_file_starts_anew(tmp_path: Path, content: str) -> None:
    (tmp_path / "recent.json").write_text(content)
    assert RecentSearches(tmp_path / "recent.json").queries() == ()
