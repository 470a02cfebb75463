"""The app off macOS, as a process with a real engine and model: 1 it opens a window without the
token on its command line; 2 the page's messages are answered over HTTP, with the token only; 3 a
folder added becomes searchable, opened files rise; 4 settings are written and kept; 5 a second one
is refused; 6 it stops cleanly and leaves no door open.
"""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
DEADLINE = 60.0


class Running:
    """The app as its own process, and a browser that only notes what it is shown."""

    def __init__(self, folder: Path) -> None:
        self.home, tools = folder / "data", folder / "bin"
        tools.mkdir()
        self.shown = folder / "shown"
        for name in ("chromium", "xdg-open"):
            (tools / name).write_text(f'#!/bin/sh\necho {name} "$@" >> "{self.shown}"\n')
            (tools / name).chmod(0o755)
        self.environment = {
            **os.environ,
            "SAGASU_HOME": str(self.home),
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        }
        self.home.mkdir()
        (self.home / "config.yaml").write_text("# mine\nserver:\n  port: 0  # any\n")
        self.process = self.start()
        self.wait(lambda: self.shown.exists() and (self.home / "service.json").exists())
        self.address = json.loads((self.home / "service.json").read_text())["address"]
        self.token = (self.home / "token").read_text().strip()

    def start(self) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-m", "app"], cwd=ROOT, env=self.environment, stderr=subprocess.PIPE
        )

    def wait(self, until: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + DEADLINE
        while not (found := until()):
            assert self.process.poll() is None, self.process.stderr and self.process.stderr.read()
            assert time.monotonic() < deadline, "it never happened"
            time.sleep(0.05)  # between two looks; the deadline decides
        return found

    def ask(self, name: str, token: str | None = None, **fields: object) -> Any:
        request = urllib.request.Request(
            f"{self.address}/api/v1/panel/{name}",
            json.dumps(fields).encode(),
            {"Authorization": f"Bearer {token or self.token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as reply:
            return json.loads(reply.read())["value"]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    running = Running(tmp_path_factory.mktemp("app"))
    yield running
    if running.process.poll() is None:
        running.process.kill()
    running.process.communicate(timeout=30)


@pytest.fixture(scope="module")
def documents(app: Running, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("Documents")
    (folder / "harbour.md").write_text("# Boats\n\nThe harbour master counts boats at dawn.\n")
    (folder / "garden.md").write_text(
        "# Roses\n\nPrune the boats of roses in the harbour garden.\n"
    )
    roots = app.ask("roots_add", path=str(folder))["roots"]
    assert [one["path"] for one in roots] == [str(folder)]
    app.wait(lambda: app.ask("search", query="harbour")["total"] == 2)
    return folder


def test_window_opens_without_the_token_on_its_command_line(app: Running) -> None:
    shown = app.shown.read_text()
    assert shown.startswith("chromium --app=file://")
    assert app.token not in shown
    door = app.home / "open.html"
    assert door.stat().st_mode & 0o077 == 0
    assert f"{app.address}/index.html#token={app.token}" in door.read_text()


def test_only_the_owner_is_answered(app: Running) -> None:
    with pytest.raises(urllib.error.HTTPError, match="401"):
        app.ask("status", token="wrong")


def test_wrong_messages_are_refused_with_words(app: Running) -> None:
    for name, fields in (("nonsense", {}), ("search", {"query": 3}), ("open", {"id": "99"})):
        with pytest.raises(urllib.error.HTTPError) as caught:
            app.ask(name, **fields)
        with caught.value as answer:
            assert answer.code in (400, 404)
            assert json.loads(answer.read())["error"]


def test_added_folder_is_found_previewed_and_explained(app: Running, documents: Path) -> None:
    found = app.ask("search", query="harbour", stage="words", sequence=3)
    assert found["sequence"] == 3
    first = found["results"][0]
    preview = app.ask("preview", id=first["id"], chunk=first["chunk"], query="harbour")
    start, end = preview["highlights"][0]
    assert preview["passage"][start:end].lower() == "harbour"
    why = app.ask("explain", query="harbour", id=first["id"])
    assert why["what"]


def test_opened_file_rises(app: Running, documents: Path) -> None:
    before = [one["title"] for one in app.ask("search", query="boats harbour")["results"]]
    last = app.ask("search", query="boats harbour")["results"][-1]
    for _ in range(3):
        app.ask("open", id=last["id"], query="boats harbour")
    app.wait(lambda: "xdg-open" in app.shown.read_text())
    after = app.ask("search", query="boats harbour")["results"]
    assert after[[one["id"] for one in after].index(last["id"])]["opened"]
    assert len(after) == len(before)
    assert app.ask("recent")["searches"] == ["boats harbour"]
    assert app.ask("learned")["rows"][0]["query"] == "boats harbour"


def test_settings_are_written_with_comments_kept(app: Running) -> None:
    app.ask("settings_set", key="files.hidden", value=True)
    app.ask("settings_set", key="theme", value="dark")
    written = (app.home / "config.yaml").read_text()
    assert "# mine" in written
    assert "# any" in written
    assert "hidden: true" in written
    assert app.ask("settings_get")["theme"] == "dark"


def test_tokens_are_made_and_revoked(app: Running, documents: Path) -> None:
    made = app.ask("tokens_create", label="agent", scopes=["search", "read", str(documents)])
    (row,) = app.ask("tokens_list")["tokens"]
    assert row["scopes"] == ["search", "read", str(documents)]
    with pytest.raises(urllib.error.HTTPError, match="403"):
        app.ask("status", token=made["token"])
    app.ask("tokens_revoke", id="agent")
    assert app.ask("tokens_list")["tokens"] == []


def test_coverage_and_status_have_numbers(app: Running, documents: Path) -> None:
    assert app.ask("coverage")["total"] >= 2
    app.wait(lambda: app.ask("status")["documents"] == 2)
    app.wait(lambda: app.ask("status")["state"] == "idle")


def test_second_one_is_refused(app: Running) -> None:
    with app.start() as second:
        said = second.communicate(timeout=60)[1].decode()
    assert second.returncode == 1
    assert f"process {app.process.pid}" in said


def test_folder_is_removed(app: Running, documents: Path) -> None:
    assert app.ask("roots_remove", path=str(documents)) == {"roots": []}
    assert app.ask("search", query="harbour")["total"] == 0


def test_it_stops_cleanly(app: Running) -> None:
    app.process.send_signal(signal.SIGTERM)
    assert app.process.wait(30) == 0
    assert not (app.home / "service.json").exists()
    assert not (app.home / "open.html").exists()
