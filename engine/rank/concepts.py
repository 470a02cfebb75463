"""Which of the collection's own words mean what was asked? A vocabulary with vectors (ragdocs).

The collection's frequent terms (at least three occurrences, at most 2,000 of them) are embedded
once; a query is widened by the three nearest whose cosine is 0.5 or more. Cosines 0.71, 0.55, 0.48
with the query add the first two. A term that the query already has is not added.
"""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

LEAST_FREQUENCY = 3
MOST_TERMS = 2_000
ADDED = 3
LEAST_COSINE = 0.5
SHORTEST = 3


def choose_concepts(
    frequencies: Mapping[str, int], stopwords: Collection[str] = frozenset()
) -> tuple[str, ...]:
    """The terms worth a vector, most frequent first; numbers and stop words are not."""
    worthy = (
        term
        for term, count in frequencies.items()
        if count >= LEAST_FREQUENCY
        and len(term) >= SHORTEST
        and term not in stopwords
        and not term.isdigit()
    )
    ranked = sorted(worthy, key=lambda term: (-frequencies[term], term))
    return tuple(ranked[:MOST_TERMS])


def expand_query(
    query: npt.NDArray[np.float32],
    terms: Sequence[str],
    vectors: npt.NDArray[np.float32],
    asked: Collection[str] = frozenset(),
) -> list[tuple[str, float]]:
    """The nearest terms with their cosines, best first."""
    if not len(terms):
        return []
    cosines = vectors @ query
    order = np.argsort(-cosines, kind="stable")
    near = ((terms[place], float(cosines[place])) for place in order.tolist())
    found = [(term, cosine) for term, cosine in near if term not in asked]
    return [(term, cosine) for term, cosine in found[:ADDED] if cosine >= LEAST_COSINE]
