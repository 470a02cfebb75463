"""How is an error told to a person? One sentence, what to do, and a button when we can do it.

ModelMissingError  →  "Searching by meaning is off: …"  "Words still work."
IndexDamagedError  →  "The index at … is damaged: …"    button "Repair…"
"""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.errors import (
    AlreadyRunningError,
    DiskFullError,
    EngineError,
    FolderMissingError,
    IndexDamagedError,
    IndexLockedError,
    IndexOutdatedError,
    ModelError,
    StoreUnwritableError,
    UnreadableFileError,
)

FULL_DISK_ACCESS = "x-apple.systempreferences:com.apple.preference.security?Privacy_AllFiles"
CLOSED_FOLDER = "macOS keeps it closed: allow Full Disk Access"


@dataclass(frozen=True, slots=True)
class Alert:
    """What an alert shows; `action` names what its first button does, empty: it only closes."""

    title: str
    text: str
    button: str = "OK"
    action: str = ""
    blocking: bool = False  # nothing works until it is dealt with


@dataclass(frozen=True, slots=True)
class _Remedy:
    title: str
    hint: str  # in the words of the desktop; empty: the error's own
    button: str = "OK"
    action: str = ""
    blocking: bool = True


# The engine's hints name commands of a terminal; a person at the menu bar needs a button.
_REMEDIES: Mapping[type[EngineError], _Remedy] = {
    IndexDamagedError: _Remedy(
        "The index is damaged", "Your files are not touched. The index is salvaged, or made anew.",
        "Repair", "repair",
    ),
    IndexLockedError: _Remedy(
        "Another Sagasu uses the index", "Quit the other one, then try again.",
        "Try Again", "retry",
    ),
    IndexOutdatedError: _Remedy(
        "The index is newer than this app", "Update Sagasu.", "Quit", "quit",
    ),
    StoreUnwritableError: _Remedy("Sagasu cannot write its index", ""),
    DiskFullError: _Remedy("The disk is full", "", "Try Again", "retry"),
    ModelError: _Remedy(
        "Searching by meaning is off", "Names and words still work. Installing Sagasu again brings "
        "the model back.", blocking=False,
    ),
    FolderMissingError: _Remedy("The folder is not there", "", blocking=False),
    UnreadableFileError: _Remedy(
        "macOS keeps this folder closed",
        "Allow Sagasu under Privacy & Security › Full Disk Access, then it is read by itself.",
        "Open System Settings", "full_disk_access", blocking=False,
    ),
    AlreadyRunningError: _Remedy("Sagasu is already running", "", "OK", "", blocking=True),
}  # fmt: skip


def describe_problem(error: EngineError) -> Alert:
    """The alert for `error`: that of its own class, or of the nearest one above it."""
    for kind in type(error).__mro__:
        remedy = _REMEDIES.get(kind)
        if remedy is not None:
            text = f"{_sentence(str(error))} {remedy.hint or error.advice}".strip()
            return Alert(remedy.title, text, remedy.button, remedy.action, remedy.blocking)
    return Alert("That did not work", f"{_sentence(str(error))} {error.advice}".strip())


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
