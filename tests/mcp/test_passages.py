"""Proves how passages are found and packed for those who read text:

1. repetitions are left out, by words and by meaning; excluded files too; the best come first;
2. a pack keeps to its budget and says what it left out; each passage has path, heading and line;
3. tokens are counted for Latin and other scripts; a text loses what the query language would read;
4. documents alike are found nearest first, and only below the folders that are named.
"""

import pytest

from engine.api import (
    Cited,
    Engine,
    PassageRequest,
    SearchRequest,
    cite,
    count_tokens,
    plain_words,
)
from engine.models import Location
from tests.mcp.conftest import Library

CONFIGURED = "how is the service configured"


def test_repetitions_are_left_out(library: Library) -> None:
    with Engine.open(library.home) as engine:
        found = engine.find_passages(PassageRequest(SearchRequest(CONFIGURED), most=50))
        texts = [one.text for one in found.found]
        assert sum("configured by one file" in text for text in texts) == 1
        assert found.distinct < found.scored <= found.candidates
        assert [one.score for one in found.found] == sorted(
            (one.score for one in found.found), reverse=True
        )


@pytest.mark.parametrize("name", ["auth.md", "guide/auth.md", "auth", "./guide/auth.md"])
def test_excluded_files_are_left_out(library: Library, name: str) -> None:
    with Engine.open(library.home) as engine:
        ask = PassageRequest(SearchRequest("constant time tokens"), most=50, excluded=(name,))
        assert not any(one.path.endswith("/auth.md") for one in engine.find_passages(ask).found)


def test_a_pack_keeps_to_its_budget(library: Library) -> None:
    with Engine.open(library.home) as engine:
        ask = PassageRequest(SearchRequest(CONFIGURED), most=50)
        large, small = engine.context_pack(ask, 5000), engine.context_pack(ask, 250)
        assert small.tokens <= 250
        assert count_tokens(small.markdown) <= 250 + len(small.cited)
        assert len(small.cited) < len(large.cited)
        assert small.left_out == len(large.cited) - len(small.cited)
        assert large.markdown.startswith(f"[1] {library.docs}/guide/")


def test_similar_documents_stay_below_the_named_folders(library: Library) -> None:
    with Engine.open(library.home) as engine:
        soup = str(library.docs / "cooking" / "soup.md")
        everywhere = engine.similar(soup, 5).results
        assert everywhere[0].path.endswith("bread.md")
        assert [one.rank for one in everywhere] == list(range(1, len(everywhere) + 1))
        guide = str(library.docs / "guide")
        assert all(
            one.path.startswith(guide) for one in engine.similar(soup, 5, scopes=(guide,)).results
        )


def test_a_citation_has_path_heading_and_line() -> None:
    def cited(place: Location) -> str:
        return cite(Cited("id", "/d/a.md", "T", 1, "text", place, 0.5, ()))

    trail = ("Configuration", "Authentication")
    assert cited(Location("Authentication", trail, "heading", None, 12)) == (
        "/d/a.md § Configuration > Authentication (line 12)"
    )
    assert cited(Location("", (), "page", 3, None)) == "/d/a.md (page 3)"
    assert cited(Location("two\nlines", ())) == "/d/a.md § two lines"


def test_tokens_are_counted_for_every_script() -> None:
    assert count_tokens("") == 0
    assert count_tokens("abcd" * 10) == 10
    assert count_tokens("日本語") == 3


def test_a_text_loses_what_the_query_language_reads() -> None:
    assert plain_words('He said: "yes" AND (no) -x a*') == "He said yes and no x a"
