"""A real service for the tests: its own process, a real port, a real index of real files."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

PROJECT = Path(__file__).resolve().parents[2]
RUN = """
import logging, sys
from pathlib import Path
from engine.api import Engine
from engine.server.serve import serve
home, folders = Path(sys.argv[1]), sys.argv[2:]
logging.basicConfig(level=logging.INFO, filename=home / "sagasu.log")
with Engine.open(home, write=True) as engine:
    for folder in folders:
        engine.index(folder, watched=True)
    engine.start_keeping()
    serve(engine, engine.config, port=0, ready=lambda address: print(address, flush=True))
print("closed", flush=True)
"""

FILES = {
    "notes/machine learning.md": (
        "# Machine learning\n\nMachine learning lets computers learn patterns from data.\n\n"
        "## Neural networks\n\nA neural network has layers of artificial neurons.\n"
    ),
    "notes/gradient.txt": "Gradient descent is how a model of machine learning is trained.\n",
    "notes/cooking.md": "# Soup\n\nCarrots, onions and celery are cooked until they are soft.\n",
    "work/proposal.txt": "The proposal for the new budget was sent to the committee in May.\n",
    "work/auth.md": (
        "# Configuration\n\nHow the service is set up.\n\n## Authentication\n\n"
        "Tokens are compared in constant time, so that the time tells nothing.\n"
    ),
    "work/<img src=x onerror=alert(1)>.md": "# <script>alert('x')</script>\n\nzebracode here.\n",
    "work/日本語.txt": "日本語の文書を検索する方法についての説明です。\n",
}


@dataclass
class Running:
    """A running service."""

    address: str
    home: Path
    docs: Path
    process: "subprocess.Popen[str]"
    token: str

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def ask(self, method: str, path: str, body: Any = None, **options: Any) -> httpx.Response:
        """One request with the owner's token; `token=` takes another, None: without."""
        token = options.pop("token", self.token)
        headers = dict(options.pop("headers", {}))
        if token is not None:
            headers.setdefault("Authorization", f"Bearer {token}")
        if body is not None:
            options["json"] = body
        with httpx.Client(timeout=30, trust_env=False) as client:
            return client.request(method, self.address + path, headers=headers, **options)

    def search(self, query: str, **fields: Any) -> dict[str, Any]:
        response = self.ask("POST", "/api/v1/search", {"query": query, **fields})
        assert response.status_code == 200, response.text
        found = response.json()
        assert isinstance(found, dict)
        return found


def write_files(folder: Path) -> Path:
    """The small library that most tests search."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


@contextmanager
def run_service(home: Path, docs: Path, *, config: str = "") -> Iterator[Running]:
    """A service in a process of its own, stopped by SIGTERM."""
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    if config:
        (home / "config.yaml").write_text(config, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, str(home), str(docs)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=PROJECT,
        env={**os.environ, "SAGASU_HOME": str(home)},
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://"), (home / "sagasu.log").read_text()
        token = (home / "token").read_text(encoding="ascii").strip()
        yield Running(address, home, docs, process, token)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


@pytest.fixture(scope="package")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One service for all tests of this folder; tests leave it as they found it."""
    base = tmp_path_factory.mktemp("service")
    outside = base / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("kryptonite is stored outside the roots\n")
    docs = write_files(base / "docs")
    (docs / "escape.txt").symlink_to(outside / "secret.txt")
    (docs / "way-out").symlink_to(outside)
    with run_service(base / "home", docs) as running:
        yield running


def wait_until(condition: Any, seconds: float = 20.0) -> Any:
    """What `condition` returns as soon as it is true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("it did not come true in time")


def read_events(response: httpx.Response) -> Iterator[tuple[str, Any]]:
    """Name and data of every server-sent event."""
    name = ""
    for line in response.iter_lines():
        if line.startswith("event:"):
            name = line[6:].strip()
        elif line.startswith("data:"):
            yield name, json.loads(line[5:])
            name = ""
