"""How is a tree written? The text that reads back as the same tree."""

import re

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


def print_query(node: Node | None) -> str:
    """The query that parses to this tree."""
    match node:
        case None:
            return ""
        case And(parts=parts):
            return " AND ".join(_print_part(part) for part in parts)
        case Or(parts=parts):
            return " OR ".join(_print_part(part) for part in parts)
        case Words(parts=parts):
            return " ".join(_print_part(part) for part in parts)
        case Not(part=part):
            return f"-{_print_part(part)}"
        case Must(part=part):
            return f"+{_print_part(part)}"
        case Field(name=name, part=Sounds() as part):
            return f"{name}:({print_query(part)})"
        case Field(name=name, part=part):
            return f"{name}:{_print_part(part)}"
        case Filter():
            return _print_filter(node)
    return _print_leaf(node) + _print_boost(getattr(node, "boost", 1.0))


def _print_leaf(node: Node) -> str:
    match node:
        case Word(text=text):
            return text
        case Phrase(words=words, slop=slop):
            return f'"{" ".join(words)}"' + (f"~{slop}" if slop else "")
        case Prefix(text=text):
            return f"{text}*"
        case Wildcard(pattern=pattern):
            return pattern
        case Fuzzy(word=word, edits=edits):
            return f"{word}~{'' if edits is None else edits}"
        case Sounds(word=word):
            return f"sounds:{word}"
        case Regex(pattern=pattern):
            return f"/{pattern}/"
        case Near(parts=parts, distance=distance, ordered=ordered):
            inner = " ".join(print_query(part) for part in parts)
            return f"{'ONEAR' if ordered else 'NEAR'}({inner}, {distance})"
        case First(part=part, within=within):
            return f"FIRST({print_query(part)}, {within})"
        case Quorum(count=count, parts=parts):
            return f"{count} of ({' '.join(_print_part(part) for part in parts)})"
    raise TypeError(f"not a query node: {node!r}")


def _print_part(node: Node) -> str:
    text = print_query(node)
    return f"({text})" if isinstance(node, And | Or | Words) else text


def _print_boost(boost: float) -> str:
    return "" if boost == 1.0 else f"^{boost:.4f}".rstrip("0").rstrip(".")


def _print_filter(node: Filter) -> str:
    plain = re.fullmatch(r"[^\s()\"“”„,;<>=]+", node.value)
    value = node.value if plain else f'"{node.value}"'
    op = "" if node.op == ":" else node.op
    return f"{'-' if node.negated else ''}{node.name}:{op}{value}"
