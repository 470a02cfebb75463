"""How fast does a folder become searchable? Beside Recoll for words, beside the bare model for
meaning, on the same files in the same run.

The files are a collection that stands beside the project when there is one, else generated text.
"""

import os
import resource
import shutil
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.api import Engine
from engine.evaluate.figures import Figure, Say, read_memory
from engine.evaluate.speed_words import read_words, write_zipf_text

if TYPE_CHECKING:
    import onnxruntime

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "corpus-20k.tar.xz"
GENERATED_FILES = 4_000
MEANING_PASSAGES = 1_024
TURNS = 4
BATCH_TOKENS = 512
PASSAGES_EACH = 5
_WAITING = """
SELECT chunks.trail, chunks.text FROM vectors
JOIN chunks ON chunks.id = (SELECT min(id) FROM chunks WHERE vector_id = vectors.id)
WHERE vectors.vector IS NULL ORDER BY vectors.priority DESC, vectors.id LIMIT ?
"""


@dataclass(slots=True)
class Spent:
    """Time that went by, and processor time of this process and those it started."""

    seconds: float = 0.0
    cpu: float = 0.0


@contextmanager
def spending() -> Iterator[Spent]:
    """Measures what happens inside; processes count once they have ended."""
    spent = Spent()
    began, used = time.perf_counter(), _used()
    try:
        yield spent
    finally:
        spent.seconds, spent.cpu = time.perf_counter() - began, _used() - used


def _used() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


def bench_ingest(documents: int, say: Say) -> list[Figure]:
    """Words, an unchanged folder and meaning, on `documents` files (0: all there are)."""
    with tempfile.TemporaryDirectory(prefix="sagasu-bench-") as place:
        folder = Path(place) / "Documents"
        with Engine.open(Path(place) / "home", write=True) as engine:
            files = prepare_folder(engine, folder, documents)
            say(f"{files:,} files")
            figures = _measure_words(engine, folder, files, say)
            figures.append(_measure_rescan(engine, folder, files))
            figures += _measure_meaning(engine, say)
    return figures


