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
from pathlib import Path

from engine.api import Engine, SearchRequest
from engine.config import Config, EmbeddingSettings
from engine.errors import InternalError

WORDS = tuple(f"word{number}" for number in range(4_000))
LOOK_SECONDS = 0.005
GIVE_UP_SECONDS = 30.0
EVERY_SECONDS = 0.15  # a file is written
LEAST = 10  # measurements, however fast the others are read


@dataclass(frozen=True, slots=True)
class Freshness:
    """Seconds from written to found, and how much was going on meanwhile."""

    p50: float
    p95: float
    worst: float
    measured: int
    others: int  # files of the bulk
    busy: int  # measurements that began while it was being read


def measure_freshness(
    others: int = 5_000, *, meaning: bool = True, words_each: int = 300
) -> Freshness:
    """Write files as long as `others` are being read; `meaning`: embedding runs as well."""
    with tempfile.TemporaryDirectory(prefix="sagasu-fresh-") as place:
        folder = Path(place) / "Documents"
        _fill(folder / "bulk", others, words_each)
        model = EmbeddingSettings() if meaning else EmbeddingSettings(model_path="/nowhere")
        config = Config(embedding=model)
        with Engine.open(Path(place) / "home", write=True, config=config) as engine:
            engine.start_keeping()
            engine.watch_root(str(folder))
            _wait_for(lambda: engine.status().documents > 0)
            waits, busy = _write_and_ask(engine, folder, others)
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


def _write_and_ask(engine: Engine, folder: Path, others: int) -> tuple[list[float], int]:
    """Write a file every so often, not waiting for those before; ask for all that are out."""
    waits: list[float] = []
    written: dict[str, float] = {}
    count, busy, end = 0, 0, time.monotonic() + GIVE_UP_SECONDS
    reading = True
    while written or reading or count < LEAST:
        now = time.monotonic()
        if now > end:
            raise InternalError()
        reading = reading and engine.status().documents < others
        due = not written or now - max(written.values()) > EVERY_SECONDS
        if due and (reading or count < LEAST):
            word = f"zq{count:04d}fresh"
            path = folder / f"new{count}.md"
            path.write_text(f"# New\n\nsomething {word}\n", encoding="utf-8")
            written[word] = time.monotonic()
            count, busy = count + 1, busy + reading
        for word in [one for one in written if _is_found(engine, one)]:
            waits.append(time.monotonic() - written.pop(word))
            end = time.monotonic() + GIVE_UP_SECONDS
        time.sleep(LOOK_SECONDS)
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
