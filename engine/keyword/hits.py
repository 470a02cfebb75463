"""Which are the best? Cuts scored units down to the best documents, without sorting all of them.

The best `limit` documents are found exactly: units are taken in falling order, twice as many at
each try, until they belong to enough documents or there are no more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from engine.keyword.layer import Mask, Places
from engine.keyword.segment import Integers
from engine.keyword.view import View
from engine.keyword.words import Found, Scores, contains

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class KeywordHits:
    """Passages in falling order of score; parallel arrays."""

    chunks: Integers  # 0: the document has no passage, its title or name was found
    documents: Integers
    scores: Floats
    matched: npt.NDArray[np.uint64]  # bit i: word i stands in the passage or its document's fields
    words: tuple[str, ...] = ()  # as typed, in the order of the bits (the first 64)
    terms: tuple[tuple[str, ...], ...] = ()  # of each word: the index terms it was found as
    total_documents: int = 0
    flags: frozenset[str] = field(default_factory=frozenset)  # expanded, fuzzy, fts5, capped …
    # The hits of named documents, from the scores already made; None: there are no others.
    among: "Callable[[Integers], KeywordHits] | None" = field(default=None, compare=False)

    def __len__(self) -> int:
        return len(self.chunks)


def empty_hits(
    words: Sequence[str] = (), flags: frozenset[str] = frozenset()
) -> KeywordHits:
    """Nothing was found."""
    nothing = np.zeros(0, np.int64)
    scores = np.zeros(0, np.float32)
    bits = np.zeros(0, np.uint64)
    return KeywordHits(nothing, nothing, scores, bits, tuple(words), flags=flags)


def take_best(
    view: View, scores: Scores, *, limit: int, per_document: int, allowed: Mask | None
) -> tuple[Places, int]:
    """The best units of the best `limit` documents, best first, and how many documents match."""
    units = np.flatnonzero(scores.touched)
    owners = view.unit_documents[units]
    if allowed is not None:
        keep = allowed[owners]
        units, owners = units[keep], owners[keep]
    seen = np.zeros(len(view.document_ids), bool)
    seen[owners] = True
    total = int(np.count_nonzero(seen))
    if not total or limit <= 0:
        return np.zeros(0, np.intp), total
    values = scores.values[units]
    wanted = min(limit, total)
    chosen = seen
    if wanted < total:
        chosen = _best_documents(values, units, owners, wanted, len(seen))
    mine = np.flatnonzero(chosen[owners])
    ranked = mine[np.lexsort((units[mine], -values[mine]))]
    return units[ranked[_first_of_each(owners[ranked], per_document)]], total


def _best_documents(
    values: Floats, units: Places, owners: Places, wanted: int, documents: int
) -> Mask:
    """The documents of the best units, `wanted` of them."""
    size = wanted * 4
    while True:
        best = _largest(values, units, size)
        distinct, first = np.unique(owners[best], return_index=True)
        if len(distinct) >= wanted or size >= len(units):
            break
        size *= 8
    chosen = np.zeros(documents, bool)
    chosen[distinct[np.argsort(first)[:wanted]]] = True
    return chosen


def _largest(values: Floats, units: Places, size: int) -> Places:
    """Places of the `size` largest values, in falling order, ties by unit."""
    if size < len(values):
        least = np.partition(values, len(values) - size)[len(values) - size]
        above = np.flatnonzero(values > least)
        level = np.flatnonzero(values == least)[: size - len(above)]
        chosen = np.concatenate([above, level])
    else:
        chosen = np.arange(len(values))
    return chosen[np.lexsort((units[chosen], -values[chosen]))]


def _first_of_each(owners: Places, most: int) -> Places:
    """Which places to keep: the first few of each owner."""
    order = np.argsort(owners, kind="stable")
    ranked = owners[order]
    new = np.ones(len(ranked), bool)
    new[1:] = ranked[1:] != ranked[:-1]
    starts = np.flatnonzero(new)
    among = np.arange(len(ranked)) - starts[np.cumsum(new) - 1]  # of its owner before it
    return np.sort(order[among < most])


def word_bits(view: View, units: Places, matches: Sequence[Found]) -> npt.NDArray[np.uint64]:
    """For each unit, which words stand in it or in its document's fields."""
    bits = np.zeros(len(units), np.uint64)
    owners = view.unit_documents[units]
    for number, match in enumerate(matches[:64]):
        hit = contains(match.units, units)
        if len(match.documents):
            named = np.zeros(len(view.document_ids), bool)
            named[match.documents] = True
            hit |= named[owners]
        bits[hit] |= np.uint64(1 << number)
    return bits
