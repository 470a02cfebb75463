"""Proves how answers become JSON:

1. the conversion loads no web framework, so that the command line can use it;
2. Sagasu's two lists stand beside our one, and only when they are asked for;
3. no NaN and no infinity reach JSON, and dates outside the calendar do not break it.
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


def answer_of(words: list[Result], meaning: list[Result]) -> Any:
    def search(request: SearchRequest) -> SearchResponse:
        return SearchResponse(
            request.query, 1.5, 12, tuple(words + meaning), total_keyword=6, total_semantic=6,
            by_words=tuple(words) if request.two_lists else (),
            by_meaning=tuple(meaning) if request.two_lists else (),
        )  # fmt: skip

    return search


def test_loads_no_web_framework() -> None:
    code = "import sys, engine.server.wire; sys.exit('fastapi' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_both_lists_and_ours_are_written() -> None:
    words = [make_result(1, 2.0, 0.1), make_result(2, 1.0, 0.0)]
    search = answer_of(words, [make_result(3, 0.0, 0.9)])
    found = wire.answer_search(search, SearchRequest("x"))
    assert [row["document"]["id"] for row in found["non_semantic_results"]] == ["id1", "id2"]
    assert [row["document"]["id"] for row in found["semantic_results"]] == ["id3"]
    assert [row["rank"] for row in found["semantic_results"]] == [1]
    assert [row["id"] for row in found["results"]] == ["id1", "id2", "id3"]
    assert (found["total_non_semantic"], found["total_semantic"]) == (6, 6)
    assert found["query_time_ms"] == 2


def test_one_list_alone_when_asked_for() -> None:
    search = answer_of([make_result(1, 2.0, 0.1)], [])
    found = wire.answer_search(search, SearchRequest("x"), two_lists=False)
    assert len(found["results"]) == 1
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
