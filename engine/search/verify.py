"""Is what was found still there? Looks at the results' files before they are shown: no ghosts.

Gone: dropped. Moved: shown at its new place. Changed: shown, marked "updating". On a disk that is
away: shown, marked "away". Whatever is not as the index has it is reported, so that it is looked
at first. All of it happens on other threads within 30 ms, whatever state a disk is in: what has
not been looked at by then is shown as it is.
"""

import os
import queue
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from typing import TypeVar

from engine.models import Result
from engine.store.ledger import find_inode, read_looks

BUDGET_MS = 30.0
THREADS = 4
WAITING_MOST = 1_000
LISTED = 2_000  # entries of its old folder that are looked through for a renamed file


@dataclass(frozen=True, slots=True)
class Look:
    """A file as the ledger has it, and the root that it lies in."""

    size: int
    mtime_ns: int
    inode: int
    device: int
    root: str


@dataclass(frozen=True, slots=True)
class Checked:
    """The results that may be shown, and the paths that are not as the index has them."""

    results: tuple[Result, ...]
    stale: tuple[str, ...] = ()
    dropped: int = 0


Hits = TypeVar("Hits")
Build = Callable[[Sequence[Hits], int], Sequence[Result]]  # hits and the first one's place


@dataclass(frozen=True, slots=True)
class _Finding:
    """What the disk says of one file."""

    what: str  # same, changed, gone, away
    renamed: str = ""  # where it is now, when it was found beside its old place


class Verifier:
    """Looks at files on threads of its own; one that hangs on a dead disk holds up nobody."""

    def __init__(self) -> None:
        self._tasks: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._guard = threading.Lock()

    def close(self) -> None:
        """End the threads that can be ended."""
        for _ in self._threads:
            self._tasks.put(None)

    def verify(
        self,
        connection: sqlite3.Connection,
        results: Sequence[Result],
        budget_ms: float = BUDGET_MS,
    ) -> Checked:
        """`results` as the disk is now, as far as it answers in time."""
        end = time.monotonic() + budget_ms / 1000
        self._start()
        rows = read_looks(connection, [one.path for one in results if one.path])
        looks = {path: Look(*facts) for path, facts in rows.items()}
        answers: dict[str, _Finding] = {}
        asked = [self._ask(some, answers) for some in _by_device(looks)]
        wait(asked, timeout=max(0.0, end - time.monotonic()))
        found = dict(answers)  # what a slow disk says later is no longer heard
        kept: list[Result] = []
        for one in results:
            finding = found.get(one.path)
            shown = one if finding is None else _judge(connection, one, finding, looks[one.path])
            if shown is not None:
                kept.append(shown)
        stale = [path for path, finding in found.items() if finding.what != "same"]
        moved = [finding.renamed for finding in found.values() if finding.renamed]
        numbered = _number(kept, results[0].rank) if kept else ()
        return Checked(tuple(numbered), (*stale, *moved), len(results) - len(kept))

    def fill_page(
        self,
        connection: sqlite3.Connection,
        hits: Sequence[Hits],
        *,
        offset: int,
        limit: int,
        build: Build[Hits],
    ) -> Checked:
        """One page of `hits` as results; for each that is gone the next in line is taken."""
        end = time.monotonic() + BUDGET_MS / 1000
        page: list[Result] = []
        stale: list[str] = []
        place, dropped = offset, 0
        while len(page) < limit and place < len(hits):
            wanted = hits[place : place + limit - len(page)]
            place += len(wanted)
            first = offset + len(page) + 1
            left_ms = (end - time.monotonic()) * 1000
            checked = self.verify(connection, build(wanted, first), left_ms)
            page += checked.results
            stale += checked.stale
            dropped += checked.dropped
        return Checked(tuple(page), tuple(stale), dropped)

    def _start(self) -> None:
        with self._guard:
            while len(self._threads) < THREADS:
                thread = threading.Thread(target=self._work, name="sagasu-verify", daemon=True)
                self._threads.append(thread)
                thread.start()

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()

    def _ask(self, looks: dict[str, Look], answers: dict[str, _Finding]) -> "Future[None]":
        """Look at files of one disk, one after the other: if it hangs, no other disk waits."""
        future: Future[None] = Future()

        def examine() -> None:
            for path, look in looks.items():
                answers[path] = _examine(path, look)
            future.set_result(None)

        if self._tasks.qsize() <= WAITING_MOST:  # else every thread hangs on a dead disk
            self._tasks.put(examine)
        return future


def _by_device(looks: dict[str, Look]) -> list[dict[str, Look]]:
    found: dict[int, dict[str, Look]] = {}
    for path, look in looks.items():
        found.setdefault(look.device, {})[path] = look
    return list(found.values())


def _examine(path: str, look: Look) -> _Finding:
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        if not os.path.exists(look.root):
            return _Finding("away")
        return _Finding("gone", _find_beside(path, look))
    except OSError:
        return _Finding("same")  # closed to us just now: nothing is known against it
    if stat.S_ISDIR(status.st_mode):
        return _Finding("same")  # a folder that is one document; the watcher knows its inside
    same = (status.st_size, status.st_mtime_ns) == (look.size, look.mtime_ns)
    return _Finding("same" if same else "changed")


def _find_beside(path: str, look: Look) -> str:
    """The file under another name in the same folder; empty when it is not there."""
    try:
        with os.scandir(os.path.dirname(path)) as listing:
            for number, entry in enumerate(listing):
                if number >= LISTED:
                    break
                if entry.inode() == look.inode and _looks_so(entry, look):
                    return entry.path
    except OSError:
        return ""
    return ""


def _looks_so(entry: "os.DirEntry[str]", look: Look) -> bool:
    """Whether it is the same file indeed: a number is given to another file soon after."""
    status = entry.stat(follow_symlinks=False)
    return (status.st_size, status.st_mtime_ns) == (look.size, look.mtime_ns)


def _judge(
    connection: sqlite3.Connection, one: Result, finding: _Finding, look: Look
) -> Result | None:
    if finding.what == "same":
        return one
    if finding.what == "changed":
        return replace(one, freshness="updating")
    if finding.what == "away":
        return replace(one, freshness="away")
    place = finding.renamed or _find_in_ledger(connection, one.path, look)
    if not place:
        return None
    offset = len(place) - len(one.path)
    same_name = os.path.basename(place) == os.path.basename(one.path)
    marks = tuple((start + offset, end + offset) for start, end in one.path_highlights)
    return replace(
        one, path=place, freshness="updating", path_highlights=marks if same_name else ()
    )


def _find_in_ledger(connection: sqlite3.Connection, path: str, look: Look) -> str:
    """Where the keeper has seen this very file since; empty when it has not."""
    for other, size, mtime_ns in find_inode(connection, look.inode, look.device):
        if other != path and (size, mtime_ns) == (look.size, look.mtime_ns):
            return other
    return ""


def _number(results: Sequence[Result], first: int) -> list[Result]:
    """The results with the places that they have now."""
    return [
        one if one.rank == first + position else replace(one, rank=first + position)
        for position, one in enumerate(results)
    ]
