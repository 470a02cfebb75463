"""Where do common words stand together? All tokens of a segment, looked through in blocks.

FTS5 walks position lists one entry at a time, which takes a tenth of a second when both words are
in every passage. Comparing the token stream itself costs the same however common they are. A common
term has a code of one byte (0: any other term), so that a block fits the processor's cache. A
column is one field of one unit: nothing stands together across two.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Codes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Bits = npt.NDArray[np.uint64]

BLOCK = 1 << 18  # tokens


def sequence_columns(codes: Codes, ends: Integers, sequence: Sequence[int]) -> Integers:
    """The columns in which the terms are neighbours in this order; `ends` are the columns' ends."""
    last = len(sequence) - 1
    found = [np.zeros(0, np.int64)]
    for start in range(0, len(codes) - last, BLOCK):
        block = codes[start : start + BLOCK + last]
        size = len(block) - last
        here = block[:size] == np.uint8(sequence[0])
        for step, code in enumerate(sequence[1:], 1):
            here &= block[step : step + size] == np.uint8(code)
        found.append(start + np.flatnonzero(here))
    places = np.concatenate(found)
    columns = ends.searchsorted(places, "right")
    return _once(columns[places + last < ends[columns]])  # the others reach into the next column


def near_columns(codes: Codes, ends: Integers, pair: Sequence[int], *, distance: int) -> Integers:
    """The columns in which at most `distance` words stand between the two terms, in any order.

    A term is near to itself wherever it occurs.
    """
    found = [np.zeros(0, np.int64)]
    for first, bounds, block in _blocks(codes, ends):
        inner = np.ones(len(block), bool)
        inner[bounds[bounds > 0] - 1] = False
        links = _link(_pack(inner), min(distance + 1, len(block)))
        one, other = (_pack(block == np.uint8(code)) for code in pair)
        near = one & _reach(other, links)
        if pair[0] != pair[1]:
            near |= other & _reach(one, links)
        places = np.flatnonzero(_unpack(near))
        found.append(first + _columns(places, bounds))
    return np.concatenate(found)


def _pack(mask: Mask) -> Bits:
    """A bit for each place, 64 in a number: what concerns all places costs a sixty-fourth."""
    packed = np.packbits(mask, bitorder="little")
    bits = np.zeros(-(-len(packed) // 8), "<u8")
    bits.view(np.uint8)[: len(packed)] = packed
    return bits


def _unpack(bits: Bits) -> Mask:
    return np.unpackbits(bits.view(np.uint8), bitorder="little").view(bool)


def _ahead(bits: Bits, step: int) -> Bits:
    """Every place gets what stands `step` places after it."""
    whole, part = divmod(step, 64)
    moved = np.zeros_like(bits)
    moved[: len(bits) - whole] = bits[whole:] >> np.uint64(part)
    if part:
        moved[: len(bits) - whole - 1] |= bits[whole + 1 :] << np.uint64(64 - part)
    return moved


def _link(inner: Bits, reach: int) -> list[tuple[int, Bits]]:
    """Steps that add up to the reach, each with the places that may take it within their column;
    `inner` are those that may take one. What is known of the next three places of every place is
    known of the next six after a step of three."""
    links: list[tuple[int, Bits]] = []
    covered, size, linked = 0, 1, inner
    while covered < reach:
        step = min(covered + 1, reach - covered)
        if step < size:
            size, linked = 1, inner
        while size < step:
            more = min(size, step - size)
            linked = linked & _ahead(linked, more)
            size += more
        links.append((step, linked))
        covered += step
    return links


def _reach(bits: Bits, links: list[tuple[int, Bits]]) -> Bits:
    """The places from which a bit is reached, and those of the bits."""
    for step, linked in links:
        bits = bits | (_ahead(bits, step) & linked)
    return bits


def _columns(places: Integers, bounds: Integers) -> Integers:
    """The columns that hold any of the ascending places; whichever are fewer are looked up."""
    if len(places) < len(bounds):
        return _once(bounds.searchsorted(places, "right"))
    starts = np.concatenate(([0], bounds[:-1]))
    following = np.append(places, bounds[-1])[places.searchsorted(starts)]
    return np.flatnonzero(following < bounds)


def _once(ascending: Integers) -> Integers:
    return ascending[np.diff(ascending, prepend=-1) > 0]


def _blocks(codes: Codes, ends: Integers) -> Iterator[tuple[int, Integers, Codes]]:
    """Whole columns at a time: the first one's number, their ends within the block, the tokens."""
    first, start = 0, 0
    while first < len(ends):
        after = max(int(ends.searchsorted(start + BLOCK, "right")), first + 1)
        stop = int(ends[after - 1])
        if stop > start:
            yield first, ends[first:after] - start, codes[start:stop]
        first, start = after, stop
