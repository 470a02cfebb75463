"""How likely would a unit's author have typed this query? Smoothed language models.

P = cf / T is a term's share of all tokens (Zhai and Lafferty 2004).

    Dirichlet       Σ ln(1 + tf / (μ·P))  +  words · ln(μ / (length + μ))
    Jelinek-Mercer  Σ ln(1 + (1 - λ)·tf / (λ · length · P))

Both are the log-likelihood Σ ln((tf + μ·P)/(length + μ)), or Σ ln((1 - λ)·tf/length + λ·P), less
what is the same for every unit: a missing word costs what it must, and the order is exact.
Dirichlet scores can be negative.

Worked, Dirichlet, one word: cf = 5, T = 1000, tf = 3, length 8, μ = 100: P = 0.005,
ln(1 + 3/0.5) = 1.9459, plus ln(100/108) = -0.0770, is 1.8690. Jelinek-Mercer, λ = 0.1:
ln(1 + 0.9·3/(0.1·8·0.005)) = ln 676 = 6.5162.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.keyword.scoring.scorer import Floats, Statistics, TermStatistics, single
from engine.models import Explanation


def _share(term: TermStatistics, statistics: Statistics) -> float:
    return max(term.cf, 1e-9) / max(statistics.tokens, 1)


@dataclass(frozen=True, slots=True)
class Dirichlet:
    """Dirichlet smoothing: the shorter the unit, the more the collection counts."""

    mu: float = 1000.0

    def unit_factors(self, lengths: Floats, statistics: Statistics) -> Floats:
        """ln(μ / (length + μ))."""
        factors: Floats = -np.log1p(lengths * np.float32(1.0 / self.mu))
        return factors

    def field_factors(
        self, field_lengths: npt.NDArray[np.int32], statistics: Statistics
    ) -> Floats | None:
        """None: one length for all fields."""
        return None

    def score(
        self, tf: Floats, factors: Floats, term: TermStatistics, statistics: Statistics
    ) -> Floats:
        """The addend of one term where it occurs."""
        prior = np.float32(self.mu * _share(term, statistics))
        addends: Floats = np.log1p(tf / prior) * np.float32(term.boost)
        return addends

    def background(self, factors: Floats, terms: int, statistics: Statistics) -> Floats | None:
        """What the unit's length costs for every word of the query, found or not."""
        return factors * np.float32(terms)

    def explain(
        self, tf: float, length: float, term: TermStatistics, statistics: Statistics
    ) -> Explanation:
        """The addend of one term, without the background."""
        share = _share(term, statistics)
        factors = self.unit_factors(single(length), statistics)
        return Explanation(
            float(self.score(single(tf), factors, term, statistics)[0]),
            f"LM Dirichlet (mu {self.mu:g}): ln(1 + tf / (mu P)) × boost",
            (
                Explanation(tf, "tf"),
                Explanation(share, f"P: {term.cf:g} of {statistics.tokens} tokens"),
                Explanation(term.boost, "boost"),
            ),
        )


@dataclass(frozen=True, slots=True)
class JelinekMercer:
    """Jelinek-Mercer smoothing: a fixed mixture of unit and collection."""

    lambda_: float = 0.3

    def unit_factors(self, lengths: Floats, statistics: Statistics) -> Floats:
        """(1 - λ) / (λ · length)."""
        odds = np.float32((1.0 - self.lambda_) / self.lambda_)
        factors: Floats = np.divide(odds, np.maximum(lengths, np.float32(1)), dtype=np.float32)
        return factors

    def field_factors(
        self, field_lengths: npt.NDArray[np.int32], statistics: Statistics
    ) -> Floats | None:
        """None: one length for all fields."""
        return None

    def score(
        self, tf: Floats, factors: Floats, term: TermStatistics, statistics: Statistics
    ) -> Floats:
        """The addend of one term where it occurs."""
        rare = np.float32(1.0 / _share(term, statistics))
        addends: Floats = np.log1p(tf * factors * rare) * np.float32(term.boost)
        return addends

    def background(self, factors: Floats, terms: int, statistics: Statistics) -> Floats | None:
        """Nothing: what a missing word costs is the same for every unit."""
        return None

    def explain(
        self, tf: float, length: float, term: TermStatistics, statistics: Statistics
    ) -> Explanation:
        """The addend of one term."""
        share = _share(term, statistics)
        factors = self.unit_factors(single(length), statistics)
        return Explanation(
            float(self.score(single(tf), factors, term, statistics)[0]),
            f"LM Jelinek-Mercer (lambda {self.lambda_:g}): ln(1 + tf (1 - λ)/(λ length P)) × boost",
            (
                Explanation(tf, "tf"),
                Explanation(length, "length"),
                Explanation(share, f"P: {term.cf:g} of {statistics.tokens} tokens"),
                Explanation(term.boost, "boost"),
            ),
        )
