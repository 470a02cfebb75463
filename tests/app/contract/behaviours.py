"""What do the few Apple objects do that the tests drive? As little as the tests can see.

Windows become visible and key, menus hold items, dialogs wait for the test to answer, defaults keep
values, notifications are posted by the test. Everything else only remembers.
"""

import sys
import threading
import types
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from tests.app.contract.standin import (
    FACTS,
    ObjCInt,
    ObjCText,
    Point,
    Size,
    StandIn,
    Terminated,
    make_rect,
    split_encoding,
)


def add_behaviours(standin: StandIn) -> None:
    """Gives the world its life."""
    _add_functions(standin)
    _add_helpers(standin)
    _add_application(standin)
    _add_menus(standin)
    _add_windows(standin)
    _add_values(standin)
    _add_services(standin)


def _add_functions(standin: StandIn) -> None:
    foundation, appkit = vars(sys.modules["Foundation"]), vars(sys.modules["AppKit"])
    known = FACTS["modules"]["Foundation"]["functions"]
    made: dict[str, Any] = {
        "NSLog": lambda *args: None,
        "NSSearchPathForDirectoriesInDomains": lambda *args: _Paths([str(standin.home)]),
    }
    for name in known:
        # A function that a test has not given a meaning must not be called.
        foundation[name] = made.get(name, _refuse(name))
    _add_file_events(standin)
    foundation.update(NSMakeRect=make_rect, NSMakePoint=Point, NSMakeSize=Size)
    appkit.update(NSSize=Size, NSMakeRect=make_rect)


class Stream:
    """One FSEventStream: what it was made with, and whether it runs."""

    def __init__(self, callback: Any, info: Any, paths: list[str], since: int, flags: int) -> None:
        self.callback, self.info, self.paths = callback, info, paths
        self.since, self.flags = since, flags
        self.calls: list[str] = []

    def deliver(self, *events: tuple[str, int, int]) -> None:
        """Reports (path, flags, id) as the system would."""
        paths, flags, ids = zip(*events, strict=True)
        self.callback(self, self.info, len(events), list(paths), flags, ids)


def _add_file_events(standin: StandIn) -> None:
    module = vars(sys.modules["FSEvents"])
    loops = vars(sys.modules["CoreFoundation"])
    stops: dict[int, threading.Event] = {}

    def create(allocator: Any, callback: Any, info: Any, paths: Any, since: int, *rest: Any) -> Any:
        latency, flags = rest
        assert isinstance(latency, int | float)
        standin.streams.append(Stream(callback, info, list(paths), since, flags))
        return standin.streams[-1]

    def record(name: str, encoding: str) -> Any:
        wanted = len(split_encoding(encoding)) - 1

        def call(*args: Any) -> Any:
            if len(args) != wanted:
                raise TypeError(f"{name} takes {wanted} arguments, got {len(args)}")
            if args and isinstance(args[0], Stream):
                args[0].calls.append(name)
            return {"Z": True, "Q": standin.event_id, "B": True}.get(encoding[0])

        return call

    def current() -> threading.Event:
        return stops.setdefault(threading.get_ident(), threading.Event())

    for name, encoding in FACTS["modules"]["FSEvents"]["functions"].items():
        module[name] = record(name, encoding)
    for name, encoding in FACTS["modules"]["CoreFoundation"]["functions"].items():
        loops[name] = record(name, encoding)
    module["FSEventStreamCreate"] = create
    loops["CFRunLoopGetCurrent"] = current
    loops["CFRunLoopRun"] = lambda: current().wait()
    loops["CFRunLoopStop"] = lambda loop: loop.set()


class _Paths(list[str]):
    def objectAtIndex_(self, index: int) -> str:
        return self[index]


def _refuse(name: str) -> Any:
    def call(*args: Any) -> Any:
        raise NotImplementedError(f"{name} was called, and the stand-in does not know what it does")

    return call


