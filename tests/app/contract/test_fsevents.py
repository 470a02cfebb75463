"""engine/watch/fsevents on the stand-in: 1 a stream is made for the real path, with file events and
root watching, on a run loop of its own thread; 2 what the system reports reaches the engine; 3 a
broken report becomes a rescan, never an exception in the callback; 4 closing stops, invalidates and
releases; 5 a journal that is the same one is replayed from the bookmark.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.watch.change import Bookmark, Change, Kind
from tests.app.contract.standin import StandIn

ENDING = ["FSEventStreamStop", "FSEventStreamInvalidate", "FSEventStreamRelease"]


@pytest.fixture
def heard() -> list[Change]:
    return []


@pytest.fixture
def watcher(mac: StandIn, heard: list[Change]) -> Iterator[Any]:
    from engine.watch.fsevents import FsEvents

    events = FsEvents(heard.append)
    yield events
    events.close()


def test_stream_is_made_and_runs(mac: StandIn, watcher: Any, tmp_path: Path) -> None:
    link = tmp_path / "link"
    (tmp_path / "real").mkdir()
    link.symlink_to(tmp_path / "real")
    assert watcher.watch(str(link), None) is False
    (stream,) = mac.streams
    assert stream.paths == [str(tmp_path / "real")]
    assert stream.flags & 0x10  # file events
    assert stream.flags & 0x4  # watch root
    assert stream.calls == ["FSEventStreamScheduleWithRunLoop", "FSEventStreamStart"]


def test_reports_reach_the_engine(
    mac: StandIn, watcher: Any, heard: list[Change], tmp_path: Path
) -> None:
    watcher.watch(str(tmp_path), None)
    modified, is_file = 0x1000, 0x10000
    mac.streams[0].deliver((str(tmp_path / "a.md"), modified | is_file, 7))
    assert str(tmp_path / "a.md") in {one.path for one in heard}


def test_broken_report_becomes_a_rescan(
    mac: StandIn, watcher: Any, heard: list[Change], tmp_path: Path
) -> None:
    watcher.watch(str(tmp_path), None)
    stream = mac.streams[0]
    stream.callback(stream, None, 2, ["/a"], (1, 2, 3), None)
    assert heard[-1].kind is Kind.RESCAN


def test_closing_lets_go_of_the_stream(mac: StandIn, watcher: Any, tmp_path: Path) -> None:
    watcher.watch(str(tmp_path), None)
    watcher.unwatch(str(tmp_path))
    assert mac.streams[0].calls[-3:] == ENDING


def test_same_journal_is_replayed(mac: StandIn, watcher: Any, tmp_path: Path) -> None:
    vars(sys.modules["FSEvents"])["FSEventsCopyUUIDForDevice"] = lambda device: "uuid"
    vars(sys.modules["CoreFoundation"])["CFUUIDCreateString"] = lambda allocator, uuid: "JOURNAL"
    assert watcher.watch(str(tmp_path), Bookmark(500, "JOURNAL")) is True
    assert mac.streams[-1].since <= 500
    assert watcher.watch(str(tmp_path), Bookmark(500, "ANOTHER")) is False
