"""A newer search overtakes an older one over HTTP too: 1 the older is told that it was overtaken,
whatever it found or failed with, and its work is ended; 2 new words end the older question's
meaning; 3 other messages are nobody's business; 4 with the real engine a burst leaves the newest.
"""

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from app.bridge import Lanes, Ticket
from app.desk import Desk
from app.finding import EngineFinder
from app.launch import answer_fields, make_memory
from app.messages import Search
from app.office import Office
from app.preferences import JsonBackend
from app.recent import RecentSearches
from app.state import Keeper
from engine.api import Engine, SearchResponse
from engine.errors import NotFoundError
from tests.app.contract.world import SmallEngine
from tests.app.test_desk import Recorder


class SlowEngine(SmallEngine):
    """Finds at once, but for the query "slow", which ends when it is no longer wanted."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.begun = threading.Event()
        self.fails = False

    def search(self, request: Search, ticket: Ticket) -> SearchResponse:
        if request.query == "slow":
            ended = threading.Event()
            ticket.on_cancel(ended.set)
            self.begun.set()
            assert ended.wait(20), "nobody ended it"
            if self.fails:
                raise NotFoundError(what="anything")
        return super().search(request, ticket)


Ask = Callable[..., dict[str, Any]]


def make_ask(engine: Any, finder: Any, home: Path) -> Ask:
    memory = make_memory(home, JsonBackend(home / "preferences.json"))
    office = Office(engine, engine, Recorder(), Recorder(), memory, Keeper(), on_mac=False)
    desk, lanes = Desk(finder, office, Recorder(), Recorder(), memory), Lanes()
    return lambda name, window="", **fields: answer_fields(desk, lanes, name, fields, window)


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("stage", ["words", "full"])
def test_the_newer_search_ends_the_older(tmp_path: Path, fails: bool, stage: str) -> None:
    engine = SlowEngine(tmp_path)
    engine.fails = fails
    ask = make_ask(engine, engine, tmp_path)
    with ThreadPoolExecutor(1) as pool:
        older = pool.submit(ask, "search", query="slow", stage=stage)
        assert engine.begun.wait(20)
        assert ask("complete", query="ta")["ok"]
        assert not older.done()
        newer = ask("search", query="tax", stage="words")
        assert older.result(20) == {"ok": False, "superseded": True}
    assert [one["title"] for one in newer["value"]["results"]] == ["tax.pdf"]


def test_another_window_goes_on(tmp_path: Path) -> None:
    engine = SlowEngine(tmp_path)
    ask = make_ask(engine, engine, tmp_path)
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(ask, "search", window="a", query="slow", stage="words")
        assert engine.begun.wait(20)
        assert ask("search", window="b", query="tax", stage="words")["ok"]
        assert not slow.done()
        assert ask("search", window="a", query="tax", stage="words")["ok"]
        assert slow.result(20) == {"ok": False, "superseded": True}


def test_a_burst_on_the_real_engine_leaves_the_newest(tmp_path: Path) -> None:
    folder = tmp_path / "Documents"
    folder.mkdir()
    for number in range(40):
        (folder / f"{number}.md").write_text(f"Harbour note {number} about boats and weather.\n")
    with Engine.open(tmp_path / "data", write=True) as engine:
        engine.index(str(folder), embed=False)
        finder = EngineFinder(engine, RecentSearches(tmp_path / "recent.json"))
        ask = make_ask(SmallEngine(tmp_path), finder, tmp_path)
        text = "harbour boats weather"
        with ThreadPoolExecutor(4) as pool:
            asked = [
                pool.submit(ask, "search", query=text[:end], stage="words", sequence=end)
                for end in range(2, len(text) + 1)
            ]
            answers = [json.loads(json.dumps(one.result(60))) for one in asked]
    assert answers[-1]["value"]["sequence"] == len(text)
    assert answers[-1]["value"]["results"]
    assert all(one["ok"] or one == {"ok": False, "superseded": True} for one in answers)