def _add_helpers(standin: StandIn) -> None:
    tools, helper = types.ModuleType("PyObjCTools"), types.ModuleType("PyObjCTools.AppHelper")
    made = {
        "callAfter": standin.call_after,
        "runEventLoop": standin.run_event_loop,
        "installMachInterrupt": lambda: None,
    }
    for name in FACTS["helpers"]:
        vars(helper)[name] = made.get(name, _refuse(f"AppHelper.{name}"))
    vars(tools)["AppHelper"] = helper
    sys.modules["PyObjCTools"] = tools
    sys.modules["PyObjCTools.AppHelper"] = helper


def _add_application(standin: StandIn) -> None:
    do = standin.behaviours
    kept: dict[str, Any] = {}

    def shared(kind: str) -> Any:
        return lambda to: kept.setdefault(kind, standin.make(kind))

    for kind, selector in (
        ("NSApplication", "+sharedApplication"), ("NSWorkspace", "+sharedWorkspace"),
        ("NSPasteboard", "+generalPasteboard"), ("NSStatusBar", "+systemStatusBar"),
        ("NSAppleEventManager", "+sharedAppleEventManager"), ("NSBundle", "+mainBundle"),
        ("QLPreviewPanel", "+sharedPreviewPanel"), ("SMAppService", "+mainAppService"),
        ("UNUserNotificationCenter", "+currentNotificationCenter"),
        ("NSUserDefaults", "+standardUserDefaults"), ("NSOperationQueue", "+mainQueue"),
        ("NSNotificationCenter", "+defaultCenter"), ("NSProcessInfo", "+processInfo"),
    ):  # fmt: skip
        do[kind, selector] = shared(kind)
    do["QLPreviewPanel", "+sharedPreviewPanelExists"] = lambda to: "QLPreviewPanel" in kept
    do["NSThread", "+isMainThread"] = lambda to: _on_main()
    do["NSApplication", "-activate"] = lambda to: to._kept.update(active=True)
    do["NSApplication", "-activateIgnoringOtherApps:"] = lambda to, f: to._kept.update(active=True)
    do["NSApplication", "-deactivate"] = lambda to: to._kept.update(active=False)
    do["NSApplication", "-modalWindow"] = lambda to: to._kept.get("modal")
    do["NSApplication", "-terminate:"] = _terminate
    do["NSApplication", "-setActivationPolicy:"] = lambda to, p: to._kept.update(policy=p) or True
    do["NSStatusBar", "-statusItemWithLength:"] = lambda to, n: standin.make("NSStatusItem")


def _on_main() -> bool:
    return threading.current_thread() is threading.main_thread()


def _terminate(to: Any, sender: Any) -> None:
    delegate = to.delegate()
    delegate.applicationWillTerminate_(None)
    raise Terminated


def _add_menus(standin: StandIn) -> None:
    do = standin.behaviours

    def init_item(to: Any, title: str, action: Any, key: str) -> Any:
        to._kept.update(title=title, action=action, keyequivalent=key)
        return to

    def add_item(to: Any, title: str, action: Any, key: str) -> Any:
        item = init_item(standin.make("NSMenuItem"), title, action, key)
        _items(to).append(item)
        return item

    do["NSMenuItem", "-initWithTitle:action:keyEquivalent:"] = init_item
    do["NSMenuItem", "+separatorItem"] = lambda to: standin.make("NSMenuItem", title="")
    do["NSMenu", "-initWithTitle:"] = lambda to, title: to._kept.update(title=title) or to
    do["NSMenu", "-addItem:"] = lambda to, item: _items(to).append(item)
    do["NSMenu", "-addItemWithTitle:action:keyEquivalent:"] = add_item
    do["NSMenu", "-removeAllItems"] = lambda to: _items(to).clear()
    do["NSMenu", "-itemArray"] = lambda to: list(_items(to))


def _items(menu: Any) -> list[Any]:
    items: list[Any] = menu._kept.setdefault("items", [])
    return items


