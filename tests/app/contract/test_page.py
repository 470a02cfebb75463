"""The page and what it asks of the Mac, on the stand-in: 1 it is loaded from our own scheme and
cannot be led away; 2 messages are answered once; 3 folders picked and dropped are added; 4 files
are opened, revealed, copied, looked at and dragged; 5 other pages have windows of their own.
"""

from typing import Any

import pytest

from tests.app.contract.hands import application, check, fetch
from tests.app.contract.standin import Point, make_rect
from tests.app.contract.world import World


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
        lambda: check(world.engine.roots, []),
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
        lambda: check(application(world).isActive(), True),
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
