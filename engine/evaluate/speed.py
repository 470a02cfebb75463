"""How fast is it? Runs the measurements by name, each beside something bare in the same run."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.api import Engine
from engine.errors import InvalidValueError
from engine.evaluate.figures import Figure, Say, print_table
from engine.evaluate.speed_fresh import measure_freshness
from engine.evaluate.speed_ingest import bench_ingest
from engine.evaluate.speed_search import bench_growth, bench_search
from engine.evaluate.speed_words import (
    Timing,
    bench_names,
    bench_words,
    read_words,
    write_zipf_text,
)

Part = Callable[[int, Say], list[Figure]]  # how many documents (0: the usual), where remarks go


def run_benchmarks(
    parts: tuple[str, ...], documents: int, write_json: Callable[[Any], None] | None, say: Say
) -> None:
    """Run the named parts (all when none is named): a table each, or one JSON object."""
    for name in parts:
        if name not in PARTS:
            known = ", ".join(PARTS)
            raise InvalidValueError(
                name="bench", problem=f"no part “{name}”", fix=f"Parts: {known}."
            )
    found: dict[str, list[dict[str, Any]]] = {}
    for name in parts or tuple(PARTS):
        figures = PARTS[name](documents, _be_quiet if write_json else say)
        if write_json is None:
            print_table(name, figures, say)
        found[name] = [one.to_json() for one in figures]
    if write_json is not None:
        write_json(found)


def _be_quiet(line: str) -> None:
    """Remarks have no place in JSON."""


def _measure_words(documents: int, say: Say) -> list[Figure]:
    """Every kind of word query beside tantivy, on 100,000 generated passages."""
    with (
        tempfile.TemporaryDirectory(prefix="sagasu-bench-") as place,
        Engine.open(Path(place) / "home", write=True) as engine,
    ):
        folder = Path(place) / "Documents"
        words = read_words(Path(engine.recipe().tokenizer) / "tokenizer.json")
        write_zipf_text(folder, documents or 100_000, words)
        engine.index(str(folder), embed=False)
        timings = bench_words(engine, _be_quiet)
        names = bench_names(engine, _be_quiet)
    return [_figure(one) for one in (*timings, names)]


def _figure(timing: Timing) -> Figure:
    late = "" if timing.p95_ms <= timing.budget_ms else f", over its {timing.budget_ms:.0f} ms"
    return Figure(
        timing.what,
        timing.p50_ms,
        "ms",
        "tantivy",
        timing.anchor_ms,
        note=f"p95 {timing.p95_ms:.1f} ms{late}",
    )


def _measure_freshness(documents: int, say: Say) -> list[Figure]:
    """From the end of a write to its being found, while thousands of files are read."""
    found = measure_freshness(documents or 5_000)
    note = f"{found.measured} files, {found.busy} of them while {found.others:,} others were read"
    return [
        Figure("written to found, p50", found.p50, "s", note=note),
        Figure("written to found, p95", found.p95, "s"),
    ]


PARTS: dict[str, Part] = {
    "ingest": bench_ingest,
    "words": _measure_words,
    "search": bench_search,
    "growth": bench_growth,
    "fresh": _measure_freshness,
}
