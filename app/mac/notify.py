"""How does the system tell something while no window is open? UserNotifications."""

import logging
from typing import Any

from Foundation import NSBundle
from UserNotifications import (
    UNAuthorizationOptionAlert,
    UNMutableNotificationContent,
    UNNotificationRequest,
    UNUserNotificationCenter,
)

log = logging.getLogger(__name__)


def notify(title: str, text: str, topic: str) -> bool:
    """Shows a notification; a later one on the same topic replaces it. False when there is no
    bundle to speak for."""
    # Without a bundle identifier the notification centre ends the process.
    if not NSBundle.mainBundle().bundleIdentifier():
        log.warning("no notification outside the app bundle: %s", title)
        return False
    centre = UNUserNotificationCenter.currentNotificationCenter()

    def allowed(granted: bool, problem: Any) -> None:
        if granted:
            centre.addNotificationRequest_withCompletionHandler_(_request(title, text, topic), None)

    centre.requestAuthorizationWithOptions_completionHandler_(UNAuthorizationOptionAlert, allowed)
    return True


def _request(title: str, text: str, topic: str) -> Any:
    content = UNMutableNotificationContent.alloc().init()
    content.setTitle_(title)
    content.setBody_(text)
    return UNNotificationRequest.requestWithIdentifier_content_trigger_(topic, content, None)
