"""How does macOS say that files changed? FSEvents: one stream a root, on a thread with a run loop.

Only calls stand here; what the events mean is decided in `fsevents_logic`. PyObjC does not count
references to streams, so each is stopped, invalidated and released by us; and an exception that
leaves the callback would end the process, so none does.
"""

import logging
import os
import threading
from collections.abc import Sequence
from typing import Any

from engine.errors import WatchError
from engine.watch.change import Bookmark, Change, Kind, Report
from engine.watch.fsevents_logic import Raw, StreamReader, choose_start

log = logging.getLogger(__name__)

LATENCY_SECONDS = 0.1  # the debounce waits anyway; shorter only costs wake-ups
START_SECONDS = 10.0


class FsEvents:
    """Watches roots on a Mac."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._streams: dict[str, _Stream] = {}

    def watch(self, root: str, since: Bookmark | None) -> bool:
        """Watch `root`; True when everything since the bookmark is reported again."""
        import FSEvents

        self.unwatch(root)
        volume = find_volume(root)
        start = choose_start(since, volume, int(FSEvents.FSEventsGetCurrentEventId()))
        reader = StreamReader(root, os.path.realpath(root), volume)
        self._streams[root] = _Stream(root, start.since, reader, self._report)
        return start.replays

    def unwatch(self, root: str) -> None:
        """Watch `root` no longer."""
        stream = self._streams.pop(root, None)
        if stream is not None:
            stream.close()

    def cover(self, folder: str) -> None:
        """Nothing to do: a stream covers everything below its root."""

    def close(self) -> None:
        """Report no more."""
        for root in list(self._streams):
            self.unwatch(root)


def find_volume(root: str) -> str:
    """The UUID of the journal of the volume that `root` lies on; empty when there is none."""
    import CoreFoundation
    import FSEvents

    try:
        uuid = FSEvents.FSEventsCopyUUIDForDevice(os.stat(root).st_dev)
    except OSError:
        return ""
    return "" if uuid is None else str(CoreFoundation.CFUUIDCreateString(None, uuid))


class _Stream:
    """One FSEventStream and the thread whose run loop serves it."""

    def __init__(self, root: str, since: int, reader: StreamReader, report: Report) -> None:
        self._root = root
        self._since = since
        self._reader = reader
        self._report = report
        self._ready = threading.Event()
        self._failed = ""
        self._loop: Any = None
        self._thread = threading.Thread(target=self._run, name="sagasu-fsevents", daemon=True)
        self._thread.start()
        if not self._ready.wait(START_SECONDS) or self._failed:
            raise WatchError(problem=self._failed or "FSEvents did not start")

    def close(self) -> None:
        """End the run loop, and with it the stream."""
        import CoreFoundation

        CoreFoundation.CFRunLoopStop(self._loop)
        self._thread.join(START_SECONDS)

    def _run(self) -> None:
        import CoreFoundation
        import FSEvents

        flags = (
            FSEvents.kFSEventStreamCreateFlagFileEvents
            | FSEvents.kFSEventStreamCreateFlagNoDefer
            | FSEvents.kFSEventStreamCreateFlagWatchRoot
            | FSEvents.kFSEventStreamCreateFlagUseCFTypes
        )
        self._loop = CoreFoundation.CFRunLoopGetCurrent()
        stream = FSEvents.FSEventStreamCreate(
            None, self._hear, None, [os.path.realpath(self._root)], self._since, LATENCY_SECONDS,
            flags,
        )  # fmt: skip
        if stream is None:
            self._failed = f"FSEvents refuses {self._root}"
            self._ready.set()
            return
        mode = CoreFoundation.kCFRunLoopDefaultMode
        FSEvents.FSEventStreamScheduleWithRunLoop(stream, self._loop, mode)
        if not FSEvents.FSEventStreamStart(stream):
            self._failed = f"FSEvents cannot watch {self._root}"
        self._ready.set()
        if not self._failed:
            CoreFoundation.CFRunLoopRun()
            FSEvents.FSEventStreamStop(stream)
        FSEvents.FSEventStreamInvalidate(stream)
        FSEvents.FSEventStreamRelease(stream)

    def _hear(
        self, stream: Any, info: Any, count: int, paths: Any, flags: Sequence[int], ids: Any
    ) -> None:
        try:
            raw = [
                Raw(str(path), int(flag), int(number))
                for path, flag, number in zip(paths, flags, ids, strict=True)
            ]
            for change in self._reader.read(raw):
                self._report(change)
        except Exception:  # a worker's top: an exception would end the process
            log.exception("an event of FSEvents could not be read")
            self._report(Change(Kind.RESCAN, self._root))