def prepare_folder(engine: Engine, folder: Path, documents: int) -> int:
    """Fills `folder` and returns how many files it has."""
    if CORPUS.exists():
        with tarfile.open(CORPUS) as archive:
            files = sorted((one for one in archive if one.isfile()), key=lambda one: one.name)
            count = min(documents or len(files), len(files))
            chosen = [files[len(files) * place // count] for place in range(count)]
            chosen.sort(key=lambda one: one.offset)  # going back would unpack all anew each time
            archive.extractall(folder, members=chosen, filter="data")
        return count
    words = read_words(Path(engine.recipe().tokenizer) / "tokenizer.json")
    count = documents or GENERATED_FILES
    write_zipf_text(folder, count * PASSAGES_EACH, words)
    return count


def _measure_words(engine: Engine, folder: Path, files: int, say: Say) -> list[Figure]:
    most = [0.0]
    engine.listen(lambda progress: most.append(read_memory()[0]))
    root, _ = engine.add_root(str(folder))
    with spending() as ours:
        engine.indexer().refresh(root)
        engine.indexer().rest()  # ends the workers, so that their time is counted
    theirs = _run_recoll(folder, say)
    rate = Figure("words", files / ours.seconds, "files/s")
    cost = Figure("words, processor time", ours.cpu * 1000 / files, "ms/file")
    if theirs is not None:
        rate = Figure(
            "words", files / ours.seconds, "files/s", "Recoll", files / theirs.seconds, goal=0.5
        )
        cost = Figure(
            "words, processor time",
            ours.cpu * 1000 / files,
            "ms/file",
            "Recoll",
            theirs.cpu * 1000 / files,
            goal=2.0,
            at_most=True,
        )
    memory = Figure("memory while reading, at most", max(most), "MB", goal=250, at_most=True)
    return [rate, cost, memory]


def _run_recoll(folder: Path, say: Say) -> Spent | None:
    """Recoll's own pass over the same folder; None, and the reason said, when it cannot be had."""
    command = shutil.which("recollindex") or _install_recoll(say)
    if command is None:
        return None
    with tempfile.TemporaryDirectory(prefix="sagasu-recoll-") as place:
        settings = f"topdirs = {folder}\nindexstemminglanguages = english\n"
        (Path(place) / "recoll.conf").write_text(settings, encoding="utf-8")
        with spending() as spent:
            done = subprocess.run([command, "-c", place, "-z"], capture_output=True, check=False)
    if done.returncode:
        say(f"No comparison with Recoll: recollindex ended with {done.returncode}.")
        return None
    return spent


def _install_recoll(say: Say) -> str | None:
    installer = shutil.which("apt-get")
    if installer is None or os.geteuid() != 0:
        say("No comparison with Recoll: recollindex is not installed (Debian: recollcmd).")
        return None
    for arguments in (["update", "-q"], ["install", "-y", "-q", "recollcmd"]):
        done = subprocess.run([installer, *arguments], capture_output=True, check=False)
    if done.returncode:
        say("No comparison with Recoll: recollcmd cannot be installed.")
    return shutil.which("recollindex")


def _measure_rescan(engine: Engine, folder: Path, files: int) -> Figure:
    root, _ = engine.add_root(str(folder))
    spent: list[float] = []
    for _ in range(3):
        with spending() as one:
            engine.indexer().refresh(root)
        spent.append(one.seconds)
    return Figure("unchanged files", min(spent) * 1e6 / files, "µs/file", goal=60, at_most=True)


def _measure_meaning(engine: Engine, say: Say) -> list[Figure]:
    embedder, index = engine.embedder(), engine.vectors()
    if embedder is None or index is None:
        say(f"Meaning is off: {engine.semantic().reason}")
        return []
    rows = engine.database.connection().execute(_WAITING, (MEANING_PASSAGES,)).fetchall()
    texts = [f"{trail}\n{text}" if trail else text for trail, text in rows]
    list(embedder.iter_embed(texts[:8]))  # opens the session
    batches, pieces = _tokenise(Path(engine.recipe().tokenizer), texts, embedder.max_tokens)
    session = _open_bare(Path(engine.recipe().tokenizer))
    for batch in batches[:3]:
        session.run(None, batch)
    bare = ours = 0.0
    for turn in range(TURNS):  # in turns, so that a busy machine is equally busy for both
        with spending() as spent:
            for batch in batches[turn::TURNS]:
                session.run(None, batch)
        bare += spent.seconds
        with spending() as spent:
            engine.indexer().embed_waiting(embedder, index, most=len(texts) // TURNS)
        ours += spent.seconds
    return [
        Figure(
            "meaning",
            pieces / ours,
            "pieces/s",
            "the bare model",
            pieces / bare,
            goal=0.85,
        ),
        Figure("memory after meaning", read_memory()[0], "MB"),
    ]


def _open_bare(folder: Path) -> "onnxruntime.InferenceSession":
    import onnxruntime

    options = onnxruntime.SessionOptions()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    options.intra_op_num_threads = cores or 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(
        folder / "model-int8.onnx",
        options,
        providers=["CPUExecutionProvider"],
        disabled_optimizers=["SkipLayerNormFusion"],  # the faster way: the bare model at its best
    )


def _tokenise(
    folder: Path, texts: Sequence[str], most: int
) -> tuple[list[dict[str, "np.ndarray[tuple[int, int], np.dtype[np.int32]]"]], int]:
    """Batches of near-equal length, sorted over all texts; and how many pieces there are."""
    import tokenizers

    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(most)
    tokenizer.no_padding()
    rows = sorted((one.ids for one in tokenizer.encode_batch(list(texts))), key=len)
    batches: list[dict[str, np.ndarray[tuple[int, int], np.dtype[np.int32]]]] = []
    batch: list[list[int]] = []
    for row in [*rows, []]:
        if batch and (not row or (len(batch) + 1) * len(row) > BATCH_TOKENS):
            ids = np.zeros((len(batch), len(batch[-1])), np.int32)
            mask = np.zeros_like(ids)
            for place, one in enumerate(batch):
                ids[place, : len(one)] = one
                mask[place, : len(one)] = 1
            batches.append({"input_ids": ids, "attention_mask": mask})
            batch = []
        batch.append(row)
    return batches, sum(map(len, rows))
