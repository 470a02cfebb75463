"""The main journeys once more in WebKitGTK, through the script-message bridge itself.

1. The page loads over the app's own scheme with the app's own policy, modules and all.
2. Typing brings rows, the preview and the status line; keys move, open, copy and hide.
3. The app's events reach the page; markup in names stays text.
4. Settings, Coverage and Welcome open in the same view.
"""

import json
import os
import queue
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.panel.conftest import Double

SCRIPT = Path(__file__).parent / "webkit_window.py"
PYTHON = "/usr/bin/python3"
NEEDED = "from gi import require_version as r; r('WebKit2', '4.1'); r('Gtk', '3.0')"
NO_WEBKIT = (
    "WebKitGTK is not here (Debian: apt-get install gir1.2-webkit2-4.1 python3-gi xvfb xauth)"
)
DEADLINE_S = 40


class Window:
    """The window's process; answers the page from the double while it waits for a script."""

    def __init__(self, service: "Double", page: str, display: str) -> None:
        self.service = service
        self.names: list[str] = []
        self.numbers = 0
        self.lines: queue.Queue[dict[str, Any]] = queue.Queue()
        env = {**os.environ, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "DISPLAY": display,
               "NO_AT_BRIDGE": "1", "LIBGL_ALWAYS_SOFTWARE": "1"}  # fmt: skip
        self.process = subprocess.Popen(
            [PYTHON, str(SCRIPT), page], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=env,
        )  # fmt: skip
        self.said: list[str] = []
        self.listening = threading.Thread(target=self._listen, daemon=True)
        self.listening.start()
        self.reading = threading.Thread(target=self._read, daemon=True)
        self.reading.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said = json.loads(line)
            if "ask" in said:
                self._answer(said)
            else:
                self.lines.put(said)

    def _listen(self) -> None:
        assert self.process.stderr is not None
        self.said.extend(self.process.stderr)

    def next(self) -> dict[str, Any]:
        """What the window says next; a window that has died fails the test with its last words."""
        end = time.monotonic() + DEADLINE_S
        while time.monotonic() < end:
            try:
                return self.lines.get(timeout=0.5)
            except queue.Empty:
                assert self.process.poll() is None, "".join(self.said)
        raise AssertionError("the window does not answer: " + "".join(self.said))

    def _answer(self, said: dict[str, Any]) -> None:
        message = json.loads(said["ask"])
        name = message.pop("name")
        self.names.append(name)
        self.service.calls.append((name, message))
        value = self.service.answer(name, message)
        self._send(turn=said["turn"], reply=json.dumps({"ok": True, "value": value}))

    def _send(self, **order: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    def run(self, script: str) -> Any:
        """What the script returns in the page."""
        self.numbers += 1
        self._send(run=self.numbers, script=script)
        said = self.next()
        assert "error" not in said, said["error"]
        return said["value"]

    def wait(self, expression: str) -> None:
        """Polls until the expression is true in the page."""
        end = time.monotonic() + DEADLINE_S
        while time.monotonic() < end:
            if self.run(f"return Boolean({expression});"):
                return
        shown = self.run("return document.body.innerText.slice(0, 600);")
        raise AssertionError(f"{expression} never came true; the page shows: {shown}")

    def type(self, text: str) -> None:
        self.run(
            f"""const field = document.getElementById('query');
            field.focus(); field.value = {json.dumps(text)};
            field.dispatchEvent(new InputEvent('input', {{bubbles: true}}));"""
        )

    def press(self, key: str, **held: bool) -> None:
        """One key, with ctrlKey and the like."""
        facts = json.dumps({"key": key, "code": f"Key{key.upper()}" if len(key) == 1 else key,
                            "bubbles": True, "cancelable": True, **held})  # fmt: skip
        self.run(f"document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {facts}));")

    def picture(self, file: Path) -> None:
        self._send(picture=str(file))
        self.next()

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
        self.reading.join(10)
        self.listening.join(10)
        assert self.process.stdout is not None
        self.process.stdout.close()
        assert self.process.stderr is not None
        self.process.stderr.close()


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    xvfb = shutil.which("Xvfb")
    has_webkit = Path(PYTHON).exists() and (
        subprocess.run([PYTHON, "-c", NEEDED], capture_output=True, check=False).returncode == 0
    )
    if xvfb is None or not has_webkit:
        pytest.skip(NO_WEBKIT)
    read, write = os.pipe()
    screen = ["-screen", "0", "1200x800x24", "-nolisten", "tcp", "-displayfd", str(write)]
    process = subprocess.Popen([xvfb, *screen], pass_fds=(write,), stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as pipe:
        number = pipe.readline().strip()
    yield f":{number}"
    process.terminate()
    process.wait(10)


@pytest.fixture
def open_window(service: "Double", display: str) -> Iterator[Any]:
    windows: list[Window] = []

    def open_one(page: str = "index.html") -> Window:
        windows.append(Window(service, page, display))
        windows[-1].next()
        return windows[-1]

    yield open_one
    for window in windows:
        window.close()


ROWS = "document.querySelectorAll('#results .row').length"


def test_typing_brings_rows_through_the_bridge(open_window: Any, screenshots: Path) -> None:
    window = open_window()
    window.wait(f"{ROWS} === 6")
    assert window.run("return document.documentElement.dataset.host;") == "app"
    window.type("pdf contracts")
    window.wait(f"{ROWS} === 9")
    window.wait("document.querySelector('#preview .meant mark')")
    assert window.run("return document.querySelectorAll('.chip.on').length;") == 2
    assert "meaning 62%" in window.run("return document.getElementById('status').innerText;")
    assert {"status", "recent", "search", "preview"} <= set(window.names)
    window.picture(screenshots / "webkit-results.png")


def test_keys_open_copy_and_hide(open_window: Any, service: "Double") -> None:
    window = open_window()
    window.wait(f"{ROWS} === 6")
    window.type("contracts")
    window.wait(f"{ROWS} === 9")
    window.press("ArrowDown")
    window.press("Enter")
    window.press("c", ctrlKey=True)
    window.press("k", ctrlKey=True)
    window.wait("document.querySelectorAll('.item').length === 11")
    window.press("Escape")
    window.press("Escape")
    window.wait("document.getElementById('query').value === ''")
    window.press("Escape")
    window.wait("true")
    end = time.monotonic() + DEADLINE_S
    while "hide" not in window.names and time.monotonic() < end:
        window.wait("true")
    assert service.asked("open")[0]["id"] == "gym"
    assert service.asked("copy_path") == [{"ids": ["gym"]}]
    assert "hide" in window.names


def test_events_of_the_app_reach_the_page(open_window: Any) -> None:
    window = open_window()
    window.wait(f"{ROWS} === 6")
    window.run("window.sagasu.receive({type: 'query', query: 'lease'});")
    window.wait(f"{ROWS} === 9")
    window.run("window.sagasu.receive(JSON.stringify({type: 'shown'}));")
    selected = window.run("return getSelection().toString() || document.activeElement.id;")
    assert selected in ("lease", "query")


def test_markup_stays_text(open_window: Any, service: "Double") -> None:
    attack = "<img src=x onerror=window.hacked=1>"
    for row in service.sample["search"]["results"]:
        row.update(title=attack, title_highlights=[], snippet=attack, highlights=[])
    window = open_window()
    window.wait(f"{ROWS} === 6")
    window.type("contracts")
    window.wait(f"{ROWS} === 9")
    assert window.run("return document.querySelector('.row .title').textContent;") == attack
    assert window.run("return document.querySelectorAll('#panel img').length;") == 0
    assert window.run("return window.hacked ?? null;") is None


@pytest.mark.parametrize(
    ("page", "selector"),
    [("settings.html", ".setting"), ("coverage.html", ".entry"), ("welcome.html", ".step")],
)
def test_the_other_pages_open(open_window: Any, page: str, selector: str) -> None:
    window = open_window(page)
    window.wait(f"document.querySelector('{selector}')")
