"""A second opinion on the first hits, mixed by place."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from engine.rank.rerank import rerank


def judge(_question: str, passages: Sequence[str]) -> npt.NDArray[np.float32]:
    return np.array([float(passage) for passage in passages], np.float32)


def test_the_example_of_the_docstring_changes_places() -> None:
    order, scores = rerank("q", ["-2", "2"], [0.9, 0.8], judge)
    assert order == [1, 0]
    assert scores == pytest.approx([0.8202, 0.7048], abs=1e-4)


def test_the_rest_follows_below() -> None:
    order, scores = rerank("q", ["0", "0", "9"], [0.9, 0.8, 0.7], judge, count=2)
    assert order == [0, 1, 2]
    assert scores == sorted(scores, reverse=True)


def test_later_places_trust_the_judge_more() -> None:
    passages = ["0"] * 11 + ["9"]
    order, _ = rerank("q", passages, [0.5] * 12, judge, count=12)
    assert order[0] == 11


def test_nothing_to_judge() -> None:
    assert rerank("q", [], [], judge) == ([], [])
