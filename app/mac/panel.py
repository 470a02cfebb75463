"""How does the panel float? A non-activating NSPanel over every space and full-screen app.

It never activates the app: that would raise our other windows and take the focus for good. It
becomes key alone, so typing goes to it, and the app before stays active behind.
"""

from collections.abc import Callable
from typing import Any

import objc
from AppKit import (
    NSApplication,
    NSBackingStoreBuffered,
    NSColor,
    NSEvent,
    NSFloatingWindowLevel,
    NSPanel,
    NSScreen,
    NSViewHeightSizable,
    NSViewWidthSizable,
    NSVisualEffectBlendingModeBehindWindow,
    NSVisualEffectMaterialPopover,
    NSVisualEffectStateActive,
    NSVisualEffectView,
    NSWindowAnimationBehaviorNone,
    NSWindowCloseButton,
    NSWindowCollectionBehaviorCanJoinAllSpaces,
    NSWindowCollectionBehaviorFullScreenAuxiliary,
    NSWindowCollectionBehaviorIgnoresCycle,
    NSWindowCollectionBehaviorTransient,
    NSWindowMiniaturizeButton,
    NSWindowStyleMaskFullSizeContentView,
    NSWindowStyleMaskNonactivatingPanel,
    NSWindowStyleMaskTitled,
    NSWindowTitleHidden,
    NSWindowZoomButton,
    NSWorkspace,
)
from Foundation import NSMakeRect, NSObject
from Quartz import QLPreviewPanel

from app.mac.quick_look import QuickLook
from app.placement import HEIGHT, WIDTH, Box, Screen, choose_screen, place_panel, resize_panel

STYLE = (
    NSWindowStyleMaskNonactivatingPanel  # counts only when given at init
    | NSWindowStyleMaskTitled  # keeps the system's corners and shadow
    | NSWindowStyleMaskFullSizeContentView
)
EVERYWHERE = (
    NSWindowCollectionBehaviorCanJoinAllSpaces
    | NSWindowCollectionBehaviorFullScreenAuxiliary
    | NSWindowCollectionBehaviorTransient
    | NSWindowCollectionBehaviorIgnoresCycle
)


class SagasuPanel(NSPanel):
    """A panel that takes typing, and lends itself to Quick Look."""

    def canBecomeKeyWindow(self) -> bool:
        return True

    def canBecomeMainWindow(self) -> bool:
        return False

    def acceptsPreviewPanelControl_(self, preview: Any) -> bool:
        return True

    def beginPreviewPanelControl_(self, preview: Any) -> None:
        preview.setDataSource_(self.quick_look)
        preview.setDelegate_(self.quick_look)

    def endPreviewPanelControl_(self, preview: Any) -> None:
        preview.setDataSource_(None)
        preview.setDelegate_(None)


class SagasuPanelDelegate(NSObject):
    """Puts the panel away when something else is clicked."""

    def initWithCall_(self, lost_key: Callable[[], None]) -> Any:
        self = objc.super(SagasuPanelDelegate, self).init()
        if self is not None:
            self.lost_key = lost_key
        return self

    def windowDidResignKey_(self, notification: Any) -> None:
        self.lost_key()


class Panel:
    """The floating window around the page; main thread only."""

    def __init__(self, screen: Callable[[], str]) -> None:
        self._how = screen  # which screen the person has chosen: "mouse" or "main"
        self._before: Any = None
        self.window = _make_window()
        self.window.quick_look = QuickLook.alloc().init()
        self._delegate = SagasuPanelDelegate.alloc().initWithCall_(self._lost_key)
        self.window.setDelegate_(self._delegate)  # weak: kept here
        self._backdrop = _make_backdrop(self.window)

    def hold(self, view: Any) -> None:
        """Puts the page's view into the window."""
        view.setFrame_(self._backdrop.bounds())
        self._backdrop.addSubview_(view)
        self._view = view

    @property
    def visible(self) -> bool:
        """Is it on the screen?"""
        return bool(self.window.isVisible())

    def show(self) -> None:
        """Appears on the chosen screen, takes the typing, leaves the app before active."""
        if not self.visible:
            self._before = NSWorkspace.sharedWorkspace().frontmostApplication()
            self._place(place_panel(self._screen(), WIDTH, HEIGHT))
        self.window.orderFrontRegardless()
        self.window.makeKeyWindow()
        self.window.makeFirstResponder_(self._view)

    def hide(self) -> None:
        """Goes, and gives the focus back if one of our dialogs had taken it."""
        if not self.visible:
            return
        self.window.orderOut_(None)
        before, self._before = self._before, None
        if before is not None and NSApplication.sharedApplication().isActive():
            before.activateWithOptions_(0)

    def resize(self, height: int) -> None:
        """Another height; the top edge stays."""
        self._place(resize_panel(_box(self.window.frame()), self._screen(), float(height)))

    def _lost_key(self) -> None:
        # Our own dialogs and Quick Look take the key too: then the panel stays behind them.
        application = NSApplication.sharedApplication()
        looking = (
            QLPreviewPanel.sharedPreviewPanelExists()
            and QLPreviewPanel.sharedPreviewPanel().isVisible()
        )
        if application.modalWindow() is None and not looking and not application.isActive():
            self.hide()

    def _place(self, box: Box) -> None:
        frame = NSMakeRect(box.x, box.y, box.width, box.height)
        self.window.setFrame_display_(frame, True)

    def _screen(self) -> Screen:
        mouse = NSEvent.mouseLocation()
        screens = [
            Screen(_box(one.frame()), _box(one.visibleFrame())) for one in NSScreen.screens()
        ]
        return choose_screen(screens, (mouse.x, mouse.y), self._how())


def _make_window() -> Any:
    window = SagasuPanel.alloc().initWithContentRect_styleMask_backing_defer_(
        NSMakeRect(0, 0, WIDTH, HEIGHT), STYLE, NSBackingStoreBuffered, False
    )
    window.setTitle_("Sagasu")
    window.setReleasedWhenClosed_(False)  # Python owns it
    window.setFloatingPanel_(True)
    window.setLevel_(NSFloatingWindowLevel)
    window.setHidesOnDeactivate_(False)  # the app is never active: it would never show
    window.setBecomesKeyOnlyIfNeeded_(False)
    window.setCollectionBehavior_(EVERYWHERE)
    window.setTitleVisibility_(NSWindowTitleHidden)
    window.setTitlebarAppearsTransparent_(True)
    window.setMovableByWindowBackground_(True)
    window.setAnimationBehavior_(NSWindowAnimationBehaviorNone)
    window.setOpaque_(False)
    window.setBackgroundColor_(NSColor.clearColor())
    window.setHasShadow_(True)
    for which in (NSWindowCloseButton, NSWindowMiniaturizeButton, NSWindowZoomButton):
        knob = window.standardWindowButton_(which)
        if knob is not None:
            knob.setHidden_(True)
    return window


def _make_backdrop(window: Any) -> Any:
    backdrop = NSVisualEffectView.alloc().initWithFrame_(window.contentView().bounds())
    backdrop.setAutoresizingMask_(NSViewWidthSizable | NSViewHeightSizable)
    backdrop.setMaterial_(NSVisualEffectMaterialPopover)
    backdrop.setBlendingMode_(NSVisualEffectBlendingModeBehindWindow)
    # Active by hand: as our app is never the active one, it would be drawn grey.
    backdrop.setState_(NSVisualEffectStateActive)
    window.setContentView_(backdrop)
    return backdrop


def _box(frame: Any) -> Box:
    return Box(frame.origin.x, frame.origin.y, frame.size.width, frame.size.height)
