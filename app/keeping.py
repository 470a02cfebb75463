"""How does the desk look after the real engine? The Steward port over engine.api.Engine.

The engine's own keeper reads and watches in the background. What it says goes into the state at
once; the numbers are read anew on one thread of this room, at most once a second.
"""

import json
import logging
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from app.messages import Coverage as AskCoverage
from app.state import Folder, Keeper, Phase, after_error, after_numbers, after_progress
from app.wire import Json
from engine.api import Engine
from engine.config import iter_settings
from engine.errors import EngineError, InternalError
from engine.models import Coverage, Progress, RootView, Status
from engine.settings import load_config

log = logging.getLogger(__name__)

REFRESH_SECONDS = 1.0
PROGRESS_SECONDS = 0.1


class EngineSteward:
    """Looks after one engine that is open for writing."""

    def __init__(self, engine: Engine, keeper: Keeper, refused: str = "") -> None:
        self._engine = engine
        self._keeper = keeper
        self._refused = refused or "may not be read"
        self._resting = False  # paused by us, not by the person
        self._phase, self._told = "", 0.0
        self._stale = threading.Event()
        self._closed = threading.Event()
        self._reader = threading.Thread(target=self._read_numbers, name="numbers", daemon=True)
        engine.listen(self._heard)

    def start(self) -> None:
        """Keeps every folder fresh from now on, in the background."""
        self.refresh()
        self._engine.start_keeping()
        if not self._reader.is_alive():
            self._reader.start()

    def close(self) -> None:
        """Ends the background work; what is not done is found again at the next start."""
        self._engine.unlisten(self._heard)
        self._closed.set()
        self._stale.set()
        if self._reader.is_alive():
            self._reader.join(REFRESH_SECONDS)
        self._engine.stop_keeping()

    def wake(self) -> None:
        """After sleep: goes on, unless the person had paused before."""
        self.rest(False)
        self._stale.set()

    def rest(self, resting: bool) -> None:
        """Sleep or low power: nothing is written, and the person's own pause stays as it is."""
        if resting and self._keeper.state.phase is not Phase.PAUSED:
            self._resting = True
            self._engine.pause(True)
        elif not resting and self._resting:
            self._resting = False
            self._engine.pause(False)

    def refresh(self) -> None:
        """Reads the numbers into the state."""
        status = self._engine.status()
        folders = self._read_folders(status)
        left_out = sum(one.not_searchable for one in status.roots)
        reason = "" if status.semantic else status.semantic_reason
        self._keeper.change(
            lambda state: replace(
                after_numbers(
                    state,
                    folders=folders,
                    files=status.documents,
                    left_out=left_out,
                    problems=status.problems,
                ),
                meaning_off=reason,
            )
        )

    def folders(self) -> tuple[Folder, ...]:
        """The searched folders with their numbers."""
        return self._read_folders(self._engine.status())

    def add_folder(self, path: Path) -> None:
        """Searches this folder too: it is listed at once, its files follow."""
        self._engine.watch_root(str(path))
        self.refresh()

    def remove_folder(self, path: Path) -> None:
        """Forgets this folder and its files."""
        self._engine.remove_root(str(path))
        self.refresh()

    def pause(self, path: Path | None, paused: bool) -> None:
        """Stops or resumes indexing, of one folder or everywhere."""
        if path is None:
            self._engine.pause(paused)
        else:
            self._engine.pause_root(str(path), paused)
        self.refresh()

    def coverage(self, ask: AskCoverage) -> Coverage:
        """The ledger: what is searchable, what is not, and why."""
        return self._engine.coverage(
            ask.folder, state=ask.state, reason=ask.reason, limit=ask.limit, offset=ask.offset
        )

    def retry(self, paths: Sequence[str]) -> int:
        """Reads these files once more; none named: every folder. How many places that are."""
        if paths:
            self._engine.report_stale(paths)
            return len(paths)
        roots = self._engine.roots()
        keeper = self._engine.keeper
        if keeper is not None:
            for root in roots:
                keeper.scan(root.path)
        return len(roots)

    def include(self, pattern: str) -> None:
        """Takes in what a rule keeps out."""
        self._add_pattern("files.include", pattern)

    def exclude(self, pattern: str) -> None:
        """Leaves out from now on."""
        self._add_pattern("files.exclude", pattern)

    def pin(self, query: str, id: str, pinned: bool) -> None:
        """Keeps a document on top for a query."""
        self._engine.pin(query, id, pinned)

    def settings(self) -> Mapping[str, Json]:
        """Every setting of the engine as config.yaml has it now."""
        config = load_config(self._engine.places.config)
        return {
            row.key: list(row.value) if isinstance(row.value, tuple) else row.value
            for row in iter_settings(config)
        }

    def configure(self, key: str, value: Json) -> None:
        """Writes one setting, checked, into config.yaml (comments stay); it acts at once."""
        self._engine.configure(key, json.dumps(value, ensure_ascii=False))

    def wipe(self) -> None:
        """Forgets every folder and all that was indexed."""
        for root in self._engine.roots():
            self._engine.remove_root(root.path)
        self.refresh()

    def _heard(self, progress: Progress) -> None:
        # The engine counts every passage; nobody can read more than a few numbers a second.
        now = time.monotonic()
        if progress.phase == self._phase and now - self._told < PROGRESS_SECONDS:
            return
        self._phase, self._told = progress.phase, now
        self._keeper.change(lambda state: after_progress(state, progress))
        self._stale.set()

    def _read_numbers(self) -> None:
        while not self._closed.is_set():
            self._stale.wait()
            self._stale.clear()
            if not self._closed.is_set():
                self._try(self.refresh)
            self._closed.wait(REFRESH_SECONDS)

    def _try(self, change: Callable[[], object]) -> None:
        try:
            change()
        except EngineError as exc:
            error = exc
            log.error("%s %s", exc, exc.advice)
            self._keeper.change(lambda state: after_error(state, error))
        except Exception:  # a worker's top: the next look must still be taken
            log.exception("the numbers could not be read")
            self._keeper.change(lambda state: after_error(state, InternalError()))

    def _read_folders(self, status: Status) -> tuple[Folder, ...]:
        return tuple(
            Folder(
                one.path,
                files=one.documents,
                left_out=one.not_searchable,
                paused=one.paused,
                problem=self._find_problem(one),
            )
            for one in status.roots
        )

    def _find_problem(self, root: RootView) -> str:
        """Why a folder cannot be read just now; empty when it can."""
        try:
            with os.scandir(root.path):
                return ""
        except PermissionError:
            return self._refused
        except NotADirectoryError:
            return ""  # a single file may be searched too
        except OSError:
            return "is not there: is its disk plugged in?"

    def _add_pattern(self, key: str, pattern: str) -> None:
        kept = self.settings()[key]
        assert isinstance(kept, list)
        if pattern not in kept:
            self.configure(key, [*kept, pattern])
