"""How does the service for assistants run? Over stdin and stdout, ready before the index is.

The handshake is answered at once, while the index opens on another thread; a call waits for it, at
most a minute. Nothing but the protocol reaches stdout: the SDK keeps the real one for itself and
points everybody else's at stderr.
"""

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server

from engine import __version__
from engine.api import Engine
from engine.errors import EngineError, IndexOpeningError, InternalError, InvalidValueError
from engine.mcp.mask import mask_secrets
from engine.mcp.tool import Seen, Tool
from engine.mcp.tools import TOOLS
from engine.seen import SeenLog

log = logging.getLogger(__name__)

READY_SECONDS = 60.0
THREADS = 4
INSTRUCTIONS = (
    "Sagasu searches the files on this person's machine by name, word and meaning. Begin with "
    "query_documents; read more of a file with get_document; cite the path and heading shown."
)


def serve_stdio(open_engine: Callable[[], Engine]) -> None:
    """Serve until stdin ends; `open_engine` is called on another thread."""
    desk = Desk(open_engine)
    try:
        anyio.run(_serve, desk)
    finally:
        desk.close()


async def _serve(desk: "Desk") -> None:
    server = build_server(desk)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def build_server(desk: "Desk") -> Server:
    """The protocol's half: lists the tools and hands calls to the desk."""

    async def list_tools(
        context: ServerRequestContext, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[describe(tool) for tool in TOOLS])

    async def call_tool(
        context: ServerRequestContext, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        told = context.session.client_params
        client = f"mcp: {told.client_info.name}" if told is not None else "mcp"
        try:
            text = await desk.call(params.name, params.arguments or {}, client)
        except EngineError as exc:
            return _say(mask_secrets(_explain(exc)), failed=True)
        except Exception:
            log.exception("the tool %s failed", params.name)
            return _say(_explain(InternalError()), failed=True)
        return _say(text)

    server: Server = Server(
        "sagasu",
        version=__version__,
        title="Sagasu",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware.clear()  # OpenTelemetry: nothing leaves this machine
    return server


def describe(tool: Tool) -> types.Tool:
    """A tool as the protocol has it."""
    reading = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
    return types.Tool(
        name=tool.name, description=tool.help, input_schema=tool.schema(), annotations=reading
    )


def _explain(error: EngineError) -> str:
    said = str(error)
    return f"{said if said.endswith(('.', '!', '?')) else said + '.'} {error.advice}".strip()


def _say(text: str, *, failed: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=text)], is_error=failed)


class Desk:
    """Opens the engine in the background and runs the tools on a few threads."""

    def __init__(self, open_engine: Callable[[], Engine]) -> None:
        self._open = open_engine
        self._guard = threading.Lock()
        self._threads = ThreadPoolExecutor(THREADS, "mcp")
        self._seen: SeenLog | None = None
        self._opening: Future[Engine] = self._threads.submit(self._open)

    async def call(self, name: str, given: dict[str, object], client: str) -> str:
        """What the tool says; EngineError when it cannot."""
        tool = next((one for one in TOOLS if one.name == name), None)
        if tool is None:
            known = ", ".join(one.name for one in TOOLS)
            raise InvalidValueError(
                name="name", problem=f"there is no tool “{name[:60]}”", fix=f"Tools: {known}."
            )
        arguments = tool.read(given)
        engine = await self._ready()
        running = asyncio.get_running_loop().run_in_executor(
            self._threads, tool.run, engine, arguments
        )
        seen = await running
        return self._pass_on(engine, name, seen, client)

    def _pass_on(self, engine: Engine, name: str, seen: Seen, client: str) -> str:
        if seen.documents:
            with self._guard:
                if self._seen is None:
                    self._seen = SeenLog(engine.places.home / "access.log")
            self._seen.note(client, name, seen.documents)
        return mask_secrets(seen.text) if engine.config.mcp.mask_secrets else seen.text

    async def _ready(self) -> Engine:
        with self._guard:
            if self._opening.done() and self._opening.exception() is not None:
                self._opening = self._threads.submit(self._open)  # it may be there by now
            opening = self._opening
        try:
            async with asyncio.timeout(READY_SECONDS):
                return await asyncio.shield(asyncio.wrap_future(opening))
        except TimeoutError as exc:
            raise IndexOpeningError(seconds=round(READY_SECONDS)) from exc

    def close(self) -> None:
        """Wait for the threads and close the engine."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        if self._seen is not None:
            self._seen.close()
        if self._opening.done() and self._opening.exception() is None:
            self._opening.result().close()
