"""The whole app on the stand-in, with the real engine and service: 1 it starts, welcomes, takes a
folder, finds its files from the page and over HTTP, and quits with everything closed; 2 a second
one calls the first; 3 a damaged index is told in an alert, and mended if the person wants it, at
the start or by starting anew.
"""

import ctypes
import json
import os
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.api import Engine
from tests.app.contract.standin import StandIn
from tests.app.contract.world import Carbon

DEADLINE = 60.0


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "Sagasu"
    home.mkdir()
    (home / "config.yaml").write_text("server:\n  port: 0\n")
    monkeypatch.setenv("SAGASU_HOME", str(home))
    real = ctypes.CDLL

    def load(path: Any, *args: Any, **more: Any) -> Any:
        return Carbon() if "Carbon" in str(path) else real(path, *args, **more)

    monkeypatch.setattr("ctypes.CDLL", load)
    return home


class Person:
    """Acts while the run loop runs."""

    def __init__(self, mac: StandIn) -> None:
        self.mac = mac
        self.steps: list[Callable[[], None]] = []

    def settle(self, until: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + DEADLINE
        while not (found := until()):
            assert time.monotonic() < deadline, "it never happened"
            if not self.mac.turn():
                time.sleep(0.005)  # between two looks; the deadline decides
        return found

    def ask(self, name: str, **fields: object) -> Any:
        view = self.views()[0]
        content = view.configuration().userContentController()
        message = self.mac.make("WKScriptMessage", body=json.dumps({"name": name, **fields}))
        replies: list[str] = []
        content._kept["bridges"][
            "sagasu"
        ].userContentController_didReceiveScriptMessage_replyHandler_(  # one selector
            content, message, lambda value, error: replies.append(value)
        )
        self.settle(lambda: replies)
        return json.loads(replies[0])

    def views(self) -> list[Any]:
        import gc

        kind = self.mac.classes["SagasuWebView"]
        return [one for one in gc.get_objects() if type(one) is kind and "scripts" in one._kept]


def test_from_start_to_quit(mac: StandIn, home: Path, tmp_path: Path) -> None:
    from app.launch import launch_mac

    documents = tmp_path / "Documents"
    documents.mkdir()
    (documents / "harbour.md").write_text("# Boats\n\nThe harbour master counts boats at dawn.\n")
    person, titles = Person(mac), list[str]()

    def live() -> None:
        mac.turn()
        titles.extend(args[0] for kind, sel, args in mac.sent if sel == "-setTitle:")
        roots = person.ask("roots_add", path=str(documents))
        assert roots["value"]["roots"][0]["path"] == str(documents)
        search = {"query": "harbour", "stage": "words"}
        found = person.settle(lambda: person.ask("search", **search)["value"]["results"])
        assert found[0]["title"] in ("Boats", "harbour.md", "harbour")
        person.settle(lambda: (home / "service.json").exists())
        assert over_http(home)["status"] == "ok"
        with pytest.raises(Exception, match="writing to the index"):
            Engine.open(home, write=True)
        mac.lookup("NSApplication").sharedApplication().terminate_(None)

    mac.loop = live
    assert launch_mac(home) == 0
    assert "Welcome to Sagasu" in titles
    assert not (home / "service.json").exists()
    with Engine.open(home, write=True) as engine:
        assert engine.status().documents == 1


def over_http(home: Path) -> Any:
    address = json.loads((home / "service.json").read_text())["address"]
    with urllib.request.urlopen(f"{address}/health", timeout=30) as reply:
        return json.loads(reply.read())


def test_second_one_calls_the_first(mac: StandIn, home: Path) -> None:
    from app.instance import hold_instance
    from app.launch import launch_mac

    with hold_instance(home):
        assert launch_mac(home) == 0
    (opened,) = [args for _, sel, args in mac.sent if sel == "-openURL:"]
    assert opened[0].absoluteString() == "sagasu://search"


def test_index_that_cannot_be_opened_is_told(mac: StandIn, home: Path) -> None:
    from app.launch import launch_mac

    (home / "sagasu.db").write_bytes(b"not a database" * 1000)
    mac.behaviours["NSAlert", "-runModal"] = lambda to: 1001
    assert launch_mac(home) == 3
    ((title,),) = [args for _, sel, args in mac.sent if sel == "-setMessageText:"]
    assert title == "The index is damaged"


def test_a_damaged_index_is_mended_at_the_start(mac: StandIn, home: Path) -> None:
    from app.launch import launch_mac

    (home / "sagasu.db").write_bytes(b"not a database" * 1000)
    mac.behaviours["NSAlert", "-runModal"] = lambda to: 1000
    mac.loop = lambda: mac.lookup("NSApplication").sharedApplication().terminate_(None)
    assert launch_mac(home) == 0
    assert list(home.glob("sagasu.db.damaged-*"))
    with Engine.open(home, write=True) as engine:
        assert engine.status().documents == 0


def test_repair_at_a_click_quits_and_is_done_by_the_next_start(
    mac: StandIn, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.launch import launch_mac
    from app.repairing import has_wish

    begun: list[list[str]] = []
    bundle = mac.lookup("NSBundle").mainBundle()
    bundle._kept["bundlepath"] = "/Applications/Sagasu.app"
    monkeypatch.setattr("sys.frozen", "macosx_app", raising=False)
    real = subprocess.Popen

    def start(args: list[str], **more: Any) -> Any:
        return begun.append(args) if args[0] == "/bin/sh" else real(args, **more)

    monkeypatch.setattr("subprocess.Popen", start)
    person = Person(mac)
    mac.loop = lambda: person.ask("repair")
    assert launch_mac(home) == 0
    assert has_wish(home)
    ((*_, pid, path),) = begun
    assert (int(pid), path) == (os.getpid(), "/Applications/Sagasu.app")
    (home / "sagasu.db").write_bytes(b"not a database" * 1000)
    mac.loop = lambda: mac.lookup("NSApplication").sharedApplication().terminate_(None)
    assert launch_mac(home) == 0
    assert not has_wish(home)
    assert list(home.glob("sagasu.db.damaged-*"))
