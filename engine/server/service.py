"""What do all routes share? The engine, its threads, and the rights of whoever asks."""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from starlette.requests import Request

from engine.api import Engine, SearchRequest
from engine.config import Config
from engine.errors import NotFoundError, OutsideRootsError
from engine.models import DocumentView
from engine.seen import SeenLog
from engine.server import wire
from engine.server.calls import Calls
from engine.server.events import Events
from engine.server.tokens import Client, Tokens, inside

# A message's name, its fields, and which window sent it.
PanelHandler = Callable[[str, dict[str, Any], str], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Service:
    """One server's things."""

    engine: Engine
    calls: Calls
    events: Events
    tokens: Tokens
    seen: SeenLog
    panel: PanelHandler | None = None

    @property
    def config(self) -> Config:
        """The settings as they are now."""
        return self.engine.config

    def search(
        self, client: Client, request: SearchRequest, *, two_lists: bool = True
    ) -> wire.Json:
        """The answer as far as `client` may see it."""
        request = replace(request, scopes=client.folders or request.scopes)
        answer = wire.answer_search(self.engine.search, request, two_lists=two_lists)
        if client.folders:
            answer["suggestions"] = []  # their words may come from files this client cannot see
        self.note(client, "search", _shown(answer))
        return answer

    def note(self, client: Client, action: str, shown: Iterable[tuple[str, str]]) -> None:
        """Remember which files another program was shown; the owner's reading is not kept."""
        if not client.owner:
            self.seen.note(client.name, action, shown)

    def document(self, client: Client, uid: str) -> DocumentView:
        """One document, if `client` may see it; one that it may not see is not there."""
        view = self.engine.document(uid)
        if not client.sees(view.path):
            raise NotFoundError(what="document")
        if view.path:
            self.check_inside(client, view.path)
        return view

    def check_inside(self, client: Client, path: str) -> str:
        """`path` in full, if it lies in an indexed folder, also after following its links."""
        if "\0" in path:
            raise OutsideRootsError(path=path)
        full = os.path.abspath(os.path.expanduser(path))
        real = os.path.realpath(full)
        roots = [root.path for root in self.engine.roots()]
        named = any(inside(full, root) for root in roots)
        lies = any(inside(real, os.path.realpath(root)) for root in roots)
        if not (named and lies and client.sees(full)):
            raise OutsideRootsError(path=path)
        return full

    def check_question(self, client: Client, path: str) -> str:
        """`path` in full, to be told about: the owner may also ask about what is in no folder of
        ours, and learns just that, from its name alone."""
        full = os.path.abspath(os.path.expanduser(path)) if "\0" not in path else path
        ours = any(inside(full, root.path) for root in self.engine.roots())
        if client.owner and not ours and "\0" not in path:
            return full
        return self.check_inside(client, path)


def _shown(answer: wire.Json) -> list[tuple[str, str]]:
    shown = {row["id"]: row["path"] for row in answer["results"]}
    for name in ("non_semantic_results", "semantic_results"):
        for row in answer[name]:
            document = row["document"]
            shown[document["id"]] = document["metadata"].get("source_path", "")
    return list(shown.items())


def service_of(request: Request) -> Service:
    """The service of the server that got this request."""
    service = request.app.state.service
    assert isinstance(service, Service)
    return service
