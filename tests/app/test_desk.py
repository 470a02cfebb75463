"""The desk and the office: 1 every message has an answer; 2 openings lift a file for their query
and only when learning is wanted; 3 paths come from the engine, never from the page; 4 folders are
added, paused and removed; 5 settings are shown and set by their source, buttons that destroy need a
yes; 6 the welcome follows the facts; 7 later replies come once, searches newest first.
"""

import json
import queue
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from app import messages as m
from app.bridge import Bridge, Ticket
from app.desk import Desk, find_lane
from app.frecency import JsonOpenings, Openings
from app.memory import Memory
from app.office import Office
from app.preferences import (
    BY_NAME,
    FIRST_RUN_DONE,
    HIDE_ON_OPEN,
    HOTKEY,
    LEARN_OPENS,
    JsonBackend,
    Preferences,
)
from app.recent import RecentSearches
from app.settings import PANES
from app.settings.pane import Kind, Source
from app.state import Keeper, Phase, after_numbers
from app.wire import Json
from engine.config import Config, iter_settings
from engine.errors import FolderMissingError, InvalidValueError, NotFoundError
from tests.app.contract.world import HandClock, SmallEngine

PAGE = Path(__file__).resolve().parents[2] / "resources" / "panel" / "messages.js"

EXAMPLES: dict[str, object] = {
    "query": "tax", "id": "1", "ids": ["1", "2"], "path": "", "key": "theme", "value": "dark",
    "action": "forget_recent", "height": 300, "page": "settings", "application": "Preview",
    "label": "agent",
}  # fmt: skip


class Recorder:
    """Desktop and window in one: remembers what was asked."""

    def __init__(self) -> None:
        self.calls: list[tuple[object, ...]] = []

    def open(self, path: Path) -> None:
        self.calls.append(("open", path))

    def open_with(self, path: Path, application: str) -> None:
        self.calls.append(("open_with", path, application))

    def applications(self, path: Path) -> tuple[str, ...]:
        return ("Preview",)

    def reveal(self, path: Path) -> None:
        self.calls.append(("reveal", path))

    def copy_text(self, text: str) -> None:
        self.calls.append(("copy", text))

    def copy_files(self, paths: Sequence[Path]) -> None:
        self.calls.append(("copy_files", *paths))

    def open_address(self, address: str) -> None:
        self.calls.append(("address", address))

    def hide(self) -> None:
        self.calls.append(("hide",))

    def resize(self, height: int) -> None:
        self.calls.append(("resize", height))

    def show_page(self, page: str, query: str = "") -> None:
        self.calls.append(("page", page, query))

    def pick_folders(self) -> None:
        self.calls.append(("pick",))

    def quick_look(self, paths: Sequence[Path]) -> None:
        self.calls.append(("quick_look", *paths))

    def drag(self, paths: Sequence[Path]) -> None:
        self.calls.append(("drag", *paths))


class Room:
    """A desk with everything around it."""

    def __init__(self, home: Path) -> None:
        (home / "Documents").mkdir()
        self.home = home
        self.engine, self.around, self.keeper = SmallEngine(home), Recorder(), Keeper()
        for path in self.engine.files.values():
            path.write_text("x")
        self.preferences = Preferences(JsonBackend(home / "preferences.json"))
        openings = Openings(JsonOpenings(home / "openings.json"), HandClock())
        self.memory = Memory(self.preferences, openings, RecentSearches(home / "recent.json"))
        self.office = Office(
            self.engine, self.engine, self.around, self.around, self.memory, self.keeper,
            on_mac=True,
        )  # fmt: skip
        self.desk = Desk(self.engine, self.office, self.around, self.around, self.memory)

    def ask(self, message: m.Message) -> Json:
        return self.desk.handle(message, Ticket())

    def value(self, message: m.Message) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(json.dumps(self.ask(message), default=str))
        return answer


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


@pytest.mark.parametrize("kind", m.MESSAGES, ids=lambda kind: kind.name)
def test_every_message_has_an_answer(room: Room, kind: type[m.Message]) -> None:
    if kind is m.ExcludeFolder:
        room.engine.add_folder(room.home)
    assert example_reply(room, kind)["ok"]


def example_reply(room: Room, kind: type[m.Message]) -> dict[str, Any]:
    fields = {
        name: EXAMPLES[name]
        for name in kind.__dataclass_fields__
        if name in EXAMPLES and (kind, name) != (m.Open, "page")
    }
    if kind is m.RootsAdd:
        fields["path"] = str(room.home / "Documents")
    reply: dict[str, Any] = json.loads(room.desk.answer(json.dumps({"name": kind.name, **fields})))
    return reply