def _add_windows(standin: StandIn) -> None:
    do = standin.behaviours

    def init_window(to: Any, rect: Any, mask: int, backing: int, defer: bool) -> Any:
        view = standin.make("NSView", bounds=make_rect(0, 0, *rect.size), frame=rect)
        to._kept.update(frame=rect, stylemask=mask, contentview=view, visible=False, key=False)
        return to

    def show(to: Any, sender: Any = None) -> None:
        to._kept["visible"] = True

    def make_key(to: Any, sender: Any = None) -> None:
        # Borderless and non-activating windows say no unless a subclass says yes.
        to._kept["key"] = to.canBecomeKeyWindow()

    def show_key(to: Any, sender: Any = None) -> None:
        show(to)
        make_key(to)

    def hide(to: Any, sender: Any = None) -> None:
        lost = to._kept.get("key")
        to._kept.update(visible=False, key=False)
        if lost and to._kept.get("delegate") is not None:
            to._kept["delegate"].windowDidResignKey_(None)

    do["NSWindow", "-initWithContentRect:styleMask:backing:defer:"] = init_window
    do["NSWindow", "-canBecomeKeyWindow"] = lambda to: bool(to._kept.get("stylemask", 1) & 1)
    do["NSWindow", "-orderFrontRegardless"] = show
    do["NSWindow", "-makeKeyWindow"] = make_key
    do["NSWindow", "-makeKeyAndOrderFront:"] = show_key
    do["NSWindow", "-orderOut:"] = hide
    do["NSWindow", "-setFrame:display:"] = lambda to, rect, now: to._kept.update(frame=rect)
    do["NSWindow", "-standardWindowButton:"] = lambda to, which: standin.make("NSButton")
    do["NSWindow", "-makeFirstResponder:"] = lambda to, view: to._kept.update(first=view) or True
    do["NSWindow", "-mouseLocationOutsideOfEventStream"] = lambda to: Point(100.0, 200.0)
    do["NSView", "-initWithFrame:"] = lambda to, rect: (
        to._kept.update(frame=rect, bounds=rect) or to
    )
    do["NSView", "-addSubview:"] = lambda to, view: to._kept.setdefault("views", []).append(view)
    do["NSView", "-window"] = lambda to: standin.make("NSWindow")
    screen = standin.make(
        "NSScreen", frame=make_rect(0, 0, 1440, 900), visibleframe=make_rect(0, 0, 1440, 875)
    )
    do["NSScreen", "+screens"] = lambda to: [screen]
    do["NSEvent", "+mouseLocation"] = lambda to: Point(700.0, 500.0)
    do["NSAlert", "-addButtonWithTitle:"] = lambda to, name: to._kept.setdefault(
        "buttons", []
    ).append(name)
    do["NSOpenPanel", "+openPanel"] = lambda to: standin.make("NSOpenPanel")
    _add_web(standin)


def _add_web(standin: StandIn) -> None:
    do = standin.behaviours

    def keep_scheme(to: Any, handler: Any, scheme: str) -> None:
        to._kept.setdefault("schemes", {})[str(scheme)] = handler

    def keep_bridge(to: Any, handler: Any, world: Any, name: str) -> None:
        to._kept.setdefault("bridges", {})[str(name)] = handler

    def init_view(to: Any, frame: Any, configuration: Any) -> Any:
        to._kept.update(frame=frame, configuration=configuration, scripts=[])
        return to

    def run_script(to: Any, text: str, arguments: Any, *rest: Any) -> None:
        to._kept["scripts"].append((text, arguments))

    do["WKWebViewConfiguration", "-setURLSchemeHandler:forURLScheme:"] = keep_scheme
    do["WKUserContentController", "-addScriptMessageHandlerWithReply:contentWorld:name:"] = (
        keep_bridge
    )
    do["WKWebView", "-initWithFrame:configuration:"] = init_view
    do["WKWebView", "-loadRequest:"] = lambda to, request: to._kept.update(request=request)
    do[
        "WKWebView",
        "-callAsyncJavaScript:arguments:inFrame:inContentWorld:completionHandler:",
    ] = run_script
    do["NSObject", "-setValue:forKey:"] = lambda to, value, key: to._kept.update({key: value})


