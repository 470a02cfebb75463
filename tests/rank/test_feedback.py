"""Feedback, concepts, hypothesis: by hand.

1. Only short or undecided questions are widened; terms are the most telling of the hits.
2. The guard stops an answer that has drifted.
3. Rocchio, the concept vocabulary and HyDE move the vector as their docstrings say.
"""

import numpy as np
import pytest

from engine.rank.concepts import choose_concepts, expand_query
from engine.rank.feedback import choose_terms, has_drifted, move_query, needs_feedback
from engine.rank.hypothesis import blend_hypothesis


def test_short_or_flat_questions_need_feedback() -> None:
    assert needs_feedback(4, [1.0, 0.2])
    assert needs_feedback(9, [0.51, 0.50, 0.52])
    assert not needs_feedback(9, [1.0, 0.2])


def test_terms_are_chosen_by_count_and_rarity() -> None:
    hits = [{"tax": 3, "the": 9, "form": 2}, {"tax": 1, "audit": 4}]
    found = choose_terms(hits, {"tax": 2.0, "form": 1.5, "audit": 1.0, "the": 0.0}, {"tax"})
    assert found.anchors == ("tax",)
    assert found.terms == ("audit", "form")  # 4.0 and 3.0; "the" is worth nothing


def test_the_guard_stops_drift() -> None:
    old = list(range(10))
    assert has_drifted(old, [0, 1, 2, *range(50, 57)])
    assert not has_drifted(old, [0, 1, 2, 3, *range(50, 56)])
    assert not has_drifted([], [1])


def test_rocchio_moves_the_query() -> None:
    query = np.array([1.0, 0.0], np.float32)
    hits = np.array([[0.0, 1.0]], np.float32)
    assert move_query(query, hits).tolist() == pytest.approx([0.894, 0.447], abs=0.001)
    assert move_query(query, hits[:0]).tolist() == [1.0, 0.0]


def test_concepts_are_frequent_words() -> None:
    counts = {"invoice": 5, "rare": 2, "the": 90, "2026": 9, "ab": 9, "tax": 7}
    assert choose_concepts(counts, {"the"}) == ("tax", "invoice")


def test_a_query_is_widened_by_near_concepts() -> None:
    query = np.array([1.0, 0.0], np.float32)
    vectors = np.array([[0.71, 0.0], [0.55, 0.0], [0.48, 0.0], [0.9, 0.0]], np.float32)
    found = expand_query(query, ["bill", "receipt", "dog", "invoice"], vectors, {"invoice"})
    assert [term for term, _ in found] == ["bill", "receipt"]
    assert expand_query(query, [], vectors[:0]) == []


def test_a_hypothesis_replaces_or_joins_the_question() -> None:
    question = np.array([1.0, 0.0], np.float32)
    hypothesis = np.array([0.0, 1.0], np.float32)
    assert blend_hypothesis(question, hypothesis).tolist() == [0.0, 1.0]
    mixed = blend_hypothesis(question, hypothesis, share=0.75)
    assert mixed.tolist() == pytest.approx([0.316, 0.949], abs=0.001)
