"""How does Linux say that files changed? inotify: one watch a folder, one queue for all of them.

watchdog's own reader drops the word that the queue has overflowed, and stops at the first folder
that cannot be watched; so of watchdog we take the calls and the constants, and read the queue here.
A new folder is watched first and compared afterwards (a rescan), so nothing made in it meanwhile
is missed. When the system has no watches left, or its queue has run over, that is said aloud, and
the folder is compared again.
"""

import ctypes
import errno
import logging
import os
import select
import struct
import threading
from collections.abc import Iterator
from typing import NamedTuple

from watchdog.observers.inotify_c import (
    InotifyConstants as In,
)
from watchdog.observers.inotify_c import (
    inotify_add_watch,
    inotify_init,
    inotify_rm_watch,
)

from engine.errors import WatchError
from engine.files.rules import Rules, Ruling
from engine.watch.change import Bookmark, Change, Kind, Report

log = logging.getLogger(__name__)

MASK = (
    In.IN_CREATE
    | In.IN_CLOSE_WRITE
    | In.IN_MODIFY
    | In.IN_ATTRIB
    | In.IN_MOVED_FROM
    | In.IN_MOVED_TO
    | In.IN_DELETE
    | In.IN_DELETE_SELF
    | In.IN_MOVE_SELF
    | In.IN_DONT_FOLLOW
    | In.IN_EXCL_UNLINK
)
_HEAD = struct.Struct("iIII")
_BUFFER = 256 * 1024
FULL = (
    "Linux allows no more watched folders (fs.inotify.max_user_watches): some folders in {root} are"
    " compared every minute instead of at once. Raise the limit: sudo sysctl"
    " fs.inotify.max_user_watches=1048576"
)
OVERFLOW = "More files changed at once than the system could report; all folders are compared anew."


class Event(NamedTuple):
    """One entry of the queue."""

    watch: int
    mask: int
    name: str


