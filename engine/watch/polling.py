"""What about folders that nobody reports on? They are compared, again and again.

Network volumes have no reports of what other machines write, and a system may run out of watches.
Such roots are named here and reported as "look again" every minute; the comparison finds the rest.
"""

import os
import sys
import threading

from engine.watch.change import Bookmark, Change, Kind, Report

SECONDS = 60.0
_REMOTE = ("nfs", "cifs", "smb", "afs", "ncp", "9p", "ceph", "glusterfs", "lustre", "davfs")
_REMOTE_FUSE = ("fuse.sshfs", "fuse.rclone", "fuse.davfs", "fuse.s3fs", "fuse.gvfsd")


class Polling:
    """Reports each of its roots as "look again" every few seconds."""

    def __init__(self, report: Report, seconds: float = SECONDS) -> None:
        self._report = report
        self._seconds = seconds
        self._roots: set[str] = set()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sagasu-polling", daemon=True)

    def start(self) -> "Polling":
        """Begin to report."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Report no more."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def watch(self, root: str, since: Bookmark | None) -> bool:
        """Name `root` from now on; the first scan is the caller's."""
        with self._lock:
            self._roots.add(root)
        return False

    def unwatch(self, root: str) -> None:
        """Name `root` no longer."""
        with self._lock:
            self._roots.discard(root)

    def cover(self, folder: str) -> None:
        """Nothing to do: a comparison covers everything."""

    def _run(self) -> None:
        while not self._stop.wait(self._seconds):
            with self._lock:
                roots = sorted(self._roots)
            for root in roots:
                self._report(Change(Kind.RESCAN, root))


def is_remote(path: str, mounts: str = "/proc/self/mounts") -> bool:
    """Whether `path` lies on a volume that other machines write to (Linux; elsewhere False)."""
    if sys.platform != "linux":
        return False
    try:
        with open(mounts, encoding="utf-8", errors="surrogateescape") as handle:
            rows = [line.split() for line in handle]
    except OSError:
        return False
    real = os.path.realpath(path)
    best, kind = "", ""
    for _, place, type_, *_ in rows:
        where = place.encode("utf-8", "surrogateescape").decode("unicode_escape")
        inside = real == where or real.startswith(where.rstrip("/") + "/")
        if inside and len(where) >= len(best):
            best, kind = where, type_
    return kind.startswith((*_REMOTE, *_REMOTE_FUSE))
