"""Who asked? One line a request in the program's log: never the text of a question."""

import logging
import time
from urllib.parse import quote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.server.tokens import Client

log = logging.getLogger(__name__)


class RequestLog:
    """ASGI middleware: one line a request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.monotonic()
        status = 0

        async def send_noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_noting)
        finally:
            client = scope.get("state", {}).get("client")
            name = client.name if isinstance(client, Client) else "-"
            spent_ms = (time.monotonic() - started) * 1000
            # Quoted: a line break in an address must not become one in the log.
            address = quote(scope["path"], safe="/:@")
            log.info("%s %s %s %d %.1f ms", name, scope["method"], address, status, spent_ms)
