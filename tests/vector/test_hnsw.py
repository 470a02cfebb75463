"""The vector graph.

1. It finds what an exact search finds: recall@10 at least 0.99.
2. Cosines are exact; vectors that are not finite are refused.
3. A snapshot that lacks vectors is topped up, one with too many is cut, a damaged one made anew.
4. A snapshot of another model is not used.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from engine.vector import VectorIndex, open_vector_index

DIMENSIONS = 64
Halves = npt.NDArray[np.float16]


def make_vectors(count: int, seed: int = 1) -> Halves:
    """Unit vectors that vary in a few directions, as those of texts do."""
    directions = np.random.default_rng(0).normal(size=(16, DIMENSIONS))
    random = np.random.default_rng(seed)
    points = random.normal(size=(count, 16)) @ directions
    points += 0.3 * random.normal(size=(count, DIMENSIONS))
    unit: Halves = (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float16)
    return unit


def open_with(
    path: Path, vectors: Halves, keys: Sequence[int], fingerprint: str = "m"
) -> VectorIndex:
    def fetch(ids: Sequence[int]) -> tuple[npt.NDArray[np.int64], Halves]:
        return np.array(ids, np.int64), vectors[np.array(ids) - 1]

    return open_vector_index(
        path,
        dimensions=DIMENSIONS,
        fingerprint=fingerprint,
        known=np.array(keys, np.int64),
        fetch=fetch,
    )


def test_the_graph_finds_what_an_exact_search_finds(tmp_path: Path) -> None:
    vectors = make_vectors(12_000)
    index = open_with(tmp_path / "v", vectors, range(1, 12_001))
    found = wanted = 0
    for query in make_vectors(60, seed=2).astype(np.float32):
        exact = set((np.argsort(-(vectors.astype(np.float32) @ query))[:10] + 1).tolist())
        keys, cosines = index.search(query, 10)
        assert (np.diff(cosines) <= 1e-6).all()
        found += len(exact & set(keys.tolist()))
        wanted += 10
    assert found / wanted >= 0.99


def test_cosines_are_exact_and_unknown_vectors_have_none(tmp_path: Path) -> None:
    vectors = make_vectors(100)
    index = open_with(tmp_path / "v", vectors, range(1, 101))
    query = vectors[6].astype(np.float32)
    cosines = index.cosines(query, np.array([7, 8, 999], np.int64))
    assert cosines[0] == pytest.approx(1.0, abs=2e-3)
    assert cosines[1] == pytest.approx(float(vectors[7].astype(np.float32) @ query), abs=1e-3)
    assert np.isnan(cosines[2])


def test_a_search_among_few_is_exact(tmp_path: Path) -> None:
    vectors = make_vectors(500)
    index = open_with(tmp_path / "v", vectors, range(1, 501))
    query = make_vectors(1, seed=3)[0].astype(np.float32)
    some = np.arange(100, 200, dtype=np.int64)
    keys, _ = index.search_among(query, some, 5)
    exact = some[np.argsort(-(vectors[some - 1].astype(np.float32) @ query))[:5]]
    assert keys.tolist() == exact.tolist()


def test_vectors_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    index = open_with(tmp_path / "v", make_vectors(1), [1])
    bad = make_vectors(1)
    bad[0, 3] = np.nan
    with pytest.raises(ValueError, match="not finite"):
        index.add(np.array([2], np.int64), bad)
    assert len(index) == 1


def test_a_snapshot_is_brought_level_with_the_database(tmp_path: Path) -> None:
    vectors = make_vectors(300)
    open_with(tmp_path / "v", vectors, range(1, 201)).save()
    index = open_with(tmp_path / "v", vectors, range(101, 301))
    assert sorted(index.keys().tolist()) == list(range(101, 301))


@pytest.mark.parametrize("damage", [b"", b"noise" * 100])
def test_a_damaged_snapshot_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    vectors = make_vectors(50)
    open_with(tmp_path / "v", vectors, range(1, 51)).save()
    (tmp_path / "v").write_bytes(damage)
    assert len(open_with(tmp_path / "v", vectors, range(1, 51))) == 50


def test_a_snapshot_of_another_model_is_not_used(tmp_path: Path) -> None:
    first, second = make_vectors(50, seed=1), make_vectors(50, seed=9)
    open_with(tmp_path / "v", first, range(1, 51), "old").save()
    index = open_with(tmp_path / "v", second, range(1, 51), "new")
    keys, cosines = index.search(second[10].astype(np.float32), 1)
    assert (keys[0], round(float(cosines[0]), 2)) == (11, 1.0)
