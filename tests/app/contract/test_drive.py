"""Menu, shortcut and panel, driven on the stand-in with the real rumps: 1 start without taking the
focus; 2 the menu shows the state and follows it without being made anew; 3 clicks do what they say;
4 the shortcut shows and hides, can be changed, and says when it cannot; 5 the panel floats as it
should and gives the focus back; 6 quitting lets go of everything; 7 nothing of ours uses a
deprecated call.
"""

from typing import Any

import pytest

from app.hotkeys import COMMAND, OPTION, SHIFT
from app.preferences import HOTKEY
from app.state import after_error, after_progress
from engine.errors import DiskFullError
from engine.models import Progress
from tests.app.contract.hands import answers, application, check, grant_notifications, workspace
from tests.app.contract.world import World

SPACE, K = 49, 40


def test_starts_without_taking_the_focus(world: World) -> None:
    def look() -> None:
        assert application(world)._kept["policy"] == 1
        assert not application(world).isActive()
        item = world.shell._status._app._nsapp.nsstatusitem
        assert item.autosaveName() == "SagasuStatusItem"
        assert "search" in item.button().accessibilityLabel()
        assert not world.shell._panel.visible

    world.run(look)
    assert world.said == ["started"]


def test_menu_shows_the_state(world: World) -> None:
    world.engine.add_folder(world.home / "Documents")
    world.run(
        lambda: None,
        lambda: check(world.titles()[:2], ["Search…   ⌥Space", "2 files · up to date"]),
        lambda: check(world.titles()[-1], "Quit Sagasu"),
        lambda: check(world.item("2 files").action(), None),
        lambda: check(world.item("Settings…").keyEquivalent(), ","),
    )


def test_progress_changes_titles_in_place(world: World) -> None:
    world.engine.add_folder(world.home / "Documents")
    known: list[Any] = []

    def progress(done: int) -> None:
        report = Progress("reading", done, 9)
        world.keeper.change(lambda state: after_progress(state, report))
        world.mac.turn()
        known.append(world.item(f"Indexing {done} of 9"))

    def many() -> None:
        for done in range(1, 9):
            progress(done)

    world.run(many)
    assert all(item is known[0] for item in known)


def test_many_changes_are_shown_once(world: World) -> None:
    world.engine.add_folder(world.home / "Documents")

    def hurry() -> None:
        before = len(world.told())
        for done in range(500):
            report = Progress("reading", done, 500)
            world.keeper.change(lambda state, report=report: after_progress(state, report))  # type: ignore[misc]  # binds the loop's value
        world.mac.turn()
        assert len(world.told()) == before + 1
        assert world.item("Indexing 499 of 500")

    world.run(hurry)


def test_rebuilding_the_menu_leaves_nothing_behind(world: World) -> None:
    def rebuild() -> None:
        import rumps

        table = rumps.rumps.NSApp._ns_to_py_and_callback
        sizes = []
        for number in range(6):
            world.memory.recent.add(f"query {number % 2}", 1)
            world.engine.roots.clear()
            if number % 2:
                world.engine.add_folder(world.home / "Documents")
            world.refresh()
            sizes.append(len(table))
        assert sizes[2:4] == sizes[4:6]

    world.run(rebuild)


def test_two_folders_of_one_name_are_both_in_the_menu(world: World) -> None:
    for place in ("a", "b"):
        (world.home / place / "Notes").mkdir(parents=True)
        world.engine.add_folder(world.home / place / "Notes")
    world.run(lambda: check(len(world.item("Folders").submenu().itemArray()), 4))


