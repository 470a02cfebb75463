"""What does a query mean? Recursive descent over its tokens.

    query  := or            or := and { OR and }            and := items { AND items }
    items  := item { item } item := [ + | - | ! | NOT ] primary [ ^number ]
    primary := word | "phrase"~n | /regex/ | NEAR(…) | n of ( … ) | field:primary | filter | ( or )

Plain words side by side are soft (Words); a phrase, a field, a group or a filter beside them is
strict. As soon as AND is written, every word of that level is strict.
"""

from engine.errors import QuerySyntaxError
from engine.query.fields import SOUNDS
from engine.query.filters import find_fault as find_filter_fault
from engine.query.joining import drop_must, join, join_soft, join_strict, negate, require
from engine.query.leaves import find_letters, read_phrase, read_word
from engine.query.lexer import Lexeme, read_lexemes
from engine.query.nodes import (
    MOST_BOOST,
    Field,
    Filter,
    First,
    Fuzzy,
    Near,
    Node,
    Or,
    Phrase,
    Prefix,
    Quorum,
    Regex,
    Sounds,
    Wildcard,
    Word,
    scale,
)
from engine.query.pattern import find_fault as find_pattern_fault

DEEPEST = 50  # groups and signs within each other

_ENDS = ("end", ")", "or", ",")


def parse_tree(query: str) -> Node | None:
    """The tree of a query, filters included; None when it says nothing."""
    return _Parser(query).run()


