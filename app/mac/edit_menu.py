"""Why do ⌘C and ⌘V work in the page? Because of a main menu that nobody sees.

A menu-bar app has no menu of its own, and without one the standard keys reach no view.
"""

from AppKit import NSApplication, NSEventModifierFlagCommand, NSEventModifierFlagShift, NSMenu
from AppKit import NSMenuItem as NativeItem

EDIT = (
    ("Undo", "undo:", "z", False),
    ("Redo", "redo:", "z", True),
    ("Cut", "cut:", "x", False),
    ("Copy", "copy:", "c", False),
    ("Paste", "paste:", "v", False),
    ("Select All", "selectAll:", "a", False),
)
WINDOW = (("Close", "performClose:", "w", False), ("Minimise", "performMiniaturize:", "m", False))


def install_edit_menu() -> None:
    """Gives the app its standard keys; main thread only."""
    bar = NSMenu.alloc().init()
    for title, rows in (("Edit", EDIT), ("Window", WINDOW)):
        top = NativeItem.alloc().init()
        menu = NSMenu.alloc().initWithTitle_(title)
        for name, action, key, shift in rows:
            item = menu.addItemWithTitle_action_keyEquivalent_(name, action, key)
            flags = NSEventModifierFlagCommand | (NSEventModifierFlagShift if shift else 0)
            item.setKeyEquivalentModifierMask_(flags)
        top.setSubmenu_(menu)
        bar.addItem_(top)
    NSApplication.sharedApplication().setMainMenu_(bar)
