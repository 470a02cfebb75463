"""Every syntax element and mode, on a small library whose answers are worked out by hand.

1. Each element finds exactly the documents in its table row.
2. NOT x and x divide the documents; a phrase's documents are a subset of its AND's.
3. Allowed documents never add results.
4. Documents with all words come before those with some; an exact match before a fuzzy one.
5. Strict operators work across the passages of one document; phrases do not.
6. Every scoring model orders without failing, and only BM25 needs no arrays.
7. What is typed so far finds the word under the cursor; a cancelled question is empty.
"""

import numpy as np
import pytest

from engine.keyword import KeywordHits, KeywordIndex, match
from engine.keyword.scoring import SCORERS
from engine.keyword.scoring.weighing import sagasu_weighing
from engine.query import parse
from tests.keyword.conftest import Library, Page

LANGUAGES = ("en", "de", "ja")

PAGES = (
    Page(
        "fruit.md",
        ("Red apples and green pears grow here.", "The invoice for pears came late."),
        title="Fruit garden",
        trail="Harvest",
        tags=("garden", "food"),
        author="Ada Smith",
    ),
    Page(
        "invoices.md",
        ("Invoices are sent to the customer by Smythe.", "Pay the red bill first, then the rest."),
        title="Accounting handbook",
        trail="Billing rules",
        author="Grace",
    ),
    Page("apple.txt", ("An apple, a red one, fell from the tall old tree.",), title="Apple"),
    Page(
        "server.py",
        ("def getUserById(id): parse_json(node.js) return user", "error-handling of the server"),
        folder="/home/ada/code/service",
    ),
    Page("reise.txt", ("Die Häuser in München sind rot.",), title="Reise", language="de"),
    Page("tokyo.txt", ("東京都の天気は晴れです。猫がいます。",), language="ja"),
    Page("photo.jpg", (), title="Green meadow"),
)

ALL = {page.name for page in PAGES}


@pytest.fixture
def index(library: Library) -> KeywordIndex:
    library.add(*PAGES)
    return library.open()


def ask(index: KeywordIndex, text: str, **options: object) -> KeywordHits:
    return index.search(parse(text), languages=LANGUAGES, **options)  # type: ignore[arg-type]  # table


def found(library: Library, hits: KeywordHits) -> list[str]:
    return list(dict.fromkeys(library.names(hits.documents)))


TABLE = [
    ("apple", {"fruit.md", "apple.txt"}),
    ("apples", {"fruit.md", "apple.txt"}),
    ("apple bill", {"fruit.md", "apple.txt", "invoices.md"}),
    ("+apple bill", {"fruit.md", "apple.txt"}),
    ("apple OR bill", {"fruit.md", "apple.txt", "invoices.md"}),
    ("apple | bill", {"fruit.md", "apple.txt", "invoices.md"}),
    ("red AND invoice", {"fruit.md", "invoices.md"}),
    ("red -invoice", {"apple.txt"}),
    ("red NOT invoice", {"apple.txt"}),
    ("NOT red", ALL - {"fruit.md", "invoices.md", "apple.txt"}),
    ("(apple OR bill) AND NOT pears", {"apple.txt", "invoices.md"}),
    ('"red apples"', {"fruit.md"}),
    ('"red apple"', {"fruit.md"}),
    ('"apples red"', set()),
    ('"apple red"~1', {"apple.txt"}),
    ('"tall tree"', set()),
    ('"tall tree"~1', {"apple.txt"}),
    ('"green garden"', set()),
    ("NEAR(tree apple, 20)", {"apple.txt"}),
    ("NEAR(apple tree, 2)", set()),
    ("ONEAR(apple tree, 20)", {"apple.txt"}),
    ("ONEAR(tree apple, 20)", set()),
    ("FIRST(apple, 3)", {"fruit.md", "apple.txt"}),
    ("FIRST(tree, 3)", set()),
    ("FIRST(invoice, 12)", {"fruit.md", "invoices.md"}),
    ("FIRST(invoice, 3)", {"invoices.md"}),
    ("invoi*", {"fruit.md", "invoices.md"}),
    ("invoices*", {"fruit.md", "invoices.md"}),
    ("*voice", {"fruit.md", "invoices.md"}),
    ("?ear*", {"fruit.md"}),
    ("cust?mer", {"invoices.md"}),
    ("custmer~", {"invoices.md"}),
    ("cusotmer~1", {"invoices.md"}),
    ("appel~1", {"fruit.md", "apple.txt"}),
    ("sounds:smith", {"fruit.md", "invoices.md"}),
    ("/cust[a-z]+r/", {"invoices.md"}),
    ("pears^3 bill", {"fruit.md", "invoices.md"}),
    ("2 of (red apple bill)", {"fruit.md", "apple.txt", "invoices.md"}),
    ("3 of (red apple tree)", {"apple.txt"}),
    ("title:apple", {"apple.txt"}),
    ("title:(accounting garden)", {"fruit.md", "invoices.md"}),
    ('title:"fruit garden"', {"fruit.md"}),
    ("heading:harvest", {"fruit.md"}),
    ("body:harvest", set()),
    ("body:apple", {"fruit.md", "apple.txt"}),
    ("tag:food", {"fruit.md"}),
    ("author:ada", {"fruit.md"}),
    ("name:server", {"server.py"}),
    ("path:service", {"server.py"}),
    ("name:service", set()),
    ("getUserById", {"server.py"}),
    ("+getUserById", {"server.py"}),
    ("+parse_json", {"server.py"}),
    ("+node.js", {"server.py"}),
    ("+error-handling", {"server.py"}),
    ("haus", {"reise.txt"}),
    ("munchen", {"reise.txt"}),
    ("+東京都", {"tokyo.txt"}),
    ("天気", {"tokyo.txt"}),
    ("猫", {"tokyo.txt"}),
    ("「京都市の天気はどうですか」", {"tokyo.txt"}),
    ("2026年の東京都の天気", {"tokyo.txt"}),
    ("meadow", {"photo.jpg"}),
    ("nowhere", set()),
    ("-nowhere", ALL),
]


