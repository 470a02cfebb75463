"""What is a scoring model given, and what does it answer?

A score is a sum over the query's terms. For each term a model gets the counts `tf` of the units
that hold it and, of the same units, a factor that it made of their lengths beforehand; it answers
with one addend each. All numbers of a term come at once, as arrays.

Letters as in the papers: tf count in the unit, df units holding the term, cf count in all units.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from engine.models import Explanation

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of all living units together."""

    units: int
    tokens: int
    field_tokens: tuple[int, ...] = ()

    @property
    def average_length(self) -> float:
        """Tokens in a unit on average; 1 where there are none, since models divide by it."""
        return self.tokens / self.units if self.units and self.tokens else 1.0


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """Of one term of the query."""

    df: int
    cf: float
    boost: float = 1.0


class Scorer(Protocol):
    """A scoring model; hashable, so that its unit factors are kept."""

    def unit_factors(self, lengths: Floats, statistics: Statistics) -> Floats:
        """What the model needs of each unit's length."""

    def field_factors(
        self, field_lengths: npt.NDArray[np.int32], statistics: Statistics
    ) -> Floats | None:
        """By what each field's counts are multiplied, fields × units; None: not by field."""

    def score(
        self, tf: Floats, factors: Floats, term: TermStatistics, statistics: Statistics
    ) -> Floats:
        """One addend for each unit that holds the term; `factors` belong to the same units."""

    def background(
        self, factors: Floats, terms: int, statistics: Statistics
    ) -> Floats | None:
        """What every matching unit gets, whatever it holds; None for most models."""

    def explain(
        self, tf: float, length: float, term: TermStatistics, statistics: Statistics
    ) -> Explanation:
        """The addend of one term in one unit, down to its last number."""


def single(value: float) -> Floats:
    """One number as an array, so that explaining runs the very formula that scores."""
    return np.array([value], np.float32)
