"""What a person switches on shapes the list.

1. Switched off, the list stays as it was.
2. Signals raise a file whose name says it; the elbow cuts; copies go; variety comes.
3. A cross-encoder's opinion moves the first hits.
4. Folders compete fairly, a near one counts more; common words add; ordered rules decide.
5. Passages of a section that matches as a whole stand together.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.api import Engine
from engine.config import RankingSettings
from engine.search.combine import Fused
from engine.search.meaning import vectors_of
from engine.search.sections import join_sections
from engine.search.shape import Wish, shape_list
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
        Wish(settings, text, tuple((word,) for word in text.split())),
        fetch=lambda chunks: vectors_of(connection, graph(engine), chunks),
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
        Wish(OFF, "x"),
        fetch=lambda chunks: vectors_of(connection, graph(engine), chunks),
        judge=judge,
    )
    assert shaped[0].document_id == pool["compost.md"].document_id


def test_the_best_of_each_folder_counts_alike(tmp_path: Path, folder: Path) -> None:
    other = tmp_path / "Notes"
    other.mkdir()
    (other / "tram.txt").write_text("The tram stops at the river.", encoding="utf-8")
    with Engine.open(tmp_path / "home", write=True) as opened:
        opened.index(str(folder))
        opened.index(str(other))
        rows = opened.database.connection().execute("SELECT name, id FROM documents").fetchall()
        known = dict(rows)
        listed = [
            Fused(known[name], score, 1.0, 0.5, ())
            for name, score in (("roses.md", 0.8), ("compost.md", 0.4), ("tram.txt", 0.2))
        ]
        fair = shape(opened, listed, replace(OFF, per_root=True))
        near = shape(opened, listed, replace(OFF, near_folders=(str(other),)))
    # 0.8 and 0.4 stay as shares of the first root's best; 0.2 is its own root's best
    names = [name for one in fair for name, number in known.items() if number == one.document_id]
    assert names == ["roses.md", "tram.txt", "compost.md"]
    assert [one.score for one in fair] == pytest.approx([0.8, 0.8, 0.4])
    assert [one.score for one in near] == pytest.approx([0.8, 0.4, 0.3])


def test_common_words_and_numbers_add_to_the_score(engine: Engine, pool: dict[str, Fused]) -> None:
    names = ["roses.md", "budget 2025.txt"]
    listed = [replace(pool[name], score=0.5 - n / 100) for n, name in enumerate(names)]
    shaped = shape(engine, listed, replace(OFF, features=0.5), "2025")
    assert shaped[0].document_id == pool["budget 2025.txt"].document_id
    # terms of the passage: market, budget, 2025, forti, thousand, travel, cut (and stop words)
    assert shaped[0].score > 0.49 + 0.5 * 0.1


def test_rules_decide_before_scores(engine: Engine, pool: dict[str, Fused]) -> None:
    listed = [replace(pool["roses.md"], score=0.9), replace(pool["compost.md"], score=0.1)]
    ruled = replace(OFF, rules=("words", "sort"))
    by_words = shape(engine, listed, ruled, "old compost heap")  # one word against three
    assert [one.score for one in by_words] == [0.1, 0.9]
    by_score = shape(engine, listed[::-1], ruled, "old")  # one each: the score decides
    assert [one.score for one in by_score] == [0.9, 0.1]


def test_without_vectors_variety_comes_from_words(engine: Engine, pool: dict[str, Fused]) -> None:
    names = ["budget 2025.txt", "budget 2026.txt", "roses.md"]
    listed = [replace(pool[name], score=0.9 - n / 100) for n, name in enumerate(names)]
    shaped = shape_list(
        engine.database.connection(),
        listed,
        Wish(replace(OFF, diversity=0.3), "x"),
        fetch=lambda chunks: np.full((len(chunks), 1), np.nan, np.float32),
    )
    assert shaped[1].document_id == pool["roses.md"].document_id


def test_passages_of_a_whole_section_stand_together() -> None:
    # section 1: passages 11, 12; section 2: passages 21, 22, 23
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        """
        CREATE TABLE sections (id INTEGER, document_id INTEGER, parent_id INTEGER);
        CREATE TABLE chunks (id INTEGER, document_id INTEGER, section_id INTEGER, position INTEGER);
        INSERT INTO sections VALUES (1, 7, NULL), (2, 7, NULL);
        INSERT INTO chunks VALUES (11, 7, 1, 0), (12, 7, 1, 1), (21, 7, 2, 2), (22, 7, 2, 3),
            (23, 7, 2, 4);
        """
    )
    # 2 of 2 in section 1 are joined, in reading order; 1 of 3 in section 2 stays where it was
    assert join_sections(connection, 7, (12, 21, 11), 0.5) == (11, 12, 21)
    assert join_sections(connection, 7, (21, 12, 22), 0.5) == (21, 22, 12)
    assert join_sections(connection, 7, (21, 12, 22), 0.7) == (21, 12, 22)
    assert join_sections(connection, 7, (21,), 0.5) == (21,)
