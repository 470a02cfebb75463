"""Which passages go through the model together?

Batches of near-equal length, so that hardly anything is padding: sorted by length and cut where the
padded size would pass a budget of tokens. Lengths 10, 12, 200 with a budget of 128 give [10, 12]
and [200].
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Tokens = npt.NDArray[np.int32]


def iter_batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Positions in `lengths`, batch by batch, shortest first; a batch holds at least one."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    batch: list[int] = []
    for place in order:
        if batch and (len(batch) + 1) * lengths[place] > budget:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def split_windows(ids: Sequence[int], most: int) -> list[Sequence[int]]:
    """`ids` in as few near-equal windows of at most `most` as will hold them; one when empty."""
    count = max(1, -(-len(ids) // most))
    edges = [len(ids) * number // count for number in range(count + 1)]
    return [ids[start:end] for start, end in pairwise(edges)]


def pad(
    rows: Sequence[Sequence[int]], start: int, end: int, shape: tuple[int, int] | None = None
) -> tuple[Tokens, Tokens]:
    """Token ids framed by `start` and `end`, and their mask; `shape` fixes the rectangle."""
    height, width = shape or (len(rows), max(map(len, rows)) + 2)
    ids = np.zeros((height, width), np.int32)
    mask = np.zeros((height, width), np.int32)
    ids[:, 0] = start
    mask[:, 0] = 1  # rows left over in a fixed shape keep one token: none would divide by zero
    for row, tokens in enumerate(rows):
        size = len(tokens) + 1
        ids[row, 1:size] = tokens
        ids[row, size] = end
        mask[row, : size + 1] = 1
    return ids, mask
