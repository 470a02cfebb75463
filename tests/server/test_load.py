"""Proves that the service stands when many ask at once while it indexes:

64 connections ask for a minute while a folder of 1,500 files is being read: every answer is a 200,
the 95th percentile is printed. Once the folder is in, asking on leaves the memory as it is.
"""

import asyncio
import json
import random
import time
from pathlib import Path

import psutil
import pytest

from tests.server.conftest import Running, run_service, wait_until

CONNECTIONS = 64
SECONDS = 60.0
WORDS = [
    "harbour", "ledger", "meadow", "copper", "lantern", "orchard", "gravel", "compass",
    "thimble", "walnut", "canyon", "velvet", "beacon", "saddle", "marble", "quarry",
    "ribbon", "timber", "anchor", "cellar", "juniper", "kettle", "magnet", "needle",
]  # fmt: skip


def write_texts(folder: Path, count: int, seed: int) -> Path:
    folder.mkdir(parents=True)
    chance = random.Random(seed)
    for number in range(count):
        body = "\n\n".join(" ".join(chance.choices(WORDS, k=60)) for _ in range(3))
        (folder / f"{number}.md").write_text(f"# Note {number}\n\n{body}\n")
    return folder


async def ask_until(port: int, token: str, end: float, chance: random.Random) -> list[float]:
    """One connection that asks one question after the other; the time of each, in ms."""
    reading, writing = await asyncio.open_connection("127.0.0.1", port)
    times: list[float] = []
    while time.monotonic() < end:
        body = json.dumps({"query": " ".join(chance.sample(WORDS, 3)), "limit": 10}).encode()
        writing.write(
            f"POST /api/v1/search HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        started = time.perf_counter()
        head = await reading.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        await reading.readexactly(length)
        times.append((time.perf_counter() - started) * 1000)
    writing.close()
    return times


def load(service: Running, seconds: float) -> list[float]:
    async def run() -> list[float]:
        end = time.monotonic() + seconds
        asking = [
            ask_until(service.port, service.token, end, random.Random(number))
            for number in range(CONNECTIONS)
        ]
        return sorted(one for times in await asyncio.gather(*asking) for one in times)

    return asyncio.run(run())


def own_memory(service: Running) -> int:
    """Bytes that are the process's own: pages of the mapped index do not count."""
    status = Path(f"/proc/{service.process.pid}/status")
    if status.exists():
        return int(status.read_text().partition("RssAnon:")[2].split()[0]) * 1024
    return int(psutil.Process(service.process.pid).memory_info().rss)


@pytest.mark.slow
def test_many_ask_while_it_indexes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    docs = write_texts(tmp_path / "docs", 1000, 1)
    more = write_texts(tmp_path / "more", 1500, 2)
    with run_service(tmp_path / "home", docs) as service:
        body = {"path": str(more)}
        assert service.ask("POST", "/api/v1/watch/directories", body).status_code == 201
        times = load(service, SECONDS)
        wait_until(lambda: service.ask("GET", "/api/v1/status").json()["documents"] == 2500, 300)
        wait_until(lambda: service.ask("GET", "/api/v1/status").json()["waiting"] == 0, 300)
        load(service, 5)
        before = own_memory(service)
        load(service, 20)
        after = own_memory(service)
        p50, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
        with capsys.disabled():
            print(  # noqa: T201 (the figure is what the test is run for)
                f"\n{len(times)} answers while indexing, {len(times) / SECONDS:.0f}/s, "
                f"p50 {p50:.0f} ms, p95 {p95:.0f} ms; "
                f"own memory {before / 1e6:.0f}, then {after / 1e6:.0f} MB"
            )
        assert after - before < 30_000_000
