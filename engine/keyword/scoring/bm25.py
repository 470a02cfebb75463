"""How much does a term weigh by BM25? Five published variants (Kamphuis et al., ECIR 2020).

With n = 1 - b + b · length / average length:

    lucene     ln(1 + (N - df + ½)/(df + ½)) · tf / (tf + k1·n)
    robertson  ln((N - df + ½)/(df + ½)), at least 0 · tf / (tf + k1·n)
    atire      ln(N / df) · (k1 + 1)·tf / (tf + k1·n)
    bm25+      ln((N + 1)/df) · ((k1 + 1)·tf / (tf + k1·n) + δ)        δ = 1
    bm25l      ln((N + 1)/(df + ½)) · (k1 + 1)(c + δ)/(k1 + c + δ), c = tf/n   δ = ½

Worked: N = 10, df = 2, tf = 3, length 8, average 10, k1 = 1.2, b = 0.75: n = 0.85, k1·n = 1.02;
lucene: ln(1 + 8.5/2.5) = 1.4816, times 3/4.02 = 0.7463, is 1.1057; atire: ln 5 = 1.6094, times
2.2·3/4.02 = 1.6418, is 2.6424.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.keyword.scoring.scorer import Floats, Statistics, TermStatistics, single
from engine.models import Explanation

VARIANTS = ("lucene", "robertson", "atire", "bm25+", "bm25l")
DELTAS = {"bm25+": 1.0, "bm25l": 0.5}


@dataclass(frozen=True, slots=True)
class BM25:
    """Okapi BM25 in one of its variants."""

    variant: str = "lucene"
    k1: float = 1.2
    b: float = 0.75

    def unit_factors(self, lengths: Floats, statistics: Statistics) -> Floats:
        """n, or k1·n where only that is needed."""
        slope = self.b / statistics.average_length
        factors: Floats = lengths * np.float32(slope) + np.float32(1.0 - self.b)
        if self.variant == "bm25l":
            # b = 1 and no tokens at all would divide by nothing.
            return np.maximum(factors, np.float32(1e-9))
        factors *= np.float32(self.k1)
        return factors

    def field_factors(
        self, field_lengths: npt.NDArray[np.int32], statistics: Statistics
    ) -> Floats | None:
        """None: one length for all fields."""
        return None

    def score(
        self, tf: Floats, factors: Floats, term: TermStatistics, statistics: Statistics
    ) -> Floats:
        """The addend of one term in each of these units."""
        weight = np.float32(term.boost * self.idf(term.df, statistics.units))
        if self.variant == "bm25l":
            shifted = tf / factors + np.float32(DELTAS["bm25l"])
            return shifted / (shifted + np.float32(self.k1)) * np.float32(self.k1 + 1.0) * weight
        if self.variant in ("lucene", "robertson"):
            return tf / (tf + factors) * weight
        saturated = tf / (tf + factors) * np.float32(self.k1 + 1.0)
        return (saturated + np.float32(DELTAS.get(self.variant, 0.0))) * weight

    def background(self, factors: Floats, terms: int, statistics: Statistics) -> Floats | None:
        """Nothing: only terms that occur count."""
        return None

    def idf(self, df: int, units: int) -> float:
        """How rare the term is."""
        if df == 0:
            return 0.0
        if self.variant == "lucene":
            return math.log(1.0 + (units - df + 0.5) / (df + 0.5))
        if self.variant == "robertson":
            return math.log(max((units - df + 0.5) / (df + 0.5), 1.0))
        if self.variant == "atire":
            return math.log(units / df)
        return math.log((units + 1) / (df + (0.5 if self.variant == "bm25l" else 0.0)))

    def explain(
        self, tf: float, length: float, term: TermStatistics, statistics: Statistics
    ) -> Explanation:
        """idf × saturated count × boost."""
        idf = self.idf(term.df, statistics.units)
        factors = self.unit_factors(single(length), statistics)
        total = float(self.score(single(tf), factors, term, statistics)[0])
        rest = total / (idf * term.boost) if idf * term.boost else 0.0
        average = statistics.average_length
        return Explanation(
            total,
            f"BM25 ({self.variant}, k1 {self.k1:g}, b {self.b:g})",
            (
                Explanation(idf, f"idf: {term.df} of {statistics.units} units"),
                Explanation(
                    rest, f"tf: {tf:g} times in {length:g} tokens, {average:.1f} on average"
                ),
                Explanation(term.boost, "boost"),
            ),
        )
