"""How are files opened, revealed and copied on a Mac? NSWorkspace and the pasteboard."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from AppKit import (
    NSPasteboard,
    NSPasteboardTypeString,
    NSWorkspace,
    NSWorkspaceOpenConfiguration,
)
from Foundation import NSURL

from app.mac.main_thread import ask_main
from engine.errors import DesktopError, NotFoundError


class MacDesktop:
    """Files and clipboard; callable from any thread."""

    def open(self, path: Path) -> None:
        """Opens with the application that the Finder would use."""
        address = _file_url(path)
        if not ask_main(lambda: NSWorkspace.sharedWorkspace().openURL_(address)):
            fix = "Choose an application for this kind of file in the Finder: ⌘I, Open with."
            raise DesktopError(what=f"Opening {path.name}", problem="no application", fix=fix)

    def open_with(self, path: Path, application: str) -> None:
        """Opens with an application, named by the path of its bundle."""
        address = _file_url(path)
        program = _file_url(Path(application))

        def start() -> None:
            how = NSWorkspaceOpenConfiguration.configuration()
            NSWorkspace.sharedWorkspace().openURLs_withApplicationAtURL_configuration_completionHandler_(
                [address], program, how, None
            )

        ask_main(start)

    def applications(self, path: Path) -> tuple[str, ...]:
        """The bundles that can open it, the Finder's choice first."""
        address = _file_url(path)
        found = ask_main(
            lambda: NSWorkspace.sharedWorkspace().URLsForApplicationsToOpenURL_(address)
        )
        return tuple(str(one.path()) for one in found)

    def reveal(self, path: Path) -> None:
        """Shows it selected in the Finder."""
        address = _file_url(path)
        ask_main(lambda: NSWorkspace.sharedWorkspace().activateFileViewerSelectingURLs_([address]))

    def copy_text(self, text: str) -> None:
        """Puts `text` on the clipboard."""
        ask_main(lambda: _write([], text))

    def copy_files(self, paths: Sequence[Path]) -> None:
        """Puts the files on the clipboard: as files for the Finder, as paths for text fields."""
        addresses = [_file_url(path) for path in paths]
        ask_main(lambda: _write(addresses, "\n".join(str(path) for path in paths)))

    def open_address(self, address: str) -> None:
        """Opens a link: a pane of System Settings, a page in the browser."""
        if not ask_main(
            lambda: NSWorkspace.sharedWorkspace().openURL_(NSURL.URLWithString_(address))
        ):
            raise DesktopError(what="Opening the link", problem=address)


def _write(addresses: list[Any], text: str) -> None:
    board = NSPasteboard.generalPasteboard()
    board.clearContents()
    if addresses:
        board.writeObjects_(addresses)
    board.setString_forType_(text, NSPasteboardTypeString)


def _file_url(path: Path) -> Any:
    if not path.exists():
        raise NotFoundError(what=str(path), fix="It was moved or deleted.")
    return NSURL.fileURLWithPath_(str(path))
