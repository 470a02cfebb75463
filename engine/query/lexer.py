"""Which tokens is a query made of? Characters in, tokens with positions out.

A minus, plus or bang counts only where a token begins and something follows (`e-mail` and `a - b`
are words); OR, AND, NOT, NEAR only in capitals; a colon only behind a name that we know, so that
`http://x`, `12:30` and `std::vector` stay words.
"""

import re
from dataclasses import dataclass

from engine.errors import QuerySyntaxError
from engine.query.fields import (
    COMPARABLE,
    SOUNDS,
    find_field,
    find_filter,
    known_names,
)
from engine.text.distance import edit_distance

OPENING_QUOTES = {'"': '"', "“": '”„“"', "„": '“”"', "”": '”"'}

_SPACE = re.compile(r"\s+")
_BOOST = re.compile(r"\^(\d+(?:\.\d+)?|\.\d+)?")
_SLOP = re.compile(r"~(\d{1,3})|([op])(\d{0,3})(?![^\s()^])")
_REGEX = re.compile(r"/((?:\\.|[^/\\\s])+)/(?=[\s()^]|$)")
_SPAN = re.compile(r"(NEAR|ONEAR|FIRST)\(")
_NAME = re.compile(r"([^\W\d_]+)(:|[<>]=?)")
_WORD = re.compile(r"[^\s()\"“”„^|]+(?:\(\))?")
_SPAN_WORD = re.compile(r"[^\s()\"“”„^|,]+")
_VALUE = re.compile(r"[^\s()\"“”„]+")
_KEYWORDS = {"OR": "or", "AND": "and", "NOT": "not", "&&": "and", "WEAKAND": "soft"}


@dataclass(frozen=True, slots=True)
class Lexeme:
    """A token of the query language."""

    kind: str  # word phrase regex field filter span ( ) , or and not plus boost soft end
    text: str
    start: int
    end: int
    extra: str = ""  # a phrase's slop, a filter's operator


def read_lexemes(query: str) -> list[Lexeme]:
    """All tokens and a last one of kind `end`; QuerySyntaxError for what cannot be one."""
    return _Lexer(query).run()


