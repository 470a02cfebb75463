"""A clear winner, and roots that compete fairly.

1. Nine against one wins, nine against three does not; an incomplete answer never.
2. Each root's best counts 1 when there are several; the nearer root may weigh more.
"""

import numpy as np
import pytest

from engine.rank.normalise import boost_roots, normalise_roots
from engine.rank.shortcut import find_winner


def test_nine_against_one_is_clear() -> None:
    winner = find_winner(np.array([1.0, 9.0]))
    assert winner is not None
    assert winner.index == 1
    assert winner.share == pytest.approx(0.9)
    assert winner.gap == pytest.approx(8 / 9)


def test_nine_against_three_is_not() -> None:
    assert find_winner(np.array([9.0, 3.0])) is None


def test_a_single_hit_wins_only_when_complete() -> None:
    assert find_winner(np.array([2.0])) is not None
    assert find_winner(np.array([2.0]), complete=False) is None
    assert find_winner(np.array([])) is None
    assert find_winner(np.array([0.0, 0.0])) is None


def test_roots_are_shares_of_their_best() -> None:
    scores = normalise_roots(np.array([4500.0, 3200, 3000, 800, 600]), ["a", "a", "a", "b", "b"])
    assert scores == pytest.approx([1, 0.711, 0.667, 1, 0.75], abs=0.001)


def test_one_root_keeps_its_scores() -> None:
    assert normalise_roots(np.array([3.0, 1.0]), ["a", "a"]).tolist() == [3.0, 1.0]
    assert normalise_roots(np.array([0.0, 1.0]), ["a", "b"]).tolist() == [0.0, 1.0]


def test_the_root_at_work_weighs_more() -> None:
    assert boost_roots(np.array([1.0, 1.0]), ["a", "b"], {"b": 1.5}).tolist() == [1.0, 1.5]
