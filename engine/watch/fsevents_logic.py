"""What do FSEvents' flags mean? Plain Python: raw events in, changes out; where to resume.

macOS merges what happened to a path into one event with several flags, reports a rename as two
events, says nothing of what lies in a renamed folder, and admits with a flag when it lost count
(then the path may be any folder above ours, up to the volume itself). So every event is only a
place to look: at a path, or at everything below it. The numbers of the flags are Apple's; a test
compares them with those in the published framework.
"""

import os
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntFlag

from engine.watch.change import Bookmark, Change, Kind

DROPPED = "macOS lost count of changes below {path}: it is compared anew."
WRAPPED = "macOS began to count changes anew: {path} is compared as a whole."


class Flag(IntFlag):
    """kFSEventStreamEventFlag…"""

    MUST_SCAN_SUB_DIRS = 0x1
    USER_DROPPED = 0x2
    KERNEL_DROPPED = 0x4
    EVENT_IDS_WRAPPED = 0x8
    HISTORY_DONE = 0x10
    ROOT_CHANGED = 0x20
    MOUNT = 0x40
    UNMOUNT = 0x80
    ITEM_CREATED = 0x100
    ITEM_REMOVED = 0x200
    ITEM_INODE_META_MOD = 0x400
    ITEM_RENAMED = 0x800
    ITEM_MODIFIED = 0x1000
    ITEM_FINDER_INFO_MOD = 0x2000
    ITEM_CHANGE_OWNER = 0x4000
    ITEM_XATTR_MOD = 0x8000
    ITEM_IS_FILE = 0x10000
    ITEM_IS_DIR = 0x20000
    ITEM_IS_SYMLINK = 0x40000
    OWN_EVENT = 0x80000
    ITEM_IS_HARDLINK = 0x100000
    ITEM_IS_LAST_HARDLINK = 0x200000
    ITEM_CLONED = 0x400000


LOST = Flag.USER_DROPPED | Flag.KERNEL_DROPPED
ADMITTED = Flag.MUST_SCAN_SUB_DIRS | LOST | Flag.EVENT_IDS_WRAPPED
TOUCHED = (
    Flag.ITEM_CREATED
    | Flag.ITEM_REMOVED
    | Flag.ITEM_RENAMED
    | Flag.ITEM_MODIFIED
    | Flag.ITEM_CLONED
    | Flag.ITEM_INODE_META_MOD
    | Flag.ITEM_CHANGE_OWNER
)
UPHEAVAL = (
    Flag.ITEM_CREATED | Flag.ITEM_RENAMED | Flag.ITEM_INODE_META_MOD | Flag.ITEM_CHANGE_OWNER
)


@dataclass(frozen=True, slots=True)
class Raw:
    """One event as it comes."""

    path: str
    flags: int
    id: int


@dataclass(frozen=True, slots=True)
class Start:
    """Where a stream begins, and whether everything since the bookmark is reported again."""

    since: int
    replays: bool


def choose_start(stored: Bookmark | None, volume: str, current: int) -> Start:
    """Resume where we left off, if it is the same volume's journal and it has not begun anew.

    `volume` is the journal's UUID, empty when the volume keeps none; `current` is the newest id,
    taken before any scan: what happens during the scan is reported too.
    """
    if stored is None or not volume or stored.volume != volume or stored.event > current:
        return Start(current, False)
    return Start(stored.event, True)


class StreamReader:
    """Reads the events of one root's stream."""

    def __init__(self, root: str, real: str, volume: str) -> None:
        self._root = root
        self._real = real.rstrip("/")  # the system speaks of /private/tmp, the user of /tmp
        self._volume = volume
        self.caught_up = False
        self._renamed = ""  # the last path that was renamed, from or to

    def read(self, events: Iterable[Raw]) -> list[Change]:
        """The changes that `events` stand for, in their order."""
        changes: list[Change] = []
        for event in events:
            flags = Flag(event.flags)
            if flags & Flag.HISTORY_DONE:
                self.caught_up = True
            else:
                changes += self._read_one(event, flags)
        return changes

    def _note_rename(self, path: str, mark: Bookmark | None) -> list[Change]:
        """A change of case alone: where case does not matter, the old name still leads to the file,
        and only a listing of the folder tells how it is spelt now."""
        before, self._renamed = self._renamed, path
        if before == path or before.casefold() != path.casefold():
            return []
        return [Change(Kind.RESCAN, os.path.dirname(path), mark=mark)]

    def _read_one(self, event: Raw, flags: Flag) -> list[Change]:
        if flags & (Flag.ROOT_CHANGED | Flag.UNMOUNT | Flag.MOUNT):
            return self._read_root(event, flags)
        mark = Bookmark(event.id, self._volume) if self._volume and event.id else None
        path = self._name(event.path)
        if path is None and flags & ADMITTED and self._is_above(event.path):
            path = self._root
        if path is None:
            return []
        if flags & Flag.EVENT_IDS_WRAPPED:
            warning = Change(Kind.WARNING, "", WRAPPED.format(path=self._root))
            return [warning, Change(Kind.RESCAN, self._root, mark=mark)]
        if flags & (Flag.MUST_SCAN_SUB_DIRS | LOST):
            lost = [Change(Kind.WARNING, "", DROPPED.format(path=path))] if flags & LOST else []
            return [*lost, Change(Kind.RESCAN, path, mark=mark)]
        kind = judge_item(flags)
        found = [] if kind is None else [Change(kind, path, mark=mark)]
        return found + self._note_rename(path, mark) if flags & Flag.ITEM_RENAMED else found

    def _read_root(self, event: Raw, flags: Flag) -> list[Change]:
        """The root itself moved, or a disk came or went; such events may have no id."""
        path = self._name(event.path)
        if flags & Flag.MOUNT and path is not None and path != self._root:
            return [Change(Kind.RESCAN, path)]
        if flags & Flag.MOUNT:
            return [Change(Kind.ROOT_BACK, self._root)]
        if flags & Flag.UNMOUNT and path is not None and path != self._root:
            return [Change(Kind.RESCAN, path)]
        return [Change(Kind.ROOT_GONE, self._root)]

    def _name(self, path: str) -> str | None:
        """`path` as the user's root names it; None when it lies elsewhere."""
        parts = path.rstrip("/").split("/")
        for top in (self._real, self._root.rstrip("/")):
            depth = top.count("/") + 1
            # The system may spell the root in another case or another form of its accents.
            if _plain("/".join(parts[:depth])) == _plain(top):
                return "/".join([self._root.rstrip("/"), *parts[depth:]]) or "/"
        return None

    def _is_above(self, path: str) -> bool:
        """Whether the root lies below `path`."""
        clean = _plain(path.rstrip("/"))
        tops = (_plain(self._real), _plain(self._root.rstrip("/")))
        return any(top.startswith(clean + "/") for top in tops)


def _plain(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def judge_item(flags: Flag) -> Kind | None:
    """What kind of change an item's flags mean; None when its content cannot have changed."""
    if not flags & TOUCHED:
        return None if flags & (Flag.ITEM_XATTR_MOD | Flag.ITEM_FINDER_INFO_MOD) else Kind.CHANGED
    if flags & Flag.ITEM_IS_DIR and flags & UPHEAVAL:
        return Kind.RESCAN
    if flags & TOUCHED == Flag.ITEM_REMOVED:
        return Kind.REMOVED
    return Kind.CHANGED
