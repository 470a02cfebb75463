"""The Mac app driven on the stand-in, with the real rumps: 1 start without taking the focus; 2 the
menu shows the state and follows it without being made anew; 3 clicks do what they say; 4 the
shortcut shows and hides, can be changed, and says when it cannot; 5 the panel floats as it should
and gives the focus back; 6 folders picked and dropped are added; 7 the page's messages are answered
once; 8 files are opened, revealed, copied, looked at and dragged; 9 addresses and a second launch
show the panel; 10 sleep, wake and open menus are noticed; 11 login item, notifications, defaults;
12 quitting lets go of everything; 13 nothing of ours uses a deprecated call.
"""

from pathlib import Path
from typing import Any

import pytest

from app.hotkeys import COMMAND, OPTION, SHIFT
from app.preferences import HOTKEY, LAUNCH_AT_LOGIN, NOTIFY
from app.problems import CLOSED_FOLDER
from app.state import Folder, after_progress
from engine.models import Progress
from tests.app.contract.standin import Point, StandIn, make_rect
from tests.app.contract.world import World

SPACE, K = 49, 40


def application(world: World) -> Any:
    return world.mac.lookup("NSApplication").sharedApplication()


def workspace(world: World) -> Any:
    return world.mac.lookup("NSWorkspace").sharedWorkspace()


def event_code(text: str) -> int:
    return int.from_bytes(text.encode(), "big")


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
        lambda: _check(world.titles()[:2], ["Search…   ⌥Space", "2 files · up to date"]),
        lambda: _check(world.titles()[-1], "Quit Sagasu"),
        lambda: _check(world.item("2 files").action(), None),
        lambda: _check(world.item("Settings…").keyEquivalent(), ","),
    )


def _check(found: object, wanted: object) -> None:
    assert found == wanted


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
    world.run(lambda: _check(len(world.item("Folders").submenu().itemArray()), 4))


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
        lambda: _check(len(world.engine.roots), 1),
        lambda: world.click("Folders", "Documents", "Remove…"),
        lambda: world.settle(lambda: not world.engine.roots),
        lambda: world.click("Folders", "Documents", "Show in Finder"),
        lambda: world.settle(
            lambda: bool(world.sent("NSWorkspace", "-activateFileViewerSelectingURLs:"))
        ),
    )


def answers(world: World, *buttons: int) -> None:
    """The person presses these buttons of the alerts to come."""
    waiting = list(buttons)
    world.mac.behaviours["NSAlert", "-runModal"] = lambda to: waiting.pop(0)


def test_shortcut_shows_and_hides(world: World) -> None:
    def press() -> None:
        assert world.carbon.press(SPACE, OPTION)

    world.run(
        press,
        lambda: _check(world.shell._panel.visible, True),
        lambda: _check(world.told()[-1], {"type": "shown"}),
        press,
        lambda: _check(world.shell._panel.visible, False),
        lambda: _check(world.told()[-1], {"type": "hidden"}),
    )


def test_shortcut_can_be_changed(world: World) -> None:
    def change() -> None:
        reply = world.ask("settings_set", key="hotkey", value="cmd+shift+k")
        assert reply["value"]["value"] == "⇧⌘K"

    world.run(
        change,
        lambda: _check(world.carbon.press(SPACE, OPTION), False),
        lambda: _check(world.carbon.press(K, COMMAND | SHIFT), True),
        lambda: _check(world.titles()[0], "Search…   ⇧⌘K"),
        lambda: _check({"type": "settings"} in world.told(), True),
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
        lambda: _check(world.carbon.press(SPACE, OPTION), True),
        lambda: _check(world.titles()[0], "Search…   ⌥Space"),
    )
    assert world.preferences.text(HOTKEY) == "⌥Space"
    (request,) = world.sent(
        "UNUserNotificationCenter", "-addNotificationRequest:withCompletionHandler:"
    )
    (wanted,) = world.sent("UNNotificationRequest", "+requestWithIdentifier:content:trigger:")
    assert "macOS refuses these keys" in wanted[1].body()
    assert request[1] is None