class _Lexer:
    """Walks once over the query."""

    def __init__(self, query: str) -> None:
        self.query = query
        self.place = 0
        self.found: list[Lexeme] = []
        self.depth = 0  # of parentheses
        self.spans: list[int] = []  # depths at which NEAR( … ) is open: commas separate there

    def run(self) -> list[Lexeme]:
        while True:
            if space := _SPACE.match(self.query, self.place):
                self.place = space.end()
            if self.place >= len(self.query):
                self.add("end", "", 0)
                return self.found
            self.step(self.query[self.place])

    def step(self, character: str) -> None:
        if character in OPENING_QUOTES:
            self.read_phrase()
        elif character in "()":
            self.read_parenthesis(character)
        elif character == "|":
            self.add("or", character, 2 if self.query.startswith("||", self.place) else 1)
        elif character == "^":
            self.read_boost()
        elif character == "," and self.spans:
            self.add(",", character, 1)
        elif character in "-+!−" and self.is_sign():
            self.add("plus" if character == "+" else "not", character, 1)
        elif regex := _REGEX.match(self.query, self.place):
            self.add("regex", regex[1], len(regex[0]))
        elif span := _SPAN.match(self.query, self.place):
            self.add("span", span[1], len(span[0]))
            self.depth += 1
            self.spans.append(self.depth)
        elif not self.read_name():
            self.read_word()

    def is_sign(self) -> bool:
        """A sign binds what follows it; alone it is punctuation."""
        after = self.query[self.place + 1 : self.place + 2]
        return bool(after) and not after.isspace() and after not in ")|^,"

    def read_phrase(self) -> None:
        start, opening = self.place, self.query[self.place]
        closing = re.compile(f"[{re.escape(OPENING_QUOTES[opening])}]").search(
            self.query, start + 1
        )
        if closing is None:
            raise self.problem(
                "unclosed quote", f"Add a closing quote ({opening}) to end the phrase"
            )
        slop = _SLOP.match(self.query, closing.end())
        end = slop.end() if slop else closing.end()
        self.add(
            "phrase", self.query[start + 1 : closing.start()], end - start, slop[0] if slop else ""
        )

    def read_parenthesis(self, character: str) -> None:
        if character == "(":
            self.depth += 1
        else:
            if self.spans and self.spans[-1] == self.depth:
                self.spans.pop()
            self.depth -= 1
        self.add(character, character, 1)

    def read_boost(self) -> None:
        boost = _BOOST.match(self.query, self.place)
        if boost is None or boost[1] is None:
            raise self.problem("expected number after '^'", "Write a boost as in word^2.5")
        self.add("boost", boost[1], len(boost[0]))

    def read_name(self) -> bool:
        """`title:`, `kind:pdf`, `size>1mb`; False when it is a word after all."""
        name = _NAME.match(self.query, self.place)
        if name is None:
            return False
        typed, sign = name[1], name[2]
        if (known := find_filter(typed)) and (sign == ":" or known in COMPARABLE):
            return self.read_filter(known, name)
        if sign != ":":
            return False
        field = SOUNDS if typed.lower() == SOUNDS else find_field(typed)
        if field and not self.query.startswith(("//", ":"), name.end()):
            self.add("field", field, len(name[0]))
            return True
        self.refuse_misspelt(typed, name.end())
        return False

    def read_filter(self, name: str, found: "re.Match[str]") -> bool:
        start = self.place
        place = found.end()
        op = "" if found[2] == ":" else found[2]
        if not op and _SPACE.match(self.query, place):
            return False  # `the question is: why`
        if not op and (sign := re.compile(r"[<>]=?|=").match(self.query, place)):
            op, place = sign[0].replace("=", ":") if sign[0] == "=" else sign[0], sign.end()
        if self.query[place : place + 1] in OPENING_QUOTES:
            self.place = place
            self.read_phrase()
            phrase = self.found.pop()
            value, end = phrase.text, phrase.end
        elif typed := _VALUE.match(self.query, place):
            value, end = typed[0].rstrip(",;") or typed[0], typed.end()
        else:
            value, end = "", place
        if not value.strip():
            self.place = start
            raise self.problem(
                f"expected a value after '{found[0]}'", f"For example {_example(name)}"
            )
        self.place = start
        self.add("filter", f"{name}:{value.strip()}", end - start, op or ":")
        return True

    def refuse_misspelt(self, typed: str, end: int) -> None:
        """`titel:x` is a slip; `http://x`, `12:30` and `TODO: x` are words."""
        after = self.query[end : end + 1]
        if not after or after.isspace() or after in "/:\\" or len(typed) < 4:
            return
        near = [name for name in known_names() if edit_distance(typed.lower(), name) == 1]
        if near:
            raise self.problem(
                f"unknown field: {typed}",
                f"Did you mean {near[0]}: ? Known are {', '.join(known_names())}",
            )

    def read_word(self) -> None:
        pattern = _SPAN_WORD if self.spans else _WORD
        word = pattern.match(self.query, self.place)
        if word is None:  # a stray closing quote, or a comma that separates nothing
            self.place += 1
            return
        kind = _KEYWORDS.get(word[0], "word")
        self.add(kind, word[0], len(word[0]))

    def add(self, kind: str, text: str, length: int, extra: str = "") -> None:
        end = self.place + length
        self.found.append(Lexeme(kind, text, self.place, end, extra))
        self.place = end

    def problem(self, problem: str, fix: str) -> QuerySyntaxError:
        return QuerySyntaxError(problem=problem, fix=fix, query=self.query, position=self.place)


def _example(name: str) -> str:
    examples = {
        "kind": "kind:pdf", "ext": "ext:md", "in": "in:Documents", "tree": "tree:notes",
        "before": "before:2026-03-01", "after": 'after:"last week"', "date": "date:2026-03",
        "created": "created:2026", "size": "size:>1mb", "lang": "lang:de", "is": "is:recent",
    }  # fmt: skip
    return examples[name]
