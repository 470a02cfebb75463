"""Proves of reading a question:

1. every element of the language gives this tree (table);
2. filters leave the tree, plain words are collected, negated ones kept apart;
3. every mistake has its words, hint and position, drawn with a caret;
4. while typing, an incomplete question is mended and nothing is raised;
5. any string raises nothing but QuerySyntaxError, and leniently nothing at all.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import QuerySyntaxError
from engine.query import parse
from engine.query.nodes import (
    And,
    Field,
    Filter,
    First,
    Fuzzy,
    Must,
    Near,
    Node,
    Not,
    Or,
    Phrase,
    Prefix,
    Quorum,
    Regex,
    Sounds,
    Wildcard,
    Word,
    Words,
)

A, B, C, X = Word("a"), Word("b"), Word("c"), Word("x")

TREES: list[tuple[str, Node | None]] = [
    ("", None),
    ("a", A),
    ("a b", Words((A, B))),
    ("a b OR c", Or((Words((A, B)), C))),
    ("a OR b c", Or((A, Words((B, C))))),
    ("a | b || c", Or((A, B, C))),
    ("a OR (b OR c)", Or((A, B, C))),
    ("a AND b", And((A, B))),
    ("a && b c", And((A, B, C))),
    ("a AND b OR c", Or((And((A, B)), C))),
    ("(a OR b) AND c", And((Or((A, B)), C))),
    ("(a b) c", And((C, Words((A, B))))),
    ("-a b", And((B, Not(A)))),
    ("!a b", And((B, Not(A)))),
    ("NOT a b", And((B, Not(A)))),
    ("b -(a c)", And((B, Not(Words((A, C)))))),
    ("--a", A),
    ("-a", Not(A)),
    ("+a b", Words((Must(A), B))),
    ("+a +b", And((A, B))),
    ("+a", A),
    ("a WEAKAND b", Words((A, B))),
    ("or and not", Words((Word("or"), Word("and"), Word("not")))),
    ("a - b & c", Words((A, B, C))),
    ("e-mail", Word("e-mail")),
    ('"a b"', Phrase(("a", "b"))),
    ("“a b”", Phrase(("a", "b"))),
    ('"a b"~3', Phrase(("a", "b"), 3)),
    ('"a b"^2', Phrase(("a", "b"), boost=2.0)),
    ('"a b"o3', Near((A, B), 3, True)),
    ('"a b"p', Near((A, B), 10, False)),
    ('a "b c"', And((A, Phrase(("b", "c"))))),
    ('""', None),
    ("NEAR(a b, 5)", Near((A, B), 5)),
    ("NEAR(a, b, 5)", Near((A, B), 5)),
    ("NEAR(a b)", Near((A, B), 10)),
    ('ONEAR("a b" c,7)', Near((Phrase(("a", "b")), C), 7, True)),
    ("FIRST(a, 20)", First(A, 20)),
    ('FIRST("a b", 5)^3', First(Phrase(("a", "b")), 5, 3.0)),
    ("near (a b)", And((Word("near"), Words((A, B))))),
    ("rep*", Prefix("rep")),
    ("*port", Wildcard("*port")),
    ("re?ort*", Wildcard("re?ort*")),
    ("what is a?", Words((Word("what"), Word("is"), Word("a?")))),
    ("2 * a", Words((Word("2"), A))),
    ("fuzzy~", Fuzzy("fuzzy")),
    ("fuzzy~1", Fuzzy("fuzzy", 1)),
    ("~/a", Word("~/a")),
    ("sounds:smith", Sounds("smith")),
    ("/ab+c/", Regex("ab+c")),
    ("/usr/local", Word("/usr/local")),
    ("a^2.5", Word("a", 2.5)),
    ("(a OR b)^2", Or((Word("a", 2.0), Word("b", 2.0)))),
    ("title:a^2", Field("title", Word("a", 2.0))),
    ("2 of (a b c)", Quorum(2, (A, B, C))),
    ("2 of them", Words((Word("2"), Word("of"), Word("them")))),
    ("title:a", Field("title", A)),
    ("TITLE:a", Field("title", A)),
    ("hierarchy:a tags:b", And((Field("title", A), Field("tag", B)))),
    ('heading:"a b"', Field("heading", Phrase(("a", "b")))),
    ("title:(a OR b) -x", And((Field("title", Or((A, B))), Not(X)))),
    ("-author:a b", And((B, Not(Field("author", A))))),
    ("path:api/handlers", Field("path", Word("api/handlers"))),
    ("name:a body:b", And((Field("name", A), Field("body", B)))),
    ("http://x/y", Word("http://x/y")),
    ("12:30", Word("12:30")),
    ("std::vector", Word("std::vector")),
    ("C:\\Users", Word("C:\\Users")),
    ("the answer is: a", Words((Word("the"), Word("answer"), Word("is:"), A))),
    ("main() C++", Words((Word("main()"), Word("C++")))),
    ("a OR kind:pdf", Or((A, Filter("kind", "pdf")))),
]


@pytest.mark.parametrize(("text", "tree"), TREES, ids=[text for text, _ in TREES])
def test_text_reads_as_tree(text: str, tree: Node | None) -> None:
    assert parse(text).tree == tree


FILTERS: list[tuple[str, Filter]] = [
    ("kind:pdf", Filter("kind", "pdf")),
    ("type:image", Filter("kind", "image")),
    ("-kind:pdf", Filter("kind", "pdf", negated=True)),
    ("NOT ext:md,txt", Filter("ext", "md,txt", negated=True)),
    ('in:"My Documents"', Filter("in", "My Documents")),
    ("dir:~/notes", Filter("in", "~/notes")),
    ("tree:notes", Filter("tree", "notes")),
    ("before:2026", Filter("before", "2026")),
    ('after:"last week"', Filter("after", "last week")),
    ("date:2026-01..2026-03", Filter("date", "2026-01..2026-03")),
    ("date:2026-01/2026-03", Filter("date", "2026-01/2026-03")),
    ("date>=2026", Filter("date", "2026", ">=")),
    ("size:>1mb", Filter("size", "1mb", ">")),
    ("size>10k", Filter("size", "10k", ">")),
    ("size:1mb..5mb", Filter("size", "1mb..5mb")),
    ("lang:de", Filter("lang", "de")),
    ("is:recent", Filter("is", "recent")),
]


@pytest.mark.parametrize(("text", "wanted"), FILTERS, ids=[text for text, _ in FILTERS])
def test_filter_leaves_the_tree(text: str, wanted: Filter) -> None:
    query = parse(f"invoice {text}")
    assert query.tree == Word("invoice")
    assert query.filters == (wanted,)
    assert parse(text).tree is None


def test_words_are_collected_in_typed_order() -> None:
    query = parse('"red wine" kind:pdf -beer title:bordeaux price~ wild*card')
    assert query.plain == "red wine bordeaux price"
    assert query.words == ("red", "wine", "bordeaux", "price", "wild*card")
    assert query.negated == ("beer",)


def test_nodes_know_where_they_were_typed() -> None:
    text = 'red "white wine" kind:pdf'
    query = parse(text)
    assert isinstance(query.tree, And)
    spans = [text[node.start : node.end] for node in (*query.tree.parts, *query.filters)]
    assert spans == ["red", '"white wine"', "kind:pdf"]


MISTAKES = [
    ('"hello world', 0, "unclosed quote"),
    ("(a b", 0, "expected closing parenthesis"),
    ("a)", 1, "unexpected closing parenthesis"),
    ("OR rust", 0, "unexpected OR (needs expression before it)"),
    ("rust OR", 7, "unexpected end of query"),
    ("a AND", 5, "unexpected end of query"),
    ("title:", 0, "expected term, phrase, or group after 'title:'"),
    ("a kind:", 2, "expected a value after 'kind:'"),
    ("^2", 0, "unexpected boost (needs expression before it)"),
    ("a^x", 1, "expected number after '^'"),
    ("a^99999", 1, "the boost is too large"),
    ("titel:a", 0, "unknown field: titel"),
    ("title:(path:a)", 7, "nested field queries not supported"),
    ("title:(kind:pdf)", 7, "a filter cannot stand inside title:"),
    ("a kind:nonsense", 2, "unknown kind: nonsense"),
    ("size:huuge", 0, "not a size: huuge"),
    ("date:2026-02-31", 0, "not a date: 2026-02-31"),
    ("lang:klingon", 0, "unknown language: klingon"),
    ("is:odd", 0, "unknown: is:odd"),
    ("NEAR(a, 5)", 0, "NEAR needs two words or phrases"),
    ("FIRST(a b, 5)", 0, "FIRST takes one word or phrase"),
    ("3 of (a b)", 0, "3 of 2 is not possible"),
    ("word~7", 0, "too many edits"),
    (
        "/(a+)+/",
        0,
        "bad regular expression: a repeat around a repeat or a choice could take for ever",
    ),
    ("/[a/", 0, "bad regular expression: unterminated character set"),
    ("-" * 60 + "a", 50, "too deeply nested"),
    ("(" * 60 + "a" + ")" * 60, 50, "too deeply nested"),
]


@pytest.mark.parametrize(
    ("text", "position", "problem"), MISTAKES, ids=[row[0] for row in MISTAKES]
)
def test_mistake_is_explained_in_place(text: str, position: int, problem: str) -> None:
    with pytest.raises(QuerySyntaxError) as caught:
        parse(text)
    assert (str(caught.value), caught.value.position) == (problem, position)
    assert caught.value.advice
    assert caught.value.drawing() == f"  {text}\n  {' ' * position}^"


MENDED: list[tuple[str, Node | None]] = [
    ('"hello wor', Phrase(("hello", "wor"))),
    ("(a b", Words((A, B))),
    ("a OR", A),
    ("a AND ", A),
    ("a -", A),
    ("a kind:", A),
    ("a title:", A),
    ("a^", A),
    ("a)", A),
    ("a kind:im", Words((A, Word("im")))),
    ("OR a", A),
]


@pytest.mark.parametrize(("text", "tree"), MENDED, ids=[text for text, _ in MENDED])
def test_incomplete_question_is_mended(text: str, tree: Node | None) -> None:
    query = parse(text, lenient=True)
    assert query.tree == tree


def test_mending_is_told() -> None:
    assert parse("a OR", lenient=True).repaired
    assert not parse("a OR b", lenient=True).repaired


def test_endless_query_is_refused() -> None:
    with pytest.raises(QuerySyntaxError):
        parse("a " * 10_000)
    assert parse("a " * 10_000, lenient=True).tree is not None


PIECES = st.sampled_from(
    ["a", "b c", '"', "(", ")", "-", "+", "!", "|", "^", "^2", "~", "*", "?", "/", ":", " ", ",",
     "title:", "kind:", "size:>", "NEAR(", "ONEAR(", "FIRST(", " 5", "OR", " AND ", "NOT ", "日本",
     "2 of (", "date:", "..", "1mb", "\\", "“", "”", "sounds:", "[", "{2,}", "\0", "é", "𝕏",
     "\u200b", "'"]
)  # fmt: skip


def _find_problem(text: str) -> QuerySyntaxError | None:
    try:
        parse(text)
    except QuerySyntaxError as problem:
        return problem
    return None


@settings(max_examples=2000, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=14).map("".join)))
def test_any_string_is_read_or_refused(text: str) -> None:
    problem = _find_problem(text)
    lenient = parse(text, lenient=True)
    assert lenient.text == text
    if problem is None:
        assert lenient == parse(text)
    else:
        assert 0 <= problem.position <= len(text)
        assert problem.advice
        assert lenient.repaired
