"""A real index, and assistants that talk to real MCP processes about it."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolResult, TextContent

from engine.api import Engine

PROJECT = Path(__file__).resolve().parents[2]
RUN = """
import sys, threading, time
from pathlib import Path
from engine.api import Engine
from engine.mcp.serve import serve_stdio

home, held = Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None

def open_engine():
    print("this is no protocol")
    while held is not None and held.exists():  # the test decides when the index is there
        time.sleep(0.02)
    return Engine.open(home)

serve_stdio(open_engine)
"""
CARD, IBAN = "4539 1488 0343 6467", "DE89 3704 0044 0532 0130 00"
LONG = " ".join(f"Step {number} of the rollout is checked by two people." for number in range(60))

FILES = {
    "guide/auth.md": (
        "# Configuration\n\n"
        + "The service is configured by one file that is read at the start. " * 8
        + "\n\n## Authentication\n\n"
        + "Tokens are compared in constant time, so that the time tells nothing to an attacker. "
        * 8
        + "\n"
    ),
    "guide/rollout.md": f"# Rollout\n\n{LONG}\n",
    "guide/copy-of-auth.md": (
        "# Configuration\n\n"
        + "The service is configured by one file that is read at the start. " * 8
        + "\n"
    ),
    "cooking/soup.md": "# Soup\n\nCarrots, onions and celery are cooked until they are soft.\n",
    "cooking/bread.md": "# Bread\n\nFlour, water, salt and yeast rest, then are baked.\n",
    "money/accounts.md": (
        f"# Accounts\n\nThe holiday card is {CARD}, the account is {IBAN}.\n\n"
        "The deploy password: hunter2secret99 must not be shown.\n"
    ),
}


@dataclass(frozen=True)
class Library:
    """An indexed folder."""

    home: Path
    docs: Path


@pytest.fixture(scope="package")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    base = tmp_path_factory.mktemp("mcp")
    docs = base / "docs"
    for name, text in FILES.items():
        path = docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (base / "outside.txt").write_text("kryptonite\n")
    (docs / "escape.txt").symlink_to(base / "outside.txt")
    with Engine.open(base / "home", write=True) as engine:
        engine.index(str(docs))
    return Library(base / "home", docs)


@asynccontextmanager
async def connect(home: Path, *more: str) -> AsyncIterator[ClientSession]:
    """An assistant with a process of its own; the handshake is done."""
    start = StdioServerParameters(
        command=sys.executable,
        args=["-c", RUN, str(home), *more],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        cwd=PROJECT,
    )
    with open(os.devnull, "w") as nowhere:
        async with (
            stdio_client(start, errlog=nowhere) as (reading, writing),
            ClientSession(reading, writing) as session,
        ):
            await session.initialize()
            yield session


async def call(session: ClientSession, name: str, /, **arguments: Any) -> str:
    """What a tool says when it answers."""
    found = await session.call_tool(name, arguments)
    assert isinstance(found, CallToolResult)
    assert not found.is_error, found.content
    return text_of(found)


async def refused(session: ClientSession, name: str, /, **arguments: Any) -> str:
    """What a tool says when it refuses."""
    found = await session.call_tool(name, arguments)
    assert isinstance(found, CallToolResult)
    assert found.is_error, found.content
    return text_of(found)


def text_of(found: CallToolResult) -> str:
    first = found.content[0]
    assert isinstance(first, TextContent)
    return first.text
