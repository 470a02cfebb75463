"""Proves of writing a tree: what is written reads back as the same tree, for trees made by hand and
for trees that came of any string.
"""

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import QuerySyntaxError
from engine.query import parse, print_query
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
from engine.query.parser import parse_tree

TEXT = st.text("abcdefghijklmnopqrstuvwxyzäß", min_size=2, max_size=8).filter(
    lambda one: one != "of"
)
BOOST = st.sampled_from([1.0, 2.0, 0.5, 2.25, 1000.0])
WORD = st.builds(Word, TEXT, BOOST)
PHRASE = st.builds(
    Phrase, st.lists(TEXT, min_size=1, max_size=3).map(tuple), st.integers(0, 9), BOOST
)
PREFIX = st.builds(Prefix, TEXT, BOOST)
FUZZY = st.builds(Fuzzy, TEXT, st.sampled_from([None, 0, 1, 2]), BOOST)
WILDCARD = st.builds(Wildcard, TEXT.map(lambda one: f"*{one}?{one}"), BOOST)
SOFT = st.one_of(WORD, PREFIX, FUZZY, WILDCARD, st.builds(Sounds, TEXT, BOOST))
SPANNED = st.one_of(WORD, PHRASE, PREFIX, FUZZY)
NEAR = st.builds(
    Near,
    st.lists(SPANNED, min_size=2, max_size=3).map(tuple),
    st.integers(0, 50),
    st.booleans(),
    BOOST,
)
FIRST = st.builds(First, SPANNED, st.integers(0, 50), BOOST)
REGEX = st.builds(Regex, st.sampled_from(["ab+c", "[a-z]{2}x", "a(?:b|c)d", "a.*b"]), BOOST)
FILTER = st.builds(
    Filter,
    st.just("size"),
    st.sampled_from(["1mb", "10k"]),
    st.sampled_from([":", ">", "<="]),
    st.booleans(),
) | st.builds(Filter, st.just("in"), st.sampled_from(["a b", "~/x"]), st.just(":"), st.booleans())
STRICT = st.one_of(PHRASE, NEAR, FIRST, REGEX)
LEAF = st.one_of(SOFT, STRICT)


def _many(part: st.SearchStrategy[Node]) -> st.SearchStrategy[tuple[Node, ...]]:
    return st.lists(part, min_size=2, max_size=3).map(tuple)


def _grow(part: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    return st.one_of(
        _many(part.filter(lambda one: not isinstance(one, And))).map(And),
        _many(part.filter(lambda one: not isinstance(one, Or))).map(Or),
        _many(SOFT).map(Words),
        st.tuples(part.filter(lambda one: not isinstance(one, Not | Filter)), SOFT).map(
            lambda pair: Words((Must(pair[0]), pair[1]))
        ),
        part.filter(lambda one: not isinstance(one, Not | Filter)).map(Not),
        st.builds(Field, st.just("title"), st.one_of(LEAF, _many(SOFT).map(Words))),
        _many(part.filter(lambda one: not isinstance(one, Filter))).map(
            lambda all_: Quorum(2, all_)
        ),
    )


TREE = st.recursive(st.one_of(LEAF, FILTER), _grow, max_leaves=8)


@settings(max_examples=500, deadline=None)
@given(TREE)
def test_written_tree_reads_back(tree: Node) -> None:
    text = print_query(tree)
    assert parse_tree(text) == tree, text


@settings(max_examples=500, deadline=None)
@given(st.text(max_size=40) | st.text('ab "()-+|^2~*?/:,ORkind', max_size=30))
def test_any_readable_string_reads_back(text: str) -> None:
    try:
        query = parse(text)
    except QuerySyntaxError:
        return
    written = print_query(query.tree)
    assert parse(written).tree == query.tree, written