def grant_notifications(world: World) -> None:
    def ask(to: Any, options: int, block: Any) -> None:
        block(True, None)

    key = "-requestAuthorizationWithOptions:completionHandler:"
    world.mac.behaviours["UNUserNotificationCenter", key] = ask


def test_no_notification_without_a_bundle(world: World, caplog: pytest.LogCaptureFixture) -> None:
    world.carbon.refuse = -9878
    world.run(lambda: None)
    assert not world.sent("UNUserNotificationCenter", "+currentNotificationCenter")
    assert "no notification outside the app bundle" in caplog.text


def test_no_notification_when_unwanted(world: World) -> None:
    world.preferences.choose(NOTIFY, False)
    world.mac.lookup("NSBundle").mainBundle()._kept["identifier"] = "org.sagasu.Sagasu"
    world.carbon.refuse = -9878
    world.run(lambda: None)
    assert not world.sent("UNUserNotificationCenter", "+currentNotificationCenter")


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


def test_picked_folder_is_added(world: World) -> None:
    dialogs: list[Any] = []
    world.mac.behaviours["NSSavePanel", "-beginWithCompletionHandler:"] = lambda to, block: (
        dialogs.append((to, block))
    )
    url = world.mac.lookup("NSURL").fileURLWithPath_(str(world.home / "Documents"))

    def choose(response: int) -> None:
        dialog, block = dialogs.pop()
        dialog._kept["urls"] = [url]
        assert dialog.canChooseDirectories()
        assert not dialog.canChooseFiles()
        assert application(world).isActive()
        block(response)

    world.run(
        lambda: world.click("Folders", "Add Folder…"),
        lambda: world.settle(lambda: bool(dialogs)),
        lambda: choose(0),
        lambda: _check(world.engine.roots, []),
        lambda: world.click("Folders", "Add Folder…"),
        lambda: world.settle(lambda: bool(dialogs)),
        lambda: choose(1),
        lambda: world.settle(lambda: len(world.engine.roots) == 1),
    )
    assert world.engine.roots[0].path == str(world.home / "Documents")


def test_dropped_folder_is_added_and_files_are_left_to_the_page(world: World) -> None:
    board = world.mac.make("NSPasteboard")
    info = world.mac.make("NSObject")
    paths = [world.home / "Documents", world.engine.files["1"]]
    urls = [world.mac.lookup("NSURL").fileURLWithPath_(str(path)) for path in paths]
    key = "-readObjectsForClasses:options:"
    world.mac.behaviours["NSPasteboard", key] = lambda to, kinds, options: urls
    info.draggingPasteboard = lambda: board

    def drop() -> None:
        view = world.shell._page.view
        assert view.draggingEntered_(info) == 1
        assert view.performDragOperation_(info)
        urls[:] = urls[1:]
        assert view.draggingEntered_(info) == 0

    world.run(drop, lambda: world.settle(lambda: len(world.engine.roots) == 1))
    assert world.engine.roots[0].path == str(world.home / "Documents")


def test_page_is_loaded_at_start_from_our_own_scheme(world: World) -> None:
    def load() -> None:
        view = world.shell._page.view
        address = view._kept["request"].URL()
        assert address.absoluteString() == "sagasu-panel://app/index.html"
        assert view._kept["drawsBackground"] is False
        body, response = fetch(world, "sagasu-panel://app/index.html")
        assert response._kept["code"] == 200
        assert "default-src 'none'" in response._kept["headers"]["Content-Security-Policy"]
        assert b"<html" in body
        assert fetch(world, "sagasu-panel://app/../../pyproject.toml")[1]._kept["code"] == 404
        assert fetch(world, "sagasu-panel://other/index.html")[1]._kept["code"] == 404

    world.run(load)


