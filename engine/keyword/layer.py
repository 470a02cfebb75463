"""What is searched at this moment? Segments laid end to end, less what was removed.

A layer numbers the units of all its segments through: a base of a million passages and a delta of
three are one space of 1,000,003 numbers. Removed units stay in the arrays and are masked; the
statistics count the living only, so scores are those of an index that never held the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.keyword.scoring.scorer import Scorer, Statistics
from engine.keyword.segment import FindColumns, Integers, Segment

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Layer:
    """Units of one kind (passages or documents) from several segments."""

    segments: tuple[Segment, ...]
    starts: tuple[int, ...]
    ids: Integers
    documents: Integers
    field_lengths: npt.NDArray[np.int32]  # fields × units
    lengths: Floats
    alive: Mask | None  # None: every unit is
    statistics: Statistics
    frequencies: Mapping[tuple[int, ...], int] | None = None  # of words, where units are a sample
    _factors: dict[Scorer, Floats] = field(default_factory=dict)
    _field_factors: dict[Scorer, Floats | None] = field(default_factory=dict)

    def postings(
        self, term_id: int, weights: Sequence[float], norms: Floats | None = None
    ) -> tuple[Places, Floats]:
        """The living units that hold the term, ascending, and its weighted count in each; `norms`
        (fields × units) multiply the counts beforehand."""
        places: list[npt.NDArray[Any]] = []
        counts: list[Floats] = []
        for segment, start in zip(self.segments, self.starts, strict=True):
            part = segment.find(term_id)
            if part is not None:
                where = segment.ordinals[part].astype(np.intp)
                places.append(where + start if start else where)
                count: npt.NDArray[Any] = segment.counts[:, part]
                if norms is not None:
                    count = count * norms[:, places[-1]]
                counts.append(_weigh(count, weights))
        if not places:
            return np.zeros(0, np.intp), np.zeros(0, np.float32)
        where = places[0] if len(places) == 1 else np.concatenate(places)
        total = counts[0] if len(counts) == 1 else np.concatenate(counts)
        keep = None if self.alive is None else self.alive[where]
        if min(weights) <= 0:
            some = total > 0
            keep = some if keep is None else keep & some
        return (where, total) if keep is None else (where[keep], total[keep])

    def gather(
        self,
        term_ids: npt.NDArray[np.uint32],
        factors: Floats,
        weights: Sequence[float],
        norms: Floats | None = None,
    ) -> tuple[Places, Floats]:
        """The living units that hold any of several terms, ascending, and the sum of the weighted
        counts, each times its term's factor."""
        places: list[Places] = []
        totals: list[Floats] = []
        for segment, start in zip(self.segments, self.starts, strict=True):
            flat, sizes = segment.find_many(term_ids)
            if not len(flat):
                continue
            where = segment.ordinals[flat]
            count: npt.NDArray[Any] = segment.counts[:, flat]
            if norms is not None:
                count = count * norms[:, where + start]
            values = _weigh(count, weights) * np.repeat(factors, sizes)
            units, sums = _add_up(where, values, segment.size)
            places.append(units + start)
            totals.append(sums)
        if not places:
            return np.zeros(0, np.intp), np.zeros(0, np.float32)
        found, total = np.concatenate(places), np.concatenate(totals)
        keep = total > 0 if self.alive is None else (total > 0) & self.alive[found]
        return found[keep], total[keep]

    def has_codes(self, term_ids: Sequence[int]) -> bool:
        """Whether the terms can be found in the token streams of all segments."""
        return all(segment.codes_of(term_ids) is not None for segment in self.segments)

    def find_columns(
        self, find: FindColumns, term_ids: Sequence[int], fields: Sequence[int]
    ) -> Places:
        """The living units in which `find` finds the coded terms in one of the fields."""
        found = [
            segment.find_columns(find, term_ids, fields) + start
            for segment, start in zip(self.segments, self.starts, strict=True)
        ]
        units = np.concatenate(found) if found else np.zeros(0, np.int64)
        units = units if self.alive is None else units[self.alive[units]]
        return units.astype(np.intp)

    def document_frequency(self, term_id: int) -> int:
        """In how many living units the term occurs, whatever the field."""
        if self.alive is None:
            found = [segment.find(term_id) for segment in self.segments]
            return sum(part.stop - part.start for part in found if part is not None)
        return len(self.postings(term_id, (1.0,) * len(self.field_lengths))[0])

    def factors(self, scorer: Scorer) -> Floats:
        """What the scorer makes of every unit's length; worked out once."""
        found = self._factors.get(scorer)
        if found is None:
            found = self._factors[scorer] = scorer.unit_factors(self.lengths, self.statistics)
        return found

    def field_factors(self, scorer: Scorer) -> Floats | None:
        """What the scorer makes of every field's length; None for most."""
        if scorer not in self._field_factors:
            made = scorer.field_factors(self.field_lengths, self.statistics)
            self._field_factors[scorer] = made
        return self._field_factors[scorer]


