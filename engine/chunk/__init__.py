"""Which passages can stand alone? A document becomes a tree of sections and its passages.

The heading trail is put before the text that is embedded, so it counts: a passage has room for
what the model reads less its trail. Long trails keep their innermost titles.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from engine.chunk.outline import build_trails, find_parents
from engine.chunk.pack import Room, pack
from engine.models import Extracted, Passage
from engine.ports import CountPieces

CHUNKING_VERSION = "1"
TRAIL_JOINT = " › "
SPECIAL_PIECES = 2  # [CLS] and [SEP]
LEAST_ROOM = 0.5  # of the model's reading, kept for the text itself


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large a passage may be; `pieces` is what the model reads, special pieces included."""

    pieces: int
    words: int
    overlap: int = 0


def chunk(document: Extracted, sizes: Sizes, count: CountPieces) -> list[Passage]:
    """The document's passages in reading order; each fits the model together with its trail."""
    parents = find_parents(document.sections)
    trails = build_trails(document.sections, parents, document.title)
    has_children = set(parents)
    passages: list[Passage] = []
    for index, section in enumerate(document.sections):
        trail = shorten(trails[index], int(sizes.pieces * (1 - LEAST_ROOM)), count)
        if not section.text.strip():
            # A heading with nothing below it is still something to find.
            if section.title.strip() and index not in has_children:
                passages.append(
                    Passage(section.title.strip(), index, len(passages), 0, section.line, trail[:-1])
                )
            continue
        used = SPECIAL_PIECES + (count(TRAIL_JOINT.join(trail)) if trail else 0)
        room = Room(sizes.pieces - used, sizes.words, sizes.overlap)
        for packed in pack(section.text, room, count, code=section.code):
            text = section.text[packed.start : packed.end]
            if not text.strip():
                continue
            start = packed.start + len(text) - len(text.lstrip())
            line = None
            if section.line is not None:
                line = section.line + section.text.count("\n", 0, start)
            passages.append(Passage(text.strip(), index, len(passages), start, line, trail))
    return passages


def shorten(trail: Sequence[str], room: int, count: CountPieces) -> tuple[str, ...]:
    """The innermost titles that leave enough room for text."""
    kept: list[str] = []
    used = 0
    for title in reversed(trail):
        used += count(title) + 1
        if used > room:
            break
        kept.append(title)
    return tuple(reversed(kept))


def embedding_text(trail: str, text: str) -> str:
    """What the model reads for a passage."""
    return f"{trail}\n{text}" if trail else text


def embedding_hash(trail: str, text: str) -> bytes:
    """Names the text that the model reads: equal texts share one vector."""
    return hashlib.blake2b(embedding_text(trail, text).encode(), digest_size=16).digest()
