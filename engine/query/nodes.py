"""What can a query say? The tree's nodes: frozen records that compare by meaning.

Where a node stands in the typed text (`start`, `end`) is kept for carets and chips and left out of
comparison. `Words` is what plain typing gives: at least one must occur, more rank higher, unless a
`Must` among them says which. Everything in an `And` must hold.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A part of a query and where it was typed."""

    start: int = field(default=0, compare=False, repr=False)
    end: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Word(Node):
    """One word as typed; its analysis may give several terms."""

    text: str
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Phrase(Node):
    """Words in this order, with up to `slop` others between them."""

    words: tuple[str, ...]
    slop: int = 0
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Near(Node):
    """Parts within `distance` words of each other, in this order when `ordered`."""

    parts: tuple[Node, ...]
    distance: int = 10
    ordered: bool = False
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class First(Node):
    """A word or phrase among the first `within` words of a text."""

    part: Node
    within: int = 20
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Prefix(Node):
    """Words that begin so."""

    text: str
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Wildcard(Node):
    """Words of this shape: `*` stands for any letters, `?` for one."""

    pattern: str
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Fuzzy(Node):
    """Words at most `edits` typos away; None: as many as the word's length allows."""

    word: str
    edits: int | None = None
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Sounds(Node):
    """Words that sound like it."""

    word: str
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Regex(Node):
    """Words that a regular expression matches from end to end."""

    pattern: str
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Words(Node):
    """Plain words: the more match, the better; with a Must the others are optional."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Quorum(Node):
    """At least `count` of the parts."""

    count: int
    parts: tuple[Node, ...]
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class And(Node):
    """All of the parts."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or(Node):
    """Any of the parts."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not(Node):
    """Everything but this."""

    part: Node


@dataclass(frozen=True, slots=True)
class Must(Node):
    """`+word` among plain words: this one is required, the others only rank."""

    part: Node


@dataclass(frozen=True, slots=True)
class Field(Node):
    """Only in one field: title, heading, body, path, name, tag or author."""

    name: str
    part: Node


@dataclass(frozen=True, slots=True)
class Filter(Node):
    """A condition on the file itself; `filters.resolve` gives its meaning."""

    name: str
    value: str
    op: str = ":"  # or < <= > >=
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A question, read."""

    text: str
    tree: Node | None  # None: only filters, or nothing
    filters: tuple[Filter, ...] = ()  # all of them hold; taken out of the tree
    plain: str = ""  # the words for the semantic side: no operators, no filters, nothing negated
    words: tuple[str, ...] = ()  # what may be highlighted, as typed
    negated: tuple[str, ...] = ()  # never highlighted
    repaired: bool = False  # lenient reading had to mend it


Leaf = Word | Phrase | Prefix | Wildcard | Fuzzy | Sounds | Regex
N = TypeVar("N", bound=Node)


def parts_of(node: Node) -> tuple[Node, ...]:
    """The nodes directly below."""
    match node:
        case Near() | Words() | Quorum() | And() | Or():
            return node.parts
        case First() | Not() | Must() | Field():
            return (node.part,)
    return ()


def iter_leaves(node: Node | None, *, negated: bool = False) -> Iterator[Leaf]:
    """The leaves that must or may occur, in order; with `negated` those that must not."""
    if node is None:
        return
    if isinstance(node, Not):
        yield from iter_leaves(node.part, negated=not negated)
    elif isinstance(node, Leaf):
        if not negated:
            yield node
    else:
        for part in parts_of(node):
            yield from iter_leaves(part, negated=negated)


def surface(leaf: Leaf) -> tuple[str, ...]:
    """The words of a leaf as typed."""
    match leaf:
        case Phrase(words=words):
            return words
        case Word(text=text) | Prefix(text=text):
            return (text,)
        case Wildcard(pattern=text) | Regex(pattern=text):
            return (text,)
    return (leaf.word,)


def scale(node: N, factor: float) -> N:
    """The node with every boost in it multiplied."""
    if factor == 1.0:
        return node
    changes: dict[str, Any] = {}
    for item in fields(node):
        value = getattr(node, item.name)
        if item.name == "boost":
            changes["boost"] = min(MOST_BOOST, round(value * factor, 4))
        elif item.name == "part" and not hasattr(node, "boost"):
            changes["part"] = scale(value, factor)
        elif item.name == "parts" and not hasattr(node, "boost"):
            changes["parts"] = tuple(scale(part, factor) for part in value)
    return replace(node, **changes)


MOST_BOOST = 1000.0