def _add_values(standin: StandIn) -> None:
    do = standin.behaviours

    def make_url(text: str) -> Any:
        return standin.make("NSURL", text=text)

    def path(to: Any) -> Any:
        return ObjCText(unquote(urlsplit(to._kept["text"]).path))

    do["NSURL", "+URLWithString:"] = lambda to, text: make_url(text)
    do["NSURL", "+fileURLWithPath:"] = lambda to, text: make_url(Path(text).absolute().as_uri())
    do["NSURL", "-path"] = path
    do["NSURL", "-absoluteString"] = lambda to: ObjCText(to._kept["text"])
    do["NSURLRequest", "+requestWithURL:"] = lambda to, url: standin.make("NSURLRequest", URL=url)
    do["NSData", "+dataWithBytes:length:"] = lambda to, body, n: standin.make(
        "NSData", body=body[:n]
    )
    do["NSHTTPURLResponse", "-initWithURL:statusCode:HTTPVersion:headerFields:"] = (
        lambda to, url, code, version, headers: to._kept.update(code=code, headers=headers) or to
    )
    do["NSString", "-initWithString:"] = lambda to, text: ObjCText(text)
    do["NSObject", "-performSelectorOnMainThread:withObject:waitUntilDone:"] = _refuse("perform")


def _add_services(standin: StandIn) -> None:
    do = standin.behaviours

    def read(to: Any, name: str) -> Any:
        value = to._kept.get("values", {}).get(name)
        if isinstance(value, bool) or value is None:
            return value
        return ObjCInt(value) if isinstance(value, int) else ObjCText(value)

    def observe(to: Any, name: str, sender: Any, queue: Any, block: Any) -> Any:
        token = standin.make("NSObject")
        to._kept.setdefault("observers", []).append((str(name), token, block))
        return token

    def ignore(to: Any, token: Any) -> None:
        kept = [row for row in to._kept.get("observers", []) if row[1] is not token]
        to._kept["observers"] = kept

    def handle_event(to: Any, target: Any, selector: bytes, kind: int, which: int) -> None:
        to._kept.setdefault("handlers", {})[kind, which] = (target, selector)

    do["NSUserDefaults", "-objectForKey:"] = read
    do["NSUserDefaults", "-setObject:forKey:"] = lambda to, value, name: to._kept.setdefault(
        "values", {}
    ).update({name: value})
    do["NSUserDefaults", "-removeObjectForKey:"] = lambda to, name: to._kept.setdefault(
        "values", {}
    ).pop(name, None)
    do["NSNotificationCenter", "-addObserverForName:object:queue:usingBlock:"] = observe
    do["NSNotificationCenter", "-removeObserver:"] = ignore
    do["NSNotificationCenter", "-addObserver:selector:name:object:"] = (
        lambda to, target, selector, name, sender: to._kept.setdefault("targets", []).append(
            (str(name), selector)
        )
    )
    do["NSAppleEventManager", "-setEventHandler:andSelector:forEventClass:andEventID:"] = (
        handle_event
    )
    do["NSWorkspace", "-openURL:"] = lambda to, url: True
    do["NSWorkspace", "-notificationCenter"] = lambda to: to._kept.setdefault(
        "centre", standin.make("NSNotificationCenter")
    )
    do["NSWorkspace", "-frontmostApplication"] = lambda to: to._kept.get("front")
    do["NSWorkspace", "-iconForFile:"] = lambda to, path: standin.make("NSImage")
    do["NSPasteboard", "-clearContents"] = lambda to: to._kept.clear() or 1
    do["NSPasteboard", "-writeObjects:"] = lambda to, found: to._kept.update(objects=found) or True
    do["NSPasteboard", "-setString:forType:"] = lambda to, text, kind: (
        to._kept.update({str(kind): text}) or True
    )
    do["NSBundle", "-bundleIdentifier"] = lambda to: to._kept.get("identifier")
