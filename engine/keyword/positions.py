"""Do the parts stand as asked? Order, distance and place, from the tokens themselves.

FTS5 says which units hold the parts and, without order, whether they are near. What it cannot say
is worked out here for those units: parts in order with a number of words between, phrases with
slop, and parts among the first words. A part is one or more alternatives (a stem in each language),
each a sequence of terms that must be neighbours.

    tokens 7 3 9 3 5, parts [3] then [5]: starts 1 3 and 4; from each start of the first part the
    next one of the second: 1 → 4 (two words between), 3 → 4 (none). Distance 1 accepts the second.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.keyword.segment import Integers, Tokens

Part = Sequence[Sequence[int]]  # alternatives of term numbers


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Where one part stands: places in the joined tokens, ascending, and the place behind it."""

    starts: Integers
    ends: Integers


class TokenPlaces:
    """The tokens of some units end to end, with the column that each place belongs to."""

    def __init__(self, forward: Tokens) -> None:
        self._tokens = forward.tokens
        self._units = len(forward.ids)
        fields = len(forward.field_lengths)
        sizes = forward.field_lengths.T.reshape(-1)
        columns = np.arange(self._units * fields, dtype=np.int64)
        self._column = np.repeat(columns, sizes)  # unit · fields + field
        self._column_starts = np.cumsum(sizes) - sizes
        self._fields = fields

    def find(self, part: Part, fields: Sequence[int]) -> Occurrences:
        """Where a part stands within these fields."""
        starts: list[Integers] = []
        ends: list[Integers] = []
        for sequence in part:
            found = self._find_sequence(sequence)
            found = found[np.isin(self._column[found] % self._fields, fields)]
            starts.append(found)
            ends.append(found + len(sequence))
        if not starts:
            return Occurrences(_NONE, _NONE)
        start, end = np.concatenate(starts), np.concatenate(ends)
        order = np.lexsort((end, start))
        return Occurrences(start[order], end[order])

    def _find_sequence(self, sequence: Sequence[int]) -> Integers:
        found = np.flatnonzero(self._tokens == sequence[0])
        for step, term in enumerate(sequence[1:], 1):
            found = found[found + step < len(self._tokens)]
            found = found[self._tokens[found + step] == term]
            found = found[self._column[found + step] == self._column[found]]
        return found

    def units_in_order(self, parts: Sequence[Occurrences], gap: int, *, slop: bool) -> Integers:
        """Places (in the forward index) of units that hold the parts one behind the other, with at
        most `gap` words between first and last; with `slop` only foreign words count."""
        first = parts[0]
        valid = np.ones(len(first.starts), bool)
        ends = first.ends.copy()
        inner = np.zeros(len(ends), np.int64)
        last_start = first.starts
        for number, part in enumerate(parts[1:], 1):
            place = part.starts.searchsorted(ends)
            valid &= place < len(part.starts)
            place = np.minimum(place, max(len(part.starts) - 1, 0))
            if not len(part.starts):
                return _NONE
            last_start = part.starts[place]
            if slop and number < len(parts) - 1:
                inner += part.ends[place] - last_start
            ends = part.ends[place]
        same = self._column[last_start] == self._column[first.starts]
        near = last_start - first.ends - inner <= gap
        alone = len(parts) == 1
        chosen = first.starts[valid & same & (near | alone)]
        return np.unique(self._column[chosen] // self._fields)

    def earliest(self, part: Occurrences) -> tuple[Integers, Integers]:
        """For every unit that holds the part: its place, and where in its field the part first
        stands, counted from 0."""
        offsets = part.starts - self._column_starts[self._column[part.starts]]
        units = self._column[part.starts] // self._fields
        order = np.lexsort((offsets, units))
        units, offsets = units[order], offsets[order]
        new = np.ones(len(units), bool)
        new[1:] = units[1:] != units[:-1]
        return units[new], offsets[new]


_NONE: npt.NDArray[np.int64] = np.zeros(0, np.int64)
