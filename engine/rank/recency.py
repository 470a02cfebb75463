"""What is freshness worth? A factor by age, in Sagasu's steps or along a decay curve.

A file changed 20 hours ago gets 1.2, 6 days 1.1, 29 days 1.05, anything older 1. As a curve with a
half-life of 30 days and a weight of 0.2: 1 + 0.2 · 0.5^(30/30) = 1.1 at 30 days.
"""

from engine.rank.decay import score_decay

DAY_SECONDS = 86_400.0
STEPS: tuple[tuple[float, float], ...] = ((1.0, 1.2), (7.0, 1.1), (30.0, 1.05))  # days, factor


def boost_recency(age_seconds: float) -> float:
    """The factor for an age; a date in the future counts as now."""
    age_days = max(age_seconds, 0.0) / DAY_SECONDS
    return next((factor for days, factor in STEPS if age_days <= days), 1.0)


def boost_curve(age_seconds: float, half_life_days: float = 30.0, weight: float = 0.2) -> float:
    """A smooth factor from 1 + weight (now) towards 1 (long ago)."""
    age_days = max(age_seconds, 0.0) / DAY_SECONDS
    fresh = score_decay(age_days, origin=0.0, scale=half_life_days, curve="exp")
    return 1.0 + weight * fresh
