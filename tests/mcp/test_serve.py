"""Proves, with the SDK's own client and real processes:

1. the handshake is answered before the index is open, and a call waits for it;
2. every tool is listed with its schema and can be called; answers are compact and name sources;
3. bad arguments are refused with the parameter and its range; unknown tools too;
4. a cancelled call ends, and the service goes on; two clients at once get their answers;
5. nothing but the protocol reaches stdout, although the process prints;
6. secrets are masked, unless the settings say otherwise; `mcp.folders` limits what is seen;
7. no path leads out of the indexed folders; what was seen is in the access log;
8. an assistant that stays connected finds by meaning what another process indexes later;
9. without an index the error says what to do, and the next call works once there is one.
"""

import asyncio
import json
import re
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import anyio
import pytest
from mcp_types import CallToolResult

from engine.api import Engine
from engine.mcp.tools import TOOLS
from tests.mcp.conftest import CARD, IBAN, Library, call, connect, refused

NAMES = [
    "query_documents", "query_unique_documents", "query_documents_compressed",
    "search_with_hypothesis", "similar_documents", "context_pack", "get_document", "list_roots",
    "index_status",
]  # fmt: skip
T = TypeVar("T")


def run_alone(coroutine: Coroutine[Any, Any, T]) -> T:
    """Runs it in a thread of its own: a browser's tests may keep an event loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def test_every_tool_is_listed_and_answers(library: Library) -> None:
    async def ask() -> None:
        async with connect(library.home) as session:
            listed = (await session.list_tools()).tools
            assert [tool.name for tool in listed] == NAMES == [tool.name for tool in TOOLS]
            assert all(tool.description and tool.input_schema for tool in listed)
            assert all(tool.annotations and tool.annotations.read_only_hint for tool in listed)
            for name in NAMES[:3]:
                text = await call(session, name, query="constant time tokens")
                assert re.search(
                    r"^\[1\] docs/guide/auth\.md § Configuration > Authentication \(\d\.\d\d\)$",
                    text,
                    re.M,
                )
                assert "Tokens are compared in constant time" in text
                assert ("# Compression Stats" in text) == (name == NAMES[2])
            guess = "One compares secrets without giving away the time: it takes."
            text = await call(session, "search_with_hypothesis", hypothesis=guess)
            assert "docs/guide/auth.md" in text
            near = await call(session, "similar_documents", path="docs/cooking/soup.md")
            assert "docs/cooking/bread.md" in near.splitlines()[2]
            assert "soup.md (" not in near
            roots = await call(session, "list_roots")
            assert f"- {library.docs}: 6 documents" in roots
            assert "documents: 6" in await call(session, "index_status")

    run_alone(ask())


def test_documents_are_read_whole_by_lines_and_by_section(library: Library) -> None:
    async def ask() -> None:
        async with connect(library.home) as session:
            whole = await call(session, "get_document", path="docs/guide/auth.md")
            assert "configured by one file" in whole
            section = await call(
                session, "get_document", path=str(library.docs / "guide/auth.md"),
                section="authentication",
            )  # fmt: skip
            assert "constant time" in section
            assert "configured by one file" not in section
            lines = await call(
                session, "get_document", path="docs/cooking/soup.md", start_line=3, end_line=3
            )
            assert lines.endswith("3: Carrots, onions and celery are cooked until they are soft.")
            cut = await call(session, "get_document", path="docs/guide/rollout.md", max_tokens=100)
            assert "cut after 100 tokens" in cut
            assert len(cut) < 700
            unknown = await refused(
                session, "get_document", path="docs/guide/auth.md", section="Pricing"
            )
            assert "section Pricing not found" in unknown
            assert "Configuration > Authentication" in unknown
            backwards = await refused(
                session, "get_document", path="docs/cooking/soup.md", start_line=9, end_line=2
            )
            assert "end_line" in backwards

    run_alone(ask())


def test_a_context_pack_keeps_to_its_budget_and_does_not_repeat(library: Library) -> None:
    async def ask() -> None:
        async with connect(library.home) as session:
            query = "how is the service configured"
            pack = await call(session, "context_pack", query=query, token_budget=1000, min_score=0)
            assert pack.count("The service is configured by one file that is read at") in (8, 16)
            sources = re.findall(r"^\[\d+\] docs/guide/(?:copy-of-)?auth\.md", pack, re.M)
            assert len(sources) <= 2
            assert re.search(r"^\[1\] docs/guide/\S+ § Configuration.* \(line \d+\)$", pack, re.M)
            small = await call(session, "context_pack", query=query, token_budget=300, min_score=0)
            assert len(small) < 300 * 4 + 200

    run_alone(ask())


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("query_documents", {}, "query: is missing"),
        ("query_documents", {"query": " "}, "query: is empty"),
        ("query_documents", {"query": 5}, "query: 5 is not a text"),
        ("query_documents", {"query": "x", "top_n": 0}, "top_n takes a whole number from 1 to 100"),
        ("query_documents", {"query": "x", "top_n": "5"}, "top_n takes a whole number"),
        ("query_documents", {"query": "x", "top_n": True}, "top_n: True is not a whole number"),
        ("query_documents", {"query": "x", "min_score": 2}, "min_score takes a number from 0 to 1"),
        ("query_documents", {"query": "x", "similarity_threshold": 0.1}, "from 0.5 to 1"),
        (
            "query_documents",
            {"query": "x", "excluded_files": "a"},
            "excluded_files: 'a' is not a list",
        ),
        ("query_documents", {"query": "x", "limit": 3}, "limit: there is no such parameter"),
        ("query_documents", {"query": "x" * 20_000}, "query: longer than 10000 characters"),
        ("query_documents", {"query": "x", "folder": "/etc"}, "/etc is not in any indexed folder"),
        ("context_pack", {"query": "x", "token_budget": 5}, "from 100 to 100000"),
        ("get_document", {"path": "/etc/passwd"}, "document /etc/passwd not found"),
        ("get_document", {"path": "../outside.txt"}, "not found"),
        ("get_document", {"path": "docs/escape.txt"}, "not found"),
        ("get_document", {"path": "docs/../../etc/passwd"}, "not found"),
        ("similar_documents", {"path": "nobody"}, "document nobody not found"),
        ("format_disk", {}, "there is no tool “format_disk”"),
    ],
)
def test_bad_arguments_are_named(
    library: Library, tool: str, arguments: dict[str, object], says: str
) -> None:
    # One process for all would be faster; but a refusal must not depend on what came before.
    from engine.errors import EngineError
    from engine.mcp.serve import Desk, _explain

    async def ask() -> str:
        desk = Desk(lambda: Engine.open(library.home))
        try:
            await desk.call(tool, arguments, "test")
        except EngineError as exc:
            return _explain(exc)
        finally:
            desk.close()
        return "it was answered"

    assert says in run_alone(ask())


def test_refusals_reach_the_client_as_errors(library: Library) -> None:
    async def ask() -> None:
        async with connect(library.home) as session:
            text = await refused(session, "query_documents", query="x", top_n=500)
            assert text == ("top_n: 500 is out of range. top_n takes a whole number from 1 to 100.")
            assert "there is no tool" in await refused(session, "format_disk")
            assert "Carrots" in await call(session, "query_documents", query="carrots")

    run_alone(ask())


def test_the_handshake_does_not_wait_for_the_index(library: Library, tmp_path: Path) -> None:
    held = tmp_path / "held"
    held.touch()

    async def ask() -> None:
        async with connect(library.home, str(held)) as session:
            assert len((await session.list_tools()).tools) == len(NAMES)
            waiting = asyncio.create_task(call(session, "query_documents", query="carrots"))
            await asyncio.sleep(0.3)
            assert not waiting.done()
            held.unlink()
            assert "Carrots" in await asyncio.wait_for(waiting, 30)

    run_alone(ask())


def test_a_cancelled_call_ends_and_the_service_goes_on(library: Library, tmp_path: Path) -> None:
    held = tmp_path / "held"
    held.touch()

    async def ask() -> None:
        async with connect(library.home, str(held)) as session:
            with anyio.move_on_after(0.5) as scope:
                await session.call_tool("query_documents", {"query": "carrots"})
            assert scope.cancelled_caught
            held.unlink()
            assert "Carrots" in await call(session, "query_documents", query="carrots")

    run_alone(ask())


def test_two_clients_and_many_calls_at_once(library: Library) -> None:
    async def ask() -> None:
        async with connect(library.home) as first, connect(library.home) as second:
            calls = [
                call(session, "query_documents", query=query)
                for session in (first, second)
                for query in ("carrots celery", "constant time tokens") * 5
            ]
            answers = await asyncio.gather(*calls)
            assert all(text.startswith("# Search Results\n\n[1] docs/") for text in answers)
            assert sum("soup.md" in text for text in answers) >= 10

    run_alone(ask())


def test_secrets_are_masked_unless_switched_off(library: Library, tmp_path: Path) -> None:
    async def read(home: Path) -> str:
        async with connect(home) as session:
            found = await call(session, "query_documents", query="holiday card account")
            whole = await call(session, "get_document", path="docs/money/accounts.md")
            return found + whole

    text = run_alone(read(library.home))
    assert CARD not in text
    assert IBAN not in text
    assert "hunter2secret99" not in text
    assert text.count("[masked: card number]") == 2
    (library.home / "config.yaml").write_text("mcp:\n  mask_secrets: false\n")
    try:
        assert CARD in run_alone(read(library.home))
    finally:
        (library.home / "config.yaml").unlink()


def test_folders_limit_what_assistants_see(library: Library) -> None:
    (library.home / "config.yaml").write_text(f"mcp:\n  folders: ['{library.docs}/cooking']\n")

    async def ask() -> None:
        async with connect(library.home) as session:
            text = await call(
                session, "query_documents", query="tokens carrots", min_score=0, top_n=50
            )
            assert "docs/cooking/soup.md" in text
            assert "guide" not in text
            assert "not found" in await refused(session, "get_document", path="docs/guide/auth.md")
            outside = await refused(session, "query_documents", query="x", folder="docs/guide")
            assert "not in any indexed folder" in outside
            near = await call(session, "similar_documents", path="docs/cooking/soup.md")
            assert "guide" not in near

    try:
        run_alone(ask())
    finally:
        (library.home / "config.yaml").unlink()


def test_files_can_be_left_out_and_folders_chosen(library: Library) -> None:
    async def ask() -> None:
        async with connect(library.home) as session:
            query = "carrots flour bread soup"
            for name in ("soup.md", "cooking/soup.md", "docs/cooking/soup.md", "soup"):
                text = await call(
                    session, "query_documents", query=query, excluded_files=[name], min_score=0
                )
                assert "soup.md" not in text
            only = await call(
                session, "query_documents", query=query, folder="docs/guide", min_score=0, top_n=20
            )
            assert "cooking" not in only

    run_alone(ask())


def test_what_was_seen_is_in_the_access_log(library: Library) -> None:
    async def ask() -> None:
        async with connect(library.home) as session:
            await call(session, "get_document", path="docs/cooking/bread.md")

    run_alone(ask())
    rows = [json.loads(line) for line in (library.home / "access.log").read_text().splitlines()]
    last = rows[-1]
    assert last["client"].startswith("mcp")
    assert (last["action"], last["shown"]) == (
        "get_document", [str(library.docs / "cooking/bread.md")],
    )  # fmt: skip


def test_without_an_index_the_error_helps(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("marmalade skies\n")

    async def ask() -> None:
        async with connect(tmp_path / "home") as session:
            assert "sagasu index" in await refused(session, "query_documents", query="marmalade")
            await asyncio.to_thread(index)
            assert "marmalade skies" in await call(session, "query_documents", query="marmalade")

    def index() -> None:
        with Engine.open(tmp_path / "home", write=True) as engine:
            engine.index(str(docs))

    run_alone(ask())


def test_an_assistant_that_stays_finds_what_comes_later(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "soup.txt").write_text("Carrots and celery are cooked.\n")
    guess = "Instruments that look at the stars in the night sky"

    def index() -> None:
        with Engine.open(tmp_path / "home", write=True) as engine:
            engine.index(str(docs))

    async def ask() -> None:
        async with connect(tmp_path / "home") as session:
            first = await call(session, "search_with_hypothesis", hypothesis=guess)
            assert "galaxies" not in first
            (docs / "sky.txt").write_text("The telescope observes distant galaxies.\n")
            await asyncio.to_thread(index)
            async with asyncio.timeout(30):
                while "galaxies" not in first:
                    first = await call(session, "search_with_hypothesis", hypothesis=guess)

    index()
    run_alone(ask())


def test_answers_are_of_the_protocols_kind(library: Library) -> None:
    async def ask() -> None:
        async with connect(library.home) as session:
            found = await session.call_tool("index_status", {})
            assert isinstance(found, CallToolResult)
            assert len(found.content) == 1

    run_alone(ask())
