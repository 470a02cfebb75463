"""What can be asked of Sagasu? The Engine: every door stands on it.

    with Engine.open(write=True) as engine:
        engine.index("~/Documents")
        answer = engine.search(SearchRequest("tax return"))

Here stands what changes the index and keeps it fresh. What answers is in `asked`, what is opened
for both in `opened`.
"""

import os
import time
import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.asked import AskedIndex
from engine.cancel import Cancel
from engine.config import Config
from engine.errors import FolderMissingError, NotFoundError
from engine.files.identity import clean_path
from engine.files.rules import Rules
from engine.ingest.report import Report
from engine.inspect import find_number
from engine.models import Progress
from engine.passages import (
    Cited,
    Pack,
    PassageRequest,
    Passages,
    cite,
    count_tokens,
    plain_words,
)
from engine.search.request import Chip, SearchRequest, SearchResponse, SemanticState
from engine.settings import load_config, parse_value, write_setting
from engine.store import ledger, pins
from engine.store.ledger import Root
from engine.store.vectors import raise_priority

if TYPE_CHECKING:
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


AFTER_RESTART = ("debug", "embedding.", "mcp.", "server.", "storage.")


class Engine(AskedIndex):
    """One index: what can be asked of it, and how it is changed and kept fresh."""

    def pin(self, query: str, uid: str, pinned: bool = True) -> None:
        """Keep a document on top for a question, or let it go."""
        view = self.document(uid)
        with self.database.write() as connection:
            pins.pin(connection, query, view.id, pinned, time.time())

    def opened(self, uid: str) -> None:
        """Somebody opened this document (id or path): its meaning is made before that of others."""
        found = find_number(self.database, uid)
        if found is None:
            raise NotFoundError(what="document")
        with self.database.write() as connection:
            raise_priority(connection, found, time.time())

    def configure(self, key: str, text: str) -> bool:
        """Change one setting, `text` as config.yaml has it; False when it acts after a restart."""
        write_setting(self.places.config, key, parse_value(key, text))
        self.reconfigure(load_config(self.places.config))
        return not key.startswith(AFTER_RESTART)

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
