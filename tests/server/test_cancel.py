"""Proves that work nobody waits for is ended, with a question that takes many seconds:

1. a cancelled search ends within moments, and its thread and connection answer the next one;
2. a newer question of the panel ends the older one;
3. the time limit of a request, and a client that leaves, end the search behind it.
"""

import json
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from app.bridge import Ticket
from app.finding import EngineFinder
from app.messages import Search
from app.recent import RecentSearches
from engine.api import Cancel, Engine, SearchRequest, SearchResponse
from engine.config import Config, EmbeddingSettings
from engine.errors import SearchCancelledError
from engine.server.serve import Server
from tests.server.conftest import wait_until

WORDS = (
    "harbour", "ledger", "meadow", "copper", "lantern", "orchard", "gravel", "compass", "thimble",
    "walnut", "canyon", "velvet",
)  # fmt: skip
# Every pair of words near a third one, all of them required: about ten seconds of work.
SLOW = " AND ".join(
    f'"{first} {second} {third}"~20'
    for first in WORDS
    for second in WORDS
    for third in WORDS[:2]
    if first != second
)
SOON_SECONDS = 0.5  # idle machines need a tenth of it


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Many passages that all hold all words."""
    base = tmp_path_factory.mktemp("slow")
    chance = random.Random(1)
    for number in range(60):
        text = "\n\n".join(" ".join(chance.choices(WORDS, k=200)) for _ in range(40))
        (base / f"{number}.txt").write_text(text, encoding="utf-8")
    config = Config(embedding=EmbeddingSettings(model_path="/nowhere"))
    with Engine.open(base / "home", write=True, config=config) as opened:
        opened.index(str(base))
        yield opened


class Watched:
    """Counts what an engine is searching, and how each search ended."""

    def __init__(self, engine: Engine) -> None:
        self._search: Callable[..., SearchResponse] = engine.search
        self.begun = threading.Event()
        self.ends: list[str] = []

    def search(self, request: SearchRequest, *more: Cancel) -> SearchResponse:
        self.begun.set()
        try:
            answer = self._search(request, *more)
        except BaseException as exc:
            self.ends.append(type(exc).__name__)
            raise
        self.ends.append("answered")
        return answer


@pytest.fixture
def watched(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Watched:
    found = Watched(engine)
    monkeypatch.setattr(engine, "search", found.search)
    return found


@pytest.mark.parametrize("after", [0.0, 0.05, 0.3, 0.7, 1.1])
def test_a_cancelled_search_ends_soon_and_its_thread_goes_on(engine: Engine, after: float) -> None:
    cancel = Cancel()
    with ThreadPoolExecutor(1) as thread:
        search = thread.submit(engine.search, SearchRequest(SLOW), cancel)
        time.sleep(after)
        began = time.monotonic()
        cancel.cancel()
        with pytest.raises(SearchCancelledError):
            search.result()
        assert time.monotonic() - began < SOON_SECONDS
        assert thread.submit(engine.search, SearchRequest("harbour")).result().total == 60


def test_a_newer_question_of_the_panel_ends_the_older_one(
    engine: Engine, watched: Watched, tmp_path: Path
) -> None:
    finder = EngineFinder(engine, RecentSearches(tmp_path / "recent.json"))
    ticket = Ticket()
    with ThreadPoolExecutor(1) as thread:
        older = thread.submit(finder.search, Search(SLOW), ticket)
        assert watched.begun.wait(10)
        began = time.monotonic()
        ticket.cancel()
        with pytest.raises(SearchCancelledError):
            older.result()
        assert time.monotonic() - began < SOON_SECONDS
    finder.close()


@pytest.fixture
def server(engine: Engine) -> Iterator[Server]:
    """Gives up on an answer after a second."""
    running = Server(engine, engine.config, port=0, answer_seconds=1.0)
    thread = threading.Thread(target=running.run)
    thread.start()
    wait_until(engine.places.service.exists)
    yield running
    running.stop()
    thread.join(20)


def test_the_time_limit_ends_the_search(server: Server, watched: Watched, engine: Engine) -> None:
    token = engine.places.token.read_text(encoding="ascii").strip()
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=server.address, headers=headers, trust_env=False) as client:
        assert client.post("/api/v1/search", json={"query": SLOW}).status_code == 504
        wait_until(lambda: watched.ends == ["SearchCancelledError"], SOON_SECONDS)
        assert client.post("/api/v1/search", json={"query": "harbour"}).status_code == 200


@pytest.mark.parametrize("path", ["/api/v1/search", "/api/v1/search/stream"])
def test_a_client_that_leaves_ends_its_search(
    server: Server, watched: Watched, engine: Engine, path: str
) -> None:
    token = engine.places.token.read_text(encoding="ascii").strip()
    body = json.dumps({"query": SLOW})
    host, _, port = server.address.removeprefix("http://").rpartition(":")
    with socket.create_connection((host, int(port))) as client:
        head = f"POST {path} HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {token}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        client.sendall((head + body).encode())
        assert watched.begun.wait(10)
    wait_until(lambda: watched.ends == ["SearchCancelledError"], SOON_SECONDS)