class _Parser:
    """Reads one query."""

    def __init__(self, query: str) -> None:
        self.query = query
        self.lexemes = read_lexemes(query)
        self.place = 0
        self.depth = 0
        self.field = ""

    @property
    def next(self) -> Lexeme:
        return self.lexemes[self.place]

    @property
    def end(self) -> int:
        """Where the last token taken ends."""
        return self.lexemes[self.place - 1].end if self.place else 0

    def take(self) -> Lexeme:
        lexeme = self.lexemes[self.place]
        if lexeme.kind != "end":
            self.place += 1
        return lexeme

    def run(self) -> Node | None:
        if self.next.kind == "end":
            return None
        tree = self.read_or()
        if self.next.kind != "end":
            what = "closing parenthesis" if self.next.kind == ")" else self.next.text
            raise self.problem(f"unexpected {what}", "Remove it, or open a parenthesis before it")
        return tree

    def read_or(self) -> Node | None:
        start = self.next.start
        parts = [self.read_and()]
        while self.next.kind == "or":
            self.take()
            if self.next.kind == "end":
                raise self.problem("unexpected end of query", "Write a word after OR, or remove it")
            parts.append(self.read_and())
        return join(Or, parts, start, self.end)

    def read_and(self) -> Node | None:
        if self.next.kind in ("or", "and"):
            said = self.next.text
            raise self.problem(
                f"unexpected {said} (needs expression before it)",
                f"Write a word before {said}, or put it in quotes to search for it",
            )
        start = self.next.start
        items = self.read_items()
        strict = False
        while self.next.kind == "and":
            strict = True
            self.take()
            if self.next.kind in ("end", "and", "or", ")"):
                what = "end of query" if self.next.kind == "end" else self.next.text
                raise self.problem(f"unexpected {what}", "Write a word after AND, or remove it")
            items += self.read_items()
        return (join_strict if strict else join_soft)(items, start, self.end)

    def read_items(self) -> list[Node]:
        items: list[Node] = []
        while self.next.kind not in (*_ENDS, "and"):
            if self.next.kind == "soft":
                self.take()
            elif (item := self.read_item()) is not None:
                items.append(item)
        return items

    def read_item(self) -> Node | None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.problem(
                "too deeply nested", f"At most {DEEPEST} groups or signs may be open"
            )
        item = self.read_signed() if self.next.kind in ("not", "plus") else self.read_primary()
        self.depth -= 1
        return item

    def read_signed(self) -> Node | None:
        sign = self.take()
        if self.next.kind in (*_ENDS, "and"):
            raise self.problem(f"nothing follows {sign.text}", f"Write a word after {sign.text}")
        part = self.read_item()
        if part is None:
            return None
        return (require if sign.kind == "plus" else negate)(part, sign.start)

    def read_primary(self) -> Node | None:
        lexeme = self.next
        if lexeme.kind == "boost":
            raise self.problem(
                "unexpected boost (needs expression before it)", "Write it behind a word: word^2"
            )
        node = self.read_bare(lexeme)
        while self.next.kind == "boost":
            factor = float(self.next.text)
            if factor > MOST_BOOST:
                raise self.problem("the boost is too large", f"Give a number up to {MOST_BOOST:g}")
            self.take()
            node = node and scale(node, factor)
        return node

    def read_bare(self, lexeme: Lexeme) -> Node | None:
        if lexeme.kind == "(":
            return self.read_group()
        if lexeme.kind == "word" and self.is_quorum():
            return self.read_quorum()
        self.take()
        if lexeme.kind == "phrase":
            return read_phrase(lexeme)
        if lexeme.kind == "regex":
            return self.read_regex(lexeme)
        if lexeme.kind == "span":
            return self.read_span(lexeme)
        if lexeme.kind == "field":
            return self.read_field(lexeme)
        if lexeme.kind == "filter":
            return self.read_filter(lexeme)
        return read_word(lexeme, self.problem_at)

    def read_group(self) -> Node | None:
        opening = self.take()
        if self.next.kind == ")":
            self.take()
            return None
        inner = self.read_or()
        self.close(opening)
        return inner

    def close(self, opening: Lexeme) -> None:
        while self.next.kind == ",":
            self.take()
        if self.next.kind != ")":
            raise self.problem_at(
                opening.end - 1, "expected closing parenthesis", "Add a closing parenthesis"
            )
        self.take()

    def read_regex(self, lexeme: Lexeme) -> Node:
        if fault := find_pattern_fault(lexeme.text):
            raise self.problem_at(
                lexeme.start,
                f"bad regular expression: {fault}",
                "Correct it, or put it in quotes to search for it as it is",
            )
        return Regex(lexeme.text, start=lexeme.start, end=lexeme.end)

    def read_field(self, lexeme: Lexeme) -> Node | None:
        if self.field and lexeme.text != SOUNDS:
            raise self.problem_at(
                lexeme.start,
                "nested field queries not supported",
                "Close the parenthesis of the first field before",
            )
        if self.next.kind not in ("word", "phrase", "(", "regex", "span"):
            raise self.problem_at(
                lexeme.start,
                f"expected term, phrase, or group after '{lexeme.text}:'",
                f'For example {lexeme.text}:word, or {lexeme.text}:"two words"',
            )
        if lexeme.text == SOUNDS:
            word = self.take()
            letters = find_letters(word.text)
            return Sounds(letters, start=lexeme.start, end=word.end) if letters else None
        self.field = lexeme.text
        part = self.read_bare(self.next)
        self.field = ""
        return part and Field(lexeme.text, part, start=lexeme.start, end=part.end)

    def read_filter(self, lexeme: Lexeme) -> Node:
        if self.field:
            raise self.problem_at(
                lexeme.start,
                f"a filter cannot stand inside {self.field}:",
                "Close the parenthesis of the field before it",
            )
        name, _, value = lexeme.text.partition(":")
        node = Filter(name, value, lexeme.extra, start=lexeme.start, end=lexeme.end)
        if fault := find_filter_fault(node):
            raise self.problem_at(lexeme.start, fault.problem, fault.fix)
        return node

    def is_quorum(self) -> bool:
        one, two = self.lexemes[self.place : self.place + 2], self.lexemes[self.place + 2 :]
        return (
            len(one) == 2
            and one[0].text.isdecimal()
            and one[0].text.isascii()
            and len(one[0].text) < 4
            and one[1].kind == "word"
            and one[1].text.lower() == "of"
            and two[0].kind == "("
        )

    def read_quorum(self) -> Node:
        number, _, opening = self.take(), self.take(), self.take()
        parts = [drop_must(part) for part in self.read_items()]
        self.close(opening)
        count = int(number.text)
        if not 1 <= count <= len(parts):
            raise self.problem_at(
                number.start,
                f"{count} of {len(parts)} is not possible",
                f"Ask for 1 to {len(parts)}" if parts else "Write words in it",
            )
        end = self.end
        return Quorum(count, tuple(parts), start=number.start, end=end)

    def read_span(self, lexeme: Lexeme) -> Node:
        parts: list[Node] = []
        number = None
        while self.next.kind in ("word", "phrase", ","):
            if self.take().kind == ",":
                number = self.read_number()
                continue
            self.place -= 1
            if (part := self.read_primary()) is not None:
                parts.append(part)
        self.close(lexeme)
        return self.build_span(lexeme, parts, number)

    def read_number(self) -> int | None:
        """The distance: a number that stands last."""
        text = self.next.text
        if (
            self.next.kind == "word"
            and text.isdecimal()
            and text.isascii()
            and len(text) < 5
            and self.lexemes[self.place + 1].kind == ")"
        ):
            self.take()
            return int(text)
        return None

    def build_span(self, lexeme: Lexeme, parts: list[Node], number: int | None) -> Node:
        start, end = lexeme.start, self.end
        allowed = (Word, Phrase, Prefix, Wildcard, Fuzzy)
        wrong = [part for part in parts if not isinstance(part, allowed)]
        if lexeme.text == "FIRST":
            if len(parts) != 1 or wrong:
                raise self.problem_at(
                    start, "FIRST takes one word or phrase", "For example FIRST(invoice, 20)"
                )
            return First(parts[0], 20 if number is None else number, start=start, end=end)
        if len(parts) < 2 or wrong:
            raise self.problem_at(
                start,
                f"{lexeme.text} needs two words or phrases",
                f"For example {lexeme.text}(invoice paid, 5)",
            )
        ordered = lexeme.text == "ONEAR"
        return Near(tuple(parts), 10 if number is None else number, ordered, start=start, end=end)

    def problem(self, problem: str, fix: str) -> QuerySyntaxError:
        return self.problem_at(self.next.start, problem, fix)

    def problem_at(self, position: int, problem: str, fix: str) -> QuerySyntaxError:
        return QuerySyntaxError(problem=problem, fix=fix, query=self.query, position=position)
