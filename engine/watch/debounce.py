"""When is a changed file read? When it has been quiet for a moment, and at the latest after ten.

Each path has its own timer (400 ms), restarted by every report; the last report wins. A file that
never comes to rest is handed over every 10 seconds all the same. When hundreds of paths below one
folder are due together (a checkout, an unpacked archive), the folder is compared as a whole.

Pure: the clock is passed in and nothing here waits. Both tables are kept in the order of their
times, so that asking what is due costs nothing while nothing is.
"""

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from engine.ports import Clock

LONGEST_SECONDS = 10.0
SLACK_SECONDS = 0.01  # due so soon after another, taken with it: the two halves of a rename
CROWD = 500  # more paths than this below one folder become the folder


@dataclass(frozen=True, slots=True)
class Due:
    """What shall be looked at now: single paths, and folders with everything in them."""

    paths: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.paths or self.folders)


class Debounce:
    """Paths that have changed and are not due yet. Not thread-safe: its owner has the lock."""

    def __init__(self, clock: Clock, quiet_ms: int, crowd: int = CROWD) -> None:
        self._clock = clock
        self._quiet = quiet_ms / 1000
        self._crowd = crowd
        self._first: dict[str, float] = {}  # in the order of the first report
        self._last: dict[str, float] = {}  # in the order of the last report
        self._folders: set[str] = set()  # of the paths: those to be compared as a whole

    def __len__(self) -> int:
        return len(self._last)

    def add(self, path: str, *, folder: bool = False) -> None:
        """A report on `path`; `folder`: on everything below it too."""
        now = self._clock.monotonic()
        self._first.setdefault(path, now)
        self._last.pop(path, None)
        self._last[path] = now
        if folder:
            self._folders.add(path)

    def drop_below(self, root: str) -> None:
        """Forget what was reported at and below `root`."""
        prefix = root.rstrip("/") + "/"
        for path in [one for one in self._last if one == root or one.startswith(prefix)]:
            self._forget(path)

    def wait_seconds(self) -> float | None:
        """How long until something is due; 0 when it is; None when nothing waits."""
        if not self._last:
            return None
        quiet = next(iter(self._last.values())) + self._quiet
        longest = next(iter(self._first.values())) + LONGEST_SECONDS
        return max(0.0, min(quiet, longest) - self._clock.monotonic())

    def take(self) -> Due:
        """What is due now; it no longer waits here."""
        now = self._clock.monotonic()
        slack = SLACK_SECONDS if self.wait_seconds() == 0.0 else 0.0
        due: dict[str, bool] = {}
        for times, patience in ((self._last, self._quiet), (self._first, LONGEST_SECONDS)):
            for path in _until(times, now - patience + slack):
                due[path] = path in self._folders
                self._forget(path)
        if not due:
            return Due()
        folders = [path for path, whole in due.items() if whole]
        return gather([path for path, whole in due.items() if not whole], folders, self._crowd)

    def _forget(self, path: str) -> None:
        self._first.pop(path, None)
        self._last.pop(path, None)
        self._folders.discard(path)


def _until(times: dict[str, float], moment: float) -> list[str]:
    found: list[str] = []
    for path, when in times.items():
        # A hair of patience: two sums of the same floats may differ in the last bit.
        if when > moment + 1e-9:
            break
        found.append(path)
    return found


def gather(paths: Iterable[str], folders: Iterable[str], crowd: int = CROWD) -> Due:
    """Crowds of paths as their folder, and nothing twice: a folder speaks for what is in it."""
    single = list(dict.fromkeys(paths))
    whole = set(folders)
    while len(single) > crowd:
        folder = _deepest_crowd(single, crowd)
        if folder is None:
            break
        whole.add(folder)
        prefix = folder.rstrip("/") + "/"
        single = [path for path in single if not path.startswith(prefix)]
    kept = [one for one in sorted(whole) if not _is_below(one, whole)]
    tops = set(kept)
    return Due(
        tuple(path for path in single if path not in tops and not _is_below(path, tops)),
        tuple(kept),
    )


def _deepest_crowd(paths: Iterable[str], crowd: int) -> str | None:
    """The folder farthest from the top that has more than `crowd` of `paths` below it."""
    counts: Counter[str] = Counter()
    for path in paths:
        folder = os.path.dirname(path)
        while len(folder) > 1:
            counts[folder] += 1
            folder = os.path.dirname(folder)
    crowded = [folder for folder, count in counts.items() if count > crowd]
    return max(crowded, key=lambda folder: folder.count("/"), default=None)


def _is_below(path: str, folders: set[str]) -> bool:
    folder = os.path.dirname(path)
    while len(folder) > 1:
        if folder in folders:
            return True
        folder = os.path.dirname(folder)
    return False
