"""What is a settings pane? A title and fields; the page draws them, a change acts at once."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """How a field is shown."""

    TOGGLE = "toggle"
    CHOICE = "choice"
    NUMBER = "number"
    TEXT = "text"
    LIST = "list"
    SLIDER = "slider"
    HOTKEY = "hotkey"
    FOLDERS = "folders"
    TOKENS = "tokens"
    LEARNED = "learned"
    BUTTON = "button"


class Source(StrEnum):
    """Where a field's value is kept."""

    APP = "app"  # preferences.KEYS
    ENGINE = "engine"  # config.yaml
    NONE = "none"  # a button, or a list with its own messages


@dataclass(frozen=True, slots=True)
class Field:
    """One line of a pane."""

    key: str
    label: str
    kind: Kind
    source: Source = Source.NONE
    help: str = ""
    press: str = ""  # what stands on a button: the act alone, the label names the thing
    confirm: str = ""  # a button that cannot be undone asks this first
    mac_only: bool = False


@dataclass(frozen=True, slots=True)
class Pane:
    """One tab of the settings."""

    name: str
    title: str
    fields: tuple[Field, ...]


def app_field(key: str, label: str, kind: Kind, help: str = "", *, mac_only: bool = False) -> Field:
    """A field whose value is one of the app's preferences."""
    return Field(key, label, kind, Source.APP, help, mac_only=mac_only)


def engine_field(key: str, label: str, kind: Kind, help: str = "") -> Field:
    """A field whose value is one of the engine's settings."""
    return Field(key, label, kind, Source.ENGINE, help)


def button(
    action: str,
    label: str,
    press: str,
    help: str = "",
    *,
    confirm: str = "",
    mac_only: bool = False,
) -> Field:
    """A button; the page sends settings_do with its action."""
    return Field(
        action, label, Kind.BUTTON, help=help, press=press, confirm=confirm, mac_only=mac_only
    )
