"""How soon is a written file found? Measured while thousands of others are being indexed.

A folder of 5,000 files is given to a keeper with the settings that people have (400 ms of quiet);
while it reads them, small files are written one after the other, and each is asked for by a word
that only it has until it is found. The time runs from the end of the write to the answer.
"""

import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engine.api import Engine, SearchRequest
from engine.config import Config, EmbeddingSettings
from engine.errors import InternalError

WORDS = tuple(f"word{number}" for number in range(4_000))
LOOK_SECONDS = 0.005
GIVE_UP_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Freshness:
    """Seconds from written to found, and how much was going on meanwhile."""

    p50: float
    p95: float
    worst: float
    measured: int
    others: int  # files of the bulk
    busy: int  # measurements that ended while the bulk was still being read


def measure_freshness(
    others: int = 5_000, writes: int = 40, *, meaning: bool = True, words_each: int = 300
) -> Freshness:
    """Write `writes` files while `others` are indexed; `meaning`: embedding runs as well."""
    with tempfile.TemporaryDirectory(prefix="sagasu-fresh-") as place:
        folder = Path(place) / "Documents"
        _fill(folder / "bulk", others, words_each)
        model = EmbeddingSettings() if meaning else EmbeddingSettings(model_path="/nowhere")
        config = Config(embedding=model)
        with Engine.open(Path(place) / "home", write=True, config=config) as engine:
            engine.start_keeping()
            engine.watch_root(str(folder))
            _wait_for(lambda: engine.status().documents > 0)
            waits, busy = _write_and_ask(engine, folder, writes, others)
    waits.sort()
    return Freshness(
        waits[len(waits) // 2],
        waits[min(len(waits) - 1, int(len(waits) * 0.95))],
        waits[-1],
        len(waits),
        others,
        busy,
    )


def _fill(folder: Path, count: int, words_each: int) -> None:
    chance = random.Random(1)
    for number in range(count):
        place = folder / f"part{number % 50}"
        place.mkdir(parents=True, exist_ok=True)
        text = " ".join(chance.choices(WORDS, k=words_each))
        (place / f"{number}.md").write_text(f"# Note {number}\n\n{text}\n", encoding="utf-8")


def _write_and_ask(
    engine: Engine, folder: Path, writes: int, others: int
) -> tuple[list[float], int]:
    waits: list[float] = []
    busy = 0
    for number in range(writes):
        word = f"zq{number:04d}fresh"
        (folder / f"new{number}.md").write_text(f"# New\n\nsomething {word}\n", encoding="utf-8")
        started = time.monotonic()
        _wait_for(partial(_is_found, engine, word))
        waits.append(time.monotonic() - started)
        busy += engine.status().documents < others
    return waits, busy


def _is_found(engine: Engine, word: str) -> bool:
    ask = SearchRequest(word, mode="boolean", limit=1, semantic_enabled=False, plain_filters=False)
    return bool(engine.search(ask).results)


def _wait_for(true: Callable[[], bool]) -> None:
    end = time.monotonic() + GIVE_UP_SECONDS
    while not true():
        if time.monotonic() > end:
            raise InternalError()
        time.sleep(LOOK_SECONDS)
