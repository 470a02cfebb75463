"""What is a single word of a query? Plain, prefix, wildcard or fuzzy, by its signs.

`report*` is a prefix, `*port` and `re?ort` are wildcards, `report~` and `report~1` are fuzzy. A
question mark at the end of a word is punctuation: `what is a lease?` asks for no letter.
"""

import re
from collections.abc import Callable

from engine.errors import QuerySyntaxError
from engine.query.lexer import Lexeme
from engine.query.nodes import Fuzzy, Near, Node, Phrase, Prefix, Wildcard, Word
from engine.text import analyse

Problem = Callable[[int, str, str], QuerySyntaxError]

MOST_EDITS = 2

_FUZZY = re.compile(r"(.+?)~(\d*)$", re.DOTALL)
_EDGES = re.compile(r"^[^\w*?]+|[^\w*?]+$")


def read_word(lexeme: Lexeme, problem: Problem) -> Node | None:
    """The node of a word; None when there is nothing in it to search for."""
    text = lexeme.text
    if (fuzzy := _FUZZY.fullmatch(text)) and is_searchable(fuzzy[1]):
        if fuzzy[2] and int(fuzzy[2][:3]) > MOST_EDITS:
            raise problem(lexeme.start, "too many edits", "Write ~, ~1 or ~2 behind a word")
        edits = int(fuzzy[2]) if fuzzy[2] else None
        return Fuzzy(fuzzy[1], edits, start=lexeme.start, end=lexeme.end)
    pattern = find_letters(text)
    if "*" in pattern or "?" in pattern:
        if not is_searchable(pattern.replace("*", "").replace("?", "")):
            return None
        if pattern.endswith("*") and not re.search(r"[*?]", pattern[:-1]):
            return Prefix(pattern[:-1], start=lexeme.start, end=lexeme.end)
        return Wildcard(pattern, start=lexeme.start, end=lexeme.end)
    return Word(text, start=lexeme.start, end=lexeme.end) if is_searchable(text) else None


def find_letters(text: str) -> str:
    """The word without punctuation at its edges; a closing question mark is punctuation too."""
    bare = _EDGES.sub("", text)
    ended = bare.rstrip("?")
    return bare if "*" in ended or "?" in ended else ended


def is_searchable(text: str) -> bool:
    """Whether any term comes of it."""
    return bool(analyse(text, "en"))


def read_phrase(lexeme: Lexeme) -> Node | None:
    """Words in quotes; `~3` allows others between, Recoll's o and p loosen the order."""
    words = tuple(word for word in lexeme.text.split() if is_searchable(word))
    if not words:
        return None
    start, end, sign = lexeme.start, lexeme.end, lexeme.extra
    if sign[:1] in ("o", "p") and len(words) > 1:
        parts = tuple(Word(word, start=start, end=end) for word in words)
        return Near(parts, int(sign[1:] or 10), sign[0] == "o", start=start, end=end)
    slop = int(sign[1:]) if sign.startswith("~") else 0
    return Phrase(words, slop, start=start, end=end)
