"""How do fields share one saturation? BM25F (Robertson, Zaragoza, Taylor 2004).

A title of four words and a body of two hundred are normalised each by its own average, weighted and
added; only the sum is saturated, so a word in title and body is not counted as two words:

    tf' = Σ over fields  w · tf / (1 - b + b · length / average)     score = idf · tf' / (k1 + tf')

Worked: trail w 2, tf 1, length 4, average 4; body w 1, tf 3, length 80, average 100, b 0.75:
tf' = 2·1/1 + 3/(0.25 + 0.6) = 5.5294; with k1 1.2: 5.5294/6.7294 = 0.8217, times idf.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.keyword.scoring.scorer import Floats, Statistics, TermStatistics
from engine.models import Explanation


@dataclass(frozen=True, slots=True)
class BM25F:
    """BM25 over fields with a length normalisation each; the fields' weights are the layer's."""

    k1: float = 1.2
    b: float = 0.75

    def unit_factors(self, lengths: Floats, statistics: Statistics) -> Floats:
        """Nothing: the counts come normalised already."""
        return np.zeros(len(lengths), np.float32)

    def field_factors(
        self, field_lengths: npt.NDArray[np.int32], statistics: Statistics
    ) -> Floats | None:
        """1 / (1 - b + b · length / average), a row for each field."""
        units = max(statistics.units, 1)
        averages = np.array(statistics.field_tokens, np.float64) / units
        averages[averages == 0] = 1.0
        share = field_lengths / averages[:, None]
        # A field without any token holds no term: its factor is never used, but must be finite.
        factors: Floats = (1.0 / np.maximum(1.0 - self.b + self.b * share, 1e-6)).astype(np.float32)
        return factors

    def score(
        self, tf: Floats, factors: Floats, term: TermStatistics, statistics: Statistics
    ) -> Floats:
        """The addend of one term; `tf` is normalised and weighted."""
        weight = np.float32(term.boost * self._idf(term.df, statistics.units))
        return tf / (tf + np.float32(self.k1)) * weight

    def background(self, factors: Floats, terms: int, statistics: Statistics) -> Floats | None:
        """Nothing: only terms that occur count."""
        return None

    def _idf(self, df: int, units: int) -> float:
        return math.log(1.0 + (units - df + 0.5) / (df + 0.5))

    def explain(
        self, tf: float, length: float, term: TermStatistics, statistics: Statistics
    ) -> Explanation:
        """idf × saturated sum of the fields × boost."""
        idf = self._idf(term.df, statistics.units)
        saturated = tf / (tf + self.k1)
        return Explanation(
            idf * saturated * term.boost,
            f"BM25F (k1 {self.k1:g}, b {self.b:g})",
            (
                Explanation(idf, f"idf: {term.df} of {statistics.units} units"),
                Explanation(saturated, f"tf: {tf:.4g} weighted and normalised over the fields"),
                Explanation(term.boost, "boost"),
            ),
        )
