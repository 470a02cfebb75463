"""Diversity and copies.

1. MMR takes the unlike hit before the copy, by cosine and by common terms.
2. Copies fall out: by key, by word runs, by vectors; the better hit stays.
"""

import numpy as np

from engine.rank.diversify import (
    cut_ngrams,
    drop_copies,
    drop_ngrams,
    drop_similar,
    hash_content,
    measure_jaccard,
    spread_terms,
    spread_vectors,
)

VECTORS = np.array([[1, 0], [1, 0], [0, 1]], np.float32)


def test_jaccard_counts_common_members() -> None:
    assert measure_jaccard(frozenset("abc"), frozenset("bcd")) == 0.5
    assert measure_jaccard(frozenset[str](), frozenset[str]()) == 0.0


def test_the_unlike_hit_comes_before_the_copy() -> None:
    assert spread_vectors([0.9, 0.8, 0.7], VECTORS) == [0, 2, 1]
    terms = [frozenset("ab"), frozenset("ab"), frozenset("cd")]
    assert spread_terms([0.9, 0.8, 0.7], terms) == [0, 2, 1]


def test_balance_one_keeps_the_order_and_limit_cuts() -> None:
    assert spread_vectors([0.9, 0.8, 0.7], VECTORS, balance=1.0) == [0, 1, 2]
    assert spread_vectors([0.9, 0.8, 0.7], VECTORS, limit=2) == [0, 2]
    assert spread_terms([], []) == []


def test_exact_copies_fall_out() -> None:
    keys = [hash_content("Hello  World"), hash_content("other"), hash_content("hello world\n")]
    assert drop_copies(keys) == [0, 1]


def test_near_copies_fall_out_by_word_runs() -> None:
    long = [f"w{number}" for number in range(20)]
    grams = [cut_ngrams(long), cut_ngrams([*long[:-1], "changed"]), cut_ngrams(["a", "b"])]
    # 18 runs each, 17 in common: 17 / 19 = 0.89
    assert drop_ngrams(grams) == [0, 2]
    assert drop_ngrams(grams, threshold=0.9) == [0, 1, 2]


def test_near_copies_fall_out_by_meaning() -> None:
    assert drop_similar(VECTORS) == [0, 2]
