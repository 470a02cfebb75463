"""How far does a term diverge from chance? DFR (Amati and van Rijsbergen 2002).

score = after-effect(tfn) · basic model(tfn), tfn the count normalised by length; log is base 2.

    basic model   G    log(1 + λ) + tfn · log((1 + λ)/λ), λ = cf/N     (Bose-Einstein, geometric)
                  In   tfn · log((N + 1)/(df + ½))
                  Ine  tfn · log((N + 1)/(ne + ½)), ne = N · (1 - (1 - 1/N)^cf)
                  IF   tfn · log(1 + (N + 1)/(cf + ½))     (1 + as in Lucene: never below 0)
    after-effect  L    1/(tfn + 1)               (Laplace)
                  B    (cf + 1)/(df · (tfn + 1))  (Bernoulli)
    normalisation H1   tf · c · average/length
                  H2   tf · log(1 + c · average/length)
                  H3   μ · (tf + μ · cf/T)/(length + μ)                (Dirichlet, T tokens in all)
                  Z    tf · (average/length)^z

Worked, InL with H2, c = 1: N = 10, df = 2, tf = 3, length 8, average 10:
tfn = 3 · log 2.25 = 3.5098, In = 3.5098 · log(11/2.5) = 7.5021, times 1/4.5098 is 1.6635.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.keyword.scoring.scorer import Floats, Statistics, TermStatistics, single
from engine.models import Explanation

BASIC_MODELS = ("G", "In", "Ine", "IF")
AFTER_EFFECTS = ("L", "B")
NORMALISATIONS = ("H1", "H2", "H3", "Z")


@dataclass(frozen=True, slots=True)
class DFR:
    """Divergence from randomness, in 32 combinations."""

    basic_model: str = "In"
    after_effect: str = "L"
    normalisation: str = "H2"
    c: float = 1.0
    mu: float = 800.0
    z: float = 0.3

    def unit_factors(self, lengths: Floats, statistics: Statistics) -> Floats:
        """By what a count is multiplied; for H3 the length itself."""
        if self.normalisation == "H3":
            return lengths
        average = np.float32(statistics.average_length)
        share: Floats = np.divide(average, np.maximum(lengths, np.float32(1)), dtype=np.float32)
        if self.normalisation == "H1":
            return share * np.float32(self.c)
        if self.normalisation == "H2":
            logs: Floats = np.log2(share * np.float32(self.c) + np.float32(1.0))
            return logs
        return share ** np.float32(self.z)

    def field_factors(
        self, field_lengths: npt.NDArray[np.int32], statistics: Statistics
    ) -> Floats | None:
        """None: one length for all fields."""
        return None

    def score(
        self, tf: Floats, factors: Floats, term: TermStatistics, statistics: Statistics
    ) -> Floats:
        """The addend of one term in each of these units."""
        tfn = self._normalise(tf, factors, term, statistics)
        gain = np.float32(self._gain(term)) / (tfn + np.float32(1.0))
        constant, slope = self._basic(term, statistics)
        risk = tfn * np.float32(slope) + np.float32(constant)
        return gain * risk * np.float32(term.boost)

    def background(self, factors: Floats, terms: int, statistics: Statistics) -> Floats | None:
        """Nothing: only terms that occur count."""
        return None

    def _normalise(
        self, tf: Floats, factors: Floats, term: TermStatistics, statistics: Statistics
    ) -> Floats:
        if self.normalisation != "H3":
            return tf * factors
        prior = self.mu * term.cf / max(statistics.tokens, 1)
        return (tf + np.float32(prior)) * np.float32(self.mu) / (factors + np.float32(self.mu))

    def _gain(self, term: TermStatistics) -> float:
        return 1.0 if self.after_effect == "L" else (term.cf + 1.0) / max(term.df, 1)

    def _basic(self, term: TermStatistics, statistics: Statistics) -> tuple[float, float]:
        """The basic model as a line in tfn: its constant and its slope."""
        units = max(statistics.units, 1)
        if self.basic_model == "G":
            chance = max(term.cf, 1e-9) / units
            return math.log2(1.0 + chance), math.log2((1.0 + chance) / chance)
        if self.basic_model == "IF":
            return 0.0, math.log2(1.0 + (units + 1.0) / (term.cf + 0.5))
        expected = float(term.df)
        if self.basic_model == "Ine":
            expected = units * (1.0 - (1.0 - 1.0 / units) ** term.cf)
        return 0.0, math.log2((units + 1.0) / (expected + 0.5))

    def explain(
        self, tf: float, length: float, term: TermStatistics, statistics: Statistics
    ) -> Explanation:
        """After-effect × basic model × boost, at the normalised count."""
        factors = self.unit_factors(single(length), statistics)
        tfn = float(self._normalise(single(tf), factors, term, statistics)[0])
        constant, slope = self._basic(term, statistics)
        gain = self._gain(term) / (tfn + 1.0)
        count = f"{tf:g} times in {length:g} tokens makes {tfn:.4g} by {self.normalisation}"
        return Explanation(
            gain * (constant + slope * tfn) * term.boost,
            f"DFR {self.basic_model}{self.after_effect}{self.normalisation}: {count}",
            (
                Explanation(constant + slope * tfn, f"basic model {self.basic_model}"),
                Explanation(gain, f"after-effect {self.after_effect}"),
                Explanation(term.boost, "boost"),
            ),
        )