@pytest.mark.parametrize(("text", "wanted"), TABLE, ids=[row[0] for row in TABLE])
@pytest.mark.parametrize("place", ["snapshot", "delta"])
def test_each_element_finds_its_documents(
    library: Library, text: str, wanted: set[str], place: str
) -> None:
    library.add(*PAGES)
    index = library.open(snapshot=place == "snapshot")
    hits = ask(index, text)
    assert set(found(library, hits)) == wanted
    assert hits.total_documents == len(wanted)


@pytest.mark.parametrize("text", [row[0] for row in TABLE if not row[0].startswith(("-", "NOT"))])
def test_a_query_and_its_negation_divide_the_documents(
    index: KeywordIndex, library: Library, text: str
) -> None:
    inside = set(found(library, ask(index, f"+({text})")))
    outside = set(found(library, ask(index, f"NOT ({text})")))
    assert inside | outside == ALL
    assert not inside & outside


@pytest.mark.parametrize("words", ["red apples", "tall old tree", "sent to the customer"])
def test_a_phrase_is_a_subset_of_its_and(
    index: KeywordIndex, library: Library, words: str
) -> None:
    phrase = set(found(library, ask(index, f'"{words}"')))
    every = set(found(library, ask(index, " AND ".join(words.split()))))
    assert phrase <= every
    assert phrase


@pytest.mark.parametrize("text", ["red", "NOT red", '"red apples"', "red AND invoice", "*a*"])
def test_allowed_documents_never_add_results(
    index: KeywordIndex, library: Library, text: str
) -> None:
    everything = set(found(library, ask(index, text)))
    few = np.array(sorted([library.ids["fruit.md"], library.ids["photo.jpg"]]), np.int64)
    assert set(found(library, ask(index, text, allowed=few))) == everything & {
        "fruit.md",
        "photo.jpg",
    }
    nothing = np.zeros(0, np.int64)
    assert not len(ask(index, text, allowed=nothing))


