"""What is in this folder? Visits it once, one stat a file, with a verdict on everything seen.

A folder that the rules prune gives one row and is not entered. Links are never followed: one that
points into the root is a second name of a file that is seen anyway, one that points out leaves the
root. A folder that cannot be read gives a row that says so. Cloud placeholders are recognised and
never opened, because opening would download them.
"""

import os
import stat
from collections.abc import Iterator
from typing import NamedTuple

from engine.files.rules import DOCUMENT_FOLDERS, TAKE, Rules, Ruling, Verdict

SF_DATALESS = 0x40000000  # macOS: the content is in the cloud only
UF_HIDDEN = 0x8000  # macOS: the Finder does not show it

_EVICTED = Verdict(Ruling.EVICTED, "in the cloud only; not on this disk", "never downloaded")
_HIDDEN = Verdict(Ruling.SKIP, "hidden", "files.hidden is off (the Finder hides it)")
_SPECIAL = Verdict(Ruling.SKIP, "not a regular file", "pipes, sockets and devices are left out")


class Seen(NamedTuple):
    """One entry of the disk. A tuple: hundreds of thousands are made, and it costs a third."""

    path: str
    size: int
    mtime_ns: int
    inode: int
    device: int
    verdict: Verdict
    is_dir: bool = False


class Stop(NamedTuple):
    """Where a walk that goes to a path ends: there, or at a folder above that is not entered."""

    path: str
    seen: Seen | None = None  # what the walk says of it, when it is not entered
    enter: bool = False
    only_included: bool = False


def walk(root: str, rules: Rules, within: str = "") -> Iterator[Seen]:
    """Every file under `root`, and every folder that is not entered, each exactly once.

    `within` is a place in `root`: then only what the whole walk would say of it and below it.
    """
    top = os.path.abspath(root)
    stop = find_stop(top, within, rules) if within and within != top else Stop(top, enter=True)
    if stop.seen is not None:
        yield stop.seen
    if stop.enter:
        yield from _walk_below(stop.path, stop.only_included, rules, os.path.realpath(top))


def find_stop(root: str, path: str, rules: Rules) -> Stop:
    """How far a walk from `root` gets on its way to `path`, which lies below it."""
    folder, only_included = os.path.abspath(root), False
    real_top = os.path.realpath(folder)
    for part in path[len(folder.rstrip("/")) + 1 :].split("/"):
        place = f"{folder.rstrip('/')}/{part}"
        try:
            seen, enter = _look(_Entry(place), rules, real_top, set())
        except (FileNotFoundError, NotADirectoryError):
            return Stop(place)
        except OSError as exc:
            return Stop(place, _failed(place, exc))
        if only_included and not (enter or rules.is_included(place, False)):
            return Stop(place)
        if not (enter and (rules.recursive or only_included)):
            return Stop(place, seen)
        folder, only_included = place, only_included or seen is not None
    return Stop(folder, None, True, only_included)


def _walk_below(folder: str, only_included: bool, rules: Rules, real_top: str) -> Iterator[Seen]:
    pending = [(folder, only_included)]
    visited: set[tuple[int, int]] = set()
    while pending:
        folder, only_included = pending.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=_name)
        except OSError as exc:
            yield _failed(folder, exc)
            continue
        for entry in entries:
            try:
                seen, enter = _look(entry, rules, real_top, visited)
            except OSError as exc:
                seen, enter = _failed(entry.path, exc), False
            if only_included and not (enter or rules.is_included(entry.path, False)):
                continue
            if enter and (rules.recursive or only_included):
                pending.append((entry.path, only_included or seen is not None))
            elif seen is not None:
                yield seen


class _Entry:
    """A single path that answers as an entry of a listing does."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = path[path.rfind("/") + 1 :]
        self._status = os.lstat(path)

    def is_symlink(self) -> bool:
        return stat.S_ISLNK(self._status.st_mode)

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        return os.stat(self.path) if follow_symlinks else self._status


def _name(entry: "os.DirEntry[str]") -> str:
    return entry.name


def _look(
    entry: "os.DirEntry[str] | _Entry", rules: Rules, real_top: str, visited: set[tuple[int, int]]
) -> tuple[Seen | None, bool]:
    """The row for `entry`, and whether to enter it; both: enter for included files only."""
    path = entry.path
    if entry.is_symlink():
        return _row(path, entry.stat(follow_symlinks=False), _judge_link(path, real_top)), False
    status = entry.stat(follow_symlinks=False)
    mode = status.st_mode
    if stat.S_ISREG(mode):
        return _row(path, status, _judge_file(entry.name, path, status, rules)), False
    if not stat.S_ISDIR(mode):
        return _row(path, status, _SPECIAL), False
    verdict = rules.judge(path, True)
    if verdict is TAKE and _is_hidden(status) and not rules.files.hidden:
        verdict = _HIDDEN
    if verdict.ruling is not Ruling.TAKE:
        seen = _row(path, status, verdict, True)
        return seen, rules.may_hold_included(path)
    if path.lower().endswith(DOCUMENT_FOLDERS):
        return _document_folder(path, status, rules), False
    place = (status.st_dev, status.st_ino)
    if place in visited:
        rule = "the same folder was met before"
        return _row(path, status, Verdict(Ruling.SKIP, "a folder within itself", rule), True), False
    visited.add(place)
    return None, True


def _judge_file(name: str, path: str, status: os.stat_result, rules: Rules) -> Verdict:
    if name.startswith(".") and name.endswith(".icloud"):
        return _EVICTED
    verdict = rules.judge(path, False, status.st_size)
    if verdict.ruling is Ruling.TAKE:
        flags = getattr(status, "st_flags", 0)
        if flags & SF_DATALESS:
            return _EVICTED
        if flags & UF_HIDDEN and verdict is TAKE and not rules.files.hidden:
            return _HIDDEN
    return verdict


def _judge_link(path: str, real_top: str) -> Verdict:
    target = os.path.realpath(path)
    rule = f"links are not followed (this one points to {target})"
    if not os.path.lexists(target):
        return Verdict(Ruling.SKIP, "link to nothing", rule)
    if target == real_top or target.startswith(real_top.rstrip("/") + "/"):
        return Verdict(Ruling.SKIP, "link to something that is indexed itself", rule)
    return Verdict(Ruling.SKIP, "link that leaves the folder", rule)


def _document_folder(path: str, status: os.stat_result, rules: Rules) -> Seen:
    """A folder that is one document (.rtfd): its size and date are those of what is inside."""
    size, changed = 0, status.st_mtime_ns
    with os.scandir(path) as listing:
        for entry in listing:
            inner = entry.stat(follow_symlinks=False)
            size += inner.st_size
            changed = max(changed, inner.st_mtime_ns)
    verdict = rules.judge(path, False, size)
    return Seen(path, size, changed, status.st_ino, status.st_dev, verdict, True)


def _is_hidden(status: os.stat_result) -> bool:
    return bool(getattr(status, "st_flags", 0) & UF_HIDDEN)


def _row(path: str, status: os.stat_result, verdict: Verdict, is_dir: bool = False) -> Seen:
    return Seen(
        path, status.st_size, status.st_mtime_ns, status.st_ino, status.st_dev, verdict, is_dir
    )


def _failed(path: str, problem: OSError) -> Seen:
    words = problem.strerror or str(problem)
    verdict = Verdict(Ruling.FAILED, f"cannot be opened: {words}", "the system refused")
    return Seen(path, 0, 0, 0, 0, verdict, True)
