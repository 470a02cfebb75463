"""Who answers the page? The desk: one function a message, the same over both transports.

A message comes in as JSON text, goes to the engine, the desktop or the window, and its answer goes
back as JSON text. Everything here runs off the main thread.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from app import messages as m
from app.bridge import Bridge, Ticket
from app.frecency import reorder
from app.memory import Memory
from app.office import Office
from app.ports import Desktop, Finder, Window
from app.preferences import HIDE_ON_OPEN, LEARN_OPENS, RECENT_KEPT
from app.shapes import show_answer, show_explanation, show_learned, show_opened_file
from app.wire import SUPERSEDED, Json, answer_text, parse_text, refusal_text
from engine.errors import EngineError, NotFoundError

Answer = Callable[[Any, Ticket], Json]


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
        self._answers: Mapping[type[m.Message], Answer] = {
            m.Search: self._search,
            m.Similar: self._similar,
            m.Suggest: lambda ask, _: {"suggestions": finder.suggest(ask.query, ask.limit)},
            m.Complete: lambda ask, _: {"completions": finder.complete(ask.query, ask.limit)},
            m.Preview: lambda ask, _: finder.preview(ask.id, ask.chunk, ask.query),
            m.Explain: lambda ask, _: show_explanation(finder.explain(ask.query, ask.id)),
            m.Open: self._open,
            m.OpenWith: self._open_with,
            m.Applications: lambda ask, _: {
                "applications": desktop.applications(self._path(ask.id))
            },
            m.Reveal: self._reveal,
            m.QuickLook: lambda ask, _: window.quick_look(self._paths(ask.ids)),
            m.Drag: lambda ask, _: window.drag(self._paths(ask.ids)),
            m.CopyPath: self._copy_path,
            m.CopyPassage: self._copy_passage,
            m.ContextPack: self._copy_pack,
            m.Recent: self._recent,
            m.Opened: lambda ask, _: self._learn(ask.query, self._path(ask.id)),
            m.Learned: lambda ask, _: show_learned(memory.openings.rows(ask.limit)),
            m.Forget: self._forget,
            m.ExcludeFolder: lambda ask, _: office.exclude_folder(self._path(ask.id)),
            m.Hide: lambda ask, _: window.hide(),
            m.Resize: lambda ask, _: window.resize(ask.height),
            m.ShowPage: lambda ask, _: window.show_page(ask.page),
        }

    def handle(self, message: m.Message, ticket: Ticket) -> Json:
        """The answer to one message."""
        answer = self._answers.get(type(message))
        if answer is not None:
            return answer(message, ticket)
        return self._office.handle(message)

    def perform(self, message: m.Message) -> Json:
        """The same for a click in the menu: nobody overtakes it."""
        return self.handle(message, Ticket())

    def reveal_folder(self, path: Path) -> None:
        """Shows a searched folder in the file manager."""
        self._desktop.reveal(path)

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
            lane=find_lane(message),
            ends=find_ended(message),
            dropped=lambda: reply(SUPERSEDED),
        )

    def _search(self, ask: m.Search, ticket: Ticket) -> Json:
        answer = self._finder.search(ask, ticket)
        lifts: Mapping[str, float] = {}
        if self._memory.preferences.flag(LEARN_OPENS):
            lifts = self._memory.openings.boosts(ask.query)
        rows = reorder([(one.path, one.score, one) for one in answer.results], lifts)
        return {**show_answer(answer, rows, ask.sequence), "coverage": self._office.numbers()}

    def _similar(self, ask: m.Similar, ticket: Ticket) -> Json:
        answer = self._finder.similar(ask.id, ask.limit)
        return show_answer(answer, [(0.0, one) for one in answer.results], 0)

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
            self._finder.opened(str(path))

    def _copy_path(self, ask: m.CopyPath, ticket: Ticket) -> Json:
        paths = self._paths(ask.ids)
        self._desktop.copy_files(paths)
        return {"text": "\n".join(map(str, paths)), "copied": True}

    def _copy_passage(self, ask: m.CopyPassage, ticket: Ticket) -> Json:
        text = self._finder.passage(ask.id, ask.chunk)
        self._desktop.copy_text(text)
        return {"text": text, "copied": True}

    def _copy_pack(self, ask: m.ContextPack, ticket: Ticket) -> Json:
        pack = self._finder.pack(ask.query, ask.ids, ask.chunks, ask.budget)
        self._desktop.copy_text(pack.markdown)
        return {"markdown": pack.markdown, "tokens": pack.tokens, "copied": True}

    def _recent(self, ask: m.Recent, ticket: Ticket) -> Json:
        openings = self._memory.openings.frequent(2 * ask.limit)
        there = [(path, weight) for path, weight in openings if self._is_known(path)]
        files = [
            show_opened_file(path, weight, rank)
            for rank, (path, weight) in enumerate(there[: ask.limit], start=1)
        ]
        return {"searches": self._memory.recent.queries()[: ask.limit], "files": files}

    def _is_known(self, path: str) -> bool:
        try:
            self._finder.locate(path)
        except NotFoundError:
            return False
        return True

    def _forget(self, ask: m.Forget, ticket: Ticket) -> Json:
        self._memory.recent.forget(ask.query)
        return {"forgotten": self._memory.openings.forget(ask.query)}

    def _path(self, id: str) -> Path:
        return self._finder.locate(id)

    def _paths(self, ids: Sequence[str]) -> list[Path]:
        return [self._finder.locate(id) for id in ids]


def find_lane(message: m.Message) -> str:
    """The lane in which a newer message of the same kind overtakes this one; empty: none."""
    match message:
        case m.Search():
            return f"search {message.stage}"
        case m.Complete() | m.Suggest() | m.Preview():
            return message.name
    return ""


def find_ended(message: m.Message) -> tuple[str, ...]:
    """The other lanes whose work nobody waits for any more once this message has come."""
    new_question = isinstance(message, m.Search) and message.stage == "words"
    return ("search full",) if new_question else ()
