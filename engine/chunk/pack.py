"""How do sentences become passages? Packed in order, each as full as the model reads whole.

With room for 200 pieces, sentences of 90, 80, 60, 150 become passages of 170, 60, 150: a passage
is closed when the next sentence would not fit. With an overlap, a passage begins with the last
words of the one before it, as far as they fit.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.chunk.split import CODE, PROSE, split
from engine.ports import CountPieces

FAR_TOO_LARGE = 12  # characters for each piece of room; real text has four to six a piece


@dataclass(frozen=True, slots=True)
class Room:
    """How much goes into one passage."""

    pieces: int  # of the model's word pieces
    words: int
    overlap: int = 0  # words repeated from the passage before


@dataclass(frozen=True, slots=True)
class Packed:
    """A stretch of a section's text."""

    start: int
    end: int


class _Measure:
    """Tells the size of a text in pieces and words; counting is dear, so what was counted last is
    not counted again, and what is far too large not at all."""

    def __init__(self, room: Room, count: CountPieces) -> None:
        self._room = room
        self._count = count
        self._last = ""
        self._size = (0, 0)

    def size(self, text: str) -> tuple[int, int]:
        if text != self._last:
            self._last, self._size = text, (self._count(text), len(text.split()))
        return self._size

    def fits(self, text: str) -> bool:
        if len(text) > self._room.pieces * FAR_TOO_LARGE:
            return len(text) <= 1
        pieces, words = self.size(text)
        return pieces <= self._room.pieces and words <= self._room.words


def pack(
    text: str, room: Room, count: CountPieces, *, code: bool, size: int | None = None
) -> Iterator[Packed]:
    """Stretches of `text` that each fit into `room`; together they cover all of it.

    `size`: the most pieces that `text` can have, when that is known.
    """
    measure = _Measure(room, count)
    known = size is not None and size <= room.pieces and len(text.split()) <= room.words
    if known or measure.fits(text):
        yield Packed(0, len(text))
        return
    start = end = pieces = words = 0
    for piece in split(text, measure.fits, CODE if code else PROSE):
        more, more_words = measure.size(piece)
        full = pieces + more > room.pieces or words + more_words > room.words
        if full and end > start:
            yield Packed(start, end)
            start = end
            if room.overlap:
                start = _step_back(text, start, end, room, count, room.pieces - more)
            pieces, words = measure.size(text[start:end]) if start < end else (0, 0)
        end += len(piece)
        pieces += more
        words += more_words
    if end > start:
        yield Packed(start, end)


def _step_back(text: str, first: int, end: int, room: Room, count: CountPieces, free: int) -> int:
    """Where the passage after `end` begins: `overlap` words earlier, if these leave room."""
    words = list(re.finditer(r"\S+", text[max(0, end - 20 * room.overlap) : end]))
    offset = max(0, end - 20 * room.overlap)
    for word in words[-room.overlap :]:
        start = offset + word.start()
        if count(text[start:end]) <= free:
            return start
    return first
