"""What happens around us? Sleep, wake, power, open menus: each calls back on the main thread."""

import logging
from collections.abc import Callable
from typing import Any

from AppKit import (
    NSMenuDidBeginTrackingNotification,
    NSMenuDidEndTrackingNotification,
    NSWorkspace,
    NSWorkspaceDidWakeNotification,
    NSWorkspaceWillSleepNotification,
)
from Foundation import (
    NSNotificationCenter,
    NSOperationQueue,
    NSProcessInfo,
    NSProcessInfoPowerStateDidChangeNotification,
)

log = logging.getLogger(__name__)


class Observer:
    """Keeps the observations alive; close() ends them."""

    def __init__(self) -> None:
        self._tokens: list[tuple[Any, Any]] = []

    def on_sleep(self, call: Callable[[], None]) -> None:
        """Before the Mac sleeps: time to finish a batch."""
        self._add(_workspace_centre(), NSWorkspaceWillSleepNotification, call)

    def on_wake(self, call: Callable[[], None]) -> None:
        """After it woke: disks may be gone, files may have changed."""
        self._add(_workspace_centre(), NSWorkspaceDidWakeNotification, call)

    def on_power_change(self, call: Callable[[], None]) -> None:
        """When Low Power Mode goes on or off."""
        centre = NSNotificationCenter.defaultCenter()
        self._add(centre, NSProcessInfoPowerStateDidChangeNotification, call)

    def on_menu(self, opened: Callable[[], None], closed: Callable[[], None]) -> None:
        """When any of our menus opens and closes."""
        centre = NSNotificationCenter.defaultCenter()
        self._add(centre, NSMenuDidBeginTrackingNotification, opened)
        self._add(centre, NSMenuDidEndTrackingNotification, closed)

    def close(self) -> None:
        """Ends all observations."""
        for centre, token in self._tokens:
            centre.removeObserver_(token)
        self._tokens = []

    def _add(self, centre: Any, name: str, call: Callable[[], None]) -> None:
        def happened(notification: Any) -> None:
            try:
                call()
            except Exception:  # a main-thread callback: nothing may cross into Objective-C
                log.exception("an observer failed")

        token = centre.addObserverForName_object_queue_usingBlock_(
            name, None, NSOperationQueue.mainQueue(), happened
        )
        self._tokens.append((centre, token))


def is_low_power() -> bool:
    """Has the person asked the Mac to save power?"""
    return bool(NSProcessInfo.processInfo().isLowPowerModeEnabled())


def _workspace_centre() -> Any:
    return NSWorkspace.sharedWorkspace().notificationCenter()
