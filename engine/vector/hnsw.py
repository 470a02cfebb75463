"""How is the nearest vector found without looking at all of them? usearch's HNSW graph.

Small collections and narrow filters are searched exactly instead: below `EXACT_BELOW` vectors a
matrix product is as fast as the graph, and a filter that leaves few candidates would starve it.
"""

import json
import logging
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from usearch.index import Index

log = logging.getLogger(__name__)

Keys = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float32]
Fetch = Callable[[Sequence[int]], tuple[Keys, npt.NDArray[np.float16]]]

EXACT_BELOW = 10_000
CONNECTIVITY = 16
EXPANSION_ADD = 96
ADD_AT_ONCE = 16  # a question waits for one such step at most: about 3 ms
FETCH_AT_ONCE = 2_000
EXPANSION_SEARCH = 128  # recall@10 of 0.998 on vectors of real text


class VectorIndex:
    """Vector numbers and their places in the graph; safe for one writer and many readers."""

    def __init__(self, dimensions: int, path: Path, fingerprint: str) -> None:
        self.dimensions = dimensions
        self.path = path
        self.fingerprint = fingerprint
        self.dirty = False
        self._lock = threading.RLock()
        self._index: Index = _new_index(dimensions)

    def __len__(self) -> int:
        return len(self._index)

    def load(self, *, view: bool = False) -> bool:
        """Read the snapshot; False when there is none that fits. `view` maps it, read-only."""
        note = _note_path(self.path)
        if not self.path.exists() or not note.exists():
            return False
        try:
            facts = json.loads(note.read_text(encoding="utf-8"))
            if facts != self._facts(self.path.stat().st_size):
                log.warning("The vector snapshot is of another model or half written: made anew.")
                return False
            index = _new_index(self.dimensions)
            if view:
                index.view(str(self.path))
            else:
                index.load(str(self.path))
            if index.ndim != self.dimensions:
                raise ValueError(f"{index.ndim} dimensions")
        except (OSError, ValueError, RuntimeError, KeyError) as exc:
            log.warning("The vector snapshot cannot be read (%s): made anew.", exc)
            return False
        self._index = index
        return True

    def _facts(self, size: int) -> dict[str, Any]:
        return {"fingerprint": self.fingerprint, "dimensions": self.dimensions, "bytes": size}

    def save(self) -> None:
        """Write the snapshot; whoever reads the old one goes on reading it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        with self._lock:
            self._index.save(str(fresh))
            self.dirty = False
        os.chmod(fresh, 0o600)
        _sync(fresh)
        note = _note_path(self.path)
        note.unlink(missing_ok=True)  # a crash between the renames reads as "no snapshot"
        fresh.rename(self.path)
        fresh_note = note.with_suffix(".new-note")
        facts = json.dumps(self._facts(self.path.stat().st_size))
        fresh_note.write_text(facts, encoding="utf-8")
        os.chmod(fresh_note, 0o600)
        _sync(fresh_note)
        fresh_note.rename(note)

    def keys(self) -> Keys:
        """Every vector number in the graph."""
        with self._lock:
            return np.asarray(self._index.keys, dtype=np.int64)

    def add(self, keys: Keys, vectors: npt.NDArray[np.floating[Any]]) -> None:
        """Add vectors; those that are not finite are refused."""
        if not np.isfinite(vectors).all():
            raise ValueError("a vector is not finite")
        halves = vectors.astype(np.float16)
        for start in range(0, len(keys), ADD_AT_ONCE):
            part = slice(start, start + ADD_AT_ONCE)
            with self._lock:
                self._index.add(keys[part].astype(np.uint64), halves[part], copy=True)
                self.dirty = True

    def level(self, known: Keys, fetch: Fetch) -> None:
        """Add what the database has and the graph lacks; forget what the database no longer has."""
        here = self.keys()
        self.remove(np.setdiff1d(here, known))
        missing = np.setdiff1d(known, here)
        for start in range(0, len(missing), FETCH_AT_ONCE):
            self.add(*fetch(missing[start : start + FETCH_AT_ONCE].tolist()))

    def remove(self, keys: Keys) -> None:
        """Forget vectors; unknown numbers are harmless."""
        with self._lock:
            for key in keys.tolist():
                if key in self._index:
                    self._index.remove(int(key))
                    self.dirty = True

    def search(self, vector: Scores, count: int) -> tuple[Keys, Scores]:
        """The nearest vectors' numbers and cosines, best first."""
        with self._lock:
            if not len(self._index):
                return np.empty(0, np.int64), np.empty(0, np.float32)
            exact = len(self._index) <= EXACT_BELOW
            found = self._index.search(vector.astype(np.float16), count, exact=exact)
        keys = np.asarray(found.keys, dtype=np.int64).reshape(-1)
        cosines = 1.0 - np.asarray(found.distances, dtype=np.float32).reshape(-1)
        return keys, cosines

    def vectors(self, keys: Keys) -> Scores:
        """The named vectors, a row each; a row of NaN for those not in the graph."""
        if not len(keys):
            return np.empty((0, self.dimensions), np.float32)
        with self._lock:
            stored = self._index.get(keys.astype(np.uint64))
        if isinstance(stored, np.ndarray):
            return np.asarray(stored, np.float32)
        rows = np.full((len(keys), self.dimensions), np.nan, np.float32)
        for place, row in enumerate(stored or ()):
            if row is not None:
                rows[place] = row
        return rows

    def cosines(self, vector: Scores, keys: Keys) -> Scores:
        """The exact cosine of each named vector; NaN for those not in the graph."""
        found: Scores = self.vectors(keys) @ vector
        return found

    def search_among(self, vector: Scores, keys: Keys, count: int) -> tuple[Keys, Scores]:
        """The nearest of the named vectors only, exactly."""
        scores = self.cosines(vector, keys)
        known = np.isfinite(scores)
        keys, scores = keys[known], scores[known]
        best = np.argsort(-scores, kind="stable")[:count]
        return keys[best], scores[best]


def open_vector_index(
    path: Path, *, dimensions: int, fingerprint: str, known: Keys, fetch: Fetch, view: bool = False
) -> VectorIndex:
    """The index, brought level with the database: `known` are the numbers of the vectors there,
    `fetch` reads some of them. `view` maps the snapshot when it is level already.
    """
    index = VectorIndex(dimensions, path, fingerprint)
    if view and index.load(view=True) and np.array_equal(np.sort(index.keys()), np.sort(known)):
        return index
    index.load()
    index.level(known, fetch)
    return index


def _new_index(dimensions: int) -> "Index":
    from usearch.index import Index

    return Index(
        ndim=dimensions,
        metric="cos",
        dtype="f16",
        connectivity=CONNECTIVITY,
        expansion_add=EXPANSION_ADD,
        expansion_search=EXPANSION_SEARCH,
    )


def _note_path(path: Path) -> Path:
    return path.with_name(path.name + ".json")


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
