"""Where common words stand together, in the token stream.

1. Neighbours in order, and pairs within a distance, are those that a plain loop finds.
2. Nothing stands together across two columns, nor is missed where two blocks meet.
3. Pairs are those that the NEAR of FTS5 finds.
"""

import random
import sqlite3
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.keyword import stream

Columns = list[list[int]]
COLUMNS = st.lists(st.lists(st.integers(1, 3), max_size=9), max_size=12)


def lay(columns: Columns) -> tuple[np.ndarray, np.ndarray]:
    tokens = np.array([term for one in columns for term in one], np.uint8)
    return tokens, np.cumsum([len(one) for one in columns], dtype=np.int64)


def has_sequence(column: Sequence[int], sequence: Sequence[int]) -> bool:
    size = len(sequence)
    starts = range(len(column) - size + 1)
    return any(list(column[at : at + size]) == list(sequence) for at in starts)


def has_near(column: Sequence[int], pair: tuple[int, int], distance: int) -> bool:
    ones = [at for at, term in enumerate(column) if term == pair[0]]
    others = [at for at, term in enumerate(column) if term == pair[1]]
    return any(abs(one - other) <= distance + 1 for one in ones for other in others)


@pytest.mark.parametrize("block", [1, 4, 1 << 18])
@given(columns=COLUMNS, sequence=st.lists(st.integers(1, 3), min_size=1, max_size=4))
def test_neighbours_are_those_of_a_plain_loop(
    block: int, columns: Columns, sequence: list[int]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "BLOCK", block)
        found = stream.sequence_columns(*lay(columns), sequence)
    wanted = [place for place, one in enumerate(columns) if has_sequence(one, sequence)]
    assert found.tolist() == wanted


@pytest.mark.parametrize("block", [1, 4, 1 << 18])
@given(columns=COLUMNS, one=st.integers(1, 4), other=st.integers(1, 4), distance=st.integers(0, 7))
def test_pairs_are_those_of_a_plain_loop(
    block: int, columns: Columns, one: int, other: int, distance: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "BLOCK", block)
        found = stream.near_columns(*lay(columns), (one, other), distance=distance)
    wanted = [
        place for place, column in enumerate(columns) if has_near(column, (one, other), distance)
    ]
    assert found.tolist() == wanted


def test_a_long_reach_does_not_run_into_a_far_column() -> None:
    columns = [[1], *([9] for _ in range(255)), [2], [1, *[9] * 300, 2]]
    assert stream.near_columns(*lay(columns), (1, 2), distance=400).tolist() == [257]
    assert stream.near_columns(*lay(columns), (1, 2), distance=299).tolist() == []


@pytest.mark.parametrize("distance", [0, 1, 5])
def test_pairs_are_those_of_fts5(distance: int) -> None:
    chance = random.Random(distance)
    columns = [[chance.randint(1, 6) for _ in range(chance.randint(0, 12))] for _ in range(400)]
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE VIRTUAL TABLE t USING fts5(body)")
    rows = [(place + 1, " ".join(f"w{term}" for term in one)) for place, one in enumerate(columns)]
    connection.executemany("INSERT INTO t (rowid, body) VALUES (?, ?)", rows)
    for one, other in ((1, 2), (3, 3), (5, 4)):
        asked = f"NEAR(w{one} w{other}, {distance})"
        wanted = connection.execute("SELECT rowid - 1 FROM t WHERE t MATCH ?", (asked,)).fetchall()
        found = stream.near_columns(*lay(columns), (one, other), distance=distance)
        assert found.tolist() == sorted(row[0] for row in wanted)
    connection.close()