def test_tokens_and_fts5_find_the_same_phrases(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(3)
    texts = [" ".join(random.choice(list("abcd"), 30)) for _ in range(40)]
    library.add(*(Page(f"{n}.txt", (text, text[::-1])) for n, text in enumerate(texts[:20])))
    library.open()
    library.add(*(Page(f"{n}.txt", (text,), trail="b c") for n, text in enumerate(texts[20:], 20)))
    library.remove("3.txt")
    index = library.open(snapshot=False)
    for phrase in ('"a b c a"', '"d d d"', 'heading:"b c"', 'body:"c c b a d"', '"a b c d a b"'):
        answers = []
        for share in (-1.0, 2.0):
            monkeypatch.setattr(match, "COMMON_SHARE", share)
            hits = ask(index, phrase, per_document=9)
            answers.append(sorted(zip(hits.chunks.tolist(), hits.scores.tolist(), strict=True)))
        assert answers[0] == answers[1]


def test_a_document_with_all_words_comes_first(library: Library) -> None:
    library.add(
        Page("some.txt", ("march march march march march march",)),
        Page("all.txt", ("a long text about the budget of a house", "it was written in march")),
        Page("other.txt", ("nothing at all",)),
    )
    assert found(library, ask(library.open(), "budget march"))[0] == "all.txt"


def test_an_exact_match_stands_above_a_fuzzy_one(library: Library) -> None:
    library.add(
        Page("fuzzy.txt", ("recieve recieve recieve recieve",)),
        Page("exact.txt", ("a very long text in which one can receive only once " * 5,)),
    )
    index = library.open()
    hits = ask(index, "receive~1")
    assert found(library, hits) == ["exact.txt", "fuzzy.txt"]
    assert "fuzzy" in hits.flags


def test_fuzzy_helps_only_words_that_the_index_does_not_know(
    index: KeywordIndex, library: Library
) -> None:
    assert not len(ask(index, "custommer"))
    hits = ask(index, "custommer", fuzzy=True)
    assert found(library, hits) == ["invoices.md"]
    assert "fuzzy" not in ask(index, "customer", fuzzy=True).flags


def test_the_word_under_the_cursor_is_completed(index: KeywordIndex, library: Library) -> None:
    for typed in ("custo", "customer", "to the cust"):
        query = parse(typed, lenient=True)
        hits = index.search(query, languages=LANGUAGES, typing=True)
        assert "invoices.md" in found(library, hits), typed
    closed = index.search(parse("cust ", lenient=True), languages=LANGUAGES, typing=True)
    assert not len(closed)


def test_hits_tell_which_words_matched(index: KeywordIndex, library: Library) -> None:
    hits = ask(index, "apple tree")
    best = int(hits.matched[0])
    assert hits.words == ("apple", "tree")
    assert best == 0b11
    assert found(library, hits)[0] == "apple.txt"


@pytest.mark.parametrize("model", [model.name for model in SCORERS])
def test_every_model_answers(index: KeywordIndex, library: Library, model: str) -> None:
    hits = ask(index, "red apple tree", scorer=model)
    assert set(found(library, hits)) == {"fruit.md", "apple.txt", "invoices.md"}
    assert found(library, hits)[0] == "apple.txt"
    assert np.isfinite(hits.scores).all()


def test_sagasus_formula_multiplies_for_the_phrase(index: KeywordIndex) -> None:
    plain = ask(index, "red apples", scorer=sagasu_weighing(phrase_boost=1.000001))
    hits = ask(index, "red apples", scorer="sagasu")
    before = dict(zip(plain.chunks.tolist(), plain.scores.tolist(), strict=True))
    after = dict(zip(hits.chunks.tolist(), hits.scores.tolist(), strict=True))
    assert after[1] == pytest.approx(1.5 * before[1], rel=1e-4)
    assert after[5] == pytest.approx(before[5], rel=1e-4)


def test_only_filters_give_every_allowed_document(index: KeywordIndex, library: Library) -> None:
    few = np.array([library.ids["fruit.md"]], np.int64)
    hits = index.search(parse("kind:pdf"), languages=LANGUAGES, allowed=few)
    assert found(library, hits) == ["fruit.md"]


def test_a_cancelled_question_is_empty_and_says_so(index: KeywordIndex) -> None:
    hits = ask(index, "red", cancelled=lambda: True)
    assert not len(hits)
    assert hits.flags == {"cancelled"}


EXACT = [
    ("pples and gr", {"fruit.md"}),
    ("PPLES AND GR", {"fruit.md"}),
    ("nvoice", {"fruit.md", "invoices.md"}),
    ("nvoices", {"invoices.md"}),
    ("getUser", {"server.py"}),
    ("(id):", {"server.py"}),
    ("):", {"server.py"}),
    ("京都の", {"tokyo.txt"}),
    ("Häuser", {"reise.txt"}),
    ("Ha\u0308user", {"reise.txt"}),
    ("tall tree", set()),
]


@pytest.mark.parametrize(("text", "wanted"), EXACT, ids=[row[0] for row in EXACT])
@pytest.mark.parametrize("place", ["snapshot", "delta", "both"])
def test_exact_text_is_found_inside_words(
    library: Library, text: str, wanted: set[str], place: str
) -> None:
    library.add(*PAGES[:3])
    if place == "both":
        library.open()
    library.add(*PAGES[3:])
    index = library.open(snapshot=place == "snapshot")
    hits = index.search_exact(text, languages=LANGUAGES)
    assert set(found(library, hits)) == wanted
    assert hits.total_documents == len(wanted)


@pytest.mark.parametrize("model", [model.name for model in SCORERS])
@pytest.mark.parametrize(
    "text", ["red apple tree", "receive~1 apple", '"red apples" pears', "meadow"]
)
def test_an_explanation_adds_up_to_the_score(index: KeywordIndex, text: str, model: str) -> None:
    query = parse(text)
    hits = index.search(query, languages=LANGUAGES, scorer=model)
    assert len(hits)
    for chunk, document, score in zip(hits.chunks, hits.documents, hits.scores, strict=True):
        why = index.explain(
            query, int(document), int(chunk), languages=LANGUAGES, scorer=model
        )
        assert why is not None
        assert why.value == pytest.approx(float(score), rel=1e-4, abs=1e-5)
        assert why.parts


def test_what_is_not_there_has_no_explanation(index: KeywordIndex) -> None:
    assert index.explain(parse("red"), 999, 1, languages=LANGUAGES) is None
