"""The measurements measure what they say, on collections small enough for every day.

1. Each part gives figures with positive values, and the table names them.
2. A ratio is this over what stands beside it; a missed goal is said.
3. An unknown part is refused by name; JSON holds every figure.
"""

from pathlib import Path
from typing import Any

import pytest

from engine.api import Engine
from engine.errors import InvalidValueError
from engine.evaluate import speed_ingest, speed_search
from engine.evaluate.figures import Figure, print_table, read_memory
from engine.evaluate.speed import PARTS, run_benchmarks
from engine.evaluate.speed_ingest import bench_ingest, prepare_folder


def silent(line: str) -> None:
    pass


def test_the_pass_over_a_folder_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speed_ingest, "CORPUS", tmp_path / "none")
    monkeypatch.setattr(speed_ingest, "MEANING_PASSAGES", 16)
    monkeypatch.setenv("PATH", "")  # without Recoll
    lines: list[str] = []
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    figures = {one.what: one for one in bench_ingest(12, lines.append)}
    assert {"words", "unchanged files", "meaning"} <= set(figures)
    assert all(one.value > 0 for one in figures.values())
    assert figures["meaning"].ratio
    assert any("Recoll" in line for line in lines)


def test_a_sample_of_a_collection_keeps_so_many_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speed_ingest, "CORPUS", tmp_path / "none")
    with Engine.open(tmp_path / "home", write=True) as engine:
        assert prepare_folder(engine, tmp_path / "files", 7) == 7
    assert sum(path.is_file() for path in (tmp_path / "files").rglob("*")) == 7


def test_answers_are_measured_warm_and_cold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed_search, "ROUNDS", 4)
    figures = speed_search.bench_search(40, silent)
    assert [one.unit for one in figures] == ["ms", "ms", "s", "MB", "MB"]
    assert all(one.value > 0 for one in figures)
    assert figures[0].ratio


def test_growth_compares_a_tenth_with_the_whole() -> None:
    figures = speed_search.bench_growth(100, silent)
    assert [one.what for one in figures][:2] == [
        "hybrid answer, 10 documents",
        "hybrid answer, 100 documents",
    ]
    assert figures[2].ratio


@pytest.mark.parametrize(
    ("figure", "met"),
    [
        pytest.param(Figure("a", 480, "/s", "b", 400, goal=1.0), True, id="ratio reached"),
        pytest.param(Figure("a", 300, "/s", "b", 400, goal=1.0), False, id="ratio missed"),
        pytest.param(Figure("a", 25, "µs", goal=60, at_most=True), True, id="small enough"),
        pytest.param(Figure("a", 61, "µs", goal=60, at_most=True), False, id="too large"),
        pytest.param(Figure("a", 61, "µs"), None, id="no goal"),
    ],
)
def test_a_missed_goal_is_said(figure: Figure, met: bool | None) -> None:
    lines: list[str] = []
    print_table("part", [figure], lines.append)
    assert figure.is_met is met
    assert ("MISSED" in lines[1]) is (met is False)


def test_an_unknown_part_is_refused() -> None:
    with pytest.raises(InvalidValueError, match="quickness") as caught:
        run_benchmarks(("quickness",), 0, None, silent)
    assert all(part in caught.value.advice for part in PARTS)


def test_json_holds_every_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PARTS, "ingest", lambda documents, say: [Figure("x", documents, "files")])
    found: list[Any] = []
    run_benchmarks(("ingest",), 3, found.append, silent)
    assert found[0]["ingest"][0]["value"] == 3


def test_memory_of_its_own_and_mapped_are_told_apart() -> None:
    own, mapped = read_memory()
    assert own > 1
    assert mapped >= 0
