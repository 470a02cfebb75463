"""Who answers about folders, coverage and settings? The office: the steward's side of the desk."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from app import messages as m
from app import preferences as p
from app.first_run import Facts, find_steps, should_welcome
from app.frecency import Openings
from app.hotkeys import find_conflict, parse_hotkey
from app.ports import Desktop, Steward, Window
from app.preferences import Key, Preferences
from app.problems import FULL_DISK_ACCESS
from app.recent import RecentSearches
from app.settings import PANES
from app.settings.pane import Field, Kind, Source
from app.wire import Json
from engine.config import data_folder
from engine.errors import FolderMissingError, InvalidValueError, NotFoundError

ON_MAC = sys.platform == "darwin"


class Office:
    """Answers messages about folders, coverage, settings and the first run."""

    def __init__(
        self,
        steward: Steward,
        desktop: Desktop,
        window: Window,
        preferences: Preferences,
        openings: Openings,
        recent: RecentSearches,
        on_mac: bool = ON_MAC,
    ) -> None:
        self._steward = steward
        self._desktop = desktop
        self._window = window
        self._preferences = preferences
        self._openings = openings
        self._recent = recent
        self._on_mac = on_mac
        self._answers: Mapping[type[m.Message], Callable[[Any], Json]] = {
            m.Status: lambda ask: self._steward.status(),
            m.Coverage: self._steward.coverage,
            m.Retry: lambda ask: {"queued": self._steward.retry(ask.paths)},
            m.IncludeAnyway: lambda ask: self._steward.include(ask.path),
            m.Pin: lambda ask: self._steward.pin(ask.query, ask.id, ask.pinned),
            m.RootsList: lambda ask: self._folders(),
            m.RootsAdd: self._add,
            m.RootsRemove: self._remove,
            m.RootsPause: self._pause,
            m.SettingsGet: lambda ask: self._panes(),
            m.SettingsSet: self._set,
            m.SettingsDo: self._do,
            m.Welcome: self._welcome,
        }
        self._buttons: Mapping[str, Callable[[], object]] = {
            "coverage": lambda: self._window.show_page("coverage"),
            "forget_learned": self._openings.forget,
            "forget_recent": self._recent.forget,
            "show_data": lambda: self._desktop.reveal(data_folder()),
            "full_disk_access": lambda: self._desktop.open_address(FULL_DISK_ACCESS),
            "wipe_index": self._wipe,
        }

    def handle(self, message: m.Message) -> Json:
        """The answer to one message."""
        answer = self._answers.get(type(message))
        if answer is None:
            raise NotFoundError(what=f"An answer to {message.name}")
        return answer(message)

    def exclude_folder(self, path: Path) -> Json:
        """Leaves the folder of `path` out from now on; the pattern that does it."""
        roots = [Path(folder.path) for folder in self._steward.folders()]
        root = next((one for one in roots if path.is_relative_to(one)), None)
        if root is None or path.parent == root:
            fix = "Remove the folder under Settings › Folders instead."
            raise InvalidValueError(name=str(path.parent), problem="is a searched folder", fix=fix)
        pattern = f"/{path.parent.relative_to(root).as_posix()}/"
        self._steward.exclude(pattern)
        return {"pattern": pattern}

    def _folders(self) -> Json:
        return [
            {"path": one.path, "files": one.files, "paused": one.paused, "problem": one.problem}
            for one in self._steward.folders()
        ]

    def _add(self, ask: m.RootsAdd) -> Json:
        path = Path(ask.path).expanduser()
        if not path.is_absolute() or not path.is_dir():
            raise FolderMissingError(path=ask.path)
        self._steward.add_folder(path)
        return self._folders()

    def _remove(self, ask: m.RootsRemove) -> Json:
        self._steward.remove_folder(Path(ask.path))
        return self._folders()

    def _pause(self, ask: m.RootsPause) -> Json:
        self._steward.pause(Path(ask.path) if ask.path else None, ask.paused)
        return self._folders()

    def _panes(self) -> Json:
        kept = self._steward.settings()
        return [
            {
                "name": pane.name,
                "title": pane.title,
                "fields": [
                    self._field(one, kept)
                    for one in pane.fields
                    if self._on_mac or not one.mac_only
                ],
            }
            for pane in PANES
        ]

    def _field(self, one: Field, kept: Mapping[str, Json]) -> Json:
        shown: dict[str, Json] = {
            "key": one.key, "title": one.title, "kind": one.kind.value, "source": one.source.value,
            "help": one.help, "choices": list(one.choices), "confirm": one.confirm,
        }  # fmt: skip
        if one.source is Source.APP:
            key = p.BY_NAME[one.key]
            value = self._preferences.value(key)
            shown |= {"value": value, "default": key.default, "help": one.help or key.help}
            shown |= {"choices": list(key.choices), "low": key.low, "high": key.high}
            if one.kind is Kind.SHORTCUT:
                shown["warning"] = find_conflict(parse_hotkey(str(value)))
        elif one.source is Source.ENGINE:
            shown["value"] = kept.get(one.key)
        return shown

    def _set(self, ask: m.SettingsSet) -> Json:
        field = _find_field(ask.key)
        if field.source is Source.APP:
            self._choose(p.BY_NAME[ask.key], ask.value)
        elif field.source is Source.ENGINE:
            self._steward.configure(ask.key, ask.value)
        else:
            raise InvalidValueError(name=ask.key, problem="has no value to set", fix="")
        return self._field(field, self._steward.settings())

    def _choose(self, key: Key, value: object) -> None:
        if key is p.HOTKEY and isinstance(value, str):
            value = str(parse_hotkey(value))
        self._preferences.choose(key, value)

    def _do(self, ask: m.SettingsDo) -> Json:
        field = _find_field(ask.action)
        if field.confirm and not ask.confirmed:
            raise InvalidValueError(name=field.title, problem="needs a yes", fix=field.confirm)
        done = self._buttons.get(ask.action)
        if done is None:
            raise NotFoundError(what=f"The action {ask.action}")
        done()
        return {"done": ask.action}

    def _wipe(self) -> None:
        self._steward.wipe()
        self._openings.forget()
        self._recent.forget()

    def _welcome(self, ask: m.Welcome) -> Json:
        if ask.finished:
            self._preferences.choose(p.FIRST_RUN_DONE, True)
        facts = self.facts()
        steps: list[Json] = [
            {"name": one.name, "title": one.title, "text": one.text, "button": one.button,
             "action": one.action, "done": one.done}
            for one in find_steps(facts)
        ]  # fmt: skip
        seen = self._preferences.flag(p.FIRST_RUN_DONE)
        return {"steps": steps, "welcome": should_welcome(facts, seen), "hotkey": facts.hotkey}

    def facts(self) -> Facts:
        """What the first run is decided from."""
        folders = self._steward.folders()
        status = self._steward.status()
        off = status.get("meaning_off") if isinstance(status, Mapping) else ""
        return Facts(
            folders=len(folders),
            hotkey=self._preferences.text(p.HOTKEY),
            refused=tuple(one.path for one in folders if one.problem),
            meaning_off=str(off or ""),
            launch_at_login=self._preferences.flag(p.LAUNCH_AT_LOGIN),
            on_mac=self._on_mac,
        )


def _find_field(key: str) -> Field:
    for pane in PANES:
        for field in pane.fields:
            if field.key == key:
                return field
    raise NotFoundError(what=f"The setting {key}")
