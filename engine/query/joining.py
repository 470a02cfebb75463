"""How do parts make a whole? Flat Ands and Ors, soft words together, signs resolved."""

from collections.abc import Sequence
from dataclasses import replace

from engine.query.nodes import (
    And,
    Filter,
    Fuzzy,
    Must,
    Node,
    Not,
    Or,
    Prefix,
    Sounds,
    Wildcard,
    Word,
    Words,
)

Soft = Word | Prefix | Wildcard | Fuzzy | Sounds  # side by side, not all of them need occur


def join(
    kind: type[And | Or | Words], parts: Sequence[Node | None], start: int, end: int
) -> Node | None:
    """Flat: an And within an And is one; a single part is itself, none is None."""
    flat: list[Node] = []
    for part in parts:
        if isinstance(part, kind) and not isinstance(part, Words):
            flat.extend(part.parts)
        elif part is not None:
            flat.append(part)
    if len(flat) < 2:
        return flat[0] if flat else None
    return kind(tuple(flat), start=start, end=end)


def join_strict(items: Sequence[Node], start: int, end: int) -> Node | None:
    """All of them."""
    return join(And, [drop_must(item) for item in items], start, end)


def join_soft(items: Sequence[Node], start: int, end: int) -> Node | None:
    """Plain words become one soft group, first; what is strict follows."""
    soft: list[Node] = [item for item in items if isinstance(item, Soft)]
    strict = [item for item in items if not isinstance(item, Soft | Must)]
    if not soft:
        return join_strict(items, start, end)
    if any(isinstance(item, Must) for item in items):
        soft = [item for item in items if isinstance(item, Soft | Must)]
    return join(And, [join(Words, soft, start, end), *strict], start, end)


def drop_must(node: Node) -> Node:
    """A part that is required anyway needs no sign."""
    return node.part if isinstance(node, Must) else node


def require(node: Node, start: int) -> Node:
    """`+node`; what is strict already stays as it is."""
    return node if isinstance(node, Must | Not | Filter) else Must(node, start=start, end=node.end)


def negate(node: Node, start: int) -> Node:
    """`-node`; twice is none, and a filter carries its own sign."""
    node = drop_must(node)
    if isinstance(node, Not):
        return node.part
    if isinstance(node, Filter):
        return replace(node, negated=not node.negated, start=start)
    return Not(node, start=start, end=node.end)
