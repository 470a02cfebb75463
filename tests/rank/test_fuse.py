"""Fusion, by numbers worked out by hand.

1. Each scale keeps its promise for unseen candidates, equal scores and empty lists.
2. The convex sum is the weighted mean of the scaled scores.
3. Reciprocal ranks, their weights and the top-rank bonus add up.
"""

import numpy as np
import pytest

from engine.rank.fuse import (
    TopBonus,
    fuse_linear,
    fuse_ranks,
    rank_scores,
    scale_minmax,
    scale_top,
    scale_zscore,
)

NAN = float("nan")


def test_top_divides_by_the_highest_and_gives_unseen_nothing() -> None:
    assert scale_top(np.array([8.0, 4.0, NAN, -1.0])).tolist() == [1.0, 0.5, 0.0, 0.0]


def test_top_of_nothing_is_zero() -> None:
    assert scale_top(np.array([NAN, 0.0])).tolist() == [0.0, 0.0]
    assert scale_top(np.array([])).tolist() == []


def test_minmax_runs_from_lowest_to_highest_seen() -> None:
    assert scale_minmax(np.array([2.0, 6.0, NAN, 4.0])).tolist() == [0.0, 1.0, 0.0, 0.5]


def test_minmax_takes_the_least_possible_score_when_it_is_known() -> None:
    assert scale_minmax(np.array([2.0, 8.0]), low=0.0).tolist() == [0.25, 1.0]
    assert scale_minmax(np.array([2.0, 8.0]), low=0.0, high=16.0).tolist() == [0.125, 0.5]


def test_minmax_of_equal_scores_is_a_half() -> None:
    assert scale_minmax(np.array([3.0, 3.0, NAN])).tolist() == [0.5, 0.5, 0.0]


def test_zscore_counts_deviations_and_gives_unseen_the_worst() -> None:
    # mean 3, deviation 1
    assert scale_zscore(np.array([2.0, 4.0, NAN])).tolist() == [-1.0, 1.0, -1.0]


def test_zscore_of_equal_scores_is_zero() -> None:
    assert scale_zscore(np.array([5.0, 5.0])).tolist() == [0.0, 0.0]
    assert scale_zscore(np.array([NAN])).tolist() == [0.0]


def test_linear_sum_of_the_docstring() -> None:
    words = scale_minmax(np.array([8.0, 4.0, NAN]), low=0.0)
    meaning = scale_minmax(np.array([0.2, 0.6, 0.4]))
    assert fuse_linear([words, meaning], [0.5, 0.5]) == pytest.approx([0.5, 0.75, 0.25])


def test_linear_weights_need_not_add_up_to_one() -> None:
    fused = fuse_linear([np.array([1.0, 0.0]), np.array([0.0, 1.0])], [3.0, 1.0])
    assert fused.tolist() == [0.75, 0.25]
    assert fuse_linear([np.array([1.0])], [0.0]).tolist() == [0.0]


def test_ranks_start_at_one_and_keep_the_order_of_equals() -> None:
    assert rank_scores(np.array([1.0, 3.0, NAN, 3.0])).tolist() == [3, 1, 0, 2]


def test_reciprocal_ranks_add_up() -> None:
    words = np.array([9.0, 8.0, 7.0])
    meaning = np.array([0.1, 0.3, 0.2])
    fused = fuse_ranks([words, meaning], [1.0, 1.0])
    assert fused == pytest.approx([1 / 61 + 1 / 63, 1 / 62 + 1 / 61, 1 / 63 + 1 / 62])


def test_reciprocal_ranks_of_one_side_only() -> None:
    fused = fuse_ranks([np.array([9.0, NAN]), np.array([NAN, 0.4])], [1.0, 0.5], k=9)
    assert fused == pytest.approx([0.1, 0.05])


def test_top_rank_bonus_goes_to_first_and_near_top() -> None:
    scores = np.array([4.0, 3.0, 2.0, 1.0])
    plain = fuse_ranks([scores], [1.0])
    bonus = fuse_ranks([scores], [1.0], bonus=TopBonus())
    assert bonus - plain == pytest.approx([0.05, 0.02, 0.02, 0.0])
