"""How does the menu get into the menu bar? rumps, fed with the menu as data.

Only what changed is touched: a new title on the item that is there, so that an open menu shows
progress live; the whole menu is made anew only when its shape changes.
"""

from collections.abc import Callable
from typing import Any

import rumps
from AppKit import NSApplication, NSApplicationActivationPolicyAccessory

from app.menu import Command, Item, Menu

Choose = Callable[[Command, str], None]
AUTOSAVE_NAME = "SagasuStatusItem"  # else the system calls it Item-0 and may forget its place


class StatusItem:
    """The icon in the menu bar with its menu; main thread only."""

    def __init__(self, icon: str, choose: Choose) -> None:
        NSApplication.sharedApplication().setActivationPolicy_(
            NSApplicationActivationPolicyAccessory
        )
        self._choose = choose
        self._shown: Menu = ()
        self._items: list[tuple[Item, Any]] = []
        self._app = rumps.App("Sagasu", icon=icon, template=True, quit_button=None)

    def run(self, started: Callable[[], None], stopped: Callable[[], None]) -> None:
        """Shows the icon and runs; calls `started` just before the loop, and `stopped` when the
        app quits: AppKit ends the process there, and this never returns."""

        def begin() -> None:
            # rumps activates the app; nobody who logs in wants the focus taken by a search tool.
            NSApplication.sharedApplication().deactivate()
            item = self._app._nsapp.nsstatusitem
            item.setAutosaveName_(AUTOSAVE_NAME)
            item.button().setToolTip_("Sagasu")
            item.button().setAccessibilityLabel_("Sagasu: search your files")
            started()

        rumps.events.before_start.register(begin)
        rumps.events.before_quit.register(stopped)
        self._app.run()

    def quit(self) -> None:
        """Ends the run loop."""
        rumps.quit_application()

    def show(self, menu: Menu) -> None:
        """Makes the menu look like this."""
        if menu == self._shown:
            return
        if _shape(menu) == _shape(self._shown):
            for (_, native), item in zip(self._items, _flatten(menu), strict=True):
                _dress(native, item)
            self._items = [
                (item, native)
                for (_, native), item in zip(self._items, _flatten(menu), strict=True)
            ]
        else:
            self._rebuild(menu)
        self._shown = menu

    def _rebuild(self, menu: Menu) -> None:
        # rumps keeps every item it ever made in this table; without this the menu leaks.
        known = rumps.rumps.NSApp._ns_to_py_and_callback
        for _, native in self._items:
            known.pop(native._menuitem, None)
        self._items = []
        self._app.menu.clear()
        self._fill(self._app.menu, menu)

    def _fill(self, parent: Any, menu: Menu) -> None:
        for place, item in enumerate(menu):
            # rumps drops a second item of the same key, and takes the title for the key by itself.
            key = f"{place}"
            if item is None:
                parent[key] = rumps.separator
                continue
            native = rumps.MenuItem(item.title, callback=self._callback(item), key=item.key)
            parent[key] = native
            _dress(native, item)
            self._items.append((item, native))
            self._fill(native, item.children)

    def _callback(self, item: Item) -> Callable[[Any], None] | None:
        command, argument = item.command, item.argument
        if command is None:
            return None
        return lambda sender: self._choose(command, argument)


def _dress(native: Any, item: Item) -> None:
    native.title = item.title
    native.state = int(item.checked)
    native._menuitem.setToolTip_(item.hint)


def _flatten(menu: Menu) -> list[Item]:
    items: list[Item] = []
    for item in menu:
        if item is not None:
            items += [item, *_flatten(item.children)]
    return items


def _shape(menu: Menu) -> tuple[object, ...]:
    return tuple(
        None if item is None else (item.command, item.argument, item.key, _shape(item.children))
        for item in menu
    )
