"""How many may knock at once? A bounded number, each for a bounded time before it speaks.

uvicorn alone waits for ever for the first line of a connection, and answers nonsense in plain text.
"""

import asyncio
import json
import logging
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

log = logging.getLogger(__name__)

MOST_CONNECTIONS = 128
HEAD_SECONDS = 10.0


class Connection(H11Protocol):
    """One connection: refused when there are too many, closed when no request comes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            self._refuse(503, "too many connections")
            return
        self._patience = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._patience is not None:
            self._patience.cancel()
        super().connection_lost(exc)

    def _give_up(self) -> None:
        # No request was begun: half a head, or nothing at all.
        if getattr(self, "cycle", None) is None and not self.transport.is_closing():
            self._refuse(408, "the request came too slowly")

    def send_400_response(self, msg: str) -> None:
        """What is not HTTP is answered like everything else."""
        self._refuse(400, "this is not an HTTP request")

    def _refuse(self, status: int, say: str) -> None:
        body = json.dumps({"error": say}).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
        ]
        try:
            head = self.conn.send(h11.Response(status_code=status, headers=headers))
            self.conn.send(h11.Data(data=body))
            self.conn.send(h11.EndOfMessage())
            self.transport.write((head or b"") + body)
        except h11.LocalProtocolError:
            log.debug("a connection was closed without an answer")
        self.transport.close()
