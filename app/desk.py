"""Who answers the page? The desk: one method a message, the same over both transports.

A message comes in as JSON text, goes to the engine, the desktop or the window, and its answer goes
back as JSON text. Everything here runs off the main thread.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app import messages as m
from app.bridge import Bridge, Ticket
from app.frecency import Opening, Openings, reorder
from app.office import Office
from app.ports import Desktop, Finder, Found, Window
from app.preferences import HIDE_ON_OPEN, LEARN_OPENS, RECENT_KEPT, Preferences
from app.recent import RecentSearches
from app.wire import SUPERSEDED, Json, answer_text, parse_text, refusal_text
from engine.errors import EngineError

SEARCH_LANE = "search"  # newest wins


@dataclass(frozen=True, slots=True)
class Memory:
    """What the desk remembers of this person."""

    preferences: Preferences
    openings: Openings
    recent: RecentSearches


class Desk:
    """Answers every message; `office` takes those about folders, settings and coverage."""

    def __init__(
        self, finder: Finder, office: Office, desktop: Desktop, window: Window, memory: Memory
    ) -> None:
        self._finder = finder
        self._office = office
        self._desktop = desktop
        self._window = window
        self._memory = memory
        self._answers: Mapping[type[m.Message], Callable[[Any, Ticket], Json]] = {
            m.Search: self._search,
            m.Similar: lambda ask, _: self._show(self._finder.similar(ask.id, ask.limit), ""),
            m.Suggest: lambda ask, _: self._finder.suggest(ask.query, ask.limit),
            m.Complete: lambda ask, _: self._finder.complete(ask.query, ask.limit),
            m.Preview: lambda ask, _: self._finder.preview(ask.id, ask.chunk, ask.query),
            m.Explain: lambda ask, _: self._finder.explain(ask.query, ask.id),
            m.Open: self._open,
            m.OpenWith: self._open_with,
            m.Applications: lambda ask, _: list(self._desktop.applications(self._path(ask.id))),
            m.Reveal: self._reveal,
            m.QuickLook: lambda ask, _: self._window.quick_look(self._paths(ask.ids)),
            m.Drag: lambda ask, _: self._window.drag(self._paths(ask.ids)),
            m.CopyPath: lambda ask, _: self._desktop.copy_files(self._paths(ask.ids)),
            m.CopyPassage: self._copy_passage,
            m.ContextPack: self._copy_pack,
            m.Recent: self._recent,
            m.Opened: lambda ask, _: self._learn(ask.query, self._path(ask.id)),
            m.Learned: lambda ask, _: list(map(_opening, memory.openings.rows(ask.limit))),
            m.Forget: self._forget,
            m.ExcludeFolder: lambda ask, _: self._office.exclude_folder(self._path(ask.id)),
            m.Hide: lambda ask, _: self._window.hide(),
            m.Resize: lambda ask, _: self._window.resize(ask.height),
            m.ShowPage: lambda ask, _: self._window.show_page(ask.page),
            m.RootsPick: lambda ask, _: self._window.pick_folders(),
        }

    def handle(self, message: m.Message, ticket: Ticket) -> Json:
        """The answer to one message."""
        answer = self._answers.get(type(message))
        if answer is not None:
            return answer(message, ticket)
        return self._office.handle(message)

    def answer(self, text: str) -> str:
        """JSON in, JSON out, in the caller's thread: for a transport that waits."""
        try:
            return answer_text(self.handle(parse_text(text), Ticket()))
        except EngineError as exc:
            return refusal_text(exc)

    def receive(self, text: str, reply: Callable[[str], None], bridge: Bridge) -> None:
        """JSON in at once, JSON out later on the main thread, exactly once."""
        try:
            message = parse_text(text)
        except EngineError as exc:
            reply(refusal_text(exc))
            return
        bridge.run(
            lambda ticket: answer_text(self.handle(message, ticket)),
            reply,
            lambda error: reply(refusal_text(error)),
            lane=SEARCH_LANE if isinstance(message, m.Search) else "",
            dropped=lambda: reply(SUPERSEDED),
        )

    def _search(self, ask: m.Search, ticket: Ticket) -> Json:
        found = self._finder.search(ask, ticket)
        return {**self._show(found, ask.query), "sequence": ask.sequence}

    def _show(self, found: Found, query: str) -> dict[str, Json]:
        preferences = self._memory.preferences
        lifts: Mapping[str, float] = {}
        if query and preferences.flag(LEARN_OPENS):
            lifts = self._memory.openings.boosts(query)
        rows = reorder([(one.path, one.score, one) for one in found.results], lifts)
        results: list[Json] = []
        for place, (lift, one) in enumerate(rows, start=1):
            shown = {item.name: getattr(one, item.name) for item in dataclasses.fields(one)}
            results.append({**shown, "rank": place, "learned": round(lift, 4)})
        return {**found.about, "results": results}

    def _open(self, ask: m.Open, ticket: Ticket) -> Json:
        path = self._path(ask.id)
        self._desktop.open(path)
        return self._opened(ask.query, path)

    def _open_with(self, ask: m.OpenWith, ticket: Ticket) -> Json:
        path = self._path(ask.id)
        self._desktop.open_with(path, ask.application)
        return self._opened(ask.query, path)

    def _reveal(self, ask: m.Reveal, ticket: Ticket) -> Json:
        path = self._path(ask.id)
        self._desktop.reveal(path)
        return self._opened(ask.query, path)

    def _opened(self, query: str, path: Path) -> Json:
        self._learn(query, path)
        if self._memory.preferences.flag(HIDE_ON_OPEN):
            self._window.hide()
        return {"path": str(path)}

    def _learn(self, query: str, path: Path) -> None:
        preferences = self._memory.preferences
        if query.strip():
            self._memory.recent.add(query, preferences.number(RECENT_KEPT))
        if preferences.flag(LEARN_OPENS):
            self._memory.openings.learn(query, str(path))

    def _copy_passage(self, ask: m.CopyPassage, ticket: Ticket) -> Json:
        text = self._finder.passage(ask.id, ask.chunk)
        self._desktop.copy_text(text)
        return {"characters": len(text)}

    def _copy_pack(self, ask: m.ContextPack, ticket: Ticket) -> Json:
        text = self._finder.context_pack(ask.query, ask.ids)
        self._desktop.copy_text(text)
        return {"characters": len(text)}

    def _recent(self, ask: m.Recent, ticket: Ticket) -> Json:
        files: list[Json] = []
        for path, weight in self._memory.openings.frequent(ask.limit):
            files.append({"path": path, "title": Path(path).name, "weight": round(weight, 3)})
        return {"searches": list(self._memory.recent.queries()[: ask.limit]), "files": files}

    def _forget(self, ask: m.Forget, ticket: Ticket) -> Json:
        self._memory.recent.forget(ask.query)
        return {"forgotten": self._memory.openings.forget(ask.query)}

    def _path(self, id: str) -> Path:
        return self._finder.locate(id)

    def _paths(self, ids: Sequence[str]) -> list[Path]:
        return [self._finder.locate(id) for id in ids]


def _opening(one: Opening) -> Json:
    return {"query": one.query, "path": one.path, "weight": round(one.weight, 3), "last": one.last}
