"""What may the page ask of Python? One frozen record a message; anything else is refused.

The same set travels over both transports: as JSON text through the script-message bridge inside a
WKWebView, and as the body of an HTTP request in a browser window.

    {"name": "search", "query": "tax return", "limit": 20, "sequence": 7}

becomes Search(query="tax return", limit=20, sequence=7) in `wire`, which refuses what is not here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Message:
    """One question or command of the page."""

    name: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Search(Message):
    """Find documents; a newer search supersedes an older one that still runs."""

    name: ClassVar[str] = "search"
    query: str
    limit: int = 20
    mode: str = ""  # empty: the mode of the settings
    filters: Mapping[str, str] = field(default_factory=dict)  # kind, folder, after, before …
    sequence: int = 0  # comes back with the answer, so that the page drops late ones
    typing: bool = True  # the last word may be unfinished
    ignore_chips: tuple[str, ...] = ()  # what was read as a filter and is a word after all
    stage: str = ""  # "words": answer without waiting for meaning


@dataclass(frozen=True, slots=True)
class Suggest(Message):
    """What might have been meant."""

    name: ClassVar[str] = "suggest"
    query: str
    limit: int = 5


@dataclass(frozen=True, slots=True)
class Complete(Message):
    """How the last word could go on."""

    name: ClassVar[str] = "complete"
    query: str
    limit: int = 8


@dataclass(frozen=True, slots=True)
class Preview(Message):
    """The passage where it lives: text around it, headings, page."""

    name: ClassVar[str] = "preview"
    id: str
    chunk: int = 0
    query: str = ""


@dataclass(frozen=True, slots=True)
class Open(Message):
    """Open with the program the system chooses; `query` lets the opening teach the ranking."""

    name: ClassVar[str] = "open"
    id: str
    query: str = ""
    page: int | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class OpenWith(Message):
    """Open with a named application."""

    name: ClassVar[str] = "open_with"
    id: str
    application: str
    query: str = ""


@dataclass(frozen=True, slots=True)
class Applications(Message):
    """Which applications can open it."""

    name: ClassVar[str] = "applications"
    id: str


@dataclass(frozen=True, slots=True)
class Reveal(Message):
    """Show it in its folder."""

    name: ClassVar[str] = "reveal"
    id: str
    query: str = ""


@dataclass(frozen=True, slots=True)
class QuickLook(Message):
    """Show or put away the system's preview of these documents."""

    name: ClassVar[str] = "quick_look"
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Drag(Message):
    """The mouse drags this row out of the window."""

    name: ClassVar[str] = "drag"
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CopyPath(Message):
    """Put the paths on the clipboard, one a line."""

    name: ClassVar[str] = "copy_path"
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CopyPassage(Message):
    """Put the passage's text on the clipboard."""

    name: ClassVar[str] = "copy_passage"
    id: str
    chunk: int = 0


@dataclass(frozen=True, slots=True)
class ContextPack(Message):
    """Put the best passages with their sources on the clipboard, for a question to an assistant."""

    name: ClassVar[str] = "context_pack"
    query: str
    ids: tuple[str, ...] = ()
    chunks: tuple[int, ...] = ()
    budget: int = 0  # word pieces at most; 0: the engine's own measure


@dataclass(frozen=True, slots=True)
class Similar(Message):
    """Documents close to this one."""

    name: ClassVar[str] = "similar"
    id: str
    limit: int = 20


@dataclass(frozen=True, slots=True)
class Explain(Message):
    """Why is this document in the answer, where it is?"""

    name: ClassVar[str] = "explain"
    query: str
    id: str


@dataclass(frozen=True, slots=True)
class ExcludeFolder(Message):
    """Leave this document's folder out of the index from now on."""

    name: ClassVar[str] = "exclude_folder"
    id: str


@dataclass(frozen=True, slots=True)
class Pin(Message):
    """Keep this document on top for this query, or no longer."""

    name: ClassVar[str] = "pin"
    query: str
    id: str
    pinned: bool = True


@dataclass(frozen=True, slots=True)
class Recent(Message):
    """Recent searches and often opened files, for the empty field."""

    name: ClassVar[str] = "recent"
    limit: int = 8


@dataclass(frozen=True, slots=True)
class Opened(Message):
    """The page itself opened or used a document: learn from it."""

    name: ClassVar[str] = "opened"
    query: str
    id: str


@dataclass(frozen=True, slots=True)
class Learned(Message):
    """What the openings have taught, as rows one can read."""

    name: ClassVar[str] = "learned"
    limit: int = 100


@dataclass(frozen=True, slots=True)
class Forget(Message):
    """Forget what was learned and the recent searches: of one query, or all."""

    name: ClassVar[str] = "forget"
    query: str = ""


