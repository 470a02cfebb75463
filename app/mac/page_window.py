"""Where are settings, coverage and welcome shown? Each in a plain window around its page."""

from typing import Any

from AppKit import (
    NSApplication,
    NSBackingStoreBuffered,
    NSWindow,
    NSWindowStyleMaskClosable,
    NSWindowStyleMaskMiniaturizable,
    NSWindowStyleMaskResizable,
    NSWindowStyleMaskTitled,
)
from Foundation import NSMakeRect, NSMakeSize

STYLE = (
    NSWindowStyleMaskTitled
    | NSWindowStyleMaskClosable
    | NSWindowStyleMaskMiniaturizable
    | NSWindowStyleMaskResizable
)


class PageWindow:
    """A window of its own for a page; main thread only."""

    def __init__(self, title: str, view: Any, width: float = 760.0, height: float = 560.0) -> None:
        self.window = NSWindow.alloc().initWithContentRect_styleMask_backing_defer_(
            NSMakeRect(0, 0, width, height), STYLE, NSBackingStoreBuffered, False
        )
        self.window.setTitle_(title)
        self.window.setReleasedWhenClosed_(False)  # Python owns it
        self.window.setContentMinSize_(NSMakeSize(520, 360))
        self.window.setContentView_(view)
        self.window.center()

    def close(self) -> None:
        """Goes; kept for the next time."""
        self.window.orderOut_(None)

    def show(self) -> None:
        """Comes to the front; the one place besides dialogs where the app is activated."""
        NSApplication.sharedApplication().activate()
        self.window.makeKeyAndOrderFront_(None)
