"""The page in a browser: 1 a window of its own when there is such a browser, else the default one;
2 the token never stands on a command line, and its file is private and goes; 3 markup in an address
stays text; 4 what a browser cannot do is said or left to it.
"""

import json
import re
import time
from pathlib import Path

import pytest

from app.browser import BrowserWindow, lead_to
from engine.errors import DesktopError

ADDRESS, TOKEN = "http://127.0.0.1:8080", "s3cret"


class Screen:
    """A window whose browser only notes what it was given."""

    def __init__(self, folder: Path, *browsers: str) -> None:
        self.bin, self.log = folder / "bin", folder / "log"
        self.bin.mkdir()
        for name in browsers:
            (self.bin / name).write_text(f'#!/bin/sh\necho {name} "$@" >> "{self.log}"\n')
            (self.bin / name).chmod(0o755)
        self.opened: list[Path] = []
        self.window = BrowserWindow(folder, self.opened.append, {"PATH": str(self.bin)})

    def shown(self) -> str:
        deadline = time.monotonic() + 10
        while not self.log.exists() or not self.log.read_text().endswith("\n"):
            assert time.monotonic() < deadline
            time.sleep(0.01)  # between two looks; the deadline decides
        return self.log.read_text()


def test_window_of_its_own(tmp_path: Path) -> None:
    screen = Screen(tmp_path, "google-chrome", "chromium")
    screen.window.start(ADDRESS, TOKEN)
    shown = screen.shown()
    assert shown.startswith(f"chromium --app={(tmp_path / 'open.html').as_uri()}")
    assert TOKEN not in shown
    assert not screen.opened


def test_default_browser_otherwise(tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    screen.window.start(ADDRESS, TOKEN)
    assert screen.opened == [tmp_path / "open.html"]


def test_private_file_leads_to_the_page_and_goes(tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    screen.window.start(ADDRESS, TOKEN)
    screen.window.show_page("settings")
    door = tmp_path / "open.html"
    assert door.stat().st_mode & 0o077 == 0
    assert f"{ADDRESS}/settings.html#token={TOKEN}" in door.read_text()
    screen.window.close()
    assert not door.exists()


def test_markup_stays_text() -> None:
    address = 'http://x/"><script>alert(1)</script>'
    page = lead_to(address)
    assert page.count("<script>") == 1
    script = re.search(r"location\.replace\((.*?)\)</script>", page)
    assert script is not None
    assert json.loads(script[1]) == address


def test_what_a_browser_cannot_do(tmp_path: Path) -> None:
    screen = Screen(tmp_path)
    with pytest.raises(DesktopError, match="part of the Mac app"):
        screen.window.pick_folders()
    screen.window.quick_look([Path("/a"), Path("/b")])
    assert screen.opened == [Path("/a")]
    screen.window.hide()
    screen.window.resize(100)
    screen.window.drag([Path("/a")])
