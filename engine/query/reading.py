"""How is a typed question read? Strictly, or leniently while it is still being typed."""

import re

from engine.errors import QuerySyntaxError
from engine.query.leaves import is_searchable
from engine.query.nodes import (
    And,
    Filter,
    Node,
    Query,
    Regex,
    Wildcard,
    Word,
    Words,
    iter_leaves,
    surface,
)
from engine.query.parser import parse_tree

LONGEST_QUERY = 10_000

_BARE = re.compile(r"[^\s()\"“”„^|*?~<>!+]+")
_KEYWORDS = frozenset({"OR", "AND", "NOT", "WEAKAND"})


def parse(text: str, *, lenient: bool = False) -> Query:
    """The question as a tree, its filters and its plain words.

    Strict: QuerySyntaxError for what cannot be read. Lenient: never raises; an open quote or
    parenthesis is closed, anything worse falls back to the words in it.
    """
    if len(text) > LONGEST_QUERY:
        if not lenient:
            raise QuerySyntaxError(
                problem=f"the query is longer than {LONGEST_QUERY} characters",
                fix="Shorten it, or look for similar documents with the text itself",
                query=text[:80],
                position=0,
            )
        text = text[:LONGEST_QUERY]
    if not lenient:
        return _build(text, parse_tree(text))
    for candidate in (text, *_mend(text)):
        try:
            return _build(text, parse_tree(candidate), repaired=candidate != text)
        except QuerySyntaxError:
            continue
    return _build(text, _read_plain(text), repaired=True)


def _mend(text: str) -> list[str]:
    """The text with what was left open closed, and with a dangling end cut off."""
    closed = text + '"' if text.count('"') % 2 else text
    closed += ")" * max(0, closed.count("(") - closed.count(")"))
    cut = re.sub(r"(?:\s*(?:\b(?:OR|AND|NOT)|[|&^!+-]|\w+:|[(]))+\s*$", "", text)
    cut_closed = cut + '"' if cut.count('"') % 2 else cut
    cut_closed += ")" * max(0, cut_closed.count("(") - cut_closed.count(")"))
    return [closed, cut, cut_closed]


def _read_plain(text: str) -> Node | None:
    """Every word in it, without signs, operators and names of fields."""
    words: list[Node] = []
    for found in _BARE.finditer(text):
        bare = found[0].strip("-:,;/")
        bare = bare.rpartition(":")[2] if re.match(r"[^\W\d_]+:", bare) else bare
        if bare and bare not in _KEYWORDS and is_searchable(bare):
            words.append(Word(bare, start=found.start(), end=found.end()))
    if len(words) < 2:
        return words[0] if words else None
    return Words(tuple(words), start=words[0].start, end=words[-1].end)


def _build(text: str, tree: Node | None, *, repaired: bool = False) -> Query:
    rest, filters = _take_filters(tree)
    positive = sorted(iter_leaves(rest), key=lambda leaf: leaf.start)
    negative = list(iter_leaves(rest, negated=True))
    readable = [leaf for leaf in positive if not isinstance(leaf, Wildcard | Regex)]
    return Query(
        text,
        rest,
        filters,
        plain=" ".join(word for leaf in readable for word in surface(leaf)),
        words=tuple(word for leaf in positive for word in surface(leaf)),
        negated=tuple(word for leaf in negative for word in surface(leaf)),
        repaired=repaired,
    )


def _take_filters(tree: Node | None) -> tuple[Node | None, tuple[Filter, ...]]:
    """Filters that hold for the whole question leave the tree; those inside an OR stay."""
    if isinstance(tree, Filter):
        return None, (tree,)
    if not isinstance(tree, And):
        return tree, ()
    filters = tuple(part for part in tree.parts if isinstance(part, Filter))
    rest = tuple(part for part in tree.parts if not isinstance(part, Filter))
    if not filters:
        return tree, ()
    if len(rest) < 2:
        return (rest[0] if rest else None), filters
    return And(rest, start=tree.start, end=tree.end), filters
