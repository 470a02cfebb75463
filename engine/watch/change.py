"""What does a watcher say? Changes, in the same few kinds whatever the system below.

A change is a hint where to look, never the truth: the disk itself is compared with the ledger
afterwards. So it does not matter that systems merge, repeat and reorder what they report.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Kind(StrEnum):
    """What a watcher may report."""

    CHANGED = "changed"  # one path: written, made, renamed to, its rights changed
    REMOVED = "removed"  # one path: deleted or renamed from
    RESCAN = "rescan"  # everything below a folder: it is new, or reports of it were lost
    ROOT_GONE = "root_gone"
    ROOT_BACK = "root_back"
    WARNING = "warning"  # a sentence for people


@dataclass(frozen=True, slots=True)
class Bookmark:
    """How far a volume's journal has been read: where to go on after a restart."""

    event: int
    volume: str


@dataclass(frozen=True, slots=True)
class Change:
    """One report."""

    kind: Kind
    path: str  # of a warning: the root that it is about, or empty
    text: str = ""
    mark: Bookmark | None = None  # of systems that keep a journal


Report = Callable[[Change], None]


class Watcher(Protocol):
    """Watches any number of roots and reports from a thread of its own."""

    def watch(self, root: str, since: Bookmark | None) -> bool:
        """Begin; True when everything since `since` will be reported, so no scan is needed."""
        ...

    def unwatch(self, root: str) -> None: ...

    def cover(self, folder: str) -> None:
        """Make sure that everything below `folder` is watched, before it is compared."""
        ...

    def close(self) -> None: ...
