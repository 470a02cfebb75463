"""The share of meaning.

1. Clarity is how far the list has fallen at its tenth place.
2. The docstring's example; bounds; few words; foreign hits; intents.
3. ragdocs' rule halves a side that hardly varies.
"""

import numpy as np
import pytest

from engine.rank.weights import (
    Tuning,
    choose_share,
    measure_certainty,
    measure_clarity,
    weigh_variance,
)

FLAT = np.linspace(10.0, 7.0, 10)  # clarity 0.3
STEEP = np.array([10.0] + [1.0] * 11)  # clarity 0.9


def test_clarity_is_the_fall_to_the_tenth() -> None:
    assert measure_clarity(FLAT) == pytest.approx(0.3)
    assert measure_clarity(STEEP) == pytest.approx(0.9)
    assert measure_clarity(np.array([5.0, 4.0])) == 1.0
    assert measure_clarity(np.array([])) == 0.0


def test_the_example_of_the_docstring() -> None:
    share = choose_share(FLAT, words=4)
    assert share.meaning == pytest.approx(0.5 + 0.6 * 0.15 + 0.3 * 2 / 3)
    assert [what for what, _ in share.steps][:2] == ["set", "words 0.30 clear"]


def test_clear_words_lead_down_to_the_bound() -> None:
    assert choose_share(STEEP, words=9).meaning == pytest.approx(0.5)


def test_the_upper_bound_holds() -> None:
    assert choose_share(np.full(20, 3.0), words=2).meaning == pytest.approx(0.88)


def test_words_that_hold_little_are_not_believed() -> None:
    assert measure_certainty(0.2) == pytest.approx(0.4)
    assert measure_certainty(0.8) == 1.0
    assert measure_certainty(0.8, fuzzy=True) == 0.5
    believed = choose_share(STEEP, words=9).meaning
    doubted = choose_share(STEEP, words=9, certainty=0.4).meaning
    assert believed == pytest.approx(0.5)  # 0.5 + 0.6 · (0.45 - 0.9), cut
    assert doubted == pytest.approx(0.5 + 0.6 * (0.45 - 0.36))


def test_foreign_hits_take_from_meaning() -> None:
    whole = choose_share(FLAT, words=9).meaning
    assert choose_share(FLAT, words=9, foreign=1.0).meaning == pytest.approx(0.3 * whole)
    assert choose_share(FLAT, words=9, foreign=0.5).meaning == pytest.approx(0.65 * whole)


def test_facts_and_numbers_lean_on_words() -> None:
    plain = choose_share(FLAT, words=9).meaning
    factual = choose_share(FLAT, words=9, intent="factual").meaning
    assert factual == pytest.approx(plain / (plain + 1.5 * (1 - plain)))
    assert choose_share(FLAT, words=9, intent="numeric").meaning < factual < plain


def test_tuning_is_obeyed() -> None:
    rule = Tuning(share=0.4, slope=0.0, short=0.0)
    assert choose_share(FLAT, words=1, tuning=rule).meaning == pytest.approx(0.4)


def test_muddy_scores_lose_half_their_weight() -> None:
    assert weigh_variance(np.array([0.9, 0.5]), 1.0) == pytest.approx(0.5)
    assert weigh_variance(np.array([1.0, 0.0]), 1.0) == 1.0
    assert weigh_variance(np.array([]), 0.7) == 0.7
