"""The word benchmark measures what it says, on a collection small enough for every day.

1. Every kind of query is timed, beside tantivy where tantivy knows the kind.
2. Quick open is timed on a ledger with generated names.
3. A line says when a budget is missed.
"""

from pathlib import Path

from engine.api import Engine
from engine.evaluate.speed_words import Timing, bench_names, bench_words, write_zipf_text

WORDS = [
    "invoice", "report", "budget", "server", "database", "connection", "garden", "history", "music",
    "letter", "window", "market", "language", "science", "picture", "travel", "kitchen", "machine",
]  # fmt: skip


def test_every_kind_of_query_is_timed(tmp_path: Path) -> None:
    write_zipf_text(tmp_path / "text", 60, WORDS)
    lines: list[str] = []
    with Engine.open(tmp_path / "home", write=True) as engine:
        engine.index(str(tmp_path / "text"), embed=False)
        timings = bench_words(engine, lines.append, passages=1000, rounds=3)
        names = bench_names(engine, lines.append, names=300, rounds=3)
    assert len(timings) == 10
    assert len(lines) == 11
    assert all(0 < one.p50_ms <= one.p95_ms for one in (*timings, names))
    assert all(one.anchor_ms for one in timings if one.what != "NEAR")
    assert names.anchor_ms is None


def test_a_missed_budget_is_said() -> None:
    assert "over" in Timing("rare words", 10, 20, 12, 0.5).line()
    assert "over" not in Timing("rare words", 10, 11, 12, 0.5).line()
    assert Timing("rare words", 10, 11, 12, 0.5).ratio == 20
