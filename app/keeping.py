"""How does the desk look after the real engine? The Steward port over engine.api.Engine.

Long changes (a new folder, a removed one) come one after the other on one thread of their own;
the state says how far they are, and what went wrong with them.
"""

import io
import json
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from app.messages import Coverage as AskCoverage
from app.preferences import replace_file
from app.state import Folder, Keeper, Phase, after_error, after_numbers, after_progress
from app.wire import Json
from engine.api import Engine
from engine.config import iter_settings, parse_value
from engine.errors import ConfigError, DesktopError, EngineError, InternalError, NotFoundError
from engine.models import Coverage, Progress, Status

log = logging.getLogger(__name__)


class EngineSteward:
    """Looks after one engine that is open for writing."""

    def __init__(self, engine: Engine, keeper: Keeper) -> None:
        self._engine = engine
        self._keeper = keeper
        self._changes = ThreadPoolExecutor(1, thread_name_prefix="change")
        engine.listen(self._heard)

    def start(self) -> None:
        """Brings every folder up to date, in the background."""
        self.refresh()
        for root in self._engine.roots():
            if not root.paused:
                self._later(lambda path=root.path: self._index(path))  # type: ignore[misc]  # the default binds the loop's value

    def wake(self) -> None:
        """After sleep: goes on where it stopped, unless the person had paused, and looks again."""
        if self._keeper.state.phase is not Phase.PAUSED:
            self._engine.indexer().control.resume()
        self.start()

    def close(self) -> None:
        """Stops the background work; what is in hand is finished."""
        self._engine.unlisten(self._heard)
        self._engine.indexer().control.stop()
        self._changes.shutdown(wait=True, cancel_futures=True)

    def refresh(self) -> None:
        """Reads the numbers anew."""
        status = self._engine.status()
        folders, left_out = read_folders(status), sum(one.not_searchable for one in status.roots)
        self._keeper.change(
            lambda state: after_numbers(
                state, folders=folders, files=status.documents, left_out=left_out
            )
        )
        reason = "" if status.semantic else status.semantic_reason
        self._keeper.change(lambda state: replace(state, meaning_off=reason))

    def folders(self) -> tuple[Folder, ...]:
        """The searched folders with their numbers."""
        return read_folders(self._engine.status())

    def add_folder(self, path: Path) -> None:
        """Searches this folder too: it is there at once, its files follow."""
        self._engine.add_root(str(path), watched=True)
        self.refresh()
        self._later(lambda: self._index(str(path)))

    def remove_folder(self, path: Path) -> None:
        """Forgets this folder and its files."""
        known = {os.path.realpath(root.path) for root in self._engine.roots()}
        if os.path.realpath(path) not in known:
            raise NotFoundError(what=f"The folder {path}")
        self._later(lambda: self._engine.remove_root(str(path))).result()
        self.refresh()

    def pause(self, path: Path | None, paused: bool) -> None:
        """Stops or resumes indexing everywhere."""
        if path is not None:
            raise _missing("Pausing one folder")
        control = self._engine.indexer().control
        if paused:
            control.pause()
        else:
            control.resume()

    def coverage(self, ask: AskCoverage) -> Coverage:
        """The ledger: what is searchable, what is not, and why."""
        return self._engine.coverage(
            ask.folder, state=ask.state, reason=ask.reason, limit=ask.limit, offset=ask.offset
        )

    def retry(self, paths: Sequence[str]) -> int:
        """Reads these files once more; none named: every folder."""
        chosen = list(paths) or [root.path for root in self._engine.roots()]
        for one in chosen:
            self._later(lambda path=one: self._index(path))  # type: ignore[misc]  # the default binds the loop's value
        return len(chosen)

    def include(self, pattern: str) -> None:
        """Takes in what a rule keeps out."""
        self._add_pattern("files.include", pattern)

    def exclude(self, pattern: str) -> None:
        """Leaves out from now on."""
        self._add_pattern("files.exclude", pattern)

    def pin(self, query: str, id: str, pinned: bool) -> None:
        """Keeps a document on top for a query."""
        raise _missing("Pinning")

    def settings(self) -> Mapping[str, Json]:
        """Every setting of the engine with its value."""
        return {
            row.key: list(row.value) if isinstance(row.value, tuple) else row.value
            for row in iter_settings(self._engine.config)
        }

    def configure(self, key: str, value: Json) -> None:
        """Writes one setting, checked, into config.yaml; comments stay."""
        checked = parse_value(key, json.dumps(value, ensure_ascii=False))
        write_setting(self._engine.places.config, key, checked)

    def repair(self) -> None:
        """Salvages a damaged index."""
        raise _missing("Repairing from here")

    def wipe(self) -> None:
        """Forgets every folder and all that was indexed."""
        for root in self._engine.roots():
            self._later(lambda path=root.path: self._engine.remove_root(path)).result()  # type: ignore[misc]  # the default binds the loop's value
        self.refresh()

    def _index(self, path: str) -> None:
        self._engine.index(path, watched=True)
        self.refresh()

    def _heard(self, progress: Progress) -> None:
        self._keeper.change(lambda state: after_progress(state, progress))

    def _later(self, change: Callable[[], object]) -> Future[None]:
        return self._changes.submit(self._try, change)

    def _try(self, change: Callable[[], object]) -> None:
        try:
            change()
        except EngineError as exc:
            error = exc
            log.error("%s %s", exc, exc.advice)
            self._keeper.change(lambda state: after_error(state, error))
        except Exception:  # a worker's top: the next change must still be done
            log.exception("a change failed")
            self._keeper.change(lambda state: after_error(state, InternalError()))

    def _add_pattern(self, key: str, pattern: str) -> None:
        kept = self.settings()[key]
        assert isinstance(kept, list)
        if pattern not in kept:
            self.configure(key, [*kept, pattern])


def read_folders(status: Status) -> tuple[Folder, ...]:
    """The folders as menu and settings show them."""
    return tuple(
        Folder(
            one.path,
            files=one.documents,
            left_out=one.not_searchable,
            paused=one.paused,
            problem="" if one.reachable else "cannot be reached",
        )
        for one in status.roots
    )


def write_setting(file: Path, key: str, value: object) -> None:
    """Sets `key` in the YAML file, leaving its comments and order as they are."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    yaml = YAML()
    try:
        tree = (yaml.load(file.read_text(encoding="utf-8")) if file.exists() else None) or {}
    except (YAMLError, OSError, UnicodeDecodeError) as exc:
        raise ConfigError(
            file=str(file), line=1, key=key, problem="cannot be read", fix="Correct it by hand."
        ) from exc
    place = tree
    *above, last = key.split(".")
    for name in above:
        place = place.setdefault(name, {})
    place[last] = list(value) if isinstance(value, tuple) else value
    text = io.StringIO()
    yaml.dump(tree, text)
    replace_file(file, text.getvalue())


def _missing(what: str) -> DesktopError:
    return DesktopError(what=what, problem="this version cannot do it yet")
