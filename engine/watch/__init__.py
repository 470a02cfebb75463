"""What changed on disk? Reports of the system, gathered, and answered by comparing.

FSEvents on a Mac, inotify on Linux, comparing every minute on network volumes; `debounce` makes
one change of many reports; `keeper` owns the writing while a service runs.
"""

import sys

from engine.errors import WatchError
from engine.files.rules import Rules
from engine.watch.change import Change, Kind, Report, Watcher
from engine.watch.polling import Polling
from engine.watch.watching import Watching


def start(rules: Rules, report: Report) -> Watching:
    """The watcher for this system; `report` is called from its threads. `rules` are its alone."""
    polling = Polling(report).start()
    try:
        native: Watcher | None = _start_native(rules, report)
    except WatchError as exc:
        report(Change(Kind.WARNING, "", f"{exc} {exc.advice}"))
        native = None
    return Watching(native, polling, report)


def _start_native(rules: Rules, report: Report) -> Watcher:
    if sys.platform == "darwin":
        from engine.watch.fsevents import FsEvents

        return FsEvents(report)
    from engine.watch.inotify import Inotify

    return Inotify(rules, report).start()