def test_clicks_pause_resume_and_remove(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = world.home / "Documents"
    world.engine.add_folder(folder)
    answers(world, 1001, 1000)
    world.run(
        lambda: world.click("Folders", "Documents", "Pause"),
        lambda: world.settle(lambda: ("pause", folder, True) in world.engine.calls),
        lambda: world.click("Pause Indexing"),
        lambda: world.settle(lambda: ("pause", None, True) in world.engine.calls),
        lambda: world.settle(lambda: "Resume Indexing" in world.titles()),
        lambda: world.click("Resume Indexing"),
        lambda: world.settle(lambda: ("pause", None, False) in world.engine.calls),
        lambda: world.click("Folders", "Documents", "Remove…"),
        lambda: check(len(world.engine.roots), 1),
        lambda: world.click("Folders", "Documents", "Remove…"),
        lambda: world.settle(lambda: not world.engine.roots),
        lambda: world.click("Folders", "Documents", "Show in Finder"),
        lambda: world.settle(
            lambda: bool(world.sent("NSWorkspace", "-activateFileViewerSelectingURLs:"))
        ),
    )


def test_shortcut_shows_and_hides(world: World) -> None:
    def press() -> None:
        assert world.carbon.press(SPACE, OPTION)

    world.run(
        press,
        lambda: check(world.shell._panel.visible, True),
        lambda: check(world.told()[-1], {"type": "shown"}),
        press,
        lambda: check(world.shell._panel.visible, False),
        lambda: check(world.told()[-1], {"type": "hidden"}),
    )


def test_shortcut_can_be_changed(world: World) -> None:
    def change() -> None:
        reply = world.ask("settings_set", key="hotkey", value="cmd+shift+k")
        assert reply["value"]["value"] == "⇧⌘K"

    world.run(
        change,
        lambda: check(world.carbon.press(SPACE, OPTION), False),
        lambda: check(world.carbon.press(K, COMMAND | SHIFT), True),
        lambda: check(world.titles()[0], "Search…   ⇧⌘K"),
        lambda: check({"type": "settings"} in world.told(), True),
    )
    assert world.preferences.text(HOTKEY) == "⇧⌘K"


def test_refused_shortcut_is_said_and_the_old_one_stays(world: World) -> None:
    bundle = world.mac.lookup("NSBundle").mainBundle()
    bundle._kept["identifier"] = "org.sagasu.Sagasu"
    grant_notifications(world)

    def change() -> None:
        world.carbon.refuse = -9868
        world.preferences.choose(HOTKEY, "⇧⌘K")

    world.run(
        change,
        lambda: check(world.carbon.press(SPACE, OPTION), True),
        lambda: check(world.titles()[0], "Search…   ⌥Space"),
    )
    assert world.preferences.text(HOTKEY) == "⌥Space"
    (request,) = world.sent(
        "UNUserNotificationCenter", "-addNotificationRequest:withCompletionHandler:"
    )
    (wanted,) = world.sent("UNNotificationRequest", "+requestWithIdentifier:content:trigger:")
    assert "macOS refuses these keys" in wanted[1].body()
    assert request[1] is None


def test_panel_floats_over_everything_and_takes_typing(world: World) -> None:
    def look() -> None:
        world.shell.show_search()
        window = world.shell._panel.window
        assert window.level() == 3
        assert window.collectionBehavior() == 1 | 256 | 8 | 64
        assert window._kept["stylemask"] & 128
        assert not window.hidesOnDeactivate()
        assert window._kept["key"]
        assert window._kept["first"] is world.shell._page.view
        assert not application(world).isActive()
        frame = window.frame()
        assert frame.origin.x == 290
        assert frame.origin.y + frame.size.height == pytest.approx(735)

    world.run(look)


def test_panel_stays_behind_our_own_dialogs_and_goes_when_left(world: World) -> None:
    window = []

    def open_and_leave() -> None:
        world.shell.show_search()
        panel = world.shell._panel.window
        window.append(panel)
        application(world)._kept["modal"] = panel
        panel.delegate().windowDidResignKey_(None)
        assert world.shell._panel.visible
        application(world)._kept["modal"] = None
        panel.delegate().windowDidResignKey_(None)
        assert not world.shell._panel.visible

    world.run(open_and_leave)


def test_focus_goes_back_to_the_app_before(world: World) -> None:
    front = world.mac.make("NSRunningApplication")
    workspace(world)._kept["front"] = front

    def show_and_hide() -> None:
        world.shell.show_search()
        application(world).activate()
        world.shell.hide()

    world.run(show_and_hide)
    assert world.sent("NSRunningApplication", "-activateWithOptions:") == [(0,)]


def test_panel_grows_downwards(world: World) -> None:
    def grow() -> None:
        world.shell.show_search()
        world.ask("resize", height=200)
        world.mac.turn()
        frame = world.shell._panel.window.frame()
        assert (frame.size.height, frame.origin.y) == (200, 535)

    world.run(grow)


def test_standard_keys_work_in_the_page(world: World) -> None:
    world.run(lambda: None)
    bar = application(world).mainMenu()
    edit, window = bar.itemArray()
    assert [str(one.action()) for one in edit.submenu().itemArray()] == [
        "undo:", "redo:", "cut:", "copy:", "paste:", "selectAll:",
    ]  # fmt: skip
    assert str(window.submenu().itemArray()[0].action()) == "performClose:"


def test_problem_can_be_read_and_retried(world: World) -> None:
    answers(world, 1000)
    world.run(
        lambda: world.keeper.change(lambda s: after_error(s, DiskFullError(path="/d"))),
        lambda: world.click("The disk is full"),
    )
    assert world.said[-1] == "retry"


def test_quit_lets_go_of_everything(world: World) -> None:
    world.run(lambda: world.click("Quit Sagasu"), lambda: pytest.fail("it went on"))
    assert world.said == ["started", "stopped"]
    assert world.carbon.registered == {}
    centre = world.mac.lookup("NSNotificationCenter").defaultCenter()
    assert centre._kept["observers"] == []


def test_nothing_of_ours_uses_a_deprecated_call(world: World) -> None:
    world.run(lambda: world.carbon.press(SPACE, OPTION), lambda: world.click("Settings…"))
    old = {selector for _, selector in world.mac.deprecated}
    rumps = {"setHighlightMode:", "setTitle:", "setImage:", "title", "image",
             "activateIgnoringOtherApps:", "setScalesWhenResized:", "setDelegate:",
             "defaultUserNotificationCenter"}  # fmt: skip
    assert old <= rumps
