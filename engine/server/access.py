"""Who asked, and who saw what? Two logs, none with the text of a question.

Every request is one line of the program's log: method, address without its query, status, time.
Clients with a token of their own are also kept in `access.log`, which files each of them was shown,
one JSON object a line; the owner's own reading is nobody's business and is not kept.
"""

import json
import logging
import os
import time
from collections.abc import Iterable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import IO
from urllib.parse import quote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.server.tokens import Client

log = logging.getLogger(__name__)

ROTATE_BYTES = 5 * 1024 * 1024
KEPT_FILES = 3


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


class _PrivateFile(RotatingFileHandler):
    def _open(self) -> IO[str]:  # type: ignore[override]  # the base names the concrete wrapper
        handle = os.open(
            self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600
        )
        return open(handle, "a", encoding="utf-8")


class SeenLog:
    """Which client was shown which file."""

    def __init__(self, path: Path) -> None:
        self._handler = _PrivateFile(
            path, maxBytes=ROTATE_BYTES, backupCount=KEPT_FILES, delay=True
        )

    def note(self, client: Client, action: str, documents: Iterable[tuple[str, str]]) -> None:
        """Keep that `client` was shown these documents, given as id and path."""
        if client.owner:
            return
        shown = [path or id_ for id_, path in documents]
        row = {"time": time.time(), "client": client.name, "action": action, "shown": shown}
        line = json.dumps(row)
        self._handler.handle(logging.LogRecord("seen", logging.INFO, "", 0, line, None, None))

    def close(self) -> None:
        """Close the file."""
        self._handler.close()
