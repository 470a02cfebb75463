"""Neighbours draw scores: by hand, and without harm where vectors are missing."""

import numpy as np
import pytest

from engine.rank.neighbours import smooth_scores

SCORES = np.array([1.0, 0.5, 0.4])
VECTORS = np.array([[1.0, 0.0], [0.1, 0.99499], [0.8, 0.6]], np.float32)


def test_one_neighbour_each() -> None:
    # nearest: first ↔ third (0.8); the second's nearest is the third (0.08 + 0.597 = 0.677)
    found = smooth_scores(SCORES, VECTORS, share=0.4, count=1)
    assert found == pytest.approx(
        [0.68 * 1.0 + 0.32 * 0.4, (1 - 0.2708) * 0.5 + 0.2708 * 0.4, 0.68 * 0.4 + 0.32 * 1.0],
        abs=1e-4,
    )


def test_two_neighbours_count_by_their_cosine() -> None:
    found = smooth_scores(SCORES, VECTORS, share=0.5, count=2)
    mean, pull = (0.1 * 0.5 + 0.8 * 0.4) / 0.9, 0.5 * 0.45
    assert found[0] == pytest.approx((1 - pull) * 1.0 + pull * mean, abs=1e-4)


def test_a_missing_vector_keeps_its_score() -> None:
    vectors = VECTORS.copy()
    vectors[1] = np.nan
    assert smooth_scores(SCORES, vectors, count=1)[1] == 0.5


def test_alone_or_switched_off_nothing_changes() -> None:
    assert smooth_scores(SCORES[:1], VECTORS[:1]).tolist() == [1.0]
    assert smooth_scores(SCORES, VECTORS, share=0.0).tolist() == SCORES.tolist()
    opposite = np.array([[1.0, 0.0], [-1.0, 0.0]], np.float32)
    assert smooth_scores(SCORES[:2], opposite).tolist() == [1.0, 0.5]