def fetch(world: World, address: str) -> tuple[bytes, Any]:
    view = world.shell._page.view
    handler = view.configuration()._kept["schemes"]["sagasu-panel"]
    url = world.mac.lookup("NSURL").URLWithString_(address)
    task = world.mac.make("NSObject")
    got: dict[str, Any] = {}
    task.request = lambda: world.mac.make("NSURLRequest", URL=url)
    task.didReceiveResponse_ = lambda response: got.update(response=response)
    task.didReceiveData_ = lambda data: got.update(body=data._kept["body"])
    task.didFinish = lambda: got.update(done=True)
    handler.webView_startURLSchemeTask_(view, task)
    handler.webView_stopURLSchemeTask_(view, task)
    assert got["done"]
    return got["body"], got["response"]


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("sagasu-panel://app/settings.html", 1),
        ("https://example.com/", 0),
        ("file:///etc/passwd", 0),
        ("sagasu-panel://evil/", 0),
    ],
)
def test_page_cannot_be_led_away(world: World, address: str, allowed: int) -> None:
    decided: list[int] = []

    def navigate() -> None:
        view = world.shell._page.view
        url = world.mac.lookup("NSURL").URLWithString_(address)
        request = world.mac.make("NSURLRequest", URL=url)
        action = world.mac.make("WKNavigationAction", request=request)
        view.navigationDelegate().webView_decidePolicyForNavigationAction_decisionHandler_(
            view, action, decided.append
        )

    world.run(navigate)
    assert decided == [allowed]


def test_page_is_loaded_again_when_its_process_dies(world: World) -> None:
    def die() -> None:
        view = world.shell._page.view
        view.navigationDelegate().webViewWebContentProcessDidTerminate_(view)

    world.run(die)
    assert len(world.sent("WKWebView", "-reload")) == 1


def test_messages_are_answered_once(world: World) -> None:
    def talk() -> None:
        found = world.ask("search", query="tax", sequence=4)["value"]
        assert [one["title"] for one in found["results"]] == ["tax.pdf"]
        assert found["sequence"] == 4
        assert world.ask("nonsense")["error"]["kind"] == "InvalidValueError"
        assert world.ask("open", id="99")["error"]["kind"] == "NotFoundError"

    world.run(talk)


def test_body_that_is_no_text_is_refused(world: World) -> None:
    replies: list[Any] = []

    def send() -> None:
        content = world.shell._page.view.configuration().userContentController()
        bridge = content._kept["bridges"]["sagasu"]
        message = world.mac.make("WKScriptMessage", body={"name": "hide"})
        bridge.userContentController_didReceiveScriptMessage_replyHandler_(
            content, message, lambda value, error: replies.append(value)
        )

    world.run(send)
    assert "is not JSON" in replies[0]


def test_opening_learns_hides_and_reaches_the_finder(world: World) -> None:
    path = world.engine.files["1"]

    def act() -> None:
        world.shell.show_search()
        assert world.ask("open", id="1", query="tax")["ok"]
        world.mac.turn()
        assert not world.shell._panel.visible
        assert world.ask("reveal", id="2")["ok"]
        found = world.ask("search", query="tax")["value"]["results"][0]
        assert "opened before" in found["opened"]

    world.run(act)
    (opened,) = world.sent("NSWorkspace", "-openURL:")
    assert opened[0].path() == str(path)
    (shown,) = world.sent("NSWorkspace", "-activateFileViewerSelectingURLs:")
    assert [one.path() for one in shown[0]] == [str(world.engine.files["2"])]
    assert world.memory.recent.queries() == ("tax",)


def test_open_with_offers_and_uses_applications(world: World) -> None:
    program = world.home / "Preview.app"
    program.mkdir()
    url = world.mac.lookup("NSURL").fileURLWithPath_(str(program))
    key = "-URLsForApplicationsToOpenURL:"
    world.mac.behaviours["NSWorkspace", key] = lambda to, address: [url]

    def act() -> None:
        offered = world.ask("applications", id="1")["value"]["applications"]
        assert offered == [str(program)]
        assert world.ask("open_with", id="1", application=offered[0])["ok"]

    world.run(act)
    selector = "-openURLs:withApplicationAtURL:configuration:completionHandler:"
    assert len(world.sent("NSWorkspace", selector)) == 1


