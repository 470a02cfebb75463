"""Linux says what changed, and says so when it cannot.

1. Writes, renames and deletes are reported; folders made in one go are covered without a gap.
2. A queue that ran over is said aloud, and every root is compared again.
3. No watches left: said aloud once for each root, which is then compared every minute.
4. Folders that the rules prune are not watched; a moved folder is watched at its new place only.
5. A root that is deleted, moved or unmounted is reported as gone.
"""

import ctypes
import errno
import os
import queue
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.config import FileSettings, WatchSettings
from engine.files.rules import Rules
from engine.watch.change import Change, Kind

if sys.platform != "linux":
    pytest.skip("inotify is Linux's", allow_module_level=True)

from watchdog.observers.inotify_c import inotify_add_watch

from engine.watch import inotify
from engine.watch.inotify import Inotify, parse_events


class Heard:
    """What a watcher said, in order."""

    def __init__(self) -> None:
        self.changes: queue.SimpleQueue[Change] = queue.SimpleQueue()

    def until(self, kind: Kind, path: Path | str) -> list[Change]:
        """Everything up to the first such change."""
        found: list[Change] = []
        while not found or (found[-1].kind, found[-1].path) != (kind, str(path)):
            found.append(self.next(found))
        return found

    def next(self, before: list[Change]) -> Change:
        """The next change; whoever waits in vain is told what came instead."""
        try:
            return self.changes.get(timeout=30)
        except queue.Empty:
            raise AssertionError(f"nothing more is heard after {before}") from None

    def until_one(self, *wanted: Change) -> Change:
        """The first of these changes that is heard."""
        found: list[Change] = []
        while not found or found[-1] not in wanted:
            found.append(self.next(found))
        return found[-1]


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def watcher(heard: Heard) -> Iterator[Inotify]:
    rules = Rules.from_settings(FileSettings(), WatchSettings())
    made = Inotify(rules, heard.changes.put).start()
    yield made
    made.close()


def test_writes_renames_and_deletes_are_reported(
    watcher: Inotify, heard: Heard, tmp_path: Path
) -> None:
    watcher.watch(str(tmp_path), None)
    (tmp_path / "a.md").write_text("one")
    heard.until(Kind.CHANGED, tmp_path / "a.md")
    (tmp_path / "a.md").rename(tmp_path / "b.md")
    heard.until(Kind.REMOVED, tmp_path / "a.md")
    heard.until(Kind.CHANGED, tmp_path / "b.md")
    (tmp_path / "b.md").unlink()
    heard.until(Kind.REMOVED, tmp_path / "b.md")


def test_folders_made_in_one_go_are_covered(
    watcher: Inotify, heard: Heard, tmp_path: Path
) -> None:
    watcher.watch(str(tmp_path), None)
    deep = tmp_path / "x" / "y" / "z"
    deep.mkdir(parents=True)
    heard.until(Kind.RESCAN, tmp_path / "x")
    watcher.cover(str(tmp_path / "x"))
    # The word that y and z were made may come only now: each is then watched anew, and compared.
    made = [Change(Kind.RESCAN, str(folder)) for folder in (deep.parent, deep)]
    for name in ("late.md", "later.md", "latest.md"):
        (deep / name).write_text(name)
        told = heard.until_one(Change(Kind.CHANGED, str(deep / name)), *made)
        if told.kind is Kind.CHANGED:
            break
    assert told.kind is Kind.CHANGED


def test_a_moved_folder_is_heard_under_its_new_name(
    watcher: Inotify, heard: Heard, tmp_path: Path
) -> None:
    (tmp_path / "old" / "deep").mkdir(parents=True)
    watcher.watch(str(tmp_path), None)
    (tmp_path / "old").rename(tmp_path / "new")
    heard.until(Kind.REMOVED, tmp_path / "old")
    heard.until(Kind.RESCAN, tmp_path / "new")
    (tmp_path / "new" / "deep" / "a.md").write_text("x")
    heard.until(Kind.CHANGED, tmp_path / "new" / "deep" / "a.md")


def test_pruned_folders_are_not_watched(watcher: Inotify, heard: Heard, tmp_path: Path) -> None:
    (tmp_path / "node_modules").mkdir()
    (tmp_path / ".git" / "objects").mkdir(parents=True)
    watcher.watch(str(tmp_path), None)
    (tmp_path / "node_modules" / "a.js").write_text("x")
    (tmp_path / ".git" / "objects" / "b").write_text("x")
    (tmp_path / "end.md").write_text("x")
    found = heard.until(Kind.CHANGED, tmp_path / "end.md")
    assert {change.path for change in found} == {str(tmp_path / "end.md")}


def test_a_queue_that_ran_over_is_said_aloud_and_roots_are_compared(
    heard: Heard, tmp_path: Path
) -> None:
    rules = Rules.from_settings(FileSettings(), WatchSettings())
    watcher = Inotify(rules, heard.changes.put)
    watcher.watch(str(tmp_path), None)
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    for name in ("a", "b"):
        (tmp_path / name).touch()
    for _ in range(most // 2 + 10):  # nobody reads meanwhile; two names, or the kernel merges them
        os.utime(tmp_path / "a")
        os.utime(tmp_path / "b")
    watcher.start()
    found = heard.until(Kind.RESCAN, tmp_path)
    warnings = [change.text for change in found if change.kind is Kind.WARNING]
    assert warnings == [inotify.OVERFLOW]
    watcher.close()


def test_no_watches_left_is_said_once_and_the_root_compared(
    heard: Heard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        (tmp_path / f"folder{number}").mkdir()
    allowed = iter(range(3))

    def add(handle: int, path: bytes, mask: int) -> int:
        if next(allowed, None) is None:
            ctypes.set_errno(errno.ENOSPC)
            return -1
        return int(real(handle, path, mask))

    real = inotify_add_watch
    monkeypatch.setattr(inotify, "inotify_add_watch", add)
    watcher = Inotify(Rules.from_settings(FileSettings(), WatchSettings()), heard.changes.put)
    watcher.start()
    watcher.watch(str(tmp_path), None)
    watcher.cover(str(tmp_path))
    found = heard.until(Kind.RESCAN, tmp_path)
    assert [change.kind for change in found] == [Kind.WARNING, Kind.RESCAN]
    assert found[0].path == str(tmp_path)
    assert "max_user_watches" in found[0].text
    assert heard.changes.empty()
    watcher.close()


def test_a_deleted_root_is_reported_as_gone(watcher: Inotify, heard: Heard, tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    watcher.watch(str(root), None)
    root.rename(tmp_path / "elsewhere")
    heard.until(Kind.ROOT_GONE, root)


def test_names_that_are_not_text_are_kept_as_they_are() -> None:
    name = b"caf\xe9.md"
    data = inotify._HEAD.pack(7, 2, 0, 16) + name.ljust(16, b"\0")
    (event,) = parse_events(data)
    assert os.fsencode(event.name) == name
