"""Proves how answers become JSON:

1. the conversion loads no web framework, so that the command line can use it;
2. documents found by name or word go to the first list, those found by meaning alone to the second;
3. each list is paged by itself from one deep search; beyond the most, the page itself is split;
4. no NaN and no infinity reach JSON, and dates outside the calendar do not break it.
"""

import math
import subprocess
import sys
from typing import Any

import pytest

from engine.api import SearchRequest, SearchResponse
from engine.models import Explanation, Location, Result, Snippet
from engine.server import wire


def make_result(number: int, keyword: float, semantic: float, **facts: Any) -> Result:
    snippet = Snippet(
        "some text", ((0, 4),), Location("Head", ("Top", "Head"), "heading", None, 3), 9
    )
    matched = ("word",) if keyword else ("meaning",)
    return Result(
        number, f"id{number}", f"/d/{number}.md", f"t{number}", 0.5, keyword, semantic, (snippet,),
        **{"matched": matched, **facts},
    )  # fmt: skip


def answer_of(results: list[Result]) -> Any:
    def search(request: SearchRequest) -> SearchResponse:
        page = results[request.offset : request.offset + request.limit]
        words = sum(one.keyword_score > 0 for one in results)
        return SearchResponse(
            request.query, 1.5, len(results), tuple(page), total_keyword=words,
            total_semantic=len(results) - words,
        )  # fmt: skip

    return search


def test_loads_no_web_framework() -> None:
    code = "import sys, engine.server.wire; sys.exit('fastapi' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_names_and_words_are_one_list_and_meaning_the_other() -> None:
    named = make_result(1, 0.0, 0.4, matched=("name",))
    words, meaning = wire.split_results([make_result(2, 0.0, 0.9), named, make_result(3, 2.0, 0.1)])
    assert [one.id for one in words] == ["id3", "id1"]
    assert [one.id for one in meaning] == ["id2"]


def test_each_list_has_its_own_page() -> None:
    results = [make_result(number, float(number % 2), 0.5) for number in range(1, 13)]
    request = SearchRequest("x", limit=2, offset=2)
    found = wire.answer_search(answer_of(results), request, max_limit=100)
    assert [row["document"]["id"] for row in found["non_semantic_results"]] == ["id5", "id7"]
    assert [row["document"]["id"] for row in found["semantic_results"]] == ["id6", "id8"]
    assert [row["id"] for row in found["results"]] == ["id3", "id4"]
    assert (found["total_non_semantic"], found["total_semantic"]) == (6, 6)
    assert [row["rank"] for row in found["semantic_results"]] == [1, 2]


def test_a_page_beyond_the_most_is_split_itself() -> None:
    results = [make_result(number, float(number % 2), 0.5) for number in range(1, 13)]
    request = SearchRequest("x", limit=4, offset=8)
    found = wire.answer_search(answer_of(results), request, max_limit=10)
    assert [row["id"] for row in found["results"]] == ["id9", "id10", "id11", "id12"]
    assert [row["document"]["id"] for row in found["non_semantic_results"]] == ["id9", "id11"]


def test_one_list_alone_when_asked_for() -> None:
    results = [make_result(number, 1.0, 0.5) for number in range(1, 13)]
    request = SearchRequest("x", limit=3)
    found = wire.answer_search(answer_of(results), request, max_limit=100, two_lists=False)
    assert len(found["results"]) == 3
    assert found["non_semantic_results"] == found["semantic_results"] == []


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_no_number_that_json_does_not_know(value: float) -> None:
    assert wire.write_result(make_result(1, value, 0.5))["keyword_score"] == 0.0
    assert wire.write_explanation(Explanation(value, "x"))["value"] == 0.0


@pytest.mark.parametrize("seconds", [1e300, -1e300, math.nan, 0.0])
def test_dates_outside_the_calendar(seconds: float) -> None:
    assert wire.iso(seconds) == "1970-01-01T00:00:00.000000Z"


def test_further_passages_and_reasons_are_written_when_there_are_some() -> None:
    one = make_result(1, 1.0, 0.5, why=Explanation(0.5, "sum", (Explanation(0.2, "part"),)))
    row = wire.write_result(one)
    assert row["why"]["parts"][0]["what"] == "part"
    assert row["location"] == {
        "heading": "Head", "trail": ["Top", "Head"], "kind": "heading", "page": None, "line": 3,
    }  # fmt: skip
    assert "more" not in row
