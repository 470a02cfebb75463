"""What kind of question is it? A name, a fact, a number, or a wish to explore: for the weights.

`report_final.pdf` names a file; `getUserById`, `"exact words"` and `v1.2.3` are facts that words
find; `4711 2026-03` is numbers, where meaning only disturbs; `how do locks work` explores. The
order of the tests matters: names before numbers before facts before exploring.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from engine.query.kinds import KINDS
from engine.query.nodes import (
    And,
    Not,
    Or,
    Phrase,
    Prefix,
    Query,
    Regex,
    Wildcard,
    Word,
    iter_leaves,
)


class Intent(StrEnum):
    """What the question is after."""

    NAVIGATIONAL = "navigational"  # a known file or page
    NUMERIC = "numeric"  # numbers, dates, identifiers of digits
    FACTUAL = "factual"  # exact words
    EXPLORATORY = "exploratory"  # a subject or a question
    PLAIN = "plain"  # nothing tells


class Shape(StrEnum):
    """How it is written."""

    EMPTY = "empty"
    SINGLE_WORD = "single_word"
    MULTI_WORD = "multi_word"
    PHRASE = "phrase"
    WILDCARD = "wildcard"
    BOOLEAN = "boolean"


@dataclass(frozen=True, slots=True)
class Class:
    """The kind of a query."""

    intent: Intent
    shape: Shape


_ENDINGS = "|".join(sorted({one for kind in KINDS for one in kind.endings}))
_FILE = re.compile(rf"(?:^|[\s/~])[\w.-]+\.(?:{_ENDINGS})(?=\s|$)", re.IGNORECASE)
_PATH = re.compile(r"(?:^|\s)(?:~?/|\.{1,2}/)?[\w.-]+/[\w./-]+")
_NAVIGATION = re.compile(
    r"\b(?:go to|open|show me|where is|find the (?:file|page|folder)|homepage|readme|changelog)\b",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(
    r"\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+\b|\b\w+_\w+\b|`[^`]+`"
    r"|\bv?\d+\.\d+(?:\.\d+)*\b|\w+\(\)|\b[A-Z]{2,}-\d+\b|\w::\w|\b\w+\.\w+\("
)
_QUESTION = re.compile(
    r"^(?:how|why|what|when|who|which|where|explain|describe|compare|overview|guide|introduction"
    r"|tutorial|best|ways?|difference|examples?|learn|understand|ideas?)\b|\b(?:vs|versus)\b|\?\s*$",
    re.IGNORECASE,
)


def classify(query: Query) -> Class:
    """Intent and shape of a parsed query."""
    return Class(_find_intent(query), _find_shape(query))


def _find_intent(query: Query) -> Intent:
    text = query.text
    if _FILE.search(text) or _NAVIGATION.search(text):
        return Intent.NAVIGATIONAL
    words = query.plain.split()
    if words and all(any(map(str.isdigit, word)) for word in words) and _is_mostly_digits(words):
        return Intent.NUMERIC
    if any(isinstance(leaf, Phrase) for leaf in iter_leaves(query.tree)) or _IDENTIFIER.search(
        text
    ):
        return Intent.FACTUAL
    if _PATH.search(text):
        return Intent.NAVIGATIONAL
    if _QUESTION.search(query.plain) or len(words) > 5:
        return Intent.EXPLORATORY
    return Intent.PLAIN


def _is_mostly_digits(words: list[str]) -> bool:
    joined = "".join(words)
    return sum(map(str.isdigit, joined)) * 2 > len(joined)


def _find_shape(query: Query) -> Shape:
    leaves = list(iter_leaves(query.tree))
    if not leaves and query.tree is None:
        return Shape.EMPTY
    if any(isinstance(leaf, Prefix | Wildcard | Regex) for leaf in leaves):
        return Shape.WILDCARD
    if isinstance(query.tree, Or | Not) or _is_boolean(query):
        return Shape.BOOLEAN
    if any(isinstance(leaf, Phrase) for leaf in leaves):
        return Shape.PHRASE
    return (
        Shape.SINGLE_WORD if len(leaves) == 1 and isinstance(leaves[0], Word) else Shape.MULTI_WORD
    )


def _is_boolean(query: Query) -> bool:
    return (
        isinstance(query.tree, And)
        and any(isinstance(part, Word | Or | Not) for part in query.tree.parts)
        and re.search(r"\b(?:AND|OR|NOT)\b|[|]|(?:^|\s)[-+!]\S", query.text) is not None
    )