def test_vanished_file_is_said(world: World) -> None:
    def act() -> None:
        world.engine.files["1"].unlink()
        reply = world.ask("open", id="1")
        assert "moved or deleted" in reply["error"]["hint"]

    world.run(act)
    assert not world.sent("NSWorkspace", "-openURL:")


def test_copies_files_paths_and_passages(world: World) -> None:
    board = world.mac.lookup("NSPasteboard").generalPasteboard()

    def act() -> None:
        assert world.ask("copy_path", ids=["1", "2"])["value"]["copied"]
        text = board._kept["NSPasteboardTypeString"]
        assert text == "\n".join(str(path) for path in world.engine.files.values())
        assert len(board._kept["objects"]) == 2
        world.ask("copy_passage", id="1")
        assert board._kept == {"NSPasteboardTypeString": "the passage"}
        world.ask("context_pack", query="tax")
        assert board._kept == {"NSPasteboardTypeString": "# the pack"}

    world.run(act)


def test_quick_look_shows_follows_and_goes(world: World) -> None:
    def act() -> None:
        world.shell.show_search()
        preview = world.mac.lookup("QLPreviewPanel").sharedPreviewPanel()
        panel = world.shell._panel.window
        world.ask("quick_look", ids=["1"])
        world.mac.turn()
        assert preview.isVisible()
        assert panel.acceptsPreviewPanelControl_(preview)
        panel.beginPreviewPanelControl_(preview)
        source = preview.dataSource()
        assert source.numberOfPreviewItemsInPreviewPanel_(preview) == 1
        first = source.previewPanel_previewItemAtIndex_(preview, 0)
        assert first.path() == str(world.engine.files["1"])
        panel.delegate().windowDidResignKey_(None)
        assert world.shell._panel.visible
        world.ask("quick_look", ids=["2"])
        world.mac.turn()
        assert preview.isVisible()
        world.ask("quick_look", ids=["2"])
        world.mac.turn()
        assert not preview.isVisible()
        panel.endPreviewPanelControl_(preview)
        assert preview.dataSource() is None

    world.run(act)


def test_row_is_dragged_out_as_a_copy(world: World) -> None:
    world.run(lambda: world.ask("drag", ids=["1"]), lambda: None)
    ((items, event, source),) = [
        args for _, sel, args in world.mac.sent if sel.startswith("-beginDraggingSession")
    ]
    assert len(items) == 1
    assert event is not None
    mask = source.draggingSession_sourceOperationMaskForDraggingContext_(None, 0)
    assert mask == 1
    ((frame, _),) = world.sent("NSDraggingItem", "-setDraggingFrame:contents:")
    assert frame == make_rect(76, 176, 48, 48)
    assert Point(100.0, 200.0) == (100, 200)


def post_event(world: World, kind: str, which: str, text: str | None) -> None:
    manager = world.mac.lookup("NSAppleEventManager").sharedAppleEventManager()
    target, selector = manager._kept["handlers"][event_code(kind), event_code(which)]
    described = world.mac.make("NSAppleEventDescriptor", stringvalue=text)
    event = world.mac.make("NSAppleEventDescriptor")
    event.paramDescriptorForKeyword_ = lambda keyword: described if text is not None else None
    getattr(target, selector.decode().replace(":", "_"))(event, None)


def test_address_searches(world: World) -> None:
    world.run(
        lambda: post_event(world, "GURL", "GURL", "sagasu://search?q=tax%20return"),
        lambda: _check(world.shell._panel.visible, True),
        lambda: _check(world.told()[-1], {"type": "query", "query": "tax return"}),
    )


def test_foreign_address_is_refused_with_words(world: World) -> None:
    answers(world, 1000)
    world.run(
        lambda: post_event(world, "GURL", "GURL", "sagasu://wipe"),
        lambda: _check(world.shell._panel.visible, False),
    )
    ((text,),) = world.sent("NSAlert", "-setInformativeText:")
    assert "is not an address of Sagasu" in text


def test_second_launch_shows_the_panel(world: World) -> None:
    world.run(
        lambda: post_event(world, "aevt", "rapp", None),
        lambda: _check(world.shell._panel.visible, True),
    )


