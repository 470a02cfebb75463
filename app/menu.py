"""What does the menu show? The whole menu as data, made from the state; `mac/status_item` draws it.

Search… · status line · ─ · Folders ▸ · Recent Searches ▸ · Coverage… · Pause · ─ ·
Settings… · Launch at Login · Welcome… · ─ · Quit
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath

from app.messages import Message, RootsPause, RootsPick, RootsRemove, SettingsDo, ShowPage
from app.state import AppState, Folder, Phase, say_files, status_line

MOST_RECENT = 10
LONGEST_TITLE = 60


class Command(StrEnum):
    """What a click asks for."""

    SEARCH = "search"  # the argument is the query, may be empty
    ADD_FOLDER = "add_folder"
    PAUSE_FOLDER = "pause_folder"
    RESUME_FOLDER = "resume_folder"
    REMOVE_FOLDER = "remove_folder"
    REVEAL_FOLDER = "reveal_folder"
    PAUSE = "pause"
    RESUME = "resume"
    FORGET_RECENT = "forget_recent"
    COVERAGE = "coverage"
    SETTINGS = "settings"
    WELCOME = "welcome"
    LAUNCH_AT_LOGIN = "launch_at_login"
    EXPLAIN_PROBLEM = "explain_problem"
    QUIT = "quit"


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the menu; without a command and children it only informs."""

    title: str
    command: Command | None = None
    argument: str = ""
    checked: bool = False
    key: str = ""  # with ⌘; shown, and works while the menu is open
    hint: str = ""  # shown when the mouse rests on it
    children: tuple["Item | None", ...] = ()  # None is a separator

    @property
    def enabled(self) -> bool:
        """Can it be clicked or opened?"""
        return self.command is not None or bool(self.children)


Menu = tuple[Item | None, ...]


def build_menu(
    state: AppState, *, hotkey: str, recent: Sequence[str] = (), launch_at_login: bool = False
) -> Menu:
    """The menu for this state, top to bottom; None stands for a separator."""
    return (
        Item(f"Search…   {hotkey}".rstrip(), Command.SEARCH),
        *_status_items(state),
        None,
        Item("Folders", children=_folder_items(state.folders)),
        *([Item("Recent Searches", children=_recent_items(recent))] if recent else []),
        Item("Coverage…", Command.COVERAGE, hint="Which files are searchable, and which are not"),
        *_pause_items(state),
        None,
        Item("Settings…", Command.SETTINGS, key=","),
        Item("Launch at Login", Command.LAUNCH_AT_LOGIN, checked=launch_at_login),
        Item("Welcome…", Command.WELCOME),
        None,
        Item("Quit Sagasu", Command.QUIT, key="q"),
    )


def find_message(command: Command, argument: str) -> Message | None:
    """The message that does what a click asks for; None when only the shell can do it."""
    match command:
        case Command.PAUSE_FOLDER | Command.RESUME_FOLDER:
            return RootsPause(argument, command is Command.PAUSE_FOLDER)
        case Command.PAUSE | Command.RESUME:
            return RootsPause("", command is Command.PAUSE)
        case Command.REMOVE_FOLDER:
            return RootsRemove(argument)
        case Command.FORGET_RECENT:
            return SettingsDo("forget_recent")
        case Command.ADD_FOLDER:
            return RootsPick()
        case Command.COVERAGE | Command.SETTINGS | Command.WELCOME:
            return ShowPage(command.value)
    return None


def _status_items(state: AppState) -> list[Item]:
    problem = state.phase is Phase.PROBLEM
    line = _shorten(status_line(state))
    items = [Item(line, Command.EXPLAIN_PROBLEM if problem else None, hint=state.hint)]
    if state.meaning_off:
        items.append(
            Item("Searching by meaning is off", Command.EXPLAIN_PROBLEM, hint=state.meaning_off)
        )
    # What stops everything stands in the status line already.
    items += [
        Item(_shorten(f"⚠︎ {short_paths(one)}"), hint=one)
        for one in state.problems
        if one != state.problem
    ]
    return items


def _folder_items(folders: Sequence[Folder]) -> tuple[Item | None, ...]:
    names = _tell_apart([folder.path for folder in folders])
    rows: list[Item | None] = [
        _folder_item(folder, name) for folder, name in zip(folders, names, strict=True)
    ]
    if rows:
        rows.append(None)
    rows.append(Item("Add Folder…", Command.ADD_FOLDER, key="o"))
    return tuple(rows)


def _folder_item(folder: Folder, name: str) -> Item:
    about = folder.problem or say_files(folder.files)
    if folder.paused and not folder.problem:
        about += ", paused"
    toggle = (
        Item("Resume", Command.RESUME_FOLDER, folder.path)
        if folder.paused
        else Item("Pause", Command.PAUSE_FOLDER, folder.path)
    )
    return Item(
        _shorten(f"⚠︎ {name}" if folder.problem else name),
        hint=folder.path,
        children=(
            Item(_shorten(about)),
            None,
            Item("Show in Finder", Command.REVEAL_FOLDER, folder.path),
            toggle,
            Item("Remove…", Command.REMOVE_FOLDER, folder.path),
        ),
    )


def _recent_items(recent: Sequence[str]) -> tuple[Item | None, ...]:
    rows: list[Item | None] = [
        Item(_shorten(query), Command.SEARCH, query) for query in recent[:MOST_RECENT]
    ]
    return (*rows, None, Item("Clear", Command.FORGET_RECENT))


def _pause_items(state: AppState) -> list[Item]:
    if state.phase is Phase.PAUSED:
        return [Item("Resume Indexing", Command.RESUME)]
    if state.phase in (Phase.IDLE, Phase.INDEXING) and state.folders:
        return [Item("Pause Indexing", Command.PAUSE)]
    return []


def _tell_apart(paths: Sequence[str]) -> list[str]:
    """The folders' names; where two are the same, with the folder above."""
    names = [PurePath(path).name or path for path in paths]
    return [
        f"{name} — {_short_home(str(PurePath(path).parent))}" if names.count(name) > 1 else name
        for path, name in zip(paths, names, strict=True)
    ]


def short_paths(text: str) -> str:
    """A sentence with the home folder written as ~, as everywhere else."""
    return text.replace(os.path.expanduser("~") + os.sep, "~/")


def _short_home(path: str) -> str:
    home = os.path.expanduser("~")
    if path == home or path.startswith(home + os.sep):
        return "~" + path[len(home) :]
    return path


def _shorten(text: str) -> str:
    text = " ".join(text.split())
    if len(text) <= LONGEST_TITLE:
        return text
    half = LONGEST_TITLE // 2
    return f"{text[:half].rstrip()}…{text[-half + 1 :].lstrip()}"
