"""Which hits say something new? Near-duplicates fall out, and the rest is spread.

Maximal marginal relevance takes, again and again, the hit with the highest
balance · relevance - (1 - balance) · likeness to the most alike one taken. With balance 0.7 and
relevances 0.9, 0.8, 0.7, where the second is the first's copy (likeness 1) and the third is unlike
(0): first 0.9; then 0.7·0.8 - 0.3·1 = 0.26 against 0.7·0.7 = 0.49: the third comes second.
(Carbonell, Goldstein 1998.) Likeness is a cosine, or the Jaccard share of common terms:
{a b c} and {b c d} have 2 of 4 in common, 0.5.
"""

import hashlib
from collections.abc import Callable, Hashable, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Likeness: TypeAlias = Callable[[int, int], float]
Vectors: TypeAlias = npt.NDArray[np.float32]
Terms: TypeAlias = frozenset[str] | frozenset[int]


def measure_jaccard(first: Terms, second: Terms) -> float:
    """The share of common members; two empty sets have nothing in common."""
    either = len(first | second)
    return len(first & second) / either if either else 0.0


def spread_vectors(
    relevance: Sequence[float], vectors: Vectors, balance: float = 0.7, limit: int | None = None
) -> list[int]:
    """MMR order of the hits by the cosines of their unit vectors."""
    alike = np.asarray(vectors @ vectors.T, dtype=np.float64)
    return _spread(relevance, alike, balance, limit)


def spread_terms(
    relevance: Sequence[float],
    terms: Sequence[Terms],
    balance: float = 0.7,
    limit: int | None = None,
) -> list[int]:
    """MMR order of the hits by the terms they share."""
    alike = np.array([[measure_jaccard(one, other) for other in terms] for one in terms])
    return _spread(relevance, alike.reshape(len(terms), len(terms)), balance, limit)


def _spread(
    relevance: Sequence[float],
    alike: npt.NDArray[np.float64],
    balance: float,
    limit: int | None,
) -> list[int]:
    worth = np.asarray(relevance, dtype=np.float64)
    count = len(worth) if limit is None else min(limit, len(worth))
    nearest = np.zeros(len(worth))
    left = np.ones(len(worth), dtype=bool)
    order: list[int] = []
    for _ in range(count):
        gain = np.where(left, balance * worth - (1.0 - balance) * nearest, -np.inf)
        best = int(gain.argmax())
        order.append(best)
        left[best] = False
        nearest = np.maximum(nearest, alike[best])
    return order


def hash_content(text: str) -> bytes:
    """A key that is equal for texts that differ in white space and case only."""
    return hashlib.blake2b(" ".join(text.casefold().split()).encode(), digest_size=16).digest()


def drop_copies(keys: Sequence[Hashable]) -> list[int]:
    """The places of the first of each key, in order."""
    first: dict[Hashable, int] = {}
    for place, key in enumerate(keys):
        first.setdefault(key, place)
    return list(first.values())


def cut_ngrams(words: Sequence[str], size: int = 3) -> frozenset[str]:
    """The runs of `size` words; a shorter text is one run."""
    runs = range(max(len(words) - size + 1, 1))
    return frozenset(" ".join(words[start : start + size]) for start in runs) - {""}


def drop_ngrams(grams: Sequence[Terms], threshold: float = 0.7) -> list[int]:
    """The places of hits whose n-grams are not, by `threshold`, those of a better hit."""

    def alike(one: int, other: int) -> float:
        return measure_jaccard(grams[one], grams[other])

    return _drop(len(grams), alike, threshold)


def drop_similar(vectors: Vectors, threshold: float = 0.85) -> list[int]:
    """The places of hits whose vectors are not, by `threshold`, close to a better hit's."""
    alike = vectors @ vectors.T
    return _drop(len(vectors), lambda one, other: float(alike[one, other]), threshold)


def _drop(count: int, likeness: Likeness, threshold: float) -> list[int]:
    kept: list[int] = []
    for place in range(count):
        if all(likeness(place, better) < threshold for better in kept):
            kept.append(place)
    return kept
