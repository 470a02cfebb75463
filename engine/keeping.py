"""How is an open engine kept fresh? The keeper's desk: what it asks for, done with the rooms.

Beside `api` on floor 7: the keeper knows files and reports, this file knows roots, vectors and
snapshots, and `Engine.start_keeping` joins them.
"""

import logging
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.errors import ModelError
from engine.files.identity import clean_path
from engine.files.rules import Rules
from engine.ingest.report import Report
from engine.models import Progress
from engine.store import ledger
from engine.watch import start
from engine.watch.change import Bookmark
from engine.watch.desk import Desk
from engine.watch.keeper import Keeper
from engine.watch.roots import KeptRoot

if TYPE_CHECKING:
    from engine.api import Engine

log = logging.getLogger(__name__)

KEPT_BATCH_FILES = 40  # a changed file waits behind one such batch at most
LINKS_MOST = 2_000  # links of one root that are judged anew when their targets may have changed
ASKED_SECONDS = 3.0  # so long after a question embedding leaves the other cores alone


class SystemClock:
    """The machine's clocks: the calendar, and the one that nobody sets."""

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds since some moment; never goes back."""
        return time.monotonic()


def open_keeper(engine: "Engine", *, embed: bool = True) -> Keeper:
    """A keeper for `engine`, with the configured folders as roots; not started yet."""
    work = _Work(engine)
    watch = engine.config.watch
    for folder in watch.directories:
        work.add_configured(clean_path(folder))
    rules = Rules.from_settings(engine.config.files, watch)
    keeper = Keeper(
        Desk(
            list_roots=work.list_roots,
            refresh=work.refresh,
            embed=work.embed if embed else lambda: None,
            settle=work.settle,
            rest=engine.indexer().rest,
            interrupt=engine.indexer().control.interrupt,
            remember=work.remember,
            tell=lambda phase: engine.tell(Progress(phase)),
        ),
        lambda report: start(rules, report),
        SystemClock(),
        debounce_ms=watch.debounce_ms,
        reconcile_minutes=watch.reconcile_minutes,
    )
    engine.indexer().between = work.between(keeper)
    engine.indexer().batch_files = KEPT_BATCH_FILES
    engine.indexer().warm_up()
    keeper.embed_soon()
    return keeper


class _Work:
    """What the keeper asks for."""

    def __init__(self, engine: "Engine") -> None:
        self._engine = engine

    def add_configured(self, path: str) -> None:
        """A folder of the configuration becomes a root, also when its disk is away now."""
        with self._engine.database.write() as connection:
            covering = ledger.covering_root(connection, path)
            if covering is None or covering.path == path:
                root = ledger.add_root(connection, path, watched=True, added=time.time())
                ledger.absorb_roots(connection, root)

    def list_roots(self) -> list[KeptRoot]:
        """The ledger's roots."""
        return [
            KeptRoot(
                root.path,
                root.watched,
                root.paused,
                root.scanned is not None,
                None if root.event_id is None else Bookmark(root.event_id, root.volume),
            )
            for root in self._engine.roots()
        ]

    def refresh(self, path: str, within: Sequence[str], urgent: bool) -> Report:
        """Bring a root, or places in it, level with the disk; one that is no more is no matter."""
        root = ledger.find_root(self._engine.database.connection(), path)
        if root is None:
            return Report()
        if not urgent:
            for place in within or (path,):
                # A .gitignore that is new may stand at the place or in it.
                self._engine.rules.forget(place)
        return self._engine.indexer().refresh(root, within, urgent=urgent)

    def embed(self) -> None:
        """Give the waiting passages their vectors, until done or interrupted."""
        try:
            self._engine.embed()
        except ModelError as exc:
            log.error("%s %s", exc, exc.advice)
            self._engine.turn_meaning_off(exc)

    def settle(self) -> None:
        """At quiet: what other changes have made untrue, then sweep and write the snapshots."""
        connection = self._engine.database.connection()
        for root in self._engine.roots():
            links = ledger.list_links(connection, root.id, LINKS_MOST)
            if links and root.watched and not root.paused:
                self._engine.indexer().refresh(root, links, urgent=True)
        self._engine.settle()

    def remember(self, path: str, mark: Bookmark) -> None:
        """Where the volume's journal has been read to."""
        with self._engine.database.write() as connection:
            ledger.set_mark(connection, path, mark.event, mark.volume)

    def between(self, keeper: Keeper) -> "_Between":
        """What long runs call at every step."""
        return _Between(self._engine, keeper)


class _Between:
    """Urgent work first; and while somebody searches, embedding takes one core only."""

    def __init__(self, engine: "Engine", keeper: Keeper) -> None:
        self._engine = engine
        self._keeper = keeper

    def __call__(self) -> None:
        self._engine.be_gentle(time.monotonic() - self._engine.asked < ASKED_SECONDS)
        self._keeper.between()
