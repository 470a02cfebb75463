"""How much may one request take? So many bytes, so many seconds, while its client is there.

A body is read here as a whole, so that what comes after sees it complete or not at all. A client
that sends a byte a minute, or a hundred megabytes, costs a bounded time and a bounded memory.
"""

import asyncio
from collections.abc import Collection
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.server.refuse import PHRASES, JsonResponse, refusal

BODY_SECONDS = 20.0
ANSWER_SECONDS = 60.0
DROP_SECONDS = 2.0  # so long, and so much, is read of a body that was refused
DROP_BYTES = 64 * 1024 * 1024


class Limits:
    """ASGI middleware: body size, time for the body, time for the answer."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        body_limit_mb: int,
        endless: Collection[str],
        body_seconds: float = BODY_SECONDS,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self._app = app
        self._most = body_limit_mb * 1024 * 1024
        self._body_limit_mb = body_limit_mb
        self._endless = frozenset(endless)  # addresses that stream until the client leaves
        self._body_seconds = body_seconds
        self._answer_seconds = answer_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._body_seconds):
                body = await self._read_body(Headers(scope=scope), receive)
        except TimeoutError:
            await _close(refusal(408, PHRASES[408]))(scope, receive, send)
            return
        if body is None:
            say = PHRASES[413].format(limit=self._body_limit_mb)
            await _refuse_sender(_close(refusal(413, say)), scope, receive, send)
            return
        await self._answer(scope, _replay(body, receive), send)

    async def _read_body(self, headers: Headers, receive: Receive) -> bytes | None:
        """The whole body; None when it is too large."""
        length = headers.get("content-length")
        if length is None and "transfer-encoding" not in headers:
            return b""
        if length is not None and (not length.isdecimal() or int(length) > self._most):
            return None
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return b"".join(parts)
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > self._most:
                return None
            if not message.get("more_body", False):
                return b"".join(parts)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] in self._endless:
            await self._answer_present(scope, receive, send)
            return
        begun = False

        async def send_noting(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            async with asyncio.timeout(self._answer_seconds):
                await self._answer_present(scope, receive, send_noting)
        except TimeoutError:
            if begun:
                raise
            say = PHRASES[504].format(limit=round(self._answer_seconds))
            await refusal(504, say)(scope, receive, send)


    async def _answer_present(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as long as the client is there: work that nobody waits for is ended."""
        work = asyncio.ensure_future(self._app(scope, receive, send))
        gone = asyncio.ensure_future(_wait_gone(receive))
        try:
            await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended = work.done()
            for one in (work, gone):
                one.cancel()
            await asyncio.gather(work, gone, return_exceptions=True)
        if ended:
            work.result()


async def _wait_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _refuse_sender(
    response: JsonResponse, scope: Scope, receive: Receive, send: Send
) -> None:
    """Answer a client that is still sending, and let it finish for a while.

    Closing at once would reset the connection, and the client would see that instead of the answer.
    """

    async def send_open(message: Message) -> None:
        await send({**message, "more_body": True} if "body" in message else message)

    await response(scope, receive, send_open)
    dropped = 0
    if "expect" not in Headers(scope=scope):  # else it waits for our word, and has sent nothing
        with suppress(TimeoutError):
            async with asyncio.timeout(DROP_SECONDS):
                while dropped < DROP_BYTES:
                    message = await receive()
                    if not message.get("more_body", False):
                        break
                    dropped += len(message.get("body", b""))
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def _replay(body: bytes, receive: Receive) -> Receive:
    given = False

    async def receive_again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again


def _close(response: JsonResponse) -> JsonResponse:
    # The rest of the body is not read: the connection cannot serve another request.
    response.headers["Connection"] = "close"
    return response