class Inotify:
    """Watches roots on Linux."""

    def __init__(self, rules: Rules, report: Report) -> None:
        self._rules = rules  # its own: judged on two threads, under the lock
        self._report = report
        self._lock = threading.RLock()
        self._roots: set[str] = set()
        self._full: set[str] = set()  # roots with folders that have no watch
        self._paths: dict[int, str] = {}
        self._watches: dict[str, int] = {}
        self._queue = inotify_init()
        if self._queue < 0:
            raise WatchError(problem=os.strerror(ctypes.get_errno()))
        self._wake_read, self._wake_write = os.pipe()
        self._thread = threading.Thread(target=self._read_queue, name="sagasu-inotify", daemon=True)

    def start(self) -> "Inotify":
        """Begin to report."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Report no more."""
        os.write(self._wake_write, b"!")
        if self._thread.is_alive():
            self._thread.join()
        for handle in (self._queue, self._wake_read, self._wake_write):
            os.close(handle)

    def watch(self, root: str, since: Bookmark | None) -> bool:
        """Watch `root`; Linux keeps no journal, so a scan is always needed."""
        with self._lock:
            self._roots.add(root)
            self._drop(root)  # after a root came back its old watches point to nowhere
        self.cover(root)
        return False

    def unwatch(self, root: str) -> None:
        """Watch `root` no longer."""
        with self._lock:
            self._roots.discard(root)
            self._full.discard(root)
            self._drop(root)

    def cover(self, folder: str) -> None:
        """Watch `folder` and every folder below it that a walk would enter."""
        with self._lock:
            root = self._root_of(folder)
            if root is None:
                return
            self._rules.forget(folder)
            for place in self._iter_folders(root, folder):
                if place not in self._watches and not self._add(root, place):
                    return

    @property
    def full_roots(self) -> frozenset[str]:
        """Roots in which some folders have no watch: they must be compared now and then."""
        with self._lock:
            return frozenset(self._full)

    def _root_of(self, path: str) -> str | None:
        for root in self._roots:
            if path == root or path.startswith(root.rstrip("/") + "/"):
                return root
        return None

    def _iter_folders(self, root: str, folder: str) -> Iterator[str]:
        if folder != root and not self._is_entered(root, folder):
            return
        pending = [folder]
        while pending:
            place = pending.pop()
            yield place
            try:
                with os.scandir(place) as listing:
                    inner = [one.path for one in listing if one.is_dir(follow_symlinks=False)]
            except OSError:
                continue
            if self._rules.recursive:
                pending += [one for one in inner if self._is_entered(place, one)]

    def _is_entered(self, above: str, folder: str) -> bool:
        verdict = self._rules.judge_within(above, folder, True)
        return verdict.ruling is Ruling.TAKE or self._rules.may_hold_included(folder)

    def _add(self, root: str, folder: str) -> bool:
        """Watch one folder; False when the system has no watches left."""
        number = inotify_add_watch(self._queue, os.fsencode(folder), MASK)
        if number >= 0:
            old = self._paths.get(number)
            if old is not None and old != folder:
                self._watches.pop(old, None)  # the same folder under the name it had before
            self._paths[number] = folder
            self._watches[folder] = number
            return True
        problem = ctypes.get_errno()
        if problem != errno.ENOSPC:
            log.debug("%s is not watched: %s", folder, os.strerror(problem))
            return True  # gone again, or closed to us: the comparison says so
        if root not in self._full:
            self._full.add(root)
            self._report(Change(Kind.WARNING, root, FULL.format(root=root)))
            self._report(Change(Kind.RESCAN, root))
        return False

    def _drop(self, folder: str) -> None:
        prefix = folder.rstrip("/") + "/"
        for place in [one for one in self._watches if one == folder or one.startswith(prefix)]:
            number = self._watches.pop(place)
            self._paths.pop(number, None)
            inotify_rm_watch(self._queue, number)

    # The queue

    def _read_queue(self) -> None:
        poll = select.poll()
        poll.register(self._queue, select.POLLIN)
        poll.register(self._wake_read, select.POLLIN)
        while True:
            ready = {handle for handle, _ in poll.poll()}
            if self._wake_read in ready:
                return
            try:
                self.handle(os.read(self._queue, _BUFFER))
            except Exception:  # a worker's top: watching must go on, and says what it lost
                log.exception("a report of inotify could not be read")
                self._lost()

    def handle(self, data: bytes) -> None:
        """Report what one read of the queue says."""
        for event in parse_events(data):
            with self._lock:
                if event.mask & In.IN_Q_OVERFLOW:
                    self._lost()
                else:
                    self._handle(event)

    def _lost(self) -> None:
        self._report(Change(Kind.WARNING, "", OVERFLOW))
        for root in sorted(self._roots):
            self._report(Change(Kind.RESCAN, root))

    def _handle(self, event: Event) -> None:
        folder = self._paths.get(event.watch)
        if folder is None:
            return
        if event.mask & (In.IN_DELETE_SELF | In.IN_MOVE_SELF | In.IN_UNMOUNT | In.IN_IGNORED):
            self._handle_self(folder, event)
            return
        path = f"{folder.rstrip('/')}/{event.name}" if event.name else folder
        if event.mask & In.IN_ISDIR and event.mask & (In.IN_CREATE | In.IN_MOVED_TO):
            self._drop(path)
            self.cover(path)
            self._report(Change(Kind.RESCAN, path))
        elif event.mask & (In.IN_DELETE | In.IN_MOVED_FROM):
            if event.mask & In.IN_ISDIR:
                self._drop(path)
            self._report(Change(Kind.REMOVED, path))
        elif event.mask & In.IN_ISDIR:
            # Only its rights or dates; what it held may have become readable.
            self._report(Change(Kind.RESCAN if event.mask & In.IN_ATTRIB else Kind.CHANGED, path))
        else:
            self._report(Change(Kind.CHANGED, path))

    def _handle_self(self, folder: str, event: Event) -> None:
        if event.mask & In.IN_IGNORED or event.mask & In.IN_DELETE_SELF:
            number = self._watches.get(folder)
            if number == event.watch:
                del self._watches[folder]
            self._paths.pop(event.watch, None)
        if folder in self._roots:
            self._report(Change(Kind.ROOT_GONE, folder))


def parse_events(data: bytes) -> Iterator[Event]:
    """The entries of one read: watch, mask, cookie, length, then the padded name."""
    start = 0
    while start + _HEAD.size <= len(data):
        watch, mask, _, length = _HEAD.unpack_from(data, start)
        start += _HEAD.size
        name = data[start : start + length].rstrip(b"\0")
        start += length
        yield Event(watch, mask, os.fsdecode(name))
