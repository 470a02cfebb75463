"""Where do common words stand together? All tokens of a segment, looked through in blocks.

FTS5 walks position lists one entry at a time, which takes a tenth of a second when both words are
in every passage. Comparing the token stream itself costs the same however common they are; a block
fits the processor's cache. A column is one field of one unit: nothing stands together across two.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Tokens = npt.NDArray[np.uint32]
Mask = npt.NDArray[np.bool_]

BLOCK = 1 << 18  # tokens


def sequence_columns(tokens: Tokens, ends: Integers, sequence: Sequence[int]) -> Integers:
    """The columns in which the terms are neighbours in this order; `ends` are the columns' ends."""
    found: list[Integers] = []
    last = len(sequence) - 1
    for first, bounds, block in _blocks(tokens, ends):
        starts = max(len(block) - last, 0)
        here = block[:starts] == np.uint32(sequence[0])
        for step, term in enumerate(sequence[1:], 1):
            here &= block[step : step + starts] == np.uint32(term)
        places = np.flatnonzero(here)
        columns = bounds.searchsorted(places, "right")
        inside = columns == bounds.searchsorted(places + last, "right")
        found.append(first + columns[inside])
    return _distinct(found)


def near_columns(tokens: Tokens, ends: Integers, pair: tuple[int, int], distance: int) -> Integers:
    """The columns in which at most `distance` words stand between the two terms, in any order."""
    found: list[Integers] = []
    for first, bounds, block in _blocks(tokens, ends):
        ones, others = block == np.uint32(pair[0]), block == np.uint32(pair[1])
        sizes = np.diff(bounds, prepend=0)
        filled = np.flatnonzero(sizes)
        owners = np.repeat(filled, sizes[filled])
        marks = np.repeat(np.arange(len(filled)).astype(np.uint8), sizes[filled])
        hits = (ones & _ahead(others, marks, distance + 1)) | (
            others & _ahead(ones, marks, distance + 1)
        )
        found.append(first + owners[hits])
    return _distinct(found)


def _blocks(tokens: Tokens, ends: Integers) -> Iterator[tuple[int, Integers, Tokens]]:
    """Whole columns at a time: the first one's number, their ends within the block, the tokens."""
    first, start = 0, 0
    while first < len(ends):
        after = max(int(ends.searchsorted(start + BLOCK, "right")), first + 1)
        stop = int(ends[after - 1])
        if stop > start:
            yield first, ends[first:after] - start, tokens[start:stop]
        first, start = after, stop


def _ahead(there: Mask, marks: npt.NDArray[np.uint8], reach: int) -> Mask:
    """Whether something is `there` at a place or within `reach` words after it, column by column;
    the reach doubles with each step. `marks` number the columns, from 0 again after 255."""
    covered = 0
    while covered < min(reach, len(there) - 1):
        step = min(covered + 1, reach - covered, len(there) - 1, 255)
        wider = there.copy()
        wider[:-step] |= there[step:] & (marks[:-step] == marks[step:])
        there, covered = wider, covered + step
    return there


def _distinct(parts: Sequence[npt.NDArray[Any]]) -> Integers:
    """Ascending numbers end to end, each once."""
    numbers = np.concatenate(parts) if parts else np.zeros(0, np.int64)
    return numbers[np.r_[True, numbers[1:] != numbers[:-1]]] if len(numbers) else numbers
