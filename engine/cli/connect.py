"""Who answers a command? The running service when there is one, else the index itself.

Both give the same dictionaries (server/wire). `service.json` says where the service listens; one
that was killed leaves the file behind, so a refused connection means: ask the index.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from engine.config import CONFIG_NAME, data_folder, load_config
from engine.errors import RequestError, ServiceError, ServiceUnreachableError

Json = dict[str, Any]
TIMEOUT_SECONDS = 65


class Reader(Protocol):
    """What a command may ask, wherever the answer comes from."""

    def search(self, body: Json) -> Json: ...
    def status(self) -> Json: ...
    def coverage(self, path: str, **options: Any) -> Json: ...
    def why(self, path: str) -> str: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def open_reader() -> Reader:
    """The running service, or the index opened for reading."""
    service = find_service()
    return service if service is not None else Local()


class Local:
    """The index of this user, opened for reading."""

    def __init__(self) -> None:
        from engine.api import Engine

        self.engine = Engine.open()

    def search(self, body: Json) -> Json:
        """The answer to a search body, as the HTTP door would give it."""
        from engine.api import SearchRequest
        from engine.server.wire import answer_search

        settings = self.engine.config.search
        request = SearchRequest(**{"limit": settings.default_limit, **body})
        return answer_search(self.engine.search, request, max_limit=settings.max_limit)

    def status(self) -> Json:
        """The engine's numbers."""
        from engine.server.wire import write_status

        places = self.engine.places
        paths = {
            "database_path": str(places.database),
            "bleve_index_path": str(places.postings),
            "faiss_index_path": str(places.vectors),
        }
        return write_status(self.engine.status(), self.engine.config, paths)

    def coverage(self, path: str, **options: Any) -> Json:
        """The ledger below `path`."""
        from engine.server.wire import write_coverage

        return write_coverage(self.engine.coverage(path, **options))

    def why(self, path: str) -> str:
        """One line on what became of a file."""
        return self.engine.why(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.engine.close()


class Remote:
    """A running service, asked over loopback."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address
        self._token = token

    def search(self, body: Json) -> Json:
        """The answer to a search body."""
        return self.ask("POST", "/api/v1/search", body)

    def status(self) -> Json:
        """The engine's numbers."""
        return self.ask("GET", "/api/v1/status")

    def coverage(self, path: str, **options: Any) -> Json:
        """The ledger below `path`."""
        full = os.path.abspath(os.path.expanduser(path)) if path else ""
        return self.ask("GET", "/api/v1/coverage", query={"path": full, **options})

    def why(self, path: str) -> str:
        """One line on what became of a file."""
        full = os.path.abspath(os.path.expanduser(path))
        return str(self.ask("GET", "/api/v1/why", query={"path": full})["why"])

    def ask(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> Json:
        """One request; an error answer becomes an exception with the service's own words."""
        from http.client import HTTPConnection, HTTPException
        from urllib.parse import urlencode, urlsplit

        parts = urlsplit(self.address)
        connection = HTTPConnection(
            parts.hostname or "127.0.0.1", parts.port, timeout=TIMEOUT_SECONDS
        )
        target = (
            f"{path}?{urlencode({k: v for k, v in query.items() if v != ''})}" if query else path
        )
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        try:
            connection.request(
                method, target, json.dumps(body) if body is not None else None, headers
            )
            answer = connection.getresponse()
            content = json.loads(answer.read() or b"{}")
        except (OSError, HTTPException, ValueError) as exc:
            raise ServiceUnreachableError(address=self.address) from exc
        finally:
            connection.close()
        if answer.status >= 400:
            raise ServiceRefusedError.made_from(answer.status, content)
        return dict(content)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return


class ServiceRefusedError(ServiceError):
    """The service answered with an error; its words are passed on."""

    say = "{problem}"
    hint = "{fix}"

    @classmethod
    def made_from(cls, status: int, content: Json) -> "ServiceRefusedError | RequestError":
        """The fitting exception for an error answer."""
        facts = {"problem": content.get("error", f"HTTP {status}"), "fix": content.get("hint", "")}
        return BadRequestError(**facts) if status < 500 else cls(**facts)


class BadRequestError(RequestError):
    """The service found the request wrong."""

    say = "{problem}"
    hint = "{fix}"


def find_service() -> Remote | None:
    """The running service of this data folder, if one answers."""
    home = data_folder()
    note = home / "service.json"
    try:
        facts = json.loads(note.read_text(encoding="utf-8"))
        address = str(facts["address"])
        os.kill(int(facts["pid"]), 0)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    service = Remote(address, _read_token(home))
    return service if _answers(service) else None


def _answers(service: Remote) -> bool:
    import socket
    from urllib.parse import urlsplit

    parts = urlsplit(service.address)
    try:
        with socket.create_connection((parts.hostname or "127.0.0.1", parts.port or 80), timeout=1):
            return True
    except OSError:
        return False


def _read_token(home: Path) -> str:
    try:
        return (home / "token").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def config_path() -> Path:
    """The configuration file of this user."""
    return data_folder() / CONFIG_NAME


__all__ = ["Json", "Local", "Reader", "Remote", "find_service", "load_config", "open_reader"]
