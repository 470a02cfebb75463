"""Which units hold a term, and how often? One immutable block of postings.

A unit is a passage (fields: trail, body) or a document (fields: title, name, path, tags, author).
Units are numbered from 0 in the order of their ids. For each term, in the order of its vocabulary
id, the segment keeps the numbers of the units that hold it and one count per field:

    units 7 and 9 with the terms [3 5 3] and [5]:
    term_ids [3 5]   offsets [0 1 3]   ordinals [0 0 1]   counts, one field [[2 1 1]]

Made from the units' own token lists (the forward index in the database) with one sort.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Integers = npt.NDArray[np.int64]

FIELD_BITS = 3
UNIT_BITS = 28
BLOCK_TOKENS = 4_000_000
MOST_COUNTED = 255  # in one field of one unit: one byte each, and every model is flat up there

MOST_CODED = 255  # terms of a segment with a code of one byte, the commonest

# Codes of all tokens, ends of columns, codes to look for.
FindColumns = Callable[[npt.NDArray[np.uint8], Integers, Sequence[int]], Integers]


@dataclass(frozen=True, slots=True)
class Tokens:
    """The forward index of some units: ids, their documents, tokens end to end, counts by field."""

    ids: Integers
    documents: Integers
    tokens: npt.NDArray[np.uint32]
    field_lengths: npt.NDArray[np.int32]  # fields × units


@dataclass(frozen=True, slots=True)
class Segment:
    """Postings of a number of units; arrays may be mapped from a file."""

    ids: Integers
    documents: Integers
    field_lengths: npt.NDArray[np.int32]  # fields × units
    term_ids: npt.NDArray[np.uint32]
    offsets: Integers
    ordinals: npt.NDArray[np.int32]
    counts: npt.NDArray[np.uint8]  # fields × postings
    coded: npt.NDArray[np.uint32]  # the commonest terms, ascending
    codes: npt.NDArray[np.uint8]  # of all tokens end to end: 1 + the place in `coded`, 0: none

    @property
    def size(self) -> int:
        """How many units there are."""
        return len(self.ids)

    def find(self, term_id: int) -> slice | None:
        """Where the term's postings stand; None when no unit holds it."""
        place = int(self.term_ids.searchsorted(np.uint32(term_id)))
        if place == len(self.term_ids) or self.term_ids[place] != term_id:
            return None
        return slice(int(self.offsets[place]), int(self.offsets[place + 1]))

    def find_many(
        self, term_ids: npt.NDArray[np.uint32]
    ) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """The postings of several terms end to end: their places, and how many each term has."""
        places = np.minimum(self.term_ids.searchsorted(term_ids), max(len(self.term_ids) - 1, 0))
        if not len(self.term_ids):
            return np.zeros(0, np.intp), np.zeros(len(term_ids), np.intp)
        starts = self.offsets[places]
        sizes = np.where(self.term_ids[places] == term_ids, self.offsets[places + 1] - starts, 0)
        shifts = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
        return shifts + np.arange(len(shifts)), sizes

    def codes_of(self, term_ids: Sequence[int]) -> list[int] | None:
        """The terms' codes; an absent term has none (0), None: one is here without a code."""
        codes: list[int] = []
        for term in term_ids:
            place = int(self.coded.searchsorted(np.uint32(term)))
            coded = place < len(self.coded) and self.coded[place] == term
            if not coded and self.find(term) is not None:
                return None
            codes.append(place + 1 if coded else 0)
        return codes

    def find_columns(
        self, find: FindColumns, term_ids: Sequence[int], fields: Sequence[int]
    ) -> Integers:
        """The units in which one of the fields is a column where `find` finds the coded terms."""
        codes = self.codes_of(term_ids)
        if not codes or not all(codes):
            return np.zeros(0, np.int64)
        ends = np.cumsum(self.field_lengths.T.reshape(-1), dtype=np.int64)
        columns = find(self.codes, ends, codes)
        columns = columns[np.isin(columns % len(self.field_lengths), fields)]
        units = columns // len(self.field_lengths)  # ascending, as the columns are
        found: Integers = units[_is_new(units)]
        return found

    def arrays(self, prefix: str) -> dict[str, Array]:
        """What a snapshot file keeps."""
        return {f"{prefix}.{name}": getattr(self, name) for name in self.__dataclass_fields__}


def segment_from_arrays(arrays: Mapping[str, Array], prefix: str) -> Segment:
    """The segment that `Segment.arrays` was written from."""
    return Segment(**{name: arrays[f"{prefix}.{name}"] for name in Segment.__dataclass_fields__})


def empty_tokens(fields: int) -> Tokens:
    """No units at all."""
    nothing = np.zeros(0, np.int64)
    return Tokens(nothing, nothing, np.zeros(0, np.uint32), np.zeros((fields, 0), np.int32))


