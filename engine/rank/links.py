"""What do links say? Documents beside good ones, or of one community with them, gain a little.

ragdocs: the documents one link away from the first hits form a third ranked list for reciprocal
rank fusion; a document that shares a community with the first hits counts 1.1 times. Hits a, b
where a links to c: the list is c (and b, if linked); with communities {a: 1, b: 2, c: 1} and seed
a, c gets 1.1 and b 1.
"""

from collections.abc import Collection, Mapping, Sequence

SEEDS = 5
COMMUNITY_FACTOR = 1.1


def list_neighbours(
    hits: Sequence[int], links: Mapping[int, Collection[int]], seeds: int = SEEDS
) -> list[int]:
    """Documents one link from the first hits, by how many of them they are linked with."""
    votes: dict[int, float] = {}
    for place, hit in enumerate(hits[:seeds]):
        for other in links.get(hit, ()):
            if other != hit:
                votes[other] = votes.get(other, 0.0) + 1.0 / (1 + place)
    return sorted(votes, key=lambda document: (-votes[document], document))


def boost_community(
    documents: Sequence[int],
    seeds: Collection[int],
    communities: Mapping[int, int],
    factor: float = COMMUNITY_FACTOR,
) -> list[float]:
    """A factor for each document: more than 1 when it shares a community with a seed."""
    known = {communities[seed] for seed in seeds if seed in communities}
    return [
        factor if document not in seeds and communities.get(document) in known else 1.0
        for document in documents
    ]