@dataclass(frozen=True, slots=True)
class Status(Message):
    """State, progress and numbers, for the status line."""

    name: ClassVar[str] = "status"


@dataclass(frozen=True, slots=True)
class Coverage(Message):
    """Which files are searchable and which are not, with the reasons."""

    name: ClassVar[str] = "coverage"
    state: str = ""
    reason: str = ""
    folder: str = ""
    limit: int = 100
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Retry(Message):
    """Read these files once more; none named: all that failed."""

    name: ClassVar[str] = "retry"
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IncludeAnyway(Message):
    """Take in a file that a rule keeps out."""

    name: ClassVar[str] = "include_anyway"
    path: str


@dataclass(frozen=True, slots=True)
class Repair(Message):
    """Mend a damaged index; the service is away for a moment."""

    name: ClassVar[str] = "repair"


@dataclass(frozen=True, slots=True)
class RootsList(Message):
    """The folders that are searched, with state and counts."""

    name: ClassVar[str] = "roots_list"


@dataclass(frozen=True, slots=True)
class RootsPick(Message):
    """Let the person choose folders in the system's own dialog."""

    name: ClassVar[str] = "roots_pick"


@dataclass(frozen=True, slots=True)
class RootsAdd(Message):
    """Search this folder too (dropped on the window, or typed)."""

    name: ClassVar[str] = "roots_add"
    path: str


@dataclass(frozen=True, slots=True)
class RootsRemove(Message):
    """Search this folder no longer, and forget its files."""

    name: ClassVar[str] = "roots_remove"
    path: str


@dataclass(frozen=True, slots=True)
class RootsPause(Message):
    """Stop or resume indexing; an empty path means everywhere."""

    name: ClassVar[str] = "roots_pause"
    path: str = ""
    paused: bool = True


@dataclass(frozen=True, slots=True)
class SettingsGet(Message):
    """All panes with their fields and values."""

    name: ClassVar[str] = "settings_get"


@dataclass(frozen=True, slots=True)
class SettingsSet(Message):
    """Change one setting; it acts at once."""

    name: ClassVar[str] = "settings_set"
    key: str
    value: bool | int | float | str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SettingsDo(Message):
    """Press a button of a settings pane (wipe the index, show my data, open System Settings)."""

    name: ClassVar[str] = "settings_do"
    action: str
    argument: str = ""
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class TokensList(Message):
    """Which programs may ask, and what they may see."""

    name: ClassVar[str] = "tokens_list"


@dataclass(frozen=True, slots=True)
class TokensCreate(Message):
    """Let one more program ask; its token is shown once."""

    name: ClassVar[str] = "tokens_create"
    label: str
    scopes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TokensRevoke(Message):
    """This program may ask no longer."""

    name: ClassVar[str] = "tokens_revoke"
    id: str


@dataclass(frozen=True, slots=True)
class Welcome(Message):
    """The steps of the first run, with what is done already."""

    name: ClassVar[str] = "welcome"
    finished: bool = False


@dataclass(frozen=True, slots=True)
class Hide(Message):
    """Put the window away and give the focus back."""

    name: ClassVar[str] = "hide"


@dataclass(frozen=True, slots=True)
class Resize(Message):
    """The page wants to be this high; its top edge stays."""

    name: ClassVar[str] = "resize"
    height: int


@dataclass(frozen=True, slots=True)
class ShowPage(Message):
    """Open one of our own pages: search, settings, coverage, welcome."""

    name: ClassVar[str] = "show_page"
    page: str


MESSAGES: tuple[type[Message], ...] = (
    Search, Suggest, Complete, Preview, Open, OpenWith, Applications, Reveal, QuickLook, Drag,
    CopyPath, CopyPassage, ContextPack, Similar, Explain, ExcludeFolder, Pin, Recent, Opened,
    Learned, Forget, Status, Coverage, Retry, IncludeAnyway, Repair, RootsList, RootsPick, RootsAdd,
    RootsRemove, RootsPause, SettingsGet, SettingsSet, SettingsDo, TokensList,
    TokensCreate, TokensRevoke, Welcome, Hide, Resize, ShowPage,
)  # fmt: skip

BY_NAME: Mapping[str, type[Message]] = {kind.name: kind for kind in MESSAGES}

# What Python says by itself: {"type": …, fields}.
EVENTS: Mapping[str, str] = {
    "status": "state and progress have changed",
    "changed": "the index has changed: what is shown may be outdated",
    "settings": "a setting has changed: looks may have to follow",
    "shown": "the panel has been called: focus the field, select its text",
    "hidden": "the panel has been put away",
    "query": "search for this (menu, sagasu:// address)",
}