def join_tokens(parts: Sequence[Tokens]) -> Tokens:
    """Several forward indexes end to end; their ids must ascend."""
    if len(parts) == 1:
        return parts[0]
    return Tokens(
        np.concatenate([part.ids for part in parts]),
        np.concatenate([part.documents for part in parts]),
        np.concatenate([part.tokens for part in parts]),
        np.concatenate([part.field_lengths for part in parts], axis=1),
    )


def build_segment(forward: Tokens) -> Segment:
    """Invert the units' token lists; memory beyond the result is bounded by blocks."""
    lengths = forward.field_lengths.sum(axis=0, dtype=np.int64)
    ends = np.cumsum(lengths)
    blocks: list[tuple[Array, Array, Array, Array]] = []
    first = 0
    while first < len(forward.ids):
        start = int(ends[first - 1]) if first else 0
        last = max(int(ends.searchsorted(start + BLOCK_TOKENS, "right")), first + 1)
        part = forward.tokens[start : int(ends[last - 1])]
        blocks.append(_invert(part, forward.field_lengths[:, first:last], first))
        first = last
    term_ids, offsets, ordinals, counts = _merge(blocks, len(forward.field_lengths))
    return Segment(
        forward.ids,
        forward.documents,
        forward.field_lengths,
        term_ids,
        offsets,
        ordinals,
        counts,
        *_encode(forward.tokens, term_ids, np.diff(offsets)),
    )


def _encode(
    tokens: npt.NDArray[np.uint32], term_ids: Array, sizes: Array
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint8]]:
    """The commonest terms, and the token stream in their codes."""
    common = term_ids
    if len(term_ids) > MOST_CODED:
        common = np.sort(term_ids[np.argpartition(-sizes, MOST_CODED)[:MOST_CODED]])
    table = np.zeros(int(term_ids[-1]) + 1 if len(term_ids) else 0, np.uint8)
    table[common] = np.arange(1, len(common) + 1)
    return common.astype(np.uint32), table[tokens]


def _invert(
    tokens: npt.NDArray[np.uint32], field_lengths: npt.NDArray[np.int32], first: int
) -> tuple[Array, Array, Array, Array]:
    """Postings of consecutive units: (terms, offsets, ordinals, counts)."""
    fields, units = field_lengths.shape
    places = np.arange(units * fields, dtype=np.uint64)
    code = ((places // fields + first) << FIELD_BITS) | (places % fields)
    keys = np.repeat(code, field_lengths.T.reshape(-1))
    keys |= tokens.astype(np.uint64) << (UNIT_BITS + FIELD_BITS)
    keys.sort()
    runs = np.flatnonzero(_is_new(keys))
    repeats = np.diff(np.append(runs, len(keys)))
    keys = keys[runs]
    pairs = keys >> FIELD_BITS
    new = _is_new(pairs)
    counts = np.zeros((fields, int(new.sum())), np.uint8)
    field = (keys & ((1 << FIELD_BITS) - 1)).astype(np.intp)
    counts[field, np.cumsum(new) - 1] = np.minimum(repeats, MOST_COUNTED)
    pairs = pairs[new]
    terms = (pairs >> UNIT_BITS).astype(np.uint32)
    starts = np.flatnonzero(_is_new(terms))
    ordinals = (pairs & ((1 << UNIT_BITS) - 1)).astype(np.int32)
    return terms[starts], np.append(starts, len(pairs)), ordinals, counts


def _is_new(values: Array) -> npt.NDArray[np.bool_]:
    """Where a run of equal values begins, in sorted values."""
    new = np.ones(len(values), bool)
    new[1:] = values[1:] != values[:-1]
    return new


def _merge(
    blocks: list[tuple[Array, Array, Array, Array]], fields: int
) -> tuple[Array, Array, Array, Array]:
    """Blocks of ascending units into one; each block's postings move to their term's place."""
    if not blocks:
        empty = np.zeros((fields, 0), np.uint8)
        return np.zeros(0, np.uint32), np.zeros(1, np.int64), np.zeros(0, np.int32), empty
    if len(blocks) == 1:
        return blocks[0]
    term_ids = np.unique(np.concatenate([block[0] for block in blocks]))
    sizes = np.zeros(len(term_ids), np.int64)
    for terms, offsets, _, _ in blocks:
        sizes[term_ids.searchsorted(terms)] += np.diff(offsets)
    starts = np.concatenate(([0], np.cumsum(sizes)))
    ordinals = np.empty(int(starts[-1]), np.int32)
    counts = np.empty((fields, int(starts[-1])), np.uint8)
    cursor = starts[:-1].copy()
    while blocks:
        terms, offsets, units, numbers = blocks.pop(0)
        rows = term_ids.searchsorted(terms)
        long = np.diff(offsets)
        target = np.repeat(cursor[rows] - offsets[:-1], long) + np.arange(len(units))
        ordinals[target] = units
        counts[:, target] = numbers
        cursor[rows] += long
    return term_ids, starts, ordinals, counts
