"""Which roots are kept, and are they there? A root that is away is waited for, never emptied.

Every few seconds each root is looked at: gone, back, or another disk in its place. The system
reports that too, but not always: a network volume goes silently, and a mount covers a folder
without touching it.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from engine.ports import Clock
from engine.watch.change import Bookmark, Watcher

CHECK_SECONDS = 3.0
Identity = tuple[int, int]
UNSEEN: Identity = (-1, -1)


@dataclass(frozen=True, slots=True)
class KeptRoot:
    """A root, as the ledger has it."""

    path: str
    watched: bool
    paused: bool
    scanned: bool  # it has been compared as a whole before
    since: Bookmark | None = None


class KeptRoots:
    """The roots that are watched, with what is known of each. Used by the keeper's thread."""

    def __init__(
        self, watcher: Watcher, list_roots: Callable[[], Sequence[KeptRoot]], clock: Clock
    ) -> None:
        self._watcher = watcher
        self._list_roots = list_roots
        self._clock = clock
        self._known: dict[str, Identity | None] = {}
        self._all: dict[str, KeptRoot] = {}
        self._dropped: list[str] = []
        self._marks: dict[str, Bookmark] = {}
        self._check_at = 0.0
        self._list_anew = True
        self._unsynced: set[str] = set()

    def skip_first(self, path: str) -> None:
        """When this root is first seen, it need not be compared."""
        self._unsynced.add(path)

    def check_soon(self) -> None:
        """Look at all of them at the next opportunity."""
        self._check_at = 0.0
        self._list_anew = True

    def wait_seconds(self) -> float:
        """How long until the next look."""
        return max(0.0, self._check_at - self._clock.monotonic())

    def check(self) -> list[str]:
        """Look at every root if it is time; those that must be compared as a whole."""
        now = self._clock.monotonic()
        if now < self._check_at:
            return []
        self._check_at = now + CHECK_SECONDS
        if self._list_anew:
            self._list_anew = False
            self._read_list()
        return [path for path in list(self._known) if self._look_at(path)]

    def _read_list(self) -> None:
        self._all = {root.path: root for root in self._list_roots()}
        wanted = {path for path, root in self._all.items() if root.watched and not root.paused}
        for path in [one for one in self._known if one not in wanted]:
            del self._known[path]
            self._watcher.unwatch(path)
            self._dropped.append(path)
        for path in self._all:
            if path in wanted and path not in self._known:
                self._known[path] = UNSEEN

    def _look_at(self, path: str) -> bool:
        before, now = self._known[path], find_identity(path)
        if before == now:
            return False
        self._known[path] = now
        if now is None:
            self._watcher.unwatch(path)
            return True
        root = self._all[path]
        replayed = self._watcher.watch(path, root.since if before == UNSEEN else None)
        if path in self._unsynced:
            self._unsynced.discard(path)
            return False
        return not (replayed and root.scanned)

    def take_dropped(self) -> list[str]:
        """Roots that are no longer kept since the last time."""
        dropped, self._dropped = self._dropped, []
        return dropped

    def is_kept(self, path: str) -> bool:
        """Whether the index has this root."""
        return path in self._all

    def present(self) -> list[str]:
        """The kept roots."""
        return list(self._known)

    def away(self) -> tuple[str, ...]:
        """Kept roots that are not there now."""
        return tuple(path for path, identity in list(self._known.items()) if identity is None)

    def sort_by_root(self, paths: Iterable[str]) -> dict[str, list[str]]:
        """The paths of each root; those in no root, or in a paused one, are left out."""
        found: dict[str, list[str]] = {}
        for path in paths:
            root = self._root_of(path)
            if root is not None and not self._all[root].paused:
                found.setdefault(root, []).append(path)
        return found

    def _root_of(self, path: str) -> str | None:
        inside = [
            root for root in self._all if path == root or path.startswith(root.rstrip("/") + "/")
        ]
        return max(inside, key=len, default=None)

    def saw_mark(self, path: str, mark: Bookmark) -> None:
        """The journal has been read up to `mark` for the root of `path`."""
        root = self._root_of(path)
        if root is not None:
            self._marks[root] = mark

    def take_marks(self) -> list[tuple[str, Bookmark]]:
        """Where to go on after a restart, for each root that moved on."""
        marks, self._marks = self._marks, {}
        return list(marks.items())


def find_identity(path: str) -> Identity | None:
    """What lies at `path` now; None when nothing can be reached there."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino
