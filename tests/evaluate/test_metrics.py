"""Metrics and the paired test.

1. The docstring's example, and graded relevance, by hand.
2. A question without an answer counts as 0; the order given is the order measured.
3. Means can be taken over some questions.
4. The paired test agrees with sums over all sign patterns, and with a t-test on a larger sample.
"""

import math

import numpy as np
import pytest

from engine.evaluate.metrics import METRICS, average, compare_paired, measure_run


def test_one_relevant_document_at_place_two() -> None:
    values = measure_run({"q": {"b": 1}}, {"q": ["a", "b", "c"]})["q"]
    assert values["ndcg@10"] == pytest.approx(1 / math.log2(3))
    assert values["mrr@10"] == 0.5
    assert values["recall@10"] == 1.0
    assert values["p@5"] == pytest.approx(0.2)
    assert values["map@10"] == 0.5
    assert set(values) == set(METRICS)


def test_grades_weigh_in_ndcg() -> None:
    values = measure_run({"q": {"a": 1, "b": 2}}, {"q": ["a", "b"]})["q"]
    ideal = 2 + 1 / math.log2(3)
    assert values["ndcg@10"] == pytest.approx((1 + 2 / math.log2(3)) / ideal)


def test_no_answer_scores_zero() -> None:
    values = measure_run({"q": {"a": 1}, "r": {"b": 1}}, {"q": ["a"], "r": []})
    assert values["r"] == dict.fromkeys(METRICS, 0.0)
    assert average(values)["ndcg@10"] == 0.5
    assert average(values, ["q"])["ndcg@10"] == 1.0
    assert average(values, [])["ndcg@10"] == 0.0


def test_order_is_kept_among_many() -> None:
    documents = [f"d{number}" for number in range(100)]
    values = measure_run({"q": {"d99": 1}}, {"q": documents})["q"]
    assert values["recall@100"] == 1.0
    assert values["recall@10"] == 0.0


def test_paired_test_counts_sign_patterns() -> None:
    assert compare_paired([0.0, 0.0, 0.0], [0.1, 0.2, 0.3]) == pytest.approx(0.25)
    assert compare_paired([0.5, 0.5], [0.5, 0.5]) == 1.0


def test_paired_test_agrees_with_a_t_test_on_many_questions() -> None:
    from scipy.stats import ttest_rel  # type: ignore[import-untyped]  # ships no types

    chance = np.random.default_rng(7)
    first = chance.random(80)
    second = first + chance.normal(0.02, 0.1, 80)
    expected = float(ttest_rel(first, second).pvalue)
    assert compare_paired(first.tolist(), second.tolist()) == pytest.approx(expected, abs=0.02)
