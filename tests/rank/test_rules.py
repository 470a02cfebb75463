"""Ordered rules: the first that differs decides; equals keep their order."""

import pytest

from engine.errors import InvalidValueError
from engine.rank.rules import Facts, measure_proximity, order_by_rules


def test_words_come_before_typos() -> None:
    assert order_by_rules([Facts(words=1), Facts(words=2, typos=1)]) == [1, 0]


def test_each_rule_decides_when_those_before_are_equal() -> None:
    assert order_by_rules([Facts(typos=1), Facts()]) == [1, 0]
    assert order_by_rules([Facts(proximity=4), Facts(proximity=1)]) == [1, 0]
    assert order_by_rules([Facts(attribute=3), Facts(attribute=0)]) == [1, 0]
    assert order_by_rules([Facts(sort=2.0), Facts(sort=1.0)]) == [1, 0]
    assert order_by_rules([Facts(exactness=0), Facts(exactness=1)]) == [1, 0]


def test_equals_keep_their_order_and_rules_can_be_chosen() -> None:
    assert order_by_rules([Facts(), Facts(), Facts()]) == [0, 1, 2]
    assert order_by_rules([Facts(words=1), Facts(words=2, typos=1)], ["typo", "words"]) == [0, 1]


def test_an_unknown_rule_is_told() -> None:
    with pytest.raises(InvalidValueError, match="luck"):
        order_by_rules([Facts()], ["luck"])


def test_proximity_sums_the_gaps_between_neighbours() -> None:
    assert measure_proximity([[3, 20], [5]]) == 2
    assert measure_proximity([[0], [1], [3]]) == 3
    assert measure_proximity([[0], []]) == 8
    assert measure_proximity([[0], [100]]) == 8
