"""A browser, and a test double of the service for states that a real index can hardly produce.

The double serves the page as the service does (same headers, same routes, token asked) and answers
from sample.json; a test changes an answer, holds it back, or makes it fail.
"""

import copy
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from app.assets import POLICY

HERE = Path(__file__).resolve().parent
PANEL = HERE.parents[1] / "resources" / "panel"
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
TOKEN = "test-token"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
NO_BROWSER = (
    "The panel's tests need Chromium. Install it (Debian: apt-get install chromium; "
    "macOS: brew install --cask chromium) or name it in SAGASU_CHROMIUM."
)

PATIENCE_MS = 20_000  # the machine may be busy with something else

Answer = Callable[[dict[str, Any]], Any]


class Refused(Exception):
    """The double answers with an error envelope."""

    def __init__(self, status: int, error: dict[str, Any]) -> None:
        super().__init__(error.get("say", ""))
        self.status = status
        self.error = error


class Double:
    """What the page sees of the service, with every call kept."""

    def __init__(self) -> None:
        self.sample: dict[str, Any] = json.loads((HERE / "sample.json").read_text("utf-8"))
        self.answers: dict[str, Answer] = {}
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.gates: dict[str, threading.Event] = {}
        self.listeners: list[queue.Queue[dict[str, Any] | None]] = []
        self.files: dict[str, tuple[str, bytes]] = {}
        self.down = False
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def url(self, page: str = "index.html", query: str = "") -> str:
        return f"{self.address}/panel/{page}{query}#token={TOKEN}"

    def asked(self, name: str) -> list[dict[str, Any]]:
        """The bodies of every message `name` so far."""
        return [body for called, body in list(self.calls) if called == name]

    def send(self, event: dict[str, Any]) -> None:
        """Tells every open page."""
        for listener in list(self.listeners):
            listener.put(event)

    def hold(self, key: str) -> threading.Event:
        """Keeps back answers to `key` (a name, or name:stage) until the event is set."""
        self.gates[key] = threading.Event()
        return self.gates[key]

    def answer(self, name: str, body: dict[str, Any]) -> Any:
        gate = self.gates.get(f"{name}:{body.get('stage', '')}") or self.gates.get(name)
        if gate is not None:
            gate.wait(20)
        if name in self.answers:
            return self.answers[name](body)
        return self.usual(name, body)

    def usual(self, name: str, body: dict[str, Any]) -> Any:
        value = copy.deepcopy(self.sample.get(name, {}))
        if name == "search":
            return self.searched(value, body)
        if name == "preview":
            return value.get(body["id"]) or next(iter(value.values()))
        if name == "complete":
            fitting = [one for one in value["completions"] if one.startswith(body["query"])]
            return {"completions": fitting}
        if name == "coverage":
            return self.covered(value, body)
        if name in ("copy_path", "copy_passage"):
            return {"text": f"{name} {body.get('ids') or body.get('id')}", "copied": False}
        if name == "context_pack":
            return {"markdown": f"# {len(body['ids'])} passages", "tokens": 1240, "copied": False}
        if name == "settings_do":
            return self.sample["my_data"] if body["action"] == "my_data" else {}
        if name == "tokens_create":
            return {"token": "sagasu_once_only"}
        return self.sample["roots_list"] if name.startswith("roots_") else value

    def searched(self, value: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
        value["query"], value["sequence"] = body["query"], body["sequence"]
        ignored = body.get("ignore_chips", [])
        wanted = "pdf" in body["query"]
        value["chips"] = [c for c in value["chips"] if wanted and c["text"] not in ignored]
        if body["stage"] == "words":
            rows = [r for r in value["results"] if r["matched"] != ["meaning"]]
            value["results"] = rows
        return value

    def covered(self, value: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
        asked = {key: body[key] for key in ("state", "reason") if body[key]}
        rows = [r for r in value["files"] if all(r[key] == asked[key] for key in asked)]
        value["files"] = rows[body["offset"] : body["offset"] + body["limit"]]
        return value

    def close(self) -> None:
        for gate in self.gates.values():
            gate.set()
        for listener in self.listeners:
            listener.put(None)
        self.server.shutdown()
        self.server.server_close()


def _handler(double: Double) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

        def do_GET(self) -> None:
            path = self.path.partition("?")[0]
            if path == "/api/v1/events":
                self.stream()
            elif path in double.files:
                self.reply(200, *double.files[path])
            else:
                file = PANEL / path.removeprefix("/panel/")
                if file.parent == PANEL and file.is_file():
                    self.reply(200, TYPES[file.suffix], file.read_bytes())
                else:
                    self.reply(404, "text/plain", b"")

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            name = self.path.rpartition("/")[2]
            double.calls.append((name, body))
            if double.down:
                self.close_connection = True
                self.connection.close()
                return
            if self.headers.get("Authorization") != f"Bearer {TOKEN}":
                self.envelope(401, {"ok": False, "error": {"say": "no token", "hint": ""}})
                return
            try:
                self.envelope(200, {"ok": True, "value": double.answer(name, body)})
            except Refused as refused:
                self.envelope(refused.status, {"ok": False, "error": refused.error})

        def envelope(self, status: int, value: dict[str, Any]) -> None:
            self.reply(status, "application/json", json.dumps(value).encode())

        def reply(self, status: int, kind: str, body: bytes) -> None:
            try:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Content-Security-Policy", POLICY)
                self.end_headers()
                self.wfile.write(body)
            except OSError:
                self.close_connection = True  # the page no longer waits for it

        def stream(self) -> None:
            self.close_connection = True
            if double.down or self.headers.get("Authorization") != f"Bearer {TOKEN}":
                self.connection.close()
                return
            events: queue.Queue[dict[str, Any] | None] = queue.Queue()
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.flush()
            double.listeners.append(events)
            try:
                while (event := events.get()) is not None:
                    self.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
                    self.wfile.flush()
            except OSError:
                double.listeners.remove(events)

    return Handler


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    wanted = os.environ.get("SAGASU_CHROMIUM")
    names = [wanted] if wanted else ["chromium", "chromium-browser", "google-chrome"]
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        pytest.fail(NO_BROWSER, pytrace=False)
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def service() -> Iterator[Double]:
    double = Double()
    yield double
    double.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(
        viewport={"width": 1040, "height": 720},
        locale="en-GB",
        permissions=["clipboard-read", "clipboard-write"],
    )
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    # Whatever the policy of the app's own window forbids is a mistake of the page.
    page.expose_function("noteViolation", lambda text: problems.append(text))
    page.add_init_script(
        "addEventListener('securitypolicyviolation', event => "
        "noteViolation(`${event.effectiveDirective} blocked ${event.blockedURI}`));"
    )
    yield page
    assert problems == []


@pytest.fixture
def panel(page: Page, service: Double) -> Page:
    """The panel, open and ready for typing."""
    page.goto(service.url())
    page.wait_for_selector("#results .row")
    return page


@pytest.fixture
def refused() -> type[Refused]:
    return Refused


@dataclass
class Real:
    """The real service with its own data folder, and a folder of files to search."""

    home: Path
    files: Path
    address: str
    token: str

    def url(self, page: str = "index.html") -> str:
        return f"{self.address}/{page}#token={self.token}"

    def acts(self, name: str) -> list[list[Any]]:
        """What the desktop and the window were told, by name."""
        log = self.home / "acts.jsonl"
        lines = log.read_text("utf-8").splitlines() if log.exists() else []
        return [act[1:] for act in map(json.loads, lines) if act[0] == name]


@contextmanager
def _start_real(home: Path, files: Path) -> Iterator[Real]:
    process = subprocess.Popen(
        [sys.executable, str(HERE / "real_service.py"), str(home)], text=True,
        stdout=subprocess.PIPE, env={**os.environ, "SAGASU_HOME": str(home)},
    )  # fmt: skip
    assert process.stdout is not None
    try:
        address, token = json.loads(process.stdout.readline())
        yield Real(home, files, address, token)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)
        process.stdout.close()


@pytest.fixture(scope="session")
def start_real() -> Callable[[Path, Path], AbstractContextManager[Real]]:
    """Starts the real service on a data folder."""
    return _start_real


@pytest.fixture(scope="session")
def screenshots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pictures go: SAGASU_SCREENSHOTS, or a temporary folder."""
    folder = os.environ.get("SAGASU_SCREENSHOTS")
    place = Path(folder) if folder else tmp_path_factory.mktemp("screenshots")
    place.mkdir(parents=True, exist_ok=True)
    return place
