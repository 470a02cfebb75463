"""Confidence: spreads, keeps the order, and says when there is nothing."""

import math

import numpy as np
import pytest

from engine.rank.calibrate import calibrate, is_nothing, score_confidence

NAN = float("nan")


def test_the_medians_of_the_docstring() -> None:
    found = score_confidence(np.array([0.63, 0.20]), np.array([0.57, 0.20]))
    assert found[0] == pytest.approx(1 / (1 + math.exp(7 - 12 * 0.63 - 4.5 * 0.57)))
    assert found[0] > 0.95
    assert found[1] < 0.03


def test_words_alone_when_there_is_no_cosine() -> None:
    found = score_confidence(np.array([NAN, 0.9]), np.array([0.5, 0.5]), reads=0.0)
    assert found == pytest.approx([1 / (1 + math.exp(-1.0))] * 2)


def test_a_paraphrase_needs_no_common_word() -> None:
    found = score_confidence(np.array([0.4]), np.array([0.0]))
    assert found[0] == pytest.approx(1 / (1 + math.exp(6.5 - 14 * 0.4)))


def test_every_word_there_is_never_noise() -> None:
    assert score_confidence(np.array([0.0]), np.array([1.0]))[0] == 0.5


def test_no_word_and_no_cosine_is_nothing_and_unknown_is_not_doubted() -> None:
    assert score_confidence(np.array([NAN]), np.array([0.0]))[0] == 0.0
    assert score_confidence(np.array([NAN]), np.array([NAN]))[0] == 1.0


def test_the_best_gets_the_confidence_and_the_rest_their_share() -> None:
    found = calibrate(np.array([0.4, 0.8, 0.2]), np.array([0.9, 0.5, 0.1]))
    assert found == pytest.approx([0.45, 0.9, 0.225])
    assert calibrate(np.array([0.0]), np.array([0.5])).tolist() == [0.0]
    assert calibrate(np.array([]), np.array([])).tolist() == []


def test_nothing_relevant() -> None:
    assert is_nothing(np.array([0.01, 0.02]))
    assert not is_nothing(np.array([0.01, 0.06]))
    assert is_nothing(np.array([0.01, 0.06]), least=0.07)
    assert is_nothing(np.array([]))
