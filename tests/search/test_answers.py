"""What an answer holds.

1. Highlights are offsets into what is shown, and analysed they are terms of the question.
2. Negated words are never marked.
3. Filters only take away; plain language gives the same filters as chips that can be taken back.
4. Sorting, paging and facets agree with the list.
5. Typos are forgiven only when nothing else is close, and it is said; corrections are offered.
6. Nothing relevant is said instead of noise.
7. Every number can be explained.
"""

import contextlib
from dataclasses import asdict

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.api import Engine, SearchRequest
from engine.errors import QuerySyntaxError
from engine.models import Explanation, Result
from engine.search.snippet import cut_snippet
from engine.text import analyse
from tests.search.conftest import Ask


def test_highlights_are_words_of_the_question(ask: Ask) -> None:
    for query in ("pruning roses", "travelled", "old leaves"):
        wanted = set(analyse(query, "en"))
        for result in ask.full(query, mode="bm25").results:
            shown = [(one.text, one.highlights) for one in result.snippets]
            shown += [(result.title, result.title_highlights)]
            for text, ranges in shown:
                for start, end in ranges:
                    assert set(analyse(text[start:end], "en")) & wanted, (query, text[start:end])


def test_negated_words_are_not_marked(ask: Ask) -> None:
    result = ask.full("budget -compost", mode="bm25").results[0]
    marked = {result.snippets[0].text[s:e] for s, e in result.snippets[0].highlights}
    assert marked == {"budget"}


@given(st.text(alphabet="ab cdé.\n", max_size=900), st.sampled_from(["a", "ab", "cd"]))
def test_a_snippets_marks_lie_in_it(text: str, word: str) -> None:
    cut, ranges = cut_snippet(text, "en", frozenset(analyse(word, "en")))
    assert len(cut) <= max(240, len(text) if len(text) <= 240 else 240)
    last = 0
    for start, end in ranges:
        assert last <= start < end <= len(cut)
        last = end


def test_a_filter_only_takes_away(ask: Ask) -> None:
    everything = set(ask("old budget travel", limit=50))
    for more in ("ext:md", "in:work", "-ext:md", "after:2023-11-16", "size:<60"):
        assert set(ask(f"old budget travel {more}", limit=50)) <= everything, more


def test_an_unknown_word_beside_a_known_one_gets_a_correction(ask: Ask) -> None:
    answer = ask.full("compst budget", mode="bm25")
    assert answer.results
    assert not answer.auto_fuzzy
    assert answer.suggestions == ("compost budget",)
    assert ask.full("compost budget", mode="bm25").suggestions == ()


def test_filters_beside_the_query_mean_the_same(ask: Ask) -> None:
    assert ask("old", filters={"ext": ["md"], "in": ["garden"]}) == ask("old ext:md in:garden")


def test_plain_language_becomes_chips_that_can_be_taken_back(ask: Ask) -> None:
    answer = ask.full("markdown files about old roses in garden")
    labels = {chip.label for chip in answer.chips}
    assert answer.results[0].path.endswith("roses.md")
    if labels:
        texts = tuple(chip.text for chip in answer.chips)
        again = ask.full("markdown files about old roses in garden", ignore_chips=texts)
        assert not again.chips


def test_pages_join_to_the_whole(ask: Ask) -> None:
    whole = ask("old budget travel roses", limit=50)
    pages = [
        ask("old budget travel roses", limit=2, offset=start) for start in range(0, len(whole), 2)
    ]
    assert [name for page in pages for name in page] == whole


def test_sorting_by_date_name_and_size(ask: Ask) -> None:
    def sorted_by(by: str) -> list[Result]:
        return list(ask.full("budget travel old", sort=by, mode="bm25").results)

    dates = [one.modified for one in sorted_by("date")]
    names = [one.path.rsplit("/", 1)[1].casefold() for one in sorted_by("name")]
    sizes = [one.size for one in sorted_by("size")]
    assert dates == sorted(dates, reverse=True)
    assert names == sorted(names)
    assert sizes == sorted(sizes, reverse=True)
    assert len(names) == 5


def test_facets_count_the_documents_of_the_answer(ask: Ask) -> None:
    answer = ask.full("old budget", mode="bm25", facets=True)
    kinds = dict(answer.facets["kind"])
    assert sum(kinds.values()) == len(answer.results) == answer.total
    assert dict(answer.facets["year"]) == {"2023": 4}


def test_a_typo_is_forgiven_and_said(ask: Ask) -> None:
    answer = ask.full("compsot", semantic_enabled=False)
    assert answer.auto_fuzzy
    assert [one.path.rsplit("/", 1)[1] for one in answer.results] == ["compost.md"]
    assert answer.suggestions == ("compost",)
    exact = ask.full("compost", semantic_enabled=False)
    assert not exact.auto_fuzzy


def test_nothing_relevant_is_said_instead_of_noise(ask: Ask) -> None:
    answer = ask.full("quantum chromodynamics lattice gauge")
    assert answer.nothing_relevant
    assert answer.results == ()


def test_a_photo_is_found_by_its_name(ask: Ask) -> None:
    assert ask("IMG_4711") == ["IMG_4711.jpg"]


def test_words_complete_from_the_index_itself(engine: Engine) -> None:
    assert "compost" in engine.complete("comp")
    assert engine.suggest("markting budget")[0] == "marketing budget"


def test_every_number_is_explained(ask: Ask) -> None:
    def leaves(why: Explanation) -> int:
        return 1 if not why.parts else sum(leaves(part) for part in why.parts)

    for result in ask.full("old roses", explain=True).results:
        assert result.why is not None
        assert result.why.value == result.score
        assert leaves(result.why) > 3


def test_why_not_names_the_reason(engine: Engine, ask: Ask) -> None:
    paths = {
        one.path.rsplit("/", 1)[1]: one.path
        for one in ask.full("old budget travel", limit=50).results
    }
    assert "rank 1 " in engine.whynot(SearchRequest("roses water"), paths["roses.md"])
    told = engine.whynot(SearchRequest("roses AND water"), paths["travel.md"])
    assert "holds none" in told or "lacks" in told
    assert "not in any indexed folder" in engine.whynot(SearchRequest("x"), "/nowhere/at/all.txt")


@settings(
    max_examples=150, deadline=1000, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(max_size=60))
def test_any_text_is_a_question_or_a_clear_error(ask: Ask, text: str) -> None:
    with contextlib.suppress(QuerySyntaxError):
        answer = ask.engine.search(SearchRequest(text + " x"))
        assert asdict(answer)["query"] == text + " x"
    typed = ask.engine.search(SearchRequest(text + " x", typing=True))
    assert typed.total >= 0


def test_a_pinned_document_stands_first_until_it_is_let_go(engine: Engine, ask: Ask) -> None:
    last = ask.full("old budget travel", mode="bm25").results[-1]
    engine.pin("Old  budget travel", last.id)
    try:
        assert ask.full("old budget travel", mode="bm25").results[0].id == last.id
        assert ask.full("old budget", mode="bm25").results[0].id != last.id
        engine.pin("nothing of the kind", last.id)
        assert ask.full("nothing of the kind").results[0].id == last.id
    finally:
        engine.pin("old budget travel", last.id, pinned=False)
        engine.pin("nothing of the kind", last.id, pinned=False)
    assert ask.full("old budget travel", mode="bm25").results[-1].id == last.id


def test_plain_language_that_filters_everything_away_is_read_as_words(ask: Ask) -> None:
    answer = ask.full("budget photos")
    assert answer.chips == ()
    assert "budget" in answer.results[0].path
