"""How is a problem told, and a yes asked for? NSAlert with our sentences."""

from AppKit import NSAlert, NSAlertFirstButtonReturn, NSAlertStyleWarning, NSApplication

from app.problems import Alert


def show_alert(alert: Alert) -> bool:
    """Shows it and waits; True when the first button was chosen. Main thread only."""
    buttons = (alert.button, "Cancel") if alert.action else (alert.button,)
    return _ask(alert.title, alert.text, buttons)


def confirm(title: str, text: str, button: str) -> bool:
    """Asks before something that cannot be undone; True means yes. Main thread only."""
    return _ask(title, text, (button, "Cancel"))


def _ask(title: str, text: str, buttons: tuple[str, ...]) -> bool:
    box = NSAlert.alloc().init()
    box.setMessageText_(title)
    box.setInformativeText_(text)
    box.setAlertStyle_(NSAlertStyleWarning)
    for name in buttons:
        box.addButtonWithTitle_(name)
    # An accessory app's alert would open behind whatever is in front.
    NSApplication.sharedApplication().activate()
    return bool(box.runModal() == NSAlertFirstButtonReturn)
