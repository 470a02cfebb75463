"""How fast is an answer? Warm in this process, cold in a new one, and how it grows.

Documents are generated, and so are their vectors: random ones of unit length, which are the worst
case for the graph. Beside a hybrid answer stands the sum of its bare parts: the postings' ranking,
the model on the query and the graph.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from engine.api import Engine, SearchRequest
from engine.errors import InternalError
from engine.evaluate.figures import Figure, Say, read_memory
from engine.evaluate.speed_words import read_words

SMALL, LARGE = 5_000, 100_000
ROUNDS = 100
WORDS_EACH = 60
ZIPF = 1.05
SEED = 7
_AT_ONCE = 2_000
_PUT_VECTOR = "UPDATE vectors SET vector = ? WHERE id = ?"
_WAITING = "SELECT id FROM vectors WHERE vector IS NULL"
_KNOWN = "SELECT term FROM vocabulary"
_TEXTS = "SELECT text FROM chunks ORDER BY id LIMIT ?"


def bench_search(documents: int, say: Say) -> list[Figure]:
    """Warm and cold answers on a small collection."""
    with _filled(documents or SMALL) as (engine, home):
        asked = make_questions(engine)
        warm = time_each(lambda text: engine.search(SearchRequest(text)), asked)
        bare = _time_bare(engine, asked)
        own, mapped = read_memory()
        cold = [_run_cold(home, text) for text in asked[:3]]
    return [
        Figure(
            "hybrid answer, p50",
            float(np.median(warm)),
            "ms",
            "its bare parts",
            float(np.median(bare)),
            note=f"p95 {np.percentile(warm, 95):.1f} ms",
        ),
        Figure("hybrid answer, p50", float(np.median(warm)), "ms", goal=10, at_most=True),
        Figure("sagasu search, new process", min(cold), "s", goal=1.0, at_most=True),
        Figure("memory, its own", own, "MB"),
        Figure("memory, mapped", mapped, "MB"),
    ]


def bench_growth(documents: int, say: Say) -> list[Figure]:
    """The same answers on a tenth and on all of a large collection."""
    large = documents or LARGE
    figures: list[Figure] = []
    before: float | None = None
    for count in (large // 10, large):
        with _filled(count) as (engine, _):
            asked = make_questions(engine)
            warm = time_each(lambda text: engine.search(SearchRequest(text)), asked)
            bare = _time_bare(engine, asked)
            own, mapped = read_memory()
        p50 = float(np.median(warm))
        note = f"p95 {np.percentile(warm, 95):.1f} ms; {own:.0f} MB own, {mapped:.0f} MB mapped"
        title = f"hybrid answer, {count:,} documents"
        figures.append(
            Figure(title, p50, "ms", "its bare parts", float(np.median(bare)), note=note)
        )
        if before is not None:
            figures.append(Figure("ten times the documents", p50, "ms", f"{count // 10:,}", before))
        before = p50
    return figures


@contextmanager
def _filled(documents: int) -> Iterator[tuple[Engine, Path]]:
    """A reader on a throw-away index of so many documents, and its home."""
    with tempfile.TemporaryDirectory(prefix="sagasu-bench-") as place:
        home = Path(place) / "home"
        # In another process: the memory of this one is to be that of a service that answers.
        filling = get_context("spawn").Process(target=_fill, args=(Path(place), home, documents))
        filling.start()
        filling.join()
        if filling.exitcode:
            raise InternalError(problem="the index to be measured was not made")
        with Engine.open(home) as engine:
            yield engine, home


def _fill(place: Path, home: Path, documents: int) -> None:
    with Engine.open(home, write=True) as engine:
        words = read_words(Path(engine.recipe().tokenizer) / "tokenizer.json")
        write_notes(place / "Documents", documents, words)
        engine.index(str(place / "Documents"), embed=False)
    with Engine.open(home, write=True) as engine:  # opened anew: the graph takes the vectors in
        fill_vectors(engine)
        engine.settle()
        engine.searcher().save_snapshots(always=True)


def write_notes(folder: Path, count: int, words: Sequence[str]) -> None:
    """Small text files, their words drawn by Zipf's law."""
    draw = np.random.default_rng(SEED)
    ranks = 1.0 / np.arange(1, len(words) + 1) ** ZIPF
    limits = np.cumsum(ranks / ranks.sum())
    for number in range(count):
        place = folder / f"{number // 1000:03}"
        if number % 1000 == 0:
            place.mkdir(parents=True)
        picked = limits.searchsorted(draw.random(WORDS_EACH)).clip(max=len(words) - 1)
        text = " ".join(words[one] for one in picked.tolist())
        (place / f"note {number}.txt").write_text(text, encoding="utf-8")


def fill_vectors(engine: Engine) -> int:
    """Give every waiting passage a random vector; how many there were."""
    embedder = engine.embedder()
    if embedder is None:
        return 0
    draw = np.random.default_rng(SEED)
    waiting = [row[0] for row in engine.database.connection().execute(_WAITING).fetchall()]
    for start in range(0, len(waiting), _AT_ONCE):
        batch = waiting[start : start + _AT_ONCE]
        rows = draw.standard_normal((len(batch), embedder.dimensions), np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        halves = rows.astype(np.float16)
        with engine.database.write() as connection:
            pairs = zip(halves, batch, strict=True)
            connection.executemany(_PUT_VECTOR, ((half.tobytes(), one) for half, one in pairs))
    return len(waiting)


def make_questions(engine: Engine, rounds: int = ROUNDS) -> list[str]:
    """Two to four words of a passage each, as somebody asks who knows that it is there."""
    connection = engine.database.connection()
    # Terms of the index as they stand, so that the bare parts can be asked for the same.
    known = {row[0] for row in connection.execute(_KNOWN) if len(row[0]) > 4}
    chance = random.Random(SEED)
    passages = [row[0] for row in connection.execute(_TEXTS, (rounds * 2,))]
    questions: list[str] = []
    while len(questions) < rounds:
        usable = sorted({word for word in chance.choice(passages).split() if word in known})
        questions.append(" ".join(chance.sample(usable, min(chance.randint(2, 4), len(usable)))))
    return questions


def time_each(ask: Callable[[str], object], asked: Sequence[str]) -> list[float]:
    """Milliseconds of each question; a few others warm up first."""
    for one in asked[:3]:
        ask(f"{one} first")
    spent: list[float] = []
    for one in asked:
        began = time.perf_counter()
        ask(one)
        spent.append((time.perf_counter() - began) * 1000)
    return spent


def _time_bare(engine: Engine, asked: Sequence[str]) -> list[float]:
    """The postings' ranking, the model and the graph, one after the other."""
    keyword, embedder, vectors = engine.searcher().keyword, engine.embedder(), engine.vectors()

    def ask(text: str) -> None:
        words = text.split()
        keyword.rank_words([keyword.word(word, (word,)) for word in words])
        if embedder is not None and vectors is not None:
            turned = " ".join(reversed(words))  # as asked it is remembered from the warm answers
            vectors.search(embedder.embed_query(turned), 100)

    return time_each(ask, asked)


def _run_cold(home: Path, text: str) -> float:
    """Seconds of one `sagasu search` in a process of its own."""
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "engine.cli.main", "search", text],
        env={**os.environ, "SAGASU_HOME": str(home)},
        capture_output=True,
        check=True,
    )
    return time.perf_counter() - began
