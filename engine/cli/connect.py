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

from engine.config import CONFIG_NAME, data_folder
from engine.errors import RequestError, ServiceError, ServiceUnreachableError
from engine.ports import Closing

Json = dict[str, Any]
TIMEOUT_SECONDS = 65


class Reader(Protocol):
    """What a command may ask, wherever the answer comes from."""

    def search(self, body: Json) -> Json: ...
    def status(self) -> Json: ...
    def coverage(self, path: str, **options: Any) -> Json: ...
    def why(self, path: str) -> str: ...
    def whynot(self, query: str, path: str) -> str: ...
    def document(self, uid: str) -> Json: ...
    def similar(self, uid: str, limit: int) -> Json: ...
    def complete(self, text: str, limit: int) -> list[str]: ...
    def delete(self, uid: str) -> None: ...
    def opened(self, uid: str) -> None: ...
    def watch(self, path: str, sync: bool) -> str: ...
    def unwatch(self, path: str) -> str: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


def open_writer() -> Reader:
    """The running service, or the index opened for writing."""
    service = find_service()
    return service if service is not None else Local(write=True)


def open_reader() -> Reader:
    """The running service, or the index opened for reading."""
    service = find_service()
    return service if service is not None else Local()


class Local(Closing):
    """The index of this user, opened by this process."""

    def __init__(self, *, write: bool = False) -> None:
        from engine.api import Engine

        self.engine = Engine.open(write=write)

    def search(self, body: Json) -> Json:
        """The answer to a search body, as the HTTP door would give it."""
        from engine.api import SearchRequest
        from engine.server.wire import answer_search

        settings = self.engine.config.search
        request = SearchRequest(**{"limit": settings.default_limit, **body})
        return answer_search(self.engine.search, request)

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

    def whynot(self, query: str, path: str) -> str:
        """One line on why a file is not in the answer."""
        from engine.api import SearchRequest

        return self.engine.whynot(SearchRequest(query), path)

    def document(self, uid: str) -> Json:
        """One document with its text."""
        from engine.server.wire import write_document

        return write_document(self.engine.document(uid))

    def similar(self, uid: str, limit: int) -> Json:
        """Documents alike in meaning."""
        from engine.server.wire import write_result

        found = self.engine.similar(uid, limit)
        return {"id": uid, "results": [write_result(one) for one in found.results]}

    def complete(self, text: str, limit: int) -> list[str]:
        """How the last word may go on."""
        return list(self.engine.complete(text, limit))

    def delete(self, uid: str) -> None:
        """Forget one document."""
        self.engine.delete_document(self.engine.document(uid).id)

    def opened(self, uid: str) -> None:
        """Note that a document was opened."""
        self.engine.opened(uid)

    def watch(self, path: str, sync: bool) -> str:
        """Add a folder, and index it unless told not to."""
        root, within = self.engine.add_root(path, watched=True)
        if sync:
            self.engine.index(path, watched=True)
        return within or root.path

    def unwatch(self, path: str) -> str:
        """Forget a folder."""
        full = os.path.abspath(os.path.expanduser(path))
        self.engine.remove_root(full)
        return full

    def close(self) -> None:
        """Let go of the index."""
        self.engine.close()


class Remote(Closing):
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

    def whynot(self, query: str, path: str) -> str:
        """One line on why a file is not in the answer."""
        full = os.path.abspath(os.path.expanduser(path))
        return str(self.ask("GET", "/api/v1/whynot", query={"query": query, "path": full})["why"])

    def document(self, uid: str) -> Json:
        """One document with its text."""
        return self.ask("GET", f"/api/v1/documents/{_quote(uid)}")

    def similar(self, uid: str, limit: int) -> Json:
        """Documents alike in meaning."""
        return self.ask("GET", "/api/v1/similar", query={"id": uid, "limit": limit})

    def complete(self, text: str, limit: int) -> list[str]:
        """How the last word may go on."""
        answer = self.ask("GET", "/api/v1/complete", query={"query": text, "limit": limit})
        return list(answer["completions"])

    def delete(self, uid: str) -> None:
        """Forget one document."""
        self.ask("DELETE", f"/api/v1/documents/{_quote(uid)}")

    def opened(self, uid: str) -> None:
        """Note that a document was opened."""
        self.ask("POST", "/api/v1/opened", {"id": uid})

    def watch(self, path: str, sync: bool) -> str:
        """Add a folder; the service indexes it in the background."""
        full = os.path.abspath(os.path.expanduser(path))
        body = {"path": full, "sync": sync}
        return str(self.ask("POST", "/api/v1/watch/directories", body)["path"])

    def unwatch(self, path: str) -> str:
        """Forget a folder."""
        full = os.path.abspath(os.path.expanduser(path))
        return str(self.ask("DELETE", "/api/v1/watch/directories", query={"path": full})["path"])

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


def _quote(text: str) -> str:
    from urllib.parse import quote

    return quote(text, safe="")


def _read_token(home: Path) -> str:
    try:
        return (home / "token").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def config_path() -> Path:
    """The configuration file of this user."""
    return data_folder() / CONFIG_NAME
