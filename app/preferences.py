"""What has this person chosen for the app? Typed keys with defaults, behind one small port.

The engine's own settings live in config.yaml; here is only what the desktop needs: hotkey, looks,
start at login. On a Mac the values are kept in NSUserDefaults, elsewhere in preferences.json.
"""

import json
import logging
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from app.hotkeys import parse_hotkey
from engine.errors import InvalidValueError, StoreUnwritableError

log = logging.getLogger(__name__)

Value: TypeAlias = bool | int | str


class Backend(Protocol):
    """Where values are kept; None means never set."""

    def read(self, name: str) -> object: ...

    def write(self, name: str, value: Value | None) -> None: ...


@dataclass(frozen=True, slots=True)
class Key:
    """One preference: its name, default (which fixes its type), limits and meaning."""

    name: str
    default: Value
    help: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    check: Callable[[str], object] | None = None  # raises InvalidValueError


HOTKEY = Key("hotkey", "⌥Space", "The keys that show and hide the panel", check=parse_hotkey)
TEXT_SIZE = Key("text_size", "medium", "Size of the text", choices=("small", "medium", "large"))
THEME = Key("theme", "system", "Light, dark, or as the system", choices=("system", "light", "dark"))
LAUNCH_AT_LOGIN = Key("launch_at_login", False, "Start when I log in")
RECENT_KEPT = Key("recent_kept", 20, "Recent searches to remember; 0: none", low=0, high=200)
LEARN_OPENS = Key("learn_opens", True, "What I open for a search rises for it")
HIDE_ON_OPEN = Key("hide_on_open", True, "Put the panel away after opening a file")
SCREEN = Key("screen", "mouse", "Screen on which the panel appears", choices=("mouse", "main"))
NOTIFY = Key("notify", True, "Say when a folder needs attention")
PAUSE_IN_LOW_POWER = Key("pause_in_low_power", True, "Rest while the Mac saves power")
FIRST_RUN_DONE = Key("first_run_done", False, "The welcome has been seen")

KEYS: tuple[Key, ...] = (
    HOTKEY, TEXT_SIZE, THEME, LAUNCH_AT_LOGIN, RECENT_KEPT, LEARN_OPENS, HIDE_ON_OPEN, SCREEN,
    NOTIFY, PAUSE_IN_LOW_POWER, FIRST_RUN_DONE,
)  # fmt: skip

BY_NAME: Mapping[str, Key] = {key.name: key for key in KEYS}


def check_value(key: Key, value: object) -> Value:
    """`value` if it is possible for `key`; InvalidValueError when not."""
    kind = type(key.default)
    if type(value) is not kind:
        wanted = {bool: "true or false", int: "a whole number", str: "text"}[kind]
        raise InvalidValueError(name=key.name, problem=f"{value!r} is not {wanted}", fix=key.help)
    if key.choices and value not in key.choices:
        fix = f"Choose one of: {', '.join(key.choices)}."
        raise InvalidValueError(name=key.name, problem=f"{value!r} is not possible", fix=fix)
    if kind is int and isinstance(value, int) and not key.low <= value <= key.high:
        fix = f"Give a number from {key.low} to {key.high}."
        raise InvalidValueError(name=key.name, problem=f"{value} is out of range", fix=fix)
    if key.check is not None and isinstance(value, str):
        key.check(value)
    assert isinstance(value, bool | int | str)
    return value


class Preferences:
    """The chosen values; a kept value that is no longer possible counts as not set."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._listeners: list[Callable[[Key, Value], None]] = []

    def listen(self, listener: Callable[[Key, Value], None]) -> None:
        """Calls `listener` after every change."""
        self._listeners.append(listener)

    def value(self, key: Key) -> Value:
        """The chosen value, or the default."""
        kept = self._backend.read(key.name)
        if kept is None:
            return key.default
        try:
            return check_value(key, kept)
        except InvalidValueError:
            return key.default

    def flag(self, key: Key) -> bool:
        """The value of a yes-or-no key."""
        return bool(self.value(key))

    def text(self, key: Key) -> str:
        """The value of a text key."""
        return str(self.value(key))

    def number(self, key: Key) -> int:
        """The value of a number key."""
        return int(self.value(key))

    def choose(self, key: Key, value: object) -> None:
        """Keeps a new value, checked, and tells who listens."""
        checked = check_value(key, value)
        self._backend.write(key.name, checked)
        for listener in tuple(self._listeners):
            listener(key, checked)

    def reset(self, key: Key) -> None:
        """Back to the default."""
        self._backend.write(key.name, None)
        for listener in tuple(self._listeners):
            listener(key, key.default)


class JsonBackend:
    """Values in one JSON file, replaced whole at each change."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, name: str) -> object:
        """The kept value of `name`, or None."""
        return self._load().get(name)

    def write(self, name: str, value: Value | None) -> None:
        """Keeps `value`; None forgets it."""
        values = self._load()
        if value is None:
            values.pop(name, None)
        else:
            values[name] = value
        replace_file(self._path, json.dumps(values, ensure_ascii=False, indent=1))

    def _load(self) -> dict[str, object]:
        try:
            values = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError):
            # A hand-broken file must not keep the app from starting.
            log.warning("%s cannot be read: the defaults are used", self._path)
            return {}
        return values if isinstance(values, dict) else {}


def replace_file(path: Path, text: str) -> None:
    """Writes `text` to `path` so that a reader sees the old or the new file, never half of one."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except OSError as exc:
        problem = exc.strerror or str(exc)
        raise StoreUnwritableError(path=str(path.parent), problem=problem) from exc
