"""Who answers about folders, coverage and settings? The office: the steward's side of the desk."""

import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from app import messages as m
from app import preferences as p
from app.first_run import Facts, find_steps, should_welcome
from app.hotkeys import find_conflict, parse_hotkey
from app.memory import Memory
from app.ports import Desktop, Steward, Tokens, Window
from app.problems import FULL_DISK_ACCESS
from app.settings import PANES
from app.settings.pane import Field, Kind, Source
from app.shapes import show_coverage, show_folders, show_state
from app.state import AppState, Keeper, after_pause
from app.wire import Json
from engine.config import data_folder
from engine.errors import FolderMissingError, InvalidValueError, NotFoundError

ON_MAC = sys.platform == "darwin"


class Office:
    """Answers messages about folders, coverage, settings and the first run."""

    def __init__(
        self,
        steward: Steward,
        tokens: Tokens,
        desktop: Desktop,
        window: Window,
        memory: Memory,
        keeper: Keeper,
        *,
        on_mac: bool = ON_MAC,
        repair: Callable[[], object] = lambda: None,
    ) -> None:
        self._steward = steward
        self._window = window
        self._memory = memory
        self._keeper = keeper
        self._on_mac = on_mac
        self._answers: Mapping[type[m.Message], Callable[[Any], Json]] = {
            m.Status: lambda ask: show_state(keeper.state),
            m.Coverage: lambda ask: show_coverage(steward.coverage(ask), steward.folders()),
            m.Retry: lambda ask: {"queued": steward.retry(ask.paths)},
            m.IncludeAnyway: lambda ask: steward.include(spell_pattern(Path(ask.path))),
            m.Repair: lambda ask: _nothing(repair()),
            m.Pin: lambda ask: steward.pin(ask.query, ask.id, ask.pinned),
            m.RootsList: lambda ask: show_folders(steward.folders()),
            m.RootsPick: self._pick,
            m.RootsAdd: self._add,
            m.RootsRemove: self._remove,
            m.RootsPause: self._pause,
            m.SettingsGet: lambda ask: self._settings(),
            m.SettingsSet: self._set,
            m.SettingsDo: self._do,
            m.TokensList: lambda ask: tokens.listing(),
            m.TokensCreate: lambda ask: {"token": tokens.create(ask.label, ask.scopes)},
            m.TokensRevoke: lambda ask: tokens.revoke(ask.id),
            m.Welcome: self._welcome,
        }
        self._desktop = desktop
        self._buttons: Mapping[str, Callable[[], object]] = {
            "coverage": lambda: window.show_page("coverage"),
            "forget_learned": memory.openings.forget,
            "forget_recent": memory.recent.forget,
            "show_data": self._show_data,
            "full_disk_access": lambda: desktop.open_address(FULL_DISK_ACCESS),
            "wipe_index": self._wipe,
        }

    def handle(self, message: m.Message) -> Json:
        """The answer to one message."""
        answer = self._answers.get(type(message))
        if answer is None:
            raise NotFoundError(what=f"An answer to {message.name}")
        return answer(message)

    def numbers(self) -> Json:
        """How much of what was seen can be found, for an answer that found nothing."""
        state = self._keeper.state
        waiting = state.progress.files_total - state.progress.files_done if state.progress else 0
        total = state.files + state.left_out
        return {"indexed": state.files, "total": total, "waiting": max(0, waiting)}

    def exclude_folder(self, path: Path) -> Json:
        """Leaves the folder of `path` out from now on; the pattern that does it."""
        roots = [Path(folder.path) for folder in self._steward.folders()]
        root = next((one for one in roots if path.is_relative_to(one)), None)
        if root is None or path.parent == root:
            fix = "Remove the folder under Settings › Folders instead."
            raise InvalidValueError(name=str(path.parent), problem="is a searched folder", fix=fix)
        pattern = spell_pattern(path.parent) + "/"
        self._steward.exclude(pattern)
        return {"pattern": pattern}

    def facts(self) -> Facts:
        """What the first run is decided from."""
        preferences = self._memory.preferences
        state: AppState = self._keeper.state
        folders = self._steward.folders()
        return Facts(
            folders=len(folders),
            hotkey=preferences.text(p.HOTKEY) if self._on_mac else "",
            refused=tuple(one.path for one in folders if one.problem),
            meaning_off=state.meaning_off,
            launch_at_login=preferences.flag(p.LAUNCH_AT_LOGIN),
            on_mac=self._on_mac,
        )

    def _pick(self, ask: m.RootsPick) -> Json:
        # The dialog stays open for as long as it takes: what was chosen is told as an event.
        self._window.pick_folders()
        return show_folders(self._steward.folders())

    def _add(self, ask: m.RootsAdd) -> Json:
        path = Path(ask.path).expanduser()
        if not path.is_absolute() or not path.is_dir():
            raise FolderMissingError(path=ask.path)
        self._steward.add_folder(path)
        return show_folders(self._steward.folders())

    def _remove(self, ask: m.RootsRemove) -> Json:
        self._steward.remove_folder(Path(ask.path))
        return show_folders(self._steward.folders())

    def _pause(self, ask: m.RootsPause) -> Json:
        self._steward.pause(Path(ask.path) if ask.path else None, ask.paused)
        if not ask.path:
            self._keeper.change(lambda state: after_pause(state, ask.paused))
        return show_folders(self._steward.folders())

    def _settings(self) -> Json:
        kept = self._steward.settings()
        preferences = self._memory.preferences
        panes: list[Json] = []
        for pane in PANES:
            shown = [one for one in pane.fields if self._on_mac or not one.mac_only]
            if shown:
                fields = [self._field(one, kept) for one in shown]
                panes.append({"name": pane.name, "title": pane.title, "fields": fields})
        return {
            "panes": panes,
            "theme": preferences.text(p.THEME),
            "text_size": preferences.text(p.TEXT_SIZE),
            "hotkey": preferences.text(p.HOTKEY) if self._on_mac else "",
            "hide_on_open": preferences.flag(p.HIDE_ON_OPEN),
        }

    def _field(self, one: Field, kept: Mapping[str, Json]) -> Json:
        button = one.kind is Kind.BUTTON
        shown: dict[str, Json] = {
            "key": one.key, "label": one.label, "kind": one.kind.value, "help": one.help,
            "confirm": one.confirm, "action": one.key if button else "", "press": one.press,
        }  # fmt: skip
        if one.source is Source.APP:
            key = p.BY_NAME[one.key]
            value = self._memory.preferences.value(key)
            shown |= {"value": value, "choices": list(key.choices), "help": one.help or key.help}
            if key.high:
                shown |= {"low": key.low, "high": key.high}
            if one.kind is Kind.HOTKEY:
                shown["help"] = find_conflict(parse_hotkey(str(value))) or one.help
        elif one.source is Source.ENGINE:
            shown["value"] = kept.get(one.key)
        return shown

    def _set(self, ask: m.SettingsSet) -> Json:
        field = _find_field(ask.key)
        if field.source is Source.APP:
            value = ask.value
            if field.kind is Kind.HOTKEY and isinstance(value, str):
                value = str(parse_hotkey(value))  # however it was typed, kept in one spelling
            self._memory.preferences.choose(p.BY_NAME[ask.key], value)
        elif field.source is Source.ENGINE:
            self._steward.configure(ask.key, ask.value)
        else:
            raise InvalidValueError(name=ask.key, problem="has no value to set", fix="")
        return self._field(field, self._steward.settings())

    def _do(self, ask: m.SettingsDo) -> Json:
        field = _find_field(ask.action)
        if field.confirm and not ask.confirmed:
            raise InvalidValueError(name=field.label, problem="needs a yes", fix=field.confirm)
        done = self._buttons.get(ask.action)
        if done is None:
            raise NotFoundError(what=f"The action {ask.action}")
        rows = done()
        return {"text": "", "rows": rows} if isinstance(rows, list) else None

    def _show_data(self) -> list[Json]:
        folder = data_folder()
        files = [path for path in folder.rglob("*") if path.is_file()] if folder.exists() else []
        size = sum(path.stat().st_size for path in files)
        self._desktop.reveal(folder)
        return [
            {"name": "Folder", "value": str(folder)},
            {"name": "Index", "value": f"{size / 1e6:,.1f} MB in {len(files)} files"},
            {"name": "Searched folders", "value": str(len(self._steward.folders()))},
            {"name": "Recent searches", "value": str(len(self._memory.recent.queries()))},
            {"name": "Learned from opening", "value": str(len(self._memory.openings.rows(9999)))},
            {"name": "Sent anywhere", "value": "Nothing, ever"},
        ]

    def _wipe(self) -> None:
        self._steward.wipe()
        self._memory.openings.forget()
        self._memory.recent.forget()

    def _welcome(self, ask: m.Welcome) -> Json:
        preferences = self._memory.preferences
        if ask.finished:
            preferences.choose(p.FIRST_RUN_DONE, True)
        facts = self.facts()
        steps: list[Json] = [
            {"name": one.name, "title": one.title, "text": one.text, "button": one.button,
             "action": one.action, "done": one.done}
            for one in find_steps(facts)
        ]  # fmt: skip
        seen = preferences.flag(p.FIRST_RUN_DONE)
        return {"steps": steps, "hotkey": facts.hotkey, "welcome": should_welcome(facts, seen)}


def _nothing(done: object) -> None:
    """The answer to what is only asked for."""


def spell_pattern(path: Path) -> str:
    """The pattern that means this very place: written from ~ where it can be, signs escaped."""
    home = Path.home()
    inside = path.is_relative_to(home) and path != home
    shown = f"~/{path.relative_to(home).as_posix()}" if inside else path.as_posix()
    return re.sub(r"([*?\[\]\\])", r"\\\1", shown)


def _find_field(key: str) -> Field:
    for pane in PANES:
        for field in pane.fields:
            if field.key == key:
                return field
    raise NotFoundError(what=f"The setting {key}")
