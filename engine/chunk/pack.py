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


def pack(text: str, room: Room, count: CountPieces, *, code: bool) -> Iterator[Packed]:
    """Stretches of `text` that each fit into `room`; together they cover all of it."""

    def fits(piece: str) -> bool:
        # A character gives three pieces at most (a Hangul syllable): short texts need no counting.
        if len(piece) * 3 <= room.pieces and len(piece) <= room.words:
            return True
        return count(piece) <= room.pieces and len(piece.split()) <= room.words

    if fits(text):
        yield Packed(0, len(text))
        return
    start = end = pieces = words = 0
    for piece in split(text, fits, CODE if code else PROSE):
        more, more_words = count(piece), len(piece.split())
        full = pieces + more > room.pieces or words + more_words > room.words
        if full and end > start:
            yield Packed(start, end)
            start = end
            if room.overlap:
                start = _step_back(text, start, end, room, count, room.pieces - more)
            repeated = text[start:end]
            pieces, words = count(repeated), len(repeated.split())
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
