"""Which watcher serves which root? The system's own where it reports, polling where it does not."""

from engine.errors import WatchError
from engine.watch.change import Bookmark, Change, Kind, Report, Watcher
from engine.watch.polling import Polling, is_remote


class Watching:
    """The system's own watcher where it reports, polling where it does not."""

    def __init__(self, native: Watcher | None, polling: Polling, report: Report) -> None:
        self._native = native
        self._polling = polling
        self._report = report

    def watch(self, root: str, since: Bookmark | None) -> bool:
        """Watch `root`; True when no scan is needed because all changes will be replayed."""
        if self._native is None or is_remote(root):
            return self._polling.watch(root, since)
        try:
            return self._native.watch(root, since)
        except WatchError as exc:
            self._report(Change(Kind.WARNING, root, f"{root}: {exc} {exc.advice}"))
            return self._polling.watch(root, since)

    def poll(self, root: str) -> None:
        """Compare `root` every minute too: the system does not report all of it."""
        self._polling.watch(root, None)

    def unwatch(self, root: str) -> None:
        """Watch `root` no longer."""
        self._polling.unwatch(root)
        if self._native is not None:
            self._native.unwatch(root)

    def cover(self, folder: str) -> None:
        """Make sure that everything below `folder` is watched."""
        if self._native is not None:
            self._native.cover(folder)

    def close(self) -> None:
        """Report no more."""
        self._polling.close()
        if self._native is not None:
            self._native.close()
