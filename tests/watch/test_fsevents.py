"""What macOS reports is understood, and asked for with names that exist.

1. Every flag has Apple's value; every function and constant we use is in the published framework.
2. Flags become changes: writes, renames (two events each), folders, lost counts, roots, volumes.
3. A stream resumes from the stored id of the same volume's journal, and only then.
4. Scenes of well-known programs, written by hand, end with every touched path named.
5. On a stand-in for the Mac: streams are made, heard, ended and released.
"""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.watch.change import Bookmark, Change, Kind
from engine.watch.fsevents_logic import Flag, Raw, Start, StreamReader, choose_start, judge_item
from tests.app.contract.standin import StandIn, install

HOUSE = Path(__file__).resolve().parents[2]
FACTS = json.loads((HOUSE / "tests/app/contract/facts.json").read_text(encoding="utf-8"))
MODULES = FACTS["modules"]
CREATED, REMOVED, RENAMED = Flag.ITEM_CREATED, Flag.ITEM_REMOVED, Flag.ITEM_RENAMED
WRITTEN, FILE, DIR = Flag.ITEM_MODIFIED, Flag.ITEM_IS_FILE, Flag.ITEM_IS_DIR
VOLUME = "7F1C"


def reader(root: str = "/Users/ada/Notes", real: str = "") -> StreamReader:
    return StreamReader(root, real or root, VOLUME)


def kinds(*events: Raw) -> list[tuple[Kind, str]]:
    return [(change.kind, change.path) for change in reader().read(events)]


def test_every_flag_has_apples_value() -> None:
    apples = {
        name.removeprefix("kFSEventStreamEventFlag").lower(): value
        for name, value in MODULES["FSEvents"]["enums"].items()
        if name.startswith("kFSEventStreamEventFlag")
    }
    ours = {flag.name.replace("_", "").lower(): flag.value for flag in Flag if flag.name}
    assert {name: value for name, value in apples.items() if value} == ours


