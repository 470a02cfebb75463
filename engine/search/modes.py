"""In which ways can one search? MODES: each a name, what it means, and how it reads the words.

Most modes are the same question with its plain words read in another way: as one phrase, as
beginnings, as sounds. So a mode is a rewriting of the tree and the name of a scoring model; there
is one way through the keyword room.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.query import Query
from engine.query.nodes import (
    And,
    Fuzzy,
    Near,
    Node,
    Phrase,
    Prefix,
    Quorum,
    Sounds,
    Word,
    Words,
)

Rewrite = Callable[[tuple[Word, ...]], Node]
NEAR_WORDS = 10
QUORUM_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Mode:
    """One way to search."""

    name: str
    help: str
    rewrite: Rewrite | None = None  # of plain words; None: as the query says
    scorer: str = "bm25"
    semantic: bool = False  # meaning takes part
    words: bool = True  # words take part


def _all(words: tuple[Word, ...]) -> Node:
    return And(words) if len(words) > 1 else words[0]


def _near(words: tuple[Word, ...]) -> Node:
    return Near(words, NEAR_WORDS) if len(words) > 1 else words[0]


def _phrase(words: tuple[Word, ...]) -> Node:
    return Phrase(tuple(word.text for word in words))


def _prefixes(words: tuple[Word, ...]) -> Node:
    return _group(tuple(Prefix(word.text, word.boost) for word in words))


def _sounds(words: tuple[Word, ...]) -> Node:
    return _group(tuple(Sounds(word.text, word.boost) for word in words))


def _typos(words: tuple[Word, ...]) -> Node:
    return _group(tuple(Fuzzy(word.text, None, word.boost) for word in words))


def _quorum(words: tuple[Word, ...]) -> Node:
    if len(words) == 1:
        return words[0]
    return Quorum(max(1, math.ceil(len(words) * QUORUM_SHARE)), words)


def _group(parts: tuple[Node, ...]) -> Node:
    return Words(parts) if len(parts) > 1 else parts[0]


MODES: tuple[Mode, ...] = (
    Mode("hybrid", "words and meaning together", semantic=True),
    Mode("bm25", "words, ranked by BM25"),
    Mode("semantic", "meaning only", semantic=True, words=False),
    Mode("exact", "the very characters, anywhere in the text"),
    Mode("fuzzy", "words with typos", _typos),
    Mode("boolean", "AND, OR, NOT; plain words must all occur", _all),
    Mode("proximity", f"all words within {NEAR_WORDS} words of each other", _near),
    Mode("phrase", "the words side by side", _phrase),
    Mode("prefix", "words that begin so", _prefixes),
    Mode("wildcard", "* and ? in words"),
    Mode("span", "NEAR, ONEAR and FIRST"),
    Mode("dfr", "words, ranked by divergence from randomness", scorer="dfr"),
    Mode("lm_dirichlet", "words, ranked by a language model", scorer="lm_dirichlet"),
    Mode("lm_jelinek_mercer", "the same, smoothed evenly", scorer="lm_jelinek_mercer"),
    Mode("bm25f", "words, ranked by fields with their own weights", scorer="bm25f"),
    Mode("sagasu", "words, ranked by Sagasu's formula", scorer="sagasu"),
    Mode("phonetic", "words that sound alike", _sounds),
    Mode("quorum", "at least half of the words", _quorum),
    Mode("names", "file names, as you type"),
)
BY_NAME = {mode.name: mode for mode in MODES}


def apply_mode(mode: Mode, query: Query) -> Query:
    """The query as this mode reads it; operators that were typed keep their meaning."""
    if mode.rewrite is None or query.tree is None:
        return query
    tree = query.tree
    if isinstance(tree, Word):
        return replace(query, tree=mode.rewrite((tree,)))
    if isinstance(tree, Words):
        plain = tuple(part for part in tree.parts if isinstance(part, Word))
        if len(plain) == len(tree.parts):
            return replace(query, tree=mode.rewrite(plain))
    return query
