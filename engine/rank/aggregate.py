"""When do several parts of a document become one hit? Siblings that match together are their
parent.

ra's adaptive aggregation. Candidates come by falling score; each node knows its parent, so
ancestry is followed link by link. Section A has two children, B three. Candidates A1 10, A2 9, A
5, B1 4 with threshold 0.5: A1 stands alone; with A2, two of two siblings match (1.0 ≥ 0.5) and A
takes their place; A itself is already there; of B's three children one matches, so B1 stays.
Answer: A (10), B1 (4).

The parent's score is the highest of its parts (`max`), or the root of the sum of squares (`rss`:
two tens give 14.1, 20 + 2 + 2 gives 20.2).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """A node of a document's tree; `siblings` counts its parent's children, itself included."""

    parent: int | None
    siblings: int = 1


@dataclass(frozen=True, slots=True)
class Merged:
    """One hit: a node alone, or a node that stands for its parts."""

    node: int
    score: float
    parts: tuple[int, ...] = ()  # the candidates it stands for, best first; empty: itself alone


def aggregate(
    candidates: Sequence[tuple[int, float]],
    tree: Mapping[int, Part],
    threshold: float = 0.5,
    scoring: str = "max",
) -> list[Merged]:
    """The candidates (node, score), best first, with siblings merged; best first again.

    A node whose parent is not in `tree` stays alone.
    """
    scores: dict[int, float] = {}
    for node, score in candidates:
        scores[node] = max(score, scores.get(node, -math.inf))
    answer = _Answer(tree, scores, threshold)
    for node, _ in sorted(scores.items(), key=lambda pair: -pair[1]):
        answer.add(node)
    merged = [answer.merge(node, scoring) for node in answer.parts]
    return sorted(merged, key=lambda hit: -hit.score)


class _Answer:
    """The hits so far: node to the candidates it stands for."""

    def __init__(
        self, tree: Mapping[int, Part], scores: Mapping[int, float], threshold: float
    ) -> None:
        self.tree = tree
        self.scores = scores
        self.threshold = threshold
        self.parts: dict[int, list[int]] = {}

    def add(self, node: int) -> None:
        """Takes in the next candidate."""
        if node in self.parts:
            self.parts[node].append(node)  # came in by a cascade: its own match counts as well
            return
        if any(ancestor in self.parts for ancestor in self._ancestors(node)):
            return
        below = [other for other in self.parts if node in self._ancestors(other)]
        if below:
            self._replace(below, node, [node])
            self._cascade(node)
            return
        parent = self._parent(node)
        beside = self._children(parent, node)
        if parent in self.tree and beside and self._enough(node, len(beside) + 1):
            self._replace(beside, parent, [node])
            self._cascade(parent)
        else:
            self.parts[node] = [node]

    def merge(self, node: int, scoring: str) -> Merged:
        """The hit for a node of the answer, with its score."""
        own = sorted(self.parts[node], key=lambda part: -self.scores[part])
        values = [self.scores[part] for part in own]
        score = math.sqrt(sum(value * value for value in values)) if scoring == "rss" else values[0]
        return Merged(node, score, () if own == [node] else tuple(own))

    def _cascade(self, node: int) -> None:
        parent = self._parent(node)
        beside = self._children(parent, node)
        if parent not in self.tree or not beside or not self._enough(node, len(beside) + 1):
            return
        self._replace([*beside, node], parent, [])
        self._cascade(parent)

    def _replace(self, gone: list[int], node: int, own: list[int]) -> None:
        flat = [part for other in gone for part in self.parts.pop(other)]
        self.parts[node] = flat + own

    def _enough(self, node: int, matching: int) -> bool:
        siblings = self.tree[node].siblings
        return siblings > 0 and matching / siblings >= self.threshold

    def _parent(self, node: int) -> int:
        part = self.tree.get(node)
        return -1 if part is None or part.parent is None else part.parent

    def _children(self, parent: int, without: int) -> list[int]:
        if parent < 0:
            return []
        return [one for one in self.parts if one != without and self._parent(one) == parent]

    def _ancestors(self, node: int) -> list[int]:
        chain: list[int] = []
        parent = self._parent(node)
        while parent >= 0 and parent not in chain:  # a damaged tree must not hang the search
            chain.append(parent)
            parent = self._parent(parent)
        return chain
