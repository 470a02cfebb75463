"""How do words and meaning become one list? The one place that calls rank's functions.

Both sides come with scores for every candidate of either. Each side is scaled to 0–1 by its own
best, the two are summed by weight, and passages become documents by their best.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from engine.models import Explanation
from engine.query import Query

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class WordSide:
    """Passages with their keyword scores; parallel arrays."""

    chunk_ids: Integers
    document_ids: Integers
    scores: Floats
    complete: bool = True  # False: the list was cut, and what is not in it may match too


@dataclass(frozen=True, slots=True)
class MeaningSide:
    """Passages with their cosines; parallel arrays."""

    chunk_ids: Integers
    document_ids: Integers
    cosines: Floats


@dataclass(frozen=True, slots=True)
class Fused:
    """One document of the answer, before it is shown."""

    document_id: int
    score: float  # 0 to 1
    keyword: float
    semantic: float
    chunks: tuple[int, ...]  # the passages that speak for it, best first; 0: none
    by_meaning: bool = False
    why: Explanation | None = None
    parts: dict[str, float] = field(default_factory=dict)


def combine(query: Query, words: WordSide, meaning: MeaningSide, weight: float = 0.5) -> list[Fused]:
    """Documents in falling order of the weighted sum of both sides; `weight` is that of meaning."""
    keyword = dict(zip(words.chunk_ids.tolist(), words.scores.tolist(), strict=True))
    cosine = dict(zip(meaning.chunk_ids.tolist(), meaning.cosines.tolist(), strict=True))
    owners = dict(zip(words.chunk_ids.tolist(), words.document_ids.tolist(), strict=True))
    owners.update(zip(meaning.chunk_ids.tolist(), meaning.document_ids.tolist(), strict=True))
    top = max(keyword.values(), default=0.0) or 1.0
    best_cosine = max(cosine.values(), default=0.0) or 1.0
    if not keyword or not cosine:
        weight = 1.0 if cosine else 0.0
    scored: dict[int, list[tuple[float, int, float, float]]] = {}
    for chunk, document in owners.items():
        by_word, by_meaning = keyword.get(chunk, 0.0), max(cosine.get(chunk, 0.0), 0.0)
        score = (1 - weight) * by_word / top + weight * by_meaning / best_cosine
        scored.setdefault(document, []).append((score, chunk, by_word, by_meaning))
    fused: list[Fused] = []
    for document, found in scored.items():
        found.sort(key=lambda one: (-one[0], one[1]))
        fused.append(
            Fused(
                document, found[0][0], max(one[2] for one in found), max(one[3] for one in found),
                tuple(one[1] for one in found), any(one[1] in cosine for one in found),
            )
        )
    return sorted(fused, key=lambda one: (-one.score, one.document_id))