def test_every_name_we_call_is_in_the_published_framework() -> None:
    tree = ast.parse((HOUSE / "engine/watch/fsevents.py").read_text(encoding="utf-8"))
    used = {
        (node.value.id, node.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in ("FSEvents", "CoreFoundation")
    }
    assert len(used) > 12
    for module, name in used:
        facts = MODULES[module]
        known = {*facts["enums"], *facts["functions"], *facts["constants"], *facts["values"]}
        # The two creating functions are compiled into the wheel and have no metadata.
        assert name in known or name == "FSEventStreamCreate", f"{module}.{name}"


@pytest.mark.parametrize(
    ("flags", "kind"),
    [
        (CREATED | FILE, Kind.CHANGED),
        (WRITTEN | FILE, Kind.CHANGED),
        (REMOVED | FILE, Kind.REMOVED),
        (RENAMED | FILE, Kind.CHANGED),
        (CREATED | REMOVED | WRITTEN | FILE, Kind.CHANGED),  # merged: the disk decides
        (Flag.ITEM_XATTR_MOD | FILE, None),
        (Flag.ITEM_FINDER_INFO_MOD | FILE, None),
        (Flag.ITEM_XATTR_MOD | WRITTEN | FILE, Kind.CHANGED),
        (Flag.ITEM_CHANGE_OWNER | FILE, Kind.CHANGED),
        (Flag.ITEM_INODE_META_MOD | FILE, Kind.CHANGED),
        (Flag.ITEM_CLONED | FILE, Kind.CHANGED),
        (CREATED | DIR, Kind.RESCAN),
        (RENAMED | DIR, Kind.RESCAN),
        (Flag.ITEM_CHANGE_OWNER | DIR, Kind.RESCAN),
        (REMOVED | DIR, Kind.REMOVED),
        (CREATED | Flag.ITEM_IS_SYMLINK, Kind.CHANGED),
        (Flag(0), Kind.CHANGED),
        (RENAMED | FILE | DIR, Kind.RESCAN),  # a file in the place of a folder, or the reverse
        (CREATED | REMOVED | RENAMED | DIR, Kind.RESCAN),
        (Flag.ITEM_XATTR_MOD | Flag.ITEM_FINDER_INFO_MOD | DIR, None),
        (Flag.ITEM_XATTR_MOD | Flag.ITEM_CHANGE_OWNER | FILE, Kind.CHANGED),
        (REMOVED | FILE | Flag.ITEM_IS_HARDLINK | Flag.ITEM_IS_LAST_HARDLINK, Kind.REMOVED),
        (WRITTEN | FILE | Flag.OWN_EVENT, Kind.CHANGED),
    ],
    ids=str,
)
def test_flags_become_kinds(flags: Flag, kind: Kind | None) -> None:
    assert judge_item(flags) is kind


def test_a_rename_is_two_events_and_both_places_are_looked_at() -> None:
    old, new = "/Users/ada/Notes/draft.md", "/Users/ada/Notes/final.md"
    found = kinds(Raw(old, RENAMED | FILE, 11), Raw(new, RENAMED | FILE, 12))
    assert found == [(Kind.CHANGED, old), (Kind.CHANGED, new)]


def test_a_renamed_folder_is_compared_in_both_places() -> None:
    old, new = "/Users/ada/Notes/2024", "/Users/ada/Notes/archive"
    found = kinds(Raw(old, RENAMED | DIR, 11), Raw(new, RENAMED | DIR, 12))
    assert found == [(Kind.RESCAN, old), (Kind.RESCAN, new)]


@pytest.mark.parametrize("lost", [Flag.USER_DROPPED, Flag.KERNEL_DROPPED])
def test_lost_counts_are_said_aloud_and_the_folder_compared(lost: Flag) -> None:
    place = "/Users/ada/Notes/big"
    found = reader().read([Raw(place + "/", Flag.MUST_SCAN_SUB_DIRS | lost, 5)])
    assert [change.kind for change in found] == [Kind.WARNING, Kind.RESCAN]
    assert place in found[0].text
    assert found[1].path == place


def test_must_scan_alone_is_no_matter_for_people() -> None:
    assert kinds(Raw("/Users/ada/Notes/x", Flag.MUST_SCAN_SUB_DIRS, 5)) == [
        (Kind.RESCAN, "/Users/ada/Notes/x")
    ]


@pytest.mark.parametrize("place", ["/", "/Users", "/Users/ada/"])
@pytest.mark.parametrize(
    "flag", [Flag.MUST_SCAN_SUB_DIRS | Flag.KERNEL_DROPPED, Flag.EVENT_IDS_WRAPPED], ids=str
)
def test_what_is_lost_above_the_root_is_lost_in_it(place: str, flag: Flag) -> None:
    assert kinds(Raw(place, flag, 5))[-1] == (Kind.RESCAN, "/Users/ada/Notes")
    assert kinds(Raw("/Users/ada/Not", flag, 5)) == []
    assert kinds(Raw(place, WRITTEN | DIR, 5)) == []


def test_a_change_of_case_is_read_from_the_folder() -> None:
    old, new = "/Users/ada/Notes/Plan.md", "/Users/ada/Notes/plan.md"
    stream = reader()
    first = stream.read([Raw(old, RENAMED | FILE, 11)])
    second = stream.read([Raw(new, RENAMED | FILE, 12)])  # perhaps in another call
    assert [change.kind for change in first] == [Kind.CHANGED]
    assert [(change.kind, change.path) for change in second] == [
        (Kind.CHANGED, new), (Kind.RESCAN, "/Users/ada/Notes"),
    ]  # fmt: skip
    assert [one.kind for one in stream.read([Raw(new, RENAMED | FILE, 13)])] == [Kind.CHANGED]


def test_a_root_is_known_in_another_spelling() -> None:
    composed, apart = "/Users/ada/Übung", "/Users/ada/U\u0308bung"
    for root, told in ((composed, apart), (apart, composed), (composed, "/users/ADA/übung")):
        found = reader(root).read([Raw(f"{told}/a.md", WRITTEN | FILE, 4)])
        assert [change.path for change in found] == [f"{root}/a.md"]


def test_wrapped_ids_mean_that_everything_is_compared() -> None:
    found = reader().read([Raw("/Users/ada/Notes", Flag.EVENT_IDS_WRAPPED, 3)])
    assert (found[-1].kind, found[-1].path) == (Kind.RESCAN, "/Users/ada/Notes")
    assert found[-1].mark == Bookmark(3, VOLUME)


def test_a_root_that_moves_or_is_unplugged_is_gone_and_not_emptied() -> None:
    assert kinds(Raw("/Users/ada/Notes", Flag.ROOT_CHANGED, 0)) == [
        (Kind.ROOT_GONE, "/Users/ada/Notes")
    ]
    assert kinds(Raw("/Users/ada/Notes", Flag.UNMOUNT, 0))[0][0] is Kind.ROOT_GONE
    assert kinds(Raw("/Users/ada/Notes", Flag.MOUNT, 0))[0][0] is Kind.ROOT_BACK


def test_a_disk_inside_the_root_is_compared_when_it_comes_and_goes() -> None:
    for flag in (Flag.MOUNT, Flag.UNMOUNT):
        assert kinds(Raw("/Users/ada/Notes/disk", flag, 0)) == [
            (Kind.RESCAN, "/Users/ada/Notes/disk")
        ]


def test_the_end_of_history_is_no_path() -> None:
    stream = reader()
    assert stream.read([Raw("/Users/ada/Notes", Flag.HISTORY_DONE, 9)]) == []
    assert stream.caught_up


def test_paths_are_named_as_the_user_named_the_root() -> None:
    stream = reader("/tmp/notes", "/private/tmp/notes")
    found = stream.read([Raw("/private/tmp/notes/a.md", WRITTEN | FILE, 4)])
    assert found == [Change(Kind.CHANGED, "/tmp/notes/a.md", mark=Bookmark(4, VOLUME))]
    assert stream.read([Raw("/private/tmp/notes-2/a.md", WRITTEN | FILE, 5)]) == []


@pytest.mark.parametrize(
    ("stored", "volume", "start"),
    [
        (Bookmark(50, "A"), "A", Start(50, True)),
        (Bookmark(50, "A"), "B", Start(90, False)),  # another disk in its place
        (Bookmark(50, "A"), "", Start(90, False)),  # this one keeps no journal
        (Bookmark(99, "A"), "A", Start(90, False)),  # the journal began anew
        (None, "A", Start(90, False)),
    ],
    ids=["same", "other volume", "no journal", "journal anew", "first time"],
)
def test_a_stream_resumes_only_in_the_same_journal(
    stored: Bookmark | None, volume: str, start: Start
) -> None:
    assert choose_start(stored, volume, 90) == start


# What well-known programs cause, written by hand from FSEvents' documentation.
SCENES = {
    "an editor saves by rename": [
        ("Notes/.a.md.swp", CREATED | WRITTEN | FILE),
        ("Notes/a.md~", RENAMED | FILE),
        ("Notes/a.md", CREATED | RENAMED | WRITTEN | FILE),
        ("Notes/.a.md.swp", CREATED | REMOVED | WRITTEN | FILE),
    ],
    "TextEdit saves safely": [
        ("Notes/a.md.sb-1f2e3d-Xyz/a.md", CREATED | WRITTEN | RENAMED | FILE),
        ("Notes/a.md", RENAMED | Flag.ITEM_XATTR_MOD | Flag.ITEM_INODE_META_MOD | FILE),
        ("Notes/a.md.sb-1f2e3d-Xyz", CREATED | REMOVED | DIR),
    ],
    "the Finder duplicates a folder": [
        ("Notes/plans copy", CREATED | Flag.ITEM_CLONED | DIR),
        ("Notes/plans copy/b.md", CREATED | Flag.ITEM_CLONED | FILE),
    ],
    "a folder is moved to the Trash": [("Notes/old", RENAMED | DIR)],
}


@pytest.mark.parametrize("name", SCENES)
def test_scenes_end_with_every_touched_place_named(name: str) -> None:
    events = [
        Raw(f"/Users/ada/{path}", int(flags), 100 + number)
        for number, (path, flags) in enumerate(SCENES[name])
    ]
    found = reader().read(events)
    assert [change.path for change in found] == [event.path for event in events]
    assert found[-1].mark == Bookmark(events[-1].id, VOLUME)


@pytest.fixture
def mac(tmp_path: Path) -> Iterator[StandIn]:
    with install() as standin:
        standin.home = tmp_path
        yield standin


def test_streams_are_made_heard_ended_and_released(mac: StandIn, tmp_path: Path) -> None:
    from engine.watch.fsevents import FsEvents

    heard: list[Change] = []
    watcher = FsEvents(heard.append)
    root = str(tmp_path.resolve())
    assert watcher.watch(root, Bookmark(5, VOLUME)) is False  # no journal here: a scan is needed
    stream: Any = mac.streams[0]
    assert stream.paths == [root]
    assert stream.since == mac.event_id
    assert stream.flags == 1 | 2 | 4 | 16
    stream.deliver((f"{root}/a.md", int(WRITTEN | FILE), 7))
    assert heard == [Change(Kind.CHANGED, f"{root}/a.md")]
    watcher.close()
    assert stream.calls == [
        "FSEventStreamScheduleWithRunLoop",
        "FSEventStreamStart",
        "FSEventStreamStop",
        "FSEventStreamInvalidate",
        "FSEventStreamRelease",
    ]


def test_the_stored_id_is_used_when_the_volume_keeps_a_journal(
    mac: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import CoreFoundation
    import FSEvents

    from engine.watch.fsevents import FsEvents

    monkeypatch.setattr(FSEvents, "FSEventsCopyUUIDForDevice", lambda device: object())
    monkeypatch.setattr(CoreFoundation, "CFUUIDCreateString", lambda allocator, uuid: VOLUME)
    heard: list[Change] = []
    watcher = FsEvents(heard.append)
    root = str(tmp_path.resolve())
    assert watcher.watch(root, Bookmark(5, VOLUME)) is True
    assert mac.streams[0].since == 5
    mac.streams[0].deliver((f"{root}/a.md", int(WRITTEN | FILE), 7))
    assert heard == [Change(Kind.CHANGED, f"{root}/a.md", mark=Bookmark(7, VOLUME))]
    watcher.close()


def test_an_event_that_cannot_be_read_ends_in_a_rescan_not_in_a_crash(
    mac: StandIn, tmp_path: Path
) -> None:
    from engine.watch.fsevents import FsEvents

    heard: list[Change] = []
    watcher = FsEvents(heard.append)
    root = str(tmp_path.resolve())
    watcher.watch(root, None)
    stream: Any = mac.streams[0]
    stream.callback(stream, None, 1, ["a"], (1, 2), (3,))
    assert heard == [Change(Kind.RESCAN, root)]
    watcher.close()
