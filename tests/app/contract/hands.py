"""What the tests do with their hands: press buttons, post events, fetch files of the page."""

from typing import Any

from tests.app.contract.world import World


def application(world: World) -> Any:
    return world.mac.lookup("NSApplication").sharedApplication()


def workspace(world: World) -> Any:
    return world.mac.lookup("NSWorkspace").sharedWorkspace()


def check(found: object, wanted: object) -> None:
    assert found == wanted


def answers(world: World, *buttons: int) -> None:
    """The person presses these buttons of the alerts to come."""
    waiting = list(buttons)
    world.mac.behaviours["NSAlert", "-runModal"] = lambda to: waiting.pop(0)


def grant_notifications(world: World) -> None:
    def ask(to: Any, options: int, block: Any) -> None:
        block(True, None)

    key = "-requestAuthorizationWithOptions:completionHandler:"
    world.mac.behaviours["UNUserNotificationCenter", key] = ask


def post(centre: Any, name: str) -> None:
    for known, _, block in list(centre._kept.get("observers", [])):
        if known == name:
            block(None)


def post_event(world: World, kind: str, which: str, text: str | None) -> None:
    manager = world.mac.lookup("NSAppleEventManager").sharedAppleEventManager()
    target, selector = manager._kept["handlers"][event_code(kind), event_code(which)]
    described = world.mac.make("NSAppleEventDescriptor", stringvalue=text)
    event = world.mac.make("NSAppleEventDescriptor")
    event.paramDescriptorForKeyword_ = lambda keyword: described if text is not None else None
    getattr(target, selector.decode().replace(":", "_"))(event, None)


def event_code(text: str) -> int:
    return int.from_bytes(text.encode(), "big")


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
