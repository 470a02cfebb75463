"""Which rooms stand on one index? They are opened when they are first needed, and closed together.

A reader needs no lock and sees what the last commit left. The writer holds the index's lock for as
long as it is open. A missing model is no error here: `semantic()` says that meaning is off and why,
and words go on.
"""

import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from engine import inspect as inspecting
from engine.config import Config
from engine.errors import IndexMissingError, ModelError
from engine.files.places import Places
from engine.files.rules import Rules
from engine.models import Progress
from engine.ports import Closing, Listener
from engine.search.request import SemanticState
from engine.settings import load_config
from engine.store.database import Database
from engine.store.migrations import migrate

if TYPE_CHECKING:
    from engine.embed.onnx import OnnxEmbedder
    from engine.ingest.indexer import Indexer
    from engine.ingest.pipeline import Recipe
    from engine.search.run import Searcher
    from engine.vector import VectorIndex
    from engine.watch.keeper import Keeper

COUNT_SECONDS = 1.0
FOLLOW_SECONDS = 2.0


class OpenIndex(Closing):
    """One index with its rooms, open for reading or for writing."""

    def __init__(self, places: Places, config: Config, database: Database) -> None:
        self.places = places
        self.config = config
        self.database = database
        self.rules = Rules.from_settings(config.files, config.watch)
        self.progress: Progress | None = None
        self._listeners: list[Listener] = []
        self._guard = threading.RLock()
        self._embedder: OnnxEmbedder | None = None
        self._semantic_reason: str | None = None
        self._waiting = (float("-inf"), 0)  # when it was counted, how many
        self._vectors: VectorIndex | None = None
        self._followed: tuple[float, object] = (0.0, None)  # when, and how the vectors were then
        self._indexer: Indexer | None = None
        self._searcher: Searcher | None = None
        self._keeper: Keeper | None = None
        self.asked = 0.0  # when the last question came, by the clock that nobody sets

    @classmethod
    def open(
        cls, home: Path | None = None, *, write: bool = False, config: Config | None = None
    ) -> Self:
        """Open the index in `home` (default: the data folder); the writer makes it if needed."""
        places = Places(home) if home else Places.find()
        if config is None:
            config = load_config(places.config)
        places = Places(places.home, config.storage)
        if write:
            places.create()
        elif not places.database.exists():
            raise IndexMissingError(path=places.home)
        database = Database(places.database, writable=write).open()
        try:
            migrate(database)
            engine = cls(places, config, database)
            if write:
                engine._check_key()
        except BaseException:
            database.close()
            raise
        return engine

    def close(self) -> None:
        """Stop what runs and let go of everything."""
        with self._guard:
            if self._indexer is not None:
                self._indexer.control.stop()
        self.stop_keeping()
        with self._guard:
            if self._indexer is not None:
                self._indexer.close()
            if self._searcher is not None:
                self._searcher.close()
            self.database.close()

    def searcher(self) -> "Searcher":
        """The search room, opened at the first question."""
        with self._guard:
            if self._searcher is None:
                from engine.search.run import Rooms, Searcher

                self._searcher = Searcher(
                    Rooms(
                        self.database,
                        self.config,
                        self.places.postings,
                        self.embedder,
                        self.vectors,
                        self.semantic,
                        self.report_stale,
                    )
                )
            return self._searcher

    def semantic(self) -> SemanticState:
        """Whether meaning is searched, why not, and how many passages still wait."""
        self.embedder()
        age = time.monotonic() - self._waiting[0]
        if age > COUNT_SECONDS:  # counting costs milliseconds while many wait
            self._waiting = (time.monotonic(), inspecting.count_waiting(self.database))
        waiting = self._waiting[1]
        return SemanticState(self._semantic_reason is None, self._semantic_reason or "", waiting)

    def embedder(self) -> "OnnxEmbedder | None":
        """The model, or None when meaning is off."""
        with self._guard:
            if self._embedder is None and self._semantic_reason is None:
                from engine.embed import open_embedder

                try:
                    self._embedder = open_embedder(self.config.embedding)
                except ModelError as exc:
                    self._semantic_reason = f"{exc} {exc.advice}".strip()
            return self._embedder

    def vectors(self) -> "VectorIndex | None":
        """The vector graph, level with the database; None when meaning is off."""
        embedder = self.embedder()
        with self._guard:
            if embedder is not None and (self._vectors is None or self._is_behind()):
                from engine.store.vectors import fetch_vectors, known_vectors
                from engine.vector import open_vector_index

                connection = self.database.connection()
                self._followed = (time.monotonic(), inspecting.mark_vectors(connection))
                self._vectors = open_vector_index(
                    self.places.vectors,
                    dimensions=embedder.dimensions,
                    fingerprint=embedder.fingerprint,
                    known=known_vectors(connection),
                    fetch=lambda ids: fetch_vectors(connection, ids, embedder.dimensions),
                    view=not self.database.writable,
                )
            return self._vectors

    def _is_behind(self) -> bool:
        """Whether another process has added vectors since this one opened its graph.

        The writer adds its own; a reader that stays open for days (an assistant's) must follow,
        but not at every question while a folder is being embedded.
        """
        now = time.monotonic()
        then, mark = self._followed
        if self.database.writable or now - then < FOLLOW_SECONDS:
            return False
        found = inspecting.mark_vectors(self.database.connection())
        self._followed = (now, found)
        return mark is not None and found != mark

    def indexer(self) -> "Indexer":
        """The writer of this index."""
        with self._guard:
            if self._indexer is None:
                from engine.ingest.indexer import Indexer

                workers = self.config.files.workers or min(4, os.cpu_count() or 1)
                self._indexer = Indexer(
                    self.database, self.rules, self.recipe(), workers=workers, listener=self.tell
                )
            return self._indexer

    def recipe(self) -> "Recipe":
        """What the reading processes must know."""
        from engine.chunk import Sizes
        from engine.embed.catalogue import model_folder
        from engine.ingest.pipeline import Recipe

        search, files = self.config.search, self.config.files
        folder = model_folder(self.config.embedding)
        return Recipe(
            sizes=Sizes(self.config.embedding.max_tokens, search.chunk_size, search.chunk_overlap),
            language=search.language,
            max_file_bytes=files.max_size_mb * 1024 * 1024,
            max_text_bytes=files.max_text_mb * 1024 * 1024,
            secrets=files.secrets,
            timeout_seconds=files.timeout_seconds,
            memory_limit_mb=files.memory_limit_mb,
            tokenizer=str(folder) if (folder / "tokenizer.json").exists() else "",
        )

    def listen(self, listener: Listener) -> None:
        """Be told how far indexing is."""
        self._listeners.append(listener)

    def unlisten(self, listener: Listener) -> None:
        """Be told no longer."""
        self._listeners.remove(listener)

    def tell(self, progress: Progress) -> None:
        """Say to everybody who listens how far indexing is."""
        self.progress = progress
        for listener in self._listeners:
            listener(progress)

    def report_stale(self, paths: Sequence[str]) -> None:
        """A question found these files changed, moved or gone: they are looked at first."""
        if self._keeper is not None:
            self._keeper.look_at(paths)

    def be_gentle(self, gentle: bool) -> None:
        """Whether embedding shall leave the other cores alone."""
        if self._embedder is not None:
            self._embedder.gentle = gentle

    def turn_meaning_off(self, error: ModelError) -> None:
        """The model failed at work: words go on, and everybody is told why."""
        with self._guard:
            self._embedder = None
            self._semantic_reason = f"{error} {error.advice}".strip()

    def stop_keeping(self) -> None:
        """Keep fresh no longer; what is in hand is ended at its next step."""
        keeper, self._keeper = self._keeper, None
        if keeper is not None:
            keeper.stop()
            self.indexer().between = lambda: None

    @property
    def keeper(self) -> "Keeper | None":
        """The thread that keeps the index fresh, while there is one."""
        return self._keeper

    def _other_writer(self) -> "Keeper | None":
        """The keeper, when it runs and this is not its own thread."""
        keeper = self._keeper
        return keeper if keeper is not None and not keeper.is_me() else None

    def _check_key(self) -> None:
        """Settings or versions that shape the index have changed: what they made is made anew."""
        inspecting.refresh_key(self.database, self.config, self.embedder())
