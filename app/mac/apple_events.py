"""How do sagasu:// addresses and a second launch reach us? As Apple events."""

import logging
from collections.abc import Callable
from typing import Any

import objc
from Foundation import NSAppleEventManager, NSObject

from app.mac.hotkey import four_chars

log = logging.getLogger(__name__)

GET_URL = (four_chars("GURL"), four_chars("GURL"))
REOPEN = (four_chars("aevt"), four_chars("rapp"))
DIRECT_OBJECT = four_chars("----")


class SagasuEvents(NSObject):
    """Takes the two events that ask us to show something."""

    def initWithOpen_reopen_(self, open: Callable[[str], None], reopen: Callable[[], None]) -> Any:
        self = objc.super(SagasuEvents, self).init()
        if self is not None:
            self.open = open
            self.reopen = reopen
        return self

    def getUrl_reply_(self, event: Any, reply: Any) -> None:
        address = event.paramDescriptorForKeyword_(DIRECT_OBJECT)
        try:
            if address is not None:
                self.open(str(address.stringValue() or ""))
        except Exception:  # a main-thread callback: nothing may cross into Objective-C
            log.exception("an address could not be opened")

    def reopen_reply_(self, event: Any, reply: Any) -> None:
        try:
            self.reopen()
        except Exception:  # a main-thread callback: nothing may cross into Objective-C
            log.exception("the panel could not be shown")


def listen_for_addresses(events: Any) -> None:
    """Takes sagasu:// addresses; before the run loop starts, so that none is missed."""
    manager = NSAppleEventManager.sharedAppleEventManager()
    manager.setEventHandler_andSelector_forEventClass_andEventID_(
        events, b"getUrl:reply:", *GET_URL
    )


def listen_for_reopen(events: Any) -> None:
    """Takes a second launch; once the run loop runs, because AppKit sets its own handler first."""
    manager = NSAppleEventManager.sharedAppleEventManager()
    manager.setEventHandler_andSelector_forEventClass_andEventID_(events, b"reopen:reply:", *REOPEN)
