"""What can be asked of Sagasu? The Engine: opens and wires the rooms; every door stands on it.

    with Engine.open(write=True) as engine:
        engine.index("~/Documents")
        answer = engine.search(SearchRequest("tax return"))

A reader needs no lock and sees what the last commit left. The writer holds the index's lock for as
long as it is open. A missing model is no error here: `engine.semantic()` says that meaning is off
and why, and words go on.
"""

import os
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from engine import inspect as inspecting
from engine.cancel import Cancel
from engine.config import Config, load_config
from engine.errors import FolderMissingError, IndexMissingError, ModelError, NotFoundError
from engine.files.identity import clean_path
from engine.files.places import Places
from engine.files.rules import Rules
from engine.ingest.report import Report
from engine.models import Coverage, DocumentView, Progress, Status
from engine.passages import (
    Cited,
    Pack,
    PassageRequest,
    Passages,
    build_pack,
    cite,
    count_tokens,
    find_passages,
    plain_words,
)
from engine.ports import Listener
from engine.search.request import Chip, SearchRequest, SearchResponse, SemanticState
from engine.similar import find_similar
from engine.store import ledger, pins
from engine.store.database import Database
from engine.store.ledger import Root
from engine.store.migrations import migrate
from engine.store.vectors import raise_priority

if TYPE_CHECKING:
    from engine.embed.onnx import OnnxEmbedder
    from engine.ingest.indexer import Indexer
    from engine.ingest.pipeline import Recipe
    from engine.search.run import Searcher
    from engine.search.snippet import Ranges
    from engine.vector import VectorIndex
    from engine.watch.keeper import Keeper

__all__ = [
    "Cancel",
    "Chip",
    "Cited",
    "Engine",
    "Pack",
    "PassageRequest",
    "Passages",
    "Report",
    "SearchRequest",
    "SearchResponse",
    "SemanticState",
    "cite",
    "count_tokens",
    "plain_words",
]


COUNT_SECONDS = 1.0

FOLLOW_SECONDS = 2.0


