"""What the first hits teach, what a made-up answer finds, and when words alone are enough.

1. Learned words bring documents that hold none of the typed ones; what is said of the typed words
   stays theirs alone.
2. Switched off, for a long question or for one with operators, nothing is asked again.
3. A vector moves towards the first hits by hand-made numbers.
4. A hypothesis is what is searched by meaning; the words stay the question's.
5. The collection's own words widen the question, those near to it only.
6. A file that is named and found by every word needs no meaning.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from engine.api import Engine, SearchRequest
from engine.config import Config, RankingSettings
from engine.keyword.hits import KeywordHits
from engine.query import parse
from engine.query.nodes import Word
from engine.search.combine import Fused
from engine.search.concepts import Concepts
from engine.search.feedback import learn_vector, widen
from engine.search.question import Question
from engine.search.words import find_words, has_winner, share_of_words

FILES = {
    "one.txt": "Sourdough bread needs a starter of flour and water.",
    "two.txt": "Feed the sourdough starter with flour every day.",
    "three.txt": "A starter smells sour; keep flour beside it.",
    "four.txt": "The tram stops at the river.",
}
LEARNING = RankingSettings(feedback_words=0.5, feedback_vectors=0.5)


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("kitchen") / "Documents"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    config = Config(ranking=LEARNING)
    home = tmp_path_factory.mktemp("data") / "home"
    with Engine.open(home, write=True, config=config) as opened:
        opened.index(str(folder))
        yield opened


def no_vectors(chunks: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
    return np.full((len(chunks), 1), np.nan, np.float32)


def ask(text: str) -> Question:
    return Question(SearchRequest(text), parse(text), (), None, ("en",), False)


def hits_of(engine: Engine) -> dict[str, Fused]:
    rows = engine.database.connection().execute(
        "SELECT name, document_id, chunks.id FROM chunks JOIN documents ON documents.id=document_id"
    )
    return {name: Fused(document, 0.5, 1.0, 0.5, (chunk,)) for name, document, chunk in rows}


def names(engine: Engine, hits: KeywordHits) -> set[str]:
    known = {one.document_id: name for name, one in hits_of(engine).items()}
    return {known[document] for document in hits.documents.tolist()}


def test_the_first_hits_teach_their_words(kitchen: Engine) -> None:
    hits = hits_of(kitchen)
    first = [hits["one.txt"], hits["two.txt"]]
    connection = kitchen.database.connection()
    wider = widen(connection, ask("sourdough"), first, [("sourdough",)], None, LEARNING, no_vectors)
    assert wider is not None
    assert {word.text for word in wider.question.learned} == {"starter", "flour"}
    assert all(word.boost == 0.5 for word in wider.question.learned)


def test_learned_words_find_more_and_are_not_counted(kitchen: Engine) -> None:
    plain, index = ask("sourdough"), kitchen.searcher().keyword
    learned = replace(plain, learned=(Word("flour", 0.5),))
    assert names(kitchen, find_words(index, plain, 10, None)) == {"one.txt", "two.txt"}
    found = find_words(index, learned, 10, None)
    assert names(kitchen, found) == {"one.txt", "two.txt", "three.txt"}
    assert found.words == ("sourdough",)
    assert share_of_words(found).tolist() == [1.0, 1.0, 0.0]


@pytest.mark.parametrize("text", ["+sourdough -flour", '"sourdough bread"'])
def test_operators_are_not_widened(kitchen: Engine, text: str) -> None:
    first = list(hits_of(kitchen).values())
    connection = kitchen.database.connection()
    assert widen(connection, ask(text), first, [], None, LEARNING, no_vectors) is None


def test_switched_off_nothing_is_asked_again(kitchen: Engine) -> None:
    first = list(hits_of(kitchen).values())
    connection = kitchen.database.connection()
    off = RankingSettings()
    assert widen(connection, ask("sourdough"), first, [], None, off, no_vectors) is None


def test_the_vector_moves_towards_the_hits() -> None:
    rows = np.array([[0.0, 1.0], [np.nan, np.nan]], np.float32)
    first = [Fused(1, 0.5, 1.0, 0.5, (7,)), Fused(2, 0.5, 1.0, 0.5, ())]
    moved = learn_vector(np.array([1.0, 0.0], np.float32), first, lambda _: rows, LEARNING)
    assert moved.tolist() == pytest.approx([0.894, 0.447], abs=0.001)  # (1, 0.5) / 1.118


def test_an_answer_with_feedback_still_begins_with_what_was_asked(kitchen: Engine) -> None:
    found = kitchen.search(SearchRequest("sourdough"))
    assert {Path(one.path).name for one in found.results[:2]} == {"one.txt", "two.txt"}
    assert "three.txt" in {Path(one.path).name for one in found.results}


def test_a_hypothesis_is_searched_by_meaning(engine: Engine) -> None:
    def first(**more: str) -> str:
        request = SearchRequest("xyzzy", mode="semantic", **more)  # type: ignore[arg-type]  # text
        return Path(engine.search(request).results[0].path).name

    assert first(hypothesis="Cut back the rose bushes before spring.") == "roses.md"
    assert first(hypothesis="The train leaves for the Austrian capital.") == "travel.md"


def test_a_named_file_needs_no_meaning(engine: Engine) -> None:
    question, settings = ask("open travel.md"), RankingSettings()
    bits = np.array([0b11, 0b01], np.uint64)
    hits = KeywordHits(
        np.array([1, 2]), np.array([1, 2]), np.array([9.0, 1.0], np.float32), bits,
        ("open", "travel.md"), total_documents=2,
    )  # fmt: skip
    assert has_winner(question, hits, settings)
    assert not has_winner(question, replace(hits, matched=bits[::-1]), settings)
    assert not has_winner(question, hits, replace(settings, shortcut=False))
    assert not has_winner(ask("travel plans"), hits, settings)
    close = replace(hits, scores=np.array([9.0, 3.0], np.float32))
    assert not has_winner(question, close, settings)


def test_the_question_is_widened_by_the_collections_own_words(tmp_path: Path) -> None:
    folder = tmp_path / "Documents"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.txt").write_text("automobile repair invoice", encoding="utf-8")
    with Engine.open(tmp_path / "home", write=True) as opened:
        opened.index(str(folder))
        embedder = opened.embedder()
        assert embedder is not None
        concepts = Concepts(opened.searcher().keyword.vocabulary)
        widened = concepts.embed(embedder, "car")
        expected = embedder.embed_query("car automobile")  # cosine 0.87; the others are below 0.5
        assert widened.tolist() == expected.tolist()
        same = embedder.embed_query("glacier")
        assert concepts.embed(embedder, "glacier").tolist() == same.tolist()
