"""Who comes in? Nobody but programs of this machine that hold a token.

Four checks, in this order, before a byte of the body is read:

1. Host: only our own names with our own port. A web page that has its name point at 127.0.0.1 (DNS
   rebinding) sends its own name, and gets 403.
2. Origin: absent (programs) or ours (the panel); any other web page gets 403.
3. Token: `Authorization: Bearer …`, nowhere else; `/health` and the panel's files need none.
4. Rights: a read-only token changes nothing; what only the owner may do is refused to all others.
"""

import logging
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from engine.server.refuse import refusal
from engine.server.tokens import OWNER, Client, Tokens

log = logging.getLogger(__name__)

NAMES = ("localhost", "127.0.0.1", "[::1]")
CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
SECURITY_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Security-Policy": CONTENT_POLICY,
}

# POST, because the question travels in the body, but nothing changes.
READING_POSTS = frozenset(
    {
        "/api/v1/search",
        "/api/v1/search/stream",
        "/query_documents",
        "/query_unique_documents",
        "/query_documents_stream",
    }
)
OWNERS_ONLY = (
    "/api/v1/tokens",
    "/api/v1/panel/",
    "/api/v1/watch/",
    "/api/v1/index",
    "/api/v1/config",
)


class Guard:
    """ASGI middleware around the whole application."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        tokens: Tokens | None,
        port: int | None,
        is_public: Callable[[str], bool],
    ) -> None:
        self._app = app
        self._tokens = tokens
        self._port = port
        self._is_public = is_public

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # we speak no WebSocket
            return
        headers = Headers(scope=scope)
        send = _with_security_headers(send)
        refused = self._refuse_stranger(headers)
        if refused is None:
            client, refused = self._identify(scope, headers)
            scope.setdefault("state", {})["client"] = client
        await (refused or self._app)(scope, receive, send)

    def _refuse_stranger(self, headers: Headers) -> ASGIApp | None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            return refusal(403, "this address is not served", "Ask 127.0.0.1 or localhost.")
        for origin in headers.getlist("origin"):
            if origin != f"http://{hosts[0]}":
                return refusal(403, "web pages of other origins may not ask")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return refusal(403, "web pages of other origins may not ask")
        return None

    def _is_ours(self, host: str) -> bool:
        try:
            parts = urlsplit(f"//{host}")
            name, port = parts.hostname or "", parts.port
        except ValueError:
            return False
        name = f"[{name}]" if ":" in name else name
        if host.lower() not in (name, f"{name}:{port}") or name not in NAMES:
            return False
        return self._port is None or (port or 80) == self._port

    def _identify(self, scope: Scope, headers: Headers) -> tuple[Client | None, ASGIApp | None]:
        path, method = scope["path"], scope["method"]
        if self._tokens is None:
            return Client(OWNER), None
        if method in ("GET", "HEAD") and self._is_public(path):
            return None, None
        given = headers.getlist("authorization")
        kind, _, text = given[0].partition(" ") if len(given) == 1 else ("", "", "")
        client = self._tokens.find(text.strip()) if kind.lower() == "bearer" else None
        if client is None:
            answer = refusal(
                401,
                "a token is needed",
                "Send the content of the file “token” in Sagasu's data folder as "
                "Authorization: Bearer …",
            )
            answer.headers["WWW-Authenticate"] = "Bearer"
            return None, answer
        return client, self._refuse_rights(client, method, path)

    def _refuse_rights(self, client: Client, method: str, path: str) -> ASGIApp | None:
        if client.owner:
            return None
        listing = method == "GET" and path == "/api/v1/watch/directories"
        if _starts(path, OWNERS_ONLY) and not listing:
            return refusal(403, "only the owner's token may do this")
        changing = method not in ("GET", "HEAD", "OPTIONS") and path not in READING_POSTS
        if changing and client.read_only:
            return refusal(403, "this token may only read")
        if changing and client.folders:
            return refusal(403, "a token for some folders may only read")
        return None


def client_of(request: Request) -> Client:
    """Who sent this request; the guard has put it there."""
    client = request.scope["state"]["client"]
    assert isinstance(client, Client)
    return client


def _starts(path: str, beginnings: Iterable[str]) -> bool:
    return any(path.startswith(one) for one in beginnings)


def _with_security_headers(send: Send) -> Send:
    async def send_guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return send_guarded
