"""What a person switches on shapes the list.

1. Switched off, the list stays as it was.
2. Signals raise a file whose name says it; the elbow cuts; copies go; variety comes.
3. A cross-encoder's opinion moves the first hits.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.api import Engine
from engine.config import RankingSettings
from engine.search.combine import Fused
from engine.search.meaning import vectors_of
from engine.search.shape import shape_list
from engine.vector import VectorIndex

OFF = RankingSettings()


@pytest.fixture
def pool(engine: Engine) -> dict[str, Fused]:
    """Every document with its first passage, all of one score."""
    rows = engine.database.connection().execute(
        "SELECT name, document_id, min(chunks.id) FROM chunks "
        "JOIN documents ON documents.id = document_id GROUP BY document_id ORDER BY document_id"
    )
    return {name: Fused(document, 0.5, 1.0, 0.5, (chunk,)) for name, document, chunk in rows}


def graph(engine: Engine) -> VectorIndex:
    index = engine.vectors()
    assert index is not None
    return index


def shape(
    engine: Engine, fused: Sequence[Fused], settings: RankingSettings, text: str = "x"
) -> list[Fused]:
    connection = engine.database.connection()
    return shape_list(
        connection,
        list(fused),
        settings,
        text=text,
        terms=tuple(text.split()),
        fetch=lambda chunks: vectors_of(connection, graph(engine), chunks),
        judge=None,
    )


def test_switched_off_the_list_stays(engine: Engine, pool: dict[str, Fused]) -> None:
    assert shape(engine, list(pool.values()), OFF) == list(pool.values())


def test_signals_raise_the_file_that_is_named(engine: Engine, pool: dict[str, Fused]) -> None:
    settings = replace(OFF, signals=0.5)
    shaped = shape(engine, list(pool.values()), settings, "travel")
    assert shaped[0].document_id == pool["travel.md"].document_id


def test_the_elbow_cuts_where_scores_fall(engine: Engine, pool: dict[str, Fused]) -> None:
    scores = (0.9, 0.8, 0.1)
    falling = [replace(one, score=s) for one, s in zip(pool.values(), scores, strict=False)]
    assert len(shape(engine, falling, replace(OFF, elbow_ratio=0.5))) == 2


def test_copies_go_and_variety_comes(engine: Engine, pool: dict[str, Fused]) -> None:
    names = ["budget 2025.txt", "budget 2026.txt", "roses.md"]
    listed = [replace(pool[name], score=0.9 - n / 100) for n, name in enumerate(names)]
    without = shape(engine, listed, replace(OFF, duplicate_cosine=0.8))
    assert [one.document_id for one in without] == [listed[0].document_id, listed[2].document_id]
    varied = shape(engine, listed, replace(OFF, diversity=0.3))
    assert [one.document_id for one in varied][1] == listed[2].document_id


def test_a_cross_encoders_opinion_moves_the_first_hits(
    engine: Engine, pool: dict[str, Fused]
) -> None:
    connection = engine.database.connection()

    def judge(text: str, passages: Sequence[str]) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
        return np.array([9.0 if "compost" in one else -9.0 for one in passages], np.float32)

    shaped = shape_list(
        connection,
        list(pool.values()),
        OFF,
        text="x",
        terms=(),
        fetch=lambda chunks: vectors_of(connection, graph(engine), chunks),
        judge=judge,
    )
    assert shaped[0].document_id == pool["compost.md"].document_id