def test_the_page_accepts_every_answer(room: Room, tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None or not PAGE.exists():
        pytest.skip("needs node and the page")
    (tmp_path / "messages.mjs").write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    room.engine.add_folder(room.home)
    room.ask(m.Open("1", query="tax"))
    replies = {kind.name: example_reply(room, kind) for kind in m.MESSAGES}
    (tmp_path / "replies.json").write_text(json.dumps(replies), encoding="utf-8")
    script = """
        import { readFileSync } from "node:fs";
        import { MESSAGES, readReply } from "./messages.mjs";
        const replies = JSON.parse(readFileSync("replies.json", "utf-8"));
        for (const name of Object.keys(MESSAGES)) {
          try { readReply(name, replies[name]); }
          catch (error) { console.log(`${name}: ${error.message}`); }
        }
    """
    (tmp_path / "check.mjs").write_text(script, encoding="utf-8")
    done = subprocess.run(
        [node, "check.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("", "")


def test_opening_lifts_a_file_for_its_query(room: Room) -> None:
    room.engine.files["3"] = room.home / "Documents" / "a tax note.pdf"
    room.engine.files["3"].write_text("x")
    assert titles(room, "tax") == ["tax.pdf", "a tax note.pdf"]
    room.ask(m.Open("3", query="tax"))
    assert titles(room, "tax") == ["a tax note.pdf", "tax.pdf"]
    room.preferences.choose(LEARN_OPENS, False)
    assert titles(room, "tax") == ["tax.pdf", "a tax note.pdf"]


def test_the_engine_is_told_what_was_opened_when_learning_is_wanted(room: Room) -> None:
    room.ask(m.Open("1", query="tax"))
    told = [str(room.engine.locate("1"))]
    assert room.engine.openings == told
    room.preferences.choose(LEARN_OPENS, False)
    room.ask(m.Open("2", query="tax"))
    assert room.engine.openings == told


def titles(room: Room, query: str) -> list[object]:
    return [one["title"] for one in room.value(m.Search(query))["results"]]


def test_opening_hides_unless_unwanted(room: Room) -> None:
    room.ask(m.Open("1"))
    assert ("hide",) in room.around.calls
    room.preferences.choose(HIDE_ON_OPEN, False)
    room.ask(m.Reveal("2"))
    assert room.around.calls[-1][0] == "reveal"


@pytest.mark.parametrize(
    "message",
    [m.Open("/etc/passwd"), m.Reveal("/etc"), m.Applications("/etc"), m.ExcludeFolder("/etc")],
)
def test_only_what_the_engine_knows_is_touched(room: Room, message: m.Message) -> None:
    with pytest.raises(NotFoundError):
        room.ask(message)
    assert room.around.calls == []


def test_recent_shows_searches_and_files_that_are_still_known(room: Room) -> None:
    room.ask(m.Open("1", query="tax"))
    room.ask(m.Open("2", query="rent"))
    del room.engine.files["1"]
    recent = room.value(m.Recent())
    assert recent["searches"] == ["rent", "tax"]
    assert [one["title"] for one in recent["files"]] == ["rent.pdf"]


def test_learned_is_shown_and_forgotten(room: Room) -> None:
    room.ask(m.Opened("tax", "1"))
    (row,) = room.value(m.Learned())["rows"]
    assert row == {
        "query": "tax",
        "title": "tax.pdf",
        "path": str(room.engine.files["1"]),
        "times": 1.0,
    }
    assert room.value(m.Forget("tax")) == {"forgotten": 1}
    assert room.value(m.Learned()) == {"rows": []}


def test_folder_is_added_paused_and_removed(room: Room) -> None:
    path = str(room.home / "Documents")
    added = room.value(m.RootsAdd(path))
    assert [one["path"] for one in added["roots"]] == [path]
    room.ask(m.RootsPause(path, True))
    assert room.engine.calls == [("pause", Path(path), True)]
    assert room.value(m.RootsRemove(path)) == {"roots": []}


def test_pausing_everywhere_changes_the_state(room: Room) -> None:
    room.keeper.change(lambda s: after_numbers(s, folders=(), files=0, left_out=0))
    room.ask(m.RootsPause())
    assert room.keeper.state.phase is Phase.PAUSED
    assert room.value(m.Status())["state"] == "paused"


@pytest.mark.parametrize("path", ["", "relative", "/no/such/folder", "~nobody/x"])
def test_folder_that_is_not_there_is_refused(room: Room, path: str) -> None:
    with pytest.raises(FolderMissingError):
        room.ask(m.RootsAdd(path))


def test_excluding_a_folder_writes_its_pattern(room: Room) -> None:
    room.engine.add_folder(room.home)
    pattern = f"{room.home}/Documents/"
    assert room.value(m.ExcludeFolder("1")) == {"pattern": pattern}
    assert room.engine.calls == [("exclude", pattern)]


def test_a_file_taken_in_by_hand_is_named_exactly(room: Room) -> None:
    room.ask(m.IncludeAnyway("/data/a*b [old]?.log"))
    assert room.engine.calls == [("include", r"/data/a\*b \[old\]\?.log")]
    room.ask(m.IncludeAnyway(str(Path.home() / "Notes" / "x.log")))
    assert room.engine.calls[1] == ("include", "~/Notes/x.log")


def test_a_searched_folder_itself_is_not_excluded(room: Room) -> None:
    room.engine.add_folder(room.home / "Documents")
    with pytest.raises(InvalidValueError, match="is a searched folder"):
        room.ask(m.ExcludeFolder("1"))


def test_settings_show_every_pane_with_values(room: Room) -> None:
    shown = room.value(m.SettingsGet())
    assert [one["name"] for one in shown["panes"]] == [pane.name for pane in PANES]
    assert (shown["theme"], shown["hotkey"]) == ("system", "⌥Space")


def test_every_field_has_a_source_that_exists() -> None:
    known = {row.key for row in iter_settings(Config())}
    for pane in PANES:
        for field in pane.fields:
            if field.source is Source.APP:
                assert field.key in BY_NAME
            elif field.source is Source.ENGINE:
                assert field.key in known


def test_keys_are_unique_over_all_panes() -> None:
    keys = [field.key for pane in PANES for field in pane.fields]
    assert len(keys) == len(set(keys))


def test_every_button_does_something(room: Room) -> None:
    for pane in PANES:
        for field in pane.fields:
            if field.kind is Kind.BUTTON:
                room.ask(m.SettingsDo(field.key, confirmed=True))


def test_setting_goes_to_its_source(room: Room) -> None:
    room.ask(m.SettingsSet("theme", "dark"))
    room.ask(m.SettingsSet("files.hidden", True))
    assert room.preferences.text(BY_NAME["theme"]) == "dark"
    assert room.engine.calls == [("configure", "files.hidden", True)]


def test_hotkey_is_kept_in_one_spelling_and_conflicts_are_told(room: Room) -> None:
    shown = room.value(m.SettingsSet("hotkey", "cmd+Space"))
    assert room.preferences.text(HOTKEY) == "⌘Space"
    assert shown["help"] == "macOS uses ⌘Space for Spotlight."


@pytest.mark.parametrize(
    ("key", "value"), [("theme", "pink"), ("hotkey", "A"), ("wipe_index", True)]
)
def test_impossible_setting_is_refused(room: Room, key: str, value: bool | str) -> None:
    with pytest.raises(InvalidValueError):
        room.ask(m.SettingsSet(key, value))


@pytest.mark.parametrize("message", [m.SettingsSet("nope", 1), m.SettingsDo("nope")])
def test_unknown_setting_is_refused(room: Room, message: m.Message) -> None:
    with pytest.raises(NotFoundError):
        room.ask(message)


def test_wiping_needs_a_yes_and_forgets_everything(room: Room) -> None:
    room.ask(m.Open("1", query="tax"))
    with pytest.raises(InvalidValueError, match="needs a yes"):
        room.ask(m.SettingsDo("wipe_index"))
    assert room.engine.calls == []
    room.ask(m.SettingsDo("wipe_index", confirmed=True))
    assert room.engine.calls == [("wipe",)]
    assert room.value(m.Recent()) == {"searches": [], "files": []}


def test_off_mac_there_is_nothing_of_the_mac(tmp_path: Path) -> None:
    room = Room(tmp_path)
    office = Office(
        room.engine, room.engine, room.around, room.around, room.memory, room.keeper, on_mac=False
    )
    shown = json.dumps(office.handle(m.SettingsGet()))
    assert "launch_at_login" not in shown
    assert "full_disk_access" not in shown
    assert "shortcuts" not in shown


def test_welcome_follows_the_facts_and_is_seen_once(room: Room) -> None:
    assert room.value(m.Welcome())["welcome"] is True
    assert room.value(m.Welcome(finished=True))["welcome"] is False
    assert room.preferences.flag(FIRST_RUN_DONE)


def test_error_has_words(room: Room) -> None:
    reply = json.loads(room.desk.answer('{"name": "open", "id": "99"}'))
    assert reply == {
        "ok": False,
        "error": {"kind": "NotFoundError", "say": "document not found", "hint": ""},
    }


def test_later_replies_come_once_and_the_newest_search_wins(room: Room) -> None:
    calls: queue.Queue[Callable[[], None]] = queue.Queue()
    bridge = Bridge(calls.put)
    replies: list[str] = []
    for number in range(20):
        text = json.dumps({"name": "search", "query": "tax", "sequence": number})
        room.desk.receive(text, replies.append, bridge)
    room.desk.receive("{", replies.append, bridge)
    for _ in range(20):
        calls.get(timeout=10)()
    bridge.close()
    answers = [json.loads(reply) for reply in replies]
    assert len(answers) == 21
    assert [one["value"]["sequence"] for one in answers if one["ok"]][-1] == 19
    assert sum("error" in one for one in answers) == 1


def test_words_and_meaning_do_not_overtake_each_other() -> None:
    lanes = {find_lane(m.Search("a", stage=stage)) for stage in ("words", "full")}
    assert len(lanes) == 2
    assert find_lane(m.Open("1")) == ""
