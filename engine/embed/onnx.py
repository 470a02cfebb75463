"""How does a passage become a vector? Runs the model's graph in onnxruntime.

Two sessions, each opened at its first use: one with many threads for passages, one with a single
thread for queries. A query therefore never waits behind a batch, and while `gentle` is set passages
too take the single thread, so that typing stays fluent during indexing. With `static` set, passages
go through those graphs of fixed shape instead (see `providers`).
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.embed.batches import Tokens, iter_batches, pad, split_windows
from engine.embed.catalogue import ModelFacts, find_fingerprint
from engine.embed.session import count_cores, open_session, run_session
from engine.embed.static import Shape, StaticGraphs, iter_shaped
from engine.embed.wordpiece import Tokenizer
from engine.errors import ModelDamagedError

if TYPE_CHECKING:
    import onnxruntime

    from engine.ports import Vectors

# Measured on passages of real text: 42,700 word pieces a second in batches of 512 tokens, 41,400 of
# 1,024, 38,100 of 2,048 (caches). A small batch also is what a caller waits for to stop.
BATCH_TOKENS = 512


class OnnxEmbedder:
    """Unit vectors from one graph; safe to call from several threads."""

    def __init__(
        self, facts: ModelFacts, graph: Path, *, max_tokens: int, threads: int, cache_size: int
    ) -> None:
        self.facts = facts
        self.dimensions = facts.dimensions
        self.fingerprint = find_fingerprint(facts, graph.name)
        self.max_tokens = min(max_tokens, facts.max_positions)
        self.gentle = False
        self.static: StaticGraphs | None = None
        self._graph = graph
        self._threads = threads or count_cores()
        self._tokenizer = Tokenizer(facts.folder)
        self._sessions: dict[int, onnxruntime.InferenceSession] = {}
        self._opening = Lock()
        self._queries = _QueryCache(cache_size)

    def embed(self, passages: Sequence[str]) -> "Vectors":
        """One unit row for each passage, in order."""
        rows = np.zeros((len(passages), self.dimensions), np.float32)
        for places, vectors in self.iter_embed(passages):
            rows[places] = vectors
        return rows

    def iter_embed(
        self, passages: Sequence[str], batch_tokens: int = BATCH_TOKENS
    ) -> Iterator[tuple[list[int], "Vectors"]]:
        """Batch by batch: places in `passages` and their rows. A caller may stop after any."""
        windows, owners = self._tokenise(passages)
        waiting = _Waiting(owners, len(passages))
        lengths = [len(ids) + 2 for ids in windows]
        for shape, batch in self._plan(lengths, batch_tokens):
            rows = [windows[place] for place in batch]
            if shape and self.static:
                start, end = self._tokenizer.start, self._tokenizer.end
                vectors = self._checked(self.static.run(shape, rows, start, end))
            else:
                vectors = self._run(1 if self.gentle else self._threads, *self._frame(rows))
            weights = [lengths[place] for place in batch]
            yield waiting.collect([owners[place] for place in batch], weights, vectors)

    def embed_query(self, text: str) -> "Vectors":
        """The unit vector of a query, remembered; one dimension."""
        known = self._queries.find(text)
        if known is None:
            windows, _ = self._tokenise([text])
            ids, mask = self._frame(windows)
            known = _mean([len(one) + 2 for one in windows], self._run(1, ids, mask))
            known.setflags(write=False)
            self._queries.keep(text, known)
        return known

    def warm_up(self) -> None:
        """Opens the session for queries and runs it once, so that the first query is fast."""
        self._run(1, *self._frame([[]]))

    def _plan(
        self, lengths: list[int], batch_tokens: int
    ) -> Iterator[tuple[Shape | None, list[int]]]:
        """Batches, each with the fixed shape that takes it or None for the CPU's session."""
        rest = list(range(len(lengths)))
        if self.static and not self.gentle:
            rest = []
            for shape, batch in iter_shaped(lengths, self.static.shapes):
                if shape:
                    yield shape, batch
                else:
                    rest = batch
        for batch in iter_batches([lengths[place] for place in rest], batch_tokens):
            yield None, [rest[place] for place in batch]

    def _tokenise(self, passages: Sequence[str]) -> tuple[list[Sequence[int]], list[int]]:
        """The windows of all passages, and which passage each belongs to."""
        windows: list[Sequence[int]] = []
        owners: list[int] = []
        for place, ids in enumerate(self._tokenizer.encode(passages)):
            for window in split_windows(ids, self.max_tokens - 2):
                windows.append(window)
                owners.append(place)
        return windows, owners

    def _frame(self, rows: Sequence[Sequence[int]]) -> tuple[Tokens, Tokens]:
        return pad(rows, self._tokenizer.start, self._tokenizer.end)

    def _run(self, threads: int, ids: Tokens, mask: Tokens) -> "Vectors":
        session = self._sessions.get(threads) or self._open(threads)
        inputs: dict[str, Any] = {"input_ids": ids, "attention_mask": mask}
        return self._checked(run_session(session, inputs, self._graph))

    def _checked(self, vectors: "Vectors") -> "Vectors":
        if not np.isfinite(vectors).all():
            raise ModelDamagedError(path=self._graph, problem="it gives vectors without a value")
        return vectors

    def _open(self, threads: int) -> "onnxruntime.InferenceSession":
        with self._opening:
            if threads not in self._sessions:
                self._sessions[threads] = open_session(self._graph, threads)
            return self._sessions[threads]


class _Waiting:
    """Puts the windows of long passages together as their batches come in."""

    def __init__(self, owners: list[int], passages: int) -> None:
        self._left = np.bincount(owners, minlength=passages) if owners else np.zeros(0, int)
        self._parts: dict[int, list[tuple[int, Vectors]]] = {}

    def collect(
        self, owners: list[int], weights: list[int], vectors: "Vectors"
    ) -> tuple[list[int], "Vectors"]:
        """The passages that are complete with this batch, and their rows."""
        if all(self._left[owner] == 1 and owner not in self._parts for owner in owners):
            return owners, vectors
        done: list[int] = []
        rows: list[Vectors] = []
        for owner, weight, vector in zip(owners, weights, vectors, strict=True):
            self._parts.setdefault(owner, []).append((weight, vector))
            self._left[owner] -= 1
            if not self._left[owner]:
                parts = self._parts.pop(owner)
                done.append(owner)
                rows.append(_mean([size for size, _ in parts], np.stack([v for _, v in parts])))
        return done, np.stack(rows) if rows else np.zeros((0, vectors.shape[1]), np.float32)


def _mean(weights: list[int], vectors: "Vectors") -> "Vectors":
    """The mean of some windows, the longer counting more, at unit length."""
    if len(vectors) == 1:
        return np.asarray(vectors[0], np.float32)
    total = np.asarray(weights, np.float32) @ vectors
    return np.asarray(total / np.linalg.norm(total), np.float32)


class _QueryCache:
    """The last queries and their vectors; the least recently used goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._rows: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = Lock()

    def find(self, text: str) -> "Vectors | None":
        with self._lock:
            if text in self._rows:
                self._rows.move_to_end(text)
                return self._rows[text]
            return None

    def keep(self, text: str, vector: "Vectors") -> None:
        with self._lock:
            self._rows[text] = vector
            while len(self._rows) > self._most:
                self._rows.popitem(last=False)
