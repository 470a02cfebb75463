"""How is the page shown off macOS? In a browser window of its own, without a toolbar if possible.

The owner's token must not stand on a command line, where every user of the machine could read it:
the browser is given a private file that leads to the page.
"""

import html
import json
import shutil
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from engine.errors import DesktopError
from engine.server.tokens import write_private

# Those that can open a page as a window of its own.
WINDOW_BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "microsoft-edge",
    "brave-browser",
)
SIZE = "--window-size=900,620"

Opener = Callable[[Path], None]


class BrowserWindow:
    """The Window port where the window belongs to a browser."""

    def __init__(self, folder: Path, desktop_open: Opener, environment: Mapping[str, str]) -> None:
        self._door = folder / "open.html"
        self._open_file = desktop_open
        self._environment = dict(environment)
        self._address = ""
        self._token = ""

    def start(self, address: str, token: str) -> None:
        """Opens the first page of the service that listens there."""
        self._address, self._token = address, token
        self.show_page("search")

    def close(self) -> None:
        """Takes the private file away."""
        self._door.unlink(missing_ok=True)

    def hide(self) -> None:
        """A browser's window is put away by its owner, not by a page."""

    def resize(self, height: int) -> None:
        """A browser's window keeps the size that it was given."""

    def show_page(self, page: str, query: str = "") -> None:
        """Opens a page in a window of its own."""
        name = "index.html" if page == "search" else f"{page}.html"
        write_private(self._door, lead_to(f"{self._address}/{name}#token={self._token}"))
        browser = self._find(WINDOW_BROWSERS)
        if browser is None:
            self._open_file(self._door)
            return
        self._start([browser, f"--app={self._door.as_uri()}", SIZE])

    def pick_folders(self) -> None:
        """There is no dialog that every desktop has: the page asks for the path instead."""
        raise DesktopError(
            what="The folder dialog",
            problem="it is part of the Mac app",
            fix="Type the folder's path, or drop the folder on the window.",
        )

    def quick_look(self, paths: Sequence[Path]) -> None:
        """Opens the first file: other desktops have no Quick Look."""
        for path in paths[:1]:
            self._open_file(path)

    def drag(self, paths: Sequence[Path]) -> None:
        """A browser does its own dragging."""

    def _find(self, names: Sequence[str]) -> str | None:
        path = self._environment.get("PATH")
        return next((found for one in names if (found := shutil.which(one, path=path))), None)

    def _start(self, command: list[str]) -> None:
        try:
            browser = subprocess.Popen(
                command, env=self._environment, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
        except OSError as exc:
            raise DesktopError(what="Opening the window", problem=str(exc)) from exc
        # Somebody must take note of its end, or it stays in the process table.
        threading.Thread(target=browser.wait, name="browser", daemon=True).start()


def lead_to(address: str) -> str:
    """A page that goes on to `address` and leaves nothing in the history."""
    script = json.dumps(address).replace("<", "\\u003c")
    return (
        '<!doctype html><meta charset="utf-8"><title>Sagasu</title>'
        f"<script>location.replace({script})</script>"
        f'<noscript><a href="{html.escape(address)}">Sagasu</a></noscript>'
    )
