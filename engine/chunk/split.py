"""Where may a text be cut? Into pieces that fit, at the strongest break there is.

Breaks from strong to weak: blank line, line, sentence, clause, blank, anywhere. Code is cut at
blank lines and lines only, as long as a line fits. Cutting is lossless: the pieces joined give
the text again, so offsets stay true.
"""

import re
from collections.abc import Callable, Iterator

Fits = Callable[[str], bool]

_PARAGRAPHS = re.compile(r"\n[^\S\n]*\n\s*")
_LINES = re.compile(r"\n+")
_SENTENCES = re.compile(r"(?<=[.!?…。！？])[\"'”’)\]]*\s+|(?<=[。！？])|\n+")
_CLAUSES = re.compile(r"(?<=[,;:、，；：])\s*")
_BLANKS = re.compile(r"\s+")

PROSE = (_PARAGRAPHS, _SENTENCES, _CLAUSES, _BLANKS)
CODE = (_PARAGRAPHS, _LINES, _BLANKS)


def split(text: str, fits: Fits, breaks: tuple[re.Pattern[str], ...]) -> Iterator[str]:
    """The text in pieces that fit, cut at the strongest breaks that do."""
    if fits(text):
        yield text
        return
    if not breaks:
        yield from _halve(text, fits)
        return
    for piece in _cut(text, breaks[0]):
        if fits(piece):
            yield piece
        else:
            yield from split(piece, fits, breaks[1:])


def _cut(text: str, pattern: re.Pattern[str]) -> Iterator[str]:
    start = 0
    for match in pattern.finditer(text):
        if match.end() > start:
            yield text[start : match.end()]
            start = match.end()
    if start < len(text):
        yield text[start:]


def _halve(text: str, fits: Fits) -> Iterator[str]:
    """A run without any break (base64, a Thai or Chinese paragraph): cut in the middle."""
    if len(text) <= 1 or fits(text):
        yield text
        return
    middle = len(text) // 2
    yield from _halve(text[:middle], fits)
    yield from _halve(text[middle:], fits)
