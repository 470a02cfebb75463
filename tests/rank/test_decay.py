"""Decay curves and freshness, by the numbers of their docstrings."""

import pytest

from engine.rank.decay import score_decay
from engine.rank.recency import DAY_SECONDS, boost_curve, boost_recency


@pytest.mark.parametrize(
    ("curve", "expected"), [("linear", 0.75), ("exp", 0.7071), ("gauss", 0.8409)], ids=str
)
def test_half_a_scale_away(curve: str, expected: float) -> None:
    found = score_decay(5, origin=0, scale=10, curve=curve)
    assert found == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("curve", ["linear", "exp", "gauss"])
def test_one_at_the_origin_and_decay_at_the_scale(curve: str) -> None:
    assert score_decay(7, origin=7, scale=3, curve=curve) == 1.0
    found = score_decay(12, origin=7, scale=3, offset=2, decay=0.3, curve=curve)
    assert found == pytest.approx(0.3)


def test_linear_ends_at_zero() -> None:
    assert score_decay(20, origin=0, scale=10, curve="linear") == 0.0
    assert score_decay(-99, origin=0, scale=10, curve="linear") == 0.0


@pytest.mark.parametrize(
    ("days", "factor"), [(0.8, 1.2), (6, 1.1), (29, 1.05), (400, 1.0), (-3, 1.2)], ids=str
)
def test_recency_steps(days: float, factor: float) -> None:
    assert boost_recency(days * DAY_SECONDS) == factor


def test_recency_curve_halves() -> None:
    assert boost_curve(0) == pytest.approx(1.2)
    assert boost_curve(30 * DAY_SECONDS) == pytest.approx(1.1)
