"""Where do common words stand together? All tokens of a segment, looked through in blocks.

FTS5 walks position lists one entry at a time, which takes a tenth of a second when both words are
in every passage. Comparing the token stream itself costs the same however common they are; a block
fits the processor's cache. A column is one field of one unit: nothing stands together across two.
"""

from collections.abc import Iterator, Sequence

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
        here = block == np.uint32(sequence[0])
        here[max(len(block) - last, 0) :] = False
        for step, term in enumerate(sequence[1:], 1):
            here[:-step] &= block[step:] == np.uint32(term)
            here[bounds[bounds >= step] - step] = False  # it would reach into the next column
        found.append(first + _columns(here, bounds))
    return np.concatenate(found) if found else np.zeros(0, np.int64)


def near_columns(tokens: Tokens, ends: Integers, pair: tuple[int, int], distance: int) -> Integers:
    """The columns in which at most `distance` words stand between the two terms, in any order.

    A term is near to itself wherever it occurs.
    """
    found: list[Integers] = []
    for first, bounds, block in _blocks(tokens, ends):
        ones, others = (block == np.uint32(term) for term in pair)
        sizes = np.diff(bounds, prepend=0)
        sizes = sizes[sizes > 0]
        marks = np.arange(len(sizes)).astype(np.uint8).repeat(sizes)
        one_ahead, other_ahead = ones.copy(), others.copy()
        for step in _steps(min(distance + 1, len(block) - 1)):
            same = marks[:-step] == marks[step:]
            for ahead in (one_ahead, other_ahead):
                ahead[:-step] |= ahead[step:] & same
        ones &= other_ahead
        others &= one_ahead
        ones |= others
        found.append(first + _columns(ones, bounds))
    return np.concatenate(found) if found else np.zeros(0, np.int64)


def _steps(reach: int) -> Iterator[int]:
    """Steps that add up to the reach, each at most twice the one before: what is known of the next
    three words of every place is known of the next six after one step of three."""
    covered = 0
    while covered < reach:
        step = min(covered + 1, reach - covered, 255)  # a column's mark comes again after 256
        yield step
        covered += step


def _columns(here: Mask, bounds: Integers) -> Integers:
    """The columns with something here."""
    starts = np.concatenate(([0], bounds[:-1]))
    filled = np.flatnonzero(bounds > starts)
    return filled[np.logical_or.reduceat(here, starts[filled])]


def _blocks(tokens: Tokens, ends: Integers) -> Iterator[tuple[int, Integers, Tokens]]:
    """Whole columns at a time: the first one's number, their ends within the block, the tokens."""
    first, start = 0, 0
    while first < len(ends):
        after = max(int(ends.searchsorted(start + BLOCK, "right")), first + 1)
        stop = int(ends[after - 1])
        if stop > start:
            yield first, ends[first:after] - start, tokens[start:stop]
        first, start = after, stop