class Engine:
    """One index, open for reading or for writing."""

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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Asking

    def search(self, request: SearchRequest, cancel: Cancel | None = None) -> SearchResponse:
        """The ranked answer to one question; SearchCancelledError when `cancel` ends it."""
        if cancel is not None:
            return cancel.run(lambda: self.search(request))
        self.asked = time.monotonic()
        with self.database.cancellable():
            return self.searcher().search(request.check(self.config.search.max_limit))

    def find_passages(self, ask: PassageRequest) -> Passages:
        """The best passages, whole, without repetition: for those who read text, not files."""
        return find_passages(self, ask)

    def context_pack(
        self, ask: PassageRequest, budget: int, *, name: Callable[[str], str] = str
    ) -> Pack:
        """The best passages that fit `budget` tokens, each with its source (`name` of its path)."""
        return build_pack(self, ask, budget, name)

    def similar(self, uid: str, limit: int = 10, *, scopes: tuple[str, ...] = ()) -> SearchResponse:
        """The documents nearest in meaning to one, given by its id or path."""
        return find_similar(self, uid, limit, scopes)

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

    # Telling

    def status(self) -> Status:
        """The engine's numbers."""
        kept = self._keeper.state() if self._keeper is not None else None
        return inspecting.read_status(
            self.database, self.places, self.semantic(), self.progress, kept
        )

    def coverage(
        self,
        path: str = "",
        *,
        state: str = "",
        reason: str = "",
        limit: int = 100,
        offset: int = 0,
    ) -> Coverage:
        """What can be found below `path` (everywhere when empty), and why the rest cannot."""
        where = clean_path(path) if path else ""
        return inspecting.read_coverage(self.database, where, state, reason, limit, offset)

    def why(self, path: str) -> str:
        """One line on what became of a file, and the rule that decided it."""
        return inspecting.explain_file(self.database, self.rules, clean_path(path))

    def suggest(self, text: str, limit: int = 3) -> list[str]:
        """The question with its unknown words mended, the likeliest first."""
        return self.searcher().suggest(text, limit)

    def complete(self, text: str, limit: int = 8) -> list[str]:
        """How the last word of a question may go on."""
        return self.searcher().complete(text, limit)

    def mark_words(self, text: str, language: str, query: str) -> "Ranges":
        """Where the question's words stand in a text, as the index knows them."""
        from engine.search.closer import mark_question

        return mark_question(text, language, query, self.searcher().languages())

    def find_sentence(self, text: str, query: str) -> tuple[int, int] | None:
        """The sentence of a text that means what was asked; None when there is none."""
        from engine.search.closer import find_sentence

        embedder = self.embedder()
        return find_sentence(embedder, text, query) if embedder is not None else None

    def pin(self, query: str, uid: str, pinned: bool = True) -> None:
        """Keep a document on top for a question, or let it go."""
        view = self.document(uid)
        with self.database.write() as connection:
            pins.pin(connection, query, view.id, pinned, time.time())

    def opened(self, uid: str) -> None:
        """Somebody opened this document (id or path): its meaning is made before that of others."""
        found = inspecting.find_number(self.database, uid)
        if found is None:
            raise NotFoundError(what="document")
        with self.database.write() as connection:
            raise_priority(connection, found, time.time())

    def whynot(self, request: SearchRequest, path: str) -> str:
        """One line on why a file is not in the answer, or where it stands in it."""
        full = clean_path(path)
        if inspecting.find_document(self.database, full) is None:
            return self.why(full)
        from engine.search.whynot import explain_absence

        return explain_absence(self.searcher(), request, full)

    def document(self, uid: str) -> DocumentView:
        """One document with its passages, by id or by path."""
        found = inspecting.find_document(self.database, uid)
        if found is None:
            raise NotFoundError(what="document")
        return found

    def roots(self) -> list[Root]:
        """The searched folders."""
        return ledger.list_roots(self.database.connection())

    # Changing

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

    def reconfigure(self, config: Config) -> None:
        """Go on with other settings: what they leave out is forgotten, what they take in is read.

        Those of embedding, storage and server hold what is open and act from the next start.
        """
        before = self.config
        config = replace(
            config, embedding=before.embedding, storage=before.storage, server=before.server
        )
        with self._guard:
            self.config = config
            if self._searcher is not None:
                self._searcher.rooms = replace(self._searcher.rooms, config=config)
        same = (before.files, before.watch) == (config.files, config.watch)
        if not self.database.writable or (same and before.index_key() == config.index_key()):
            return
        keeper = self._keeper
        paused = keeper is not None and keeper.state().paused
        self.stop_keeping()
        with self._guard:
            indexer, self._indexer = self._indexer, None
            self.rules = Rules.from_settings(config.files, config.watch)
        if indexer is not None:
            indexer.close()
        self._check_key()
        if keeper is not None:
            fresh = self.start_keeping()
            self.pause(paused)
            for root in self.roots():
                fresh.scan(root.path)

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

    def add_root(self, path: str, *, watched: bool = False) -> tuple[Root, str]:
        """The root that covers `path`, made if there is none, and the place within it.

        A folder inside a root does not become one; roots inside a new one become part of it.
        """
        full = clean_path(path)
        if not os.path.exists(full):
            raise FolderMissingError(path=full)
        with self.database.write() as connection:
            covering = ledger.covering_root(connection, full)
            if covering is not None and covering.path != full:
                return covering, full
            root = ledger.add_root(connection, full, watched=watched, added=time.time())
            ledger.absorb_roots(connection, root)
        if self._keeper is not None:
            self._keeper.roots_changed()
        return root, ""

    def index(self, path: str, *, watched: bool = False, embed: bool = True) -> Report:
        """Make a file or folder searchable: words first, then meaning."""
        root, within = self.add_root(path, watched=watched)
        keeper = self._other_writer()
        if keeper is not None:
            return keeper.scan(root.path, (within,) if within else ()).result()
        report = self.indexer().refresh(root, (within,) if within else ())
        if embed and not report.stopped:
            self.embed(report)
        self.settle()
        return report

    def embed(self, report: Report | None = None) -> int:
        """Give the waiting passages their vectors; how many got one. A keeper does it by itself."""
        keeper = self._other_writer()
        if keeper is not None:
            keeper.embed_soon()
            return 0
        index, embedder = self.vectors(), self.embedder()
        if index is None or embedder is None:
            if report is not None:
                report.semantic_off = self._semantic_reason or ""
            return 0
        done = self.indexer().embed_waiting(embedder, index)
        if report is not None:
            report.embedded += done
        return done

    def settle(self) -> None:
        """After a run: forget unused vectors and write the snapshots."""
        keeper = self._other_writer()
        if keeper is not None:
            return keeper.settle()
        index = self.vectors()
        self.indexer().sweep(index)
        if index is not None and index.dirty:
            index.save()
        self.searcher().save_snapshots()
        self.tell(Progress("idle"))

    def tidy(self) -> None:
        """Forget what is unused, merge the word index, give free pages back, write snapshots."""
        keeper = self._other_writer()
        if keeper is not None:
            return keeper.call(self.tidy)
        self.settle()
        connection = self.database.connection()
        for table in ("passages_fts", "documents_fts"):
            connection.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
        connection.execute("VACUUM")
        self.searcher().save_snapshots(always=True)

    def remove_root(self, path: str) -> int:
        """Forget a folder and all that was indexed under it; how many documents that were."""
        full = clean_path(path)
        root = ledger.find_root(self.database.connection(), full)
        if root is None:
            raise NotFoundError(what=f"folder {full}", fix="sagasu watch list shows the folders.")
        keeper = self._other_writer()
        if keeper is not None:
            count = keeper.call(lambda: self.indexer().remove_root(root), full)
            keeper.roots_changed()
            keeper.embed_soon()
            return count
        count = self.indexer().remove_root(root)
        self.settle()
        return count

    def add_document(
        self,
        content: str,
        *,
        title: str = "",
        uid: str = "",
        metadata: Mapping[str, Any] | None = None,
        embed: bool = True,
    ) -> str:
        """Text that comes through a door becomes searchable like a file; returns its id.

        Without `embed` by its words at once; the caller sees to the meaning with `embed()`.
        """
        from engine.ingest.pipeline import prepare_text
        from engine.ingest.worker import open_counter

        recipe = self.recipe()
        row = prepare_text(
            title,
            content,
            recipe,
            open_counter(recipe),
            uid=uid or str(uuid.uuid4()),
            metadata=metadata or {},
        )
        self.indexer().put_document(row)
        if embed:
            self.embed()
            self.tell(Progress("idle"))
        return row.uid

    def delete_document(self, uid: str) -> None:
        """Forget one document."""
        if not self.indexer().delete_document(uid):
            raise NotFoundError(what="document")
        keeper = self._other_writer()
        if keeper is not None:
            keeper.embed_soon()  # it also sweeps, at quiet
        else:
            self.indexer().sweep(self.vectors())

    # Keeping fresh

    def start_keeping(self, *, embed: bool = True) -> "Keeper":
        """From now on one background thread keeps every watched folder fresh."""
        from engine.keeping import open_keeper

        if self._keeper is None:
            self._keeper = open_keeper(self, embed=embed).start()
        return self._keeper

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

    def watch_root(self, path: str, *, sync: bool = True) -> Root:
        """Keep a folder fresh from now on, also after a restart.

        Without `sync`, what is in it already waits for the next comparison of disk and index.
        """
        if self._keeper is not None and not sync:
            self._keeper.skip_first_scan(clean_path(path))
        root, _ = self.add_root(path, watched=True)
        return root

    def unwatch_root(self, path: str) -> int:
        """Keep a folder fresh no longer, and forget what was indexed in it."""
        return self.remove_root(path)

    def pause_root(self, path: str, paused: bool = True) -> None:
        """Leave a folder alone for a while; when it goes on, what changed meanwhile is found."""
        full = clean_path(path)
        with self.database.write() as connection:
            if not ledger.pause_root(connection, full, paused):
                raise NotFoundError(what=f"folder {full}", fix="sagasu watch list shows them.")
        if self._keeper is not None:
            self._keeper.roots_changed()

    def pause(self, paused: bool = True) -> None:
        """Write nothing for a while, or go on; what changes meanwhile is not forgotten."""
        if self._keeper is not None:
            (self._keeper.pause if paused else self._keeper.resume)()
        elif paused:
            self.indexer().control.pause()
        else:
            self.indexer().control.resume()

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

    def _other_writer(self) -> "Keeper | None":
        """The keeper, when it runs and this is not its own thread."""
        keeper = self._keeper
        return keeper if keeper is not None and not keeper.is_me() else None

    def _check_key(self) -> None:
        """Settings or versions that shape the index have changed: what they made is made anew."""
        inspecting.refresh_key(self.database, self.config, self.embedder())