def test_pages_open_in_windows_of_their_own_once(world: World) -> None:
    world.run(
        lambda: world.click("Settings…"),
        lambda: world.settle(lambda: "settings" in world.shell._windows),
        lambda: world.click("Settings…"),
        lambda: world.settle(lambda: len(world.sent("NSWindow", "-makeKeyAndOrderFront:")) == 2),
        lambda: world.click("Coverage…"),
        lambda: world.settle(lambda: "coverage" in world.shell._windows),
        lambda: world.click("Welcome…"),
        lambda: world.settle(lambda: "welcome" in world.shell._windows),
        lambda: _check(application(world).isActive(), True),
    )
    assert len(world.sent("NSWindow", "-center")) == 3


def test_a_page_puts_its_own_window_away(world: World) -> None:
    def leave() -> None:
        window, page = world.shell._windows["settings"]
        world.shell.show_search()
        world.ask("hide", page.view)
        assert not window.window.isVisible()
        assert world.shell._panel.visible

    world.run(
        lambda: world.click("Settings…"),
        lambda: world.settle(lambda: "settings" in world.shell._windows),
        leave,
    )


def test_recent_search_is_asked_again(world: World) -> None:
    world.memory.recent.add("tax return", 10)
    world.run(
        lambda: world.click("Recent Searches", "tax return"),
        lambda: _check(world.told()[-1], {"type": "query", "query": "tax return"}),
        lambda: world.click("Recent Searches", "Clear"),
        lambda: world.settle(lambda: world.memory.recent.queries() == ()),
    )


def post(centre: Any, name: str) -> None:
    for known, _, block in list(centre._kept.get("observers", [])):
        if known == name:
            block(None)


def test_sleep_wake_and_menus_are_noticed(world: World) -> None:
    centre = workspace(world).notificationCenter()
    menus = world.mac.lookup("NSNotificationCenter").defaultCenter()
    world.run(
        lambda: post(centre, "NSWorkspaceWillSleepNotification"),
        lambda: post(centre, "NSWorkspaceDidWakeNotification"),
        lambda: post(menus, "NSMenuDidBeginTrackingNotification"),
        lambda: _check(world.carbon.press(SPACE, OPTION), False),
        lambda: post(menus, "NSMenuDidEndTrackingNotification"),
        lambda: _check(world.carbon.press(SPACE, OPTION), True),
    )
    assert world.said == ["started", "asleep", "awake"]


def test_low_power_is_noticed(world: World) -> None:
    centre = world.mac.lookup("NSNotificationCenter").defaultCenter()
    info = world.mac.lookup("NSProcessInfo").processInfo()
    info._kept["lowpowermodeenabled"] = True
    world.run(lambda: post(centre, "NSProcessInfoPowerStateDidChangeNotification"))
    assert world.said == ["started", "saving power: True"]


def test_closed_folder_is_explained_once(world: World) -> None:
    world.mac.lookup("NSBundle").mainBundle()._kept["identifier"] = "org.sagasu.Sagasu"
    grant_notifications(world)
    world.engine.roots.append(Folder("/home/ada/Mail", problem=CLOSED_FOLDER))
    world.run(world.refresh, world.refresh)
    ((_, content, _),) = world.sent(
        "UNNotificationRequest", "+requestWithIdentifier:content:trigger:"
    )
    assert content.title() == "macOS keeps this folder closed"
    assert "Full Disk Access" in content.body()


def test_login_item_is_registered_and_taken_off(world: World) -> None:
    service = world.mac.lookup("SMAppService").mainAppService()

    def register(status: int) -> Any:
        return lambda to, error: (to._kept.update(status=status) or True, None)

    world.mac.behaviours["SMAppService", "-registerAndReturnError:"] = register(1)
    world.mac.behaviours["SMAppService", "-unregisterAndReturnError:"] = register(0)
    world.run(
        lambda: world.click("Launch at Login"),
        lambda: _check(service.status(), 1),
        lambda: _check(world.item("Launch at Login").state(), 1),
        lambda: world.click("Launch at Login"),
        lambda: _check(service.status(), 0),
        lambda: _check(world.item("Launch at Login").state(), 0),
    )


