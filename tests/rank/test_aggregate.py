"""Siblings into parents, by ra's example and its cascade.

1. Enough siblings become their parent; too few stay.
2. A parent that comes later takes its children in; its own match is kept.
3. Merging goes on upwards; a child of a node that is already there is left out.
4. The score is the best part's, or the root of the sum of squares.
5. A damaged tree ends, and a missing parent leaves the hit alone.
"""

import pytest

from engine.rank.aggregate import Merged, Part, aggregate

# document 0: section A 1 (A1 11, A2 12), section B 2 (B1 21, B2 22, B3 23)
TREE = {
    0: Part(None),
    1: Part(0, 2),
    2: Part(0, 2),
    11: Part(1, 2),
    12: Part(1, 2),
    21: Part(2, 3),
    22: Part(2, 3),
    23: Part(2, 3),
}


def test_the_example_merges_a_and_keeps_b1() -> None:
    found = aggregate([(11, 10.0), (12, 9.0), (1, 5.0), (21, 4.0)], TREE)
    assert found == [Merged(1, 10.0, (11, 12, 1)), Merged(21, 4.0)]


def test_one_of_three_is_not_enough_and_two_are() -> None:
    assert aggregate([(21, 4.0)], TREE) == [Merged(21, 4.0)]
    assert aggregate([(21, 4.0), (22, 3.0)], TREE) == [Merged(2, 4.0, (21, 22))]
    assert len(aggregate([(21, 4.0), (22, 3.0)], TREE, threshold=0.7)) == 2


def test_a_parent_that_comes_later_takes_its_children_in() -> None:
    found = aggregate([(21, 4.0), (2, 3.0)], TREE)
    assert found == [Merged(2, 4.0, (21, 2))]


def test_a_child_of_a_hit_is_left_out() -> None:
    assert aggregate([(2, 5.0), (21, 4.0)], TREE) == [Merged(2, 5.0)]


def test_merging_cascades_to_the_document() -> None:
    found = aggregate([(11, 10.0), (12, 9.0), (21, 4.0), (22, 3.0)], TREE)
    assert found == [Merged(0, 10.0, (11, 12, 21, 22))]


def test_root_of_the_sum_of_squares() -> None:
    found = aggregate([(11, 10.0), (12, 10.0)], TREE, scoring="rss")
    assert found[0].score == pytest.approx(14.142, abs=0.001)


def test_a_missing_parent_leaves_the_hits_alone() -> None:
    tree = {11: Part(1, 2), 12: Part(1, 2)}
    assert aggregate([(11, 2.0), (12, 1.0)], tree) == [Merged(11, 2.0), Merged(12, 1.0)]


def test_a_circle_in_the_tree_ends() -> None:
    tree = {1: Part(2, 3), 2: Part(1, 3)}
    assert aggregate([(1, 2.0)], tree) == [Merged(1, 2.0)]
