"""How are folders chosen? NSOpenPanel: choosing there is consent, macOS asks nothing further."""

from collections.abc import Callable
from pathlib import Path

from AppKit import NSApplication, NSModalResponseOK, NSOpenPanel

from app.mac.main_thread import on_main

Chosen = Callable[[list[Path]], None]


def pick_folders(chosen: Chosen) -> None:
    """Shows the dialog and returns at once; `chosen` gets the folders, none when cancelled."""
    dialog = NSOpenPanel.openPanel()
    dialog.setCanChooseFiles_(False)
    dialog.setCanChooseDirectories_(True)
    dialog.setAllowsMultipleSelection_(True)
    dialog.setCanCreateDirectories_(False)
    dialog.setPrompt_("Add")
    dialog.setMessage_("Choose the folders that Sagasu searches.")
    # A menu-bar app's dialog opens behind the others unless the app is activated first.
    NSApplication.sharedApplication().activate()

    def finished(response: int) -> None:
        agreed = response == NSModalResponseOK
        folders = [Path(str(one.path())) for one in dialog.URLs()] if agreed else []
        on_main(lambda: chosen(folders))

    dialog.beginWithCompletionHandler_(finished)
