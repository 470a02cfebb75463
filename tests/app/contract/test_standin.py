"""The stand-in is strict: 1 unknown selectors, constants and classes raise; 2 so do wrong argument
counts and kinds; 3 blocks need a signature; 4 our classes are checked when defined, and defined
once; 5 subclasses reach upwards; 6 nothing stays in sys.modules afterwards.
"""

import sys
import threading

import pytest

from tests.app.contract.standin import ObjCError, StandIn, install, make_rect


def test_unknown_names_raise(mac: StandIn) -> None:
    import AppKit

    window = AppKit.NSWindow.alloc()
    with pytest.raises(
        AttributeError, match=r"setTitel: does not exist|setTitel:\] does not exist"
    ):
        window.setTitel_("x")
    with pytest.raises(AttributeError, match="setCanBecomeKeyWindow"):
        window.setCanBecomeKeyWindow_(True)
    with pytest.raises(AttributeError, match="NSWindowStyleMaskNonActivatingPanel"):
        _ = AppKit.NSWindowStyleMaskNonActivatingPanel
    with pytest.raises(AttributeError, match="sharedWorkspaces"):
        AppKit.NSWorkspace.sharedWorkspaces()


def test_modules_hold_only_their_own_names(mac: StandIn) -> None:
    import WebKit

    with pytest.raises(AttributeError):
        _ = WebKit.NSFloatingWindowLevel


@pytest.mark.parametrize(
    ("selector", "args", "problem"),
    [
        ("setTitle_", (), "Need 1 arguments, got 0"),
        ("setTitle_", (3,), "must be a NSString"),
        ("setLevel_", ("high",), "must be a number"),
        ("setOpaque_", ("no",), "must be a BOOL"),
        ("setFrame_display_", ((1, 2, 3, 4), True), "must be a rect"),
        ("setBackgroundColor_", ("red",), "must be a NSColor"),
    ],
)
def test_wrong_arguments_raise(
    mac: StandIn, selector: str, args: tuple[object, ...], problem: str
) -> None:
    import AppKit

    with pytest.raises(TypeError, match=problem):
        getattr(AppKit.NSWindow.alloc(), selector)(*args)


def test_block_needs_a_signature(mac: StandIn) -> None:
    import AppKit

    AppKit.NSOpenPanel.openPanel().beginWithCompletionHandler_(lambda response: None)
    with pytest.raises(TypeError, match="block"):
        AppKit.NSOpenPanel.openPanel().beginWithCompletionHandler_("not callable")


def test_our_methods_are_checked_when_defined(mac: StandIn) -> None:
    import AppKit

    with pytest.raises(ObjCError, match="0 arguments, its selector has 1"):
        type(AppKit.NSObject)(
            "Wrong", (AppKit.NSObject,), {"windowDidResignKey_": lambda self: None}
        )


def test_a_class_is_defined_once(mac: StandIn) -> None:
    import AppKit

    type(AppKit.NSObject)("Ours", (AppKit.NSObject,), {})
    with pytest.raises(ObjCError, match="overriding existing"):
        type(AppKit.NSObject)("Ours", (AppKit.NSObject,), {})


def test_subclass_reaches_upwards(mac: StandIn) -> None:
    import AppKit

    panel = AppKit.NSPanel.alloc().initWithContentRect_styleMask_backing_defer_(
        make_rect(0, 0, 10, 10), 1, 2, False
    )
    panel.setTitle_("x")
    assert panel.title() == "x"


def test_file_events_are_made_reported_and_checked(mac: StandIn) -> None:
    import FSEvents

    heard: list[object] = []
    stream = FSEvents.FSEventStreamCreate(
        None,
        lambda *args: heard.append(args[3:]),
        None,
        ["/home/ada"],
        FSEvents.kFSEventStreamEventIdSinceNow,
        0.5,
        FSEvents.kFSEventStreamCreateFlagFileEvents,
    )
    assert FSEvents.FSEventStreamStart(stream)
    mac.streams[0].deliver(("/home/ada/a.md", FSEvents.kFSEventStreamEventFlagItemModified, 7))
    assert heard == [(["/home/ada/a.md"], (0x1000,), (7,))]
    with pytest.raises(TypeError, match="takes 1 arguments"):
        FSEvents.FSEventStreamStop()
    with pytest.raises(AttributeError):
        _ = FSEvents.kFSEventStreamEventFlagItemTouched


def test_run_loop_of_a_thread_ends_when_stopped(mac: StandIn) -> None:
    import CoreFoundation

    loops: list[object] = []
    ready = threading.Event()

    def run() -> None:
        loops.append(CoreFoundation.CFRunLoopGetCurrent())
        ready.set()
        CoreFoundation.CFRunLoopRun()

    thread = threading.Thread(target=run)
    thread.start()
    assert ready.wait(10)
    CoreFoundation.CFRunLoopStop(loops[0])
    thread.join(10)
    assert not thread.is_alive()


def test_nothing_stays_behind() -> None:
    with install():
        import rumps

        import app.mac.shell

        assert rumps.App
        assert app.mac.shell.TITLES
    left = {name for name in sys.modules if name.split(".")[0] in {"rumps", "AppKit", "objc"}}
    assert not left
    assert not any(name.startswith("app.mac") for name in sys.modules)
