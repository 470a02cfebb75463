"""The menu: 1 its order; 2 folders can be paused, resumed, removed and added to; 3 equal names are
told apart; 4 recent searches and pausing appear only when they make sense; 5 problems can be
clicked, plain status cannot; 6 long titles keep both ends; 7 every command is offered somewhere.
"""

from dataclasses import replace

from app.menu import LONGEST_TITLE, Command, Item, Menu, build_menu
from app.state import AppState, Folder, Phase

FOLDERS = (Folder("/home/ada/Documents", files=12), Folder("/home/ada/Notes", paused=True))
IDLE = AppState(phase=Phase.IDLE, folders=FOLDERS, files=12)


def flatten(menu: Menu) -> list[Item]:
    return [one for item in menu if item is not None for one in (item, *flatten(item.children))]


def titles(menu: Menu) -> list[str]:
    return [item.title if item else "-" for item in menu]


def find(menu: Menu, title: str) -> Item:
    return next(item for item in flatten(menu) if item.title == title)


def test_order_from_search_to_quit() -> None:
    assert titles(build_menu(IDLE, hotkey="⌥Space", recent=["tax"])) == [
        "Search…   ⌥Space", "12 files · up to date", "-", "Folders", "Recent Searches",
        "Coverage…", "Pause Indexing", "-", "Settings…", "Launch at Login", "Welcome…", "-",
        "Quit Sagasu",
    ]  # fmt: skip


def test_folder_can_be_paused_resumed_and_removed() -> None:
    folders = find(build_menu(IDLE, hotkey=""), "Folders").children
    assert titles(folders) == ["Documents", "Notes", "-", "Add Folder…"]
    documents, notes = folders[0], folders[1]
    assert documents is not None
    assert notes is not None
    assert titles(documents.children) == ["12 files", "-", "Show in Finder", "Pause", "Remove…"]
    assert find(notes.children, "Resume").command is Command.RESUME_FOLDER
    assert find(documents.children, "Remove…").argument == "/home/ada/Documents"


def test_equal_names_are_told_apart() -> None:
    twins = (Folder("/a/Notes"), Folder("/b/Notes"))
    menu = build_menu(replace(IDLE, folders=twins), hotkey="")
    assert titles(find(menu, "Folders").children)[:2] == ["Notes — /a", "Notes — /b"]


def test_refused_folder_says_so() -> None:
    closed = (Folder("/home/ada/Mail", problem="macOS keeps it closed"),)
    menu = build_menu(replace(IDLE, folders=closed), hotkey="")
    assert titles(find(menu, "⚠︎ Mail").children)[0] == "macOS keeps it closed"


def test_without_folders_nothing_to_pause_and_nothing_recent() -> None:
    menu = build_menu(AppState(phase=Phase.IDLE), hotkey="⌥Space")
    assert "Pause Indexing" not in titles(menu)
    assert "Recent Searches" not in titles(menu)
    assert titles(find(menu, "Folders").children) == ["Add Folder…"]


def test_paused_offers_resuming() -> None:
    menu = build_menu(replace(IDLE, phase=Phase.PAUSED), hotkey="")
    assert find(menu, "Resume Indexing").command is Command.RESUME


def test_status_cannot_be_clicked_and_a_problem_can() -> None:
    assert not find(build_menu(IDLE, hotkey=""), "12 files · up to date").enabled
    broken = replace(
        IDLE, phase=Phase.PROBLEM, problem="The disk is full.", hint="Free some space."
    )
    item = find(build_menu(broken, hotkey=""), "The disk is full.")
    assert (item.command, item.hint) == (Command.EXPLAIN_PROBLEM, "Free some space.")


def test_missing_meaning_is_said_aloud() -> None:
    menu = build_menu(replace(IDLE, meaning_off="no model"), hotkey="")
    assert find(menu, "Searching by meaning is off").hint == "no model"


def test_long_titles_keep_both_ends() -> None:
    query = "begin " + "x" * 200 + " end"
    title = find(build_menu(IDLE, hotkey="", recent=[query]), "Recent Searches").children[0]
    assert title is not None
    assert title.title.startswith("begin ")
    assert title.title.endswith(" end")
    assert len(title.title) <= LONGEST_TITLE
    assert title.argument == query


def test_every_command_is_offered_in_some_state() -> None:
    states = [
        IDLE,
        replace(IDLE, phase=Phase.PAUSED),
        replace(IDLE, phase=Phase.PROBLEM, problem="broken"),
    ]
    offered = {
        item.command
        for state in states
        for item in flatten(build_menu(state, hotkey="", recent=["a"]))
    }
    assert offered - {None} == set(Command)


def test_problems_stand_below_the_status_line_with_the_whole_sentence_as_hint() -> None:
    away = "/Volumes/Archive is not there now; what was indexed of it is kept."
    menu = build_menu(replace(IDLE, problems=(away,)), hotkey="")
    item = menu[2]
    assert item is not None
    assert item.title.startswith("⚠︎ /Volumes/Archive is not")
    assert len(item.title) <= LONGEST_TITLE
    assert item.hint == away


def test_one_file_is_not_files() -> None:
    menu = build_menu(replace(IDLE, files=1, folders=(Folder("/a", files=1),)), hotkey="")
    assert find(menu, "1 file · up to date").command is None
    assert find(menu, "1 file")
