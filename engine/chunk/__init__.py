"""Which passages can stand alone? A document becomes a tree of sections and its passages.

The heading trail is put before the text that is embedded, so it counts: a passage has room for
what the model reads less its trail. Long trails keep their innermost titles.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.chunk.merge import group_sections, join_group
from engine.chunk.outline import build_trails, find_parents
from engine.chunk.pack import Packed, Room, pack
from engine.models import Extracted, Passage, Section
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
    sections = document.sections
    parents = find_parents(sections)
    trails = build_trails(sections, parents, document.title)
    passages: list[Passage] = []
    for group, size in group_sections(sections, sizes.pieces, count):
        index = group[0]
        trail = shorten(trails[index], int(sizes.pieces * (1 - LEAST_ROOM)), count)
        text = sections[index].text if len(group) == 1 else join_group(sections, group)
        if not text.strip():
            # A heading with nothing below it is still something to find.
            text, trail = sections[index].title, trail[:-1]
        used = SPECIAL_PIECES + (count(TRAIL_JOINT.join(trail)) if trail else 0)
        room = Room(sizes.pieces - used, sizes.words, sizes.overlap)
        packed = pack(text, room, count, code=sections[index].code, size=size)
        passages += _cut_passages(packed, sections[index], index, text, trail, len(passages))
    return passages


def _cut_passages(
    stretches: Iterable[Packed],
    section: Section,
    index: int,
    text: str,
    trail: tuple[str, ...],
    position: int,
) -> Iterator[Passage]:
    lines = reached = 0  # line breaks before `reached`
    for packed in stretches:
        piece = text[packed.start : packed.end]
        own = piece.strip()
        if not own:
            continue
        start = packed.start + len(piece) - len(piece.lstrip())
        lines += text.count("\n", reached, start) - text.count("\n", start, reached)
        line = None if section.line is None else section.line + lines
        yield Passage(own, index, position, start, line, trail)
        position, reached = position + 1, start


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