def test_login_item_that_needs_approval_opens_settings(world: World) -> None:
    def register(to: Any, error: Any) -> tuple[bool, None]:
        to._kept["status"] = 2
        return False, None

    world.mac.behaviours["SMAppService", "-registerAndReturnError:"] = register
    world.run(lambda: world.preferences.choose(LAUNCH_AT_LOGIN, True))
    assert len(world.sent("SMAppService", "+openSystemSettingsLoginItems")) == 1


def test_refused_login_item_is_said(world: World) -> None:
    answers(world, 1000)
    problem = world.mac.make("NSError", localizeddescription="not permitted")
    key = "-registerAndReturnError:"
    world.mac.behaviours["SMAppService", key] = lambda to, error: (False, problem)
    world.run(lambda: world.preferences.choose(LAUNCH_AT_LOGIN, True))
    ((text,),) = world.sent("NSAlert", "-setInformativeText:")
    assert "not permitted" in text


def test_preferences_live_in_user_defaults(world: World) -> None:
    world.preferences.choose(HOTKEY, "⌃⌥F")
    values = world.mac.lookup("NSUserDefaults").standardUserDefaults()._kept["values"]
    assert values == {"hotkey": "⌃⌥F"}
    world.preferences.reset(HOTKEY)
    assert values == {}
    for key in (HOTKEY, LAUNCH_AT_LOGIN):
        assert type(world.preferences.value(key)) is type(key.default)


def test_numbers_come_back_from_user_defaults_as_numbers(world: World) -> None:
    from app.preferences import RECENT_KEPT

    world.preferences.choose(RECENT_KEPT, 7)
    assert world.preferences.number(RECENT_KEPT) == 7


def test_problem_can_be_read_and_retried(world: World) -> None:
    from app.state import after_error
    from engine.errors import DiskFullError

    answers(world, 1000)
    world.run(
        lambda: world.keeper.change(lambda s: after_error(s, DiskFullError(path="/d"))),
        lambda: world.click("The disk is full"),
    )
    assert world.said[-1] == "retry"


def test_standard_keys_work_in_the_page(world: World) -> None:
    world.run(lambda: None)
    bar = application(world).mainMenu()
    edit, window = bar.itemArray()
    assert [str(one.action()) for one in edit.submenu().itemArray()] == [
        "undo:", "redo:", "cut:", "copy:", "paste:", "selectAll:",
    ]  # fmt: skip
    assert str(window.submenu().itemArray()[0].action()) == "performClose:"


def test_quit_lets_go_of_everything(world: World) -> None:
    world.run(lambda: world.click("Quit Sagasu"), lambda: pytest.fail("it went on"))
    assert world.said == ["started", "stopped"]
    assert world.carbon.registered == {}
    centre = world.mac.lookup("NSNotificationCenter").defaultCenter()
    assert centre._kept["observers"] == []


def test_full_disk_access_is_probed_and_linked(mac: StandIn, tmp_path: Path) -> None:
    from app.mac.permissions import has_full_disk_access, open_full_disk_access

    assert has_full_disk_access(tmp_path) is True
    assert has_full_disk_access(tmp_path / "missing") is None
    open_full_disk_access()
    (sent,) = [args for _, sel, args in mac.sent if sel == "-openURL:"]
    assert "Privacy_AllFiles" in sent[0].absoluteString()


def test_nothing_of_ours_uses_a_deprecated_call(world: World) -> None:
    world.run(lambda: world.carbon.press(SPACE, OPTION), lambda: world.click("Settings…"))
    old = {selector for _, selector in world.mac.deprecated}
    rumps = {"setHighlightMode:", "setTitle:", "setImage:", "title", "image",
             "activateIgnoringOtherApps:", "setScalesWhenResized:", "setDelegate:",
             "defaultUserNotificationCenter"}  # fmt: skip
    assert old <= rumps