def _add_up(where: npt.NDArray[np.int32], values: Floats, size: int) -> tuple[Places, Floats]:
    """The sum of `values` for each place that occurs; sorting beats a whole array for a few."""
    if len(where) * 8 > size:
        sums = np.bincount(where, values, minlength=size)
        units = np.flatnonzero(sums)
        return units, sums[units].astype(np.float32)
    order = np.argsort(where, kind="stable")
    ranked = where[order]
    new = np.ones(len(ranked), bool)
    new[1:] = ranked[1:] != ranked[:-1]
    starts = np.flatnonzero(new)
    return ranked[starts].astype(np.intp), np.add.reduceat(values[order], starts)


def _weigh(counts: npt.NDArray[Any], weights: Sequence[float]) -> Floats:
    if all(weight == 1.0 for weight in weights) and counts.dtype == np.uint8:
        # Bytes of five fields add up to 1,275 at most: the sum fits in 16 bits and is cheap.
        total: npt.NDArray[np.uint16] = counts[0].astype(np.uint16)
        for row in counts[1:]:
            total += row
        return total.astype(np.float32)
    weighted: Floats = counts[0] * np.float32(weights[0])
    for row, weight in zip(counts[1:], weights[1:], strict=True):
        weighted += row * np.float32(weight)
    return weighted


def build_layer(
    segments: Sequence[Segment], removed: Integers, fields: int, *, exempt: int = 0
) -> Layer:
    """Segments end to end; `removed` are ids that no longer count, but for the last `exempt`
    segments."""
    sizes = [segment.size for segment in segments]
    starts = tuple(int(start) for start in np.concatenate(([0], np.cumsum(sizes)))[:-1])
    ids = _join([segment.ids for segment in segments])
    if len(segments) == 1:
        field_lengths = segments[0].field_lengths
    elif segments:
        field_lengths = np.concatenate([segment.field_lengths for segment in segments], axis=1)
    else:
        field_lengths = np.zeros((fields, 0), np.int32)
    alive = None
    if len(removed) and len(ids):
        masked = len(ids) - sum(sizes[len(sizes) - exempt :])
        alive = np.ones(len(ids), bool)
        alive[:masked] = ~np.isin(ids[:masked], removed)
        alive = None if alive.all() else alive
    return Layer(
        tuple(segments),
        starts,
        ids,
        _join([segment.documents for segment in segments]),
        field_lengths,
        field_lengths.sum(axis=0).astype(np.float32),
        alive,
        _statistics(field_lengths if alive is None else field_lengths[:, alive]),
    )


def _statistics(living: npt.NDArray[np.int32]) -> Statistics:
    return Statistics(
        units=living.shape[1],
        tokens=int(living.sum(dtype=np.int64)),
        field_tokens=tuple(int(row) for row in living.sum(axis=1, dtype=np.int64)),
    )


def _join(parts: Sequence[Integers]) -> Integers:
    if not parts:
        return np.zeros(0, np.int64)
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
