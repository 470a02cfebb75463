"""What holds the Mac parts together? The shell: menu, panel, pages, shortcut, and the Window port.

It decides nothing: clicks become messages for the desk, the state becomes a menu, and the page is
told what happened. Methods of the Window port may be called from any thread; the rest is main only.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from app import preferences as p
from app.bridge import Bridge
from app.desk import Desk
from app.hotkeys import parse_hotkey
from app.mac import alerts, apple_events, login_item
from app.mac.drag import SagasuDragSource, begin_drag
from app.mac.edit_menu import install_edit_menu
from app.mac.folder_picker import pick_folders
from app.mac.hotkey import GlobalHotkey
from app.mac.main_thread import on_main
from app.mac.notify import notify
from app.mac.observe import Observer, is_low_power
from app.mac.page_window import PageWindow
from app.mac.panel import Panel
from app.mac.quick_look import toggle_quick_look
from app.mac.status_item import StatusItem
from app.mac.webview import Page
from app.memory import Memory
from app.menu import Command, build_menu, find_message
from app.messages import Message, RootsAdd
from app.problems import CLOSED_FOLDER, Alert, describe_problem
from app.shapes import show_state
from app.state import AppState, Keeper, Phase
from app.urls import parse_url
from app.wire import Json, answer_text, is_hide
from engine.errors import EngineError, UnreadableFileError

log = logging.getLogger(__name__)

TITLES: Mapping[str, str] = {
    "settings": "Sagasu Settings",
    "coverage": "Coverage",
    "welcome": "Welcome to Sagasu",
}


@dataclass(frozen=True, slots=True)
class Hooks:
    """What the shell calls when the world around it changes."""

    started: Callable[[], None]
    asleep: Callable[[], None]
    awake: Callable[[], None]
    saving_power: Callable[[bool], None]
    repair: Callable[[str], None]  # an alert's button: repair, retry, full_disk_access, quit
    stopped: Callable[[], None]


class Shell:
    """The app on a Mac."""

    def __init__(
        self, resources: Path, memory: Memory, keeper: Keeper, *, carbon: object = None
    ) -> None:
        self._resources = resources
        self._memory = memory
        self._keeper = keeper
        self._carbon = carbon
        self._desk: Desk | None = None
        self._closed_folders: set[str] = set()
        self._showing = False  # a look at the state waits on the main thread
        self._windows: dict[str, tuple[PageWindow, Page]] = {}
        self.bridge = Bridge(on_main)
        icon = str(resources / "icons" / "menubarTemplate.png")
        self._status = StatusItem(icon, self.choose)
        self._observer = Observer()

    def run(self, desk: Desk, hooks: Hooks) -> None:
        """Shows the icon and runs until the person quits."""
        self._desk, self._hooks = desk, hooks
        self._status.run(self._start, self._stop)

    def _start(self) -> None:
        install_edit_menu()
        preferences = self._memory.preferences
        self._panel = Panel(lambda: preferences.text(p.SCREEN))
        self._page = self._make_page("index.html")
        self._panel.hold(self._page.view)  # loaded now, hidden: the first call finds it warm
        self._drag_source = SagasuDragSource.alloc().init()
        self._events = apple_events.SagasuEvents.alloc().initWithOpen_reopen_(
            self.open_address, self.show_search
        )
        apple_events.listen_for_addresses(self._events)
        on_main(lambda: apple_events.listen_for_reopen(self._events))
        self._hotkey = GlobalHotkey(self.toggle, self._carbon)
        self._use_hotkey(preferences.text(p.HOTKEY))
        preferences.listen(lambda key, value: on_main(lambda: self._chosen(key, value)))
        self._observer.on_sleep(self._hooks.asleep)
        self._observer.on_wake(self._hooks.awake)
        self._observer.on_power_change(lambda: self._hooks.saving_power(is_low_power()))
        self._observer.on_menu(
            lambda: self._hotkey.suspend(True), lambda: self._hotkey.suspend(False)
        )
        self._keeper.listen(self._state_changed)
        self._hooks.started()

    def _stop(self) -> None:
        self._observer.close()
        self._hotkey.unregister()
        self.bridge.close(wait=False)
        self._hooks.stopped()

    def quit(self) -> None:
        """Ends the app."""
        self._status.quit()

    # What the person does

    def toggle(self) -> None:
        """The shortcut: shows the panel, or puts it away."""
        if self._panel.visible:
            self._hide()
        else:
            self.show_search()

    def show_search(self, query: str = "") -> None:
        """Shows the panel, with a query when there is one."""
        self._panel.show()
        self._page.announce("shown", {})
        if query:
            self._page.announce("query", {"query": query})

    def open_address(self, address: str) -> None:
        """Follows a sagasu:// address."""
        try:
            command = parse_url(address)
        except EngineError as exc:
            alerts.show_alert(describe_problem(exc))
            return
        self.show_page(command.page, command.query)

    def choose(self, command: Command, argument: str) -> None:
        """A click in the menu."""
        if command is Command.SEARCH:
            self.show_search(argument)
        elif command is Command.LAUNCH_AT_LOGIN:
            self._toggle_login()
        elif command is Command.EXPLAIN_PROBLEM:
            self._explain()
        elif command is Command.REVEAL_FOLDER:
            self._ask(lambda desk: desk.reveal_folder(Path(argument)))
        elif command is Command.QUIT:
            self.quit()
        elif command is not Command.REMOVE_FOLDER or self._is_sure(argument):
            message = find_message(command, argument)
            if message is not None:
                self._send(message)

    def add_folders(self, folders: Sequence[Path]) -> None:
        """Folders chosen in the dialog or dropped on the panel."""
        for folder in folders:
            self._send(RootsAdd(str(folder)))

    # The Window port: from any thread

    def hide(self) -> None:
        """Puts the panel away."""
        on_main(self._hide)

    def resize(self, height: int) -> None:
        """Gives the panel another height."""
        on_main(lambda: self._panel.resize(height))

    def show_page(self, page: str, query: str = "") -> None:
        """Shows the panel, or one of the other pages in its window."""
        on_main(lambda: self._show_page(page, query))

    def pick_folders(self) -> None:
        """Shows the dialog; what is chosen is added."""
        on_main(lambda: pick_folders(self.add_folders))

    def quick_look(self, paths: Sequence[Path]) -> None:
        """Shows the system's preview, or puts it away."""
        on_main(lambda: toggle_quick_look(self._panel.window.quick_look, paths))

    def drag(self, paths: Sequence[Path]) -> None:
        """Lets the mouse carry these files out of the window."""
        on_main(lambda: begin_drag(self._page.view, self._drag_source, paths))

    def tell(self, alert: Alert, topic: str) -> None:
        """Says something that can wait, as a notification."""
        if self._memory.preferences.flag(p.NOTIFY):
            on_main(lambda: _notify(alert, topic))

    # On the main thread

    def _hide(self) -> None:
        self._panel.hide()
        self._page.announce("hidden", {})

    def _show_page(self, page: str, query: str) -> None:
        if page not in TITLES:
            self.show_search(query)
            return
        if page not in self._windows:
            content = self._make_page(f"{page}.html")
            self._windows[page] = (PageWindow(TITLES[page], content.view), content)
        self._windows[page][0].show()

    def _make_page(self, name: str) -> Page:
        def receive(text: str, reply: Callable[[str], None]) -> None:
            self._receive(name.removesuffix(".html"), text, reply)

        return Page(self._resources / "panel", name, receive, self.add_folders)

    def _receive(self, page: str, text: str, reply: Callable[[str], None]) -> None:
        if page in self._windows and is_hide(text):
            # A page in a window of its own means that window, not the panel.
            self._windows[page][0].close()
            reply(answer_text(None))
            return
        assert self._desk is not None
        self._desk.receive(text, reply, self.bridge)

    def _send(self, message: Message) -> None:
        self._ask(lambda desk: desk.perform(message))

    def _ask(self, work: Callable[[Desk], Json]) -> None:
        desk = self._desk
        assert desk is not None
        self.bridge.run(lambda ticket: work(desk), lambda value: self._changed(), self._problem)

    def _changed(self) -> None:
        for page in self._pages():
            page.announce("changed", {})

    def _problem(self, error: EngineError) -> None:
        self._offer(describe_problem(error))

    def _offer(self, alert: Alert) -> None:
        if alerts.show_alert(alert) and alert.action:
            self._hooks.repair(alert.action)

    def _explain(self) -> None:
        state = self._keeper.state
        broken = state.phase is Phase.PROBLEM
        title = "Sagasu has stopped" if broken else "Searching by meaning is off"
        text = f"{state.problem if broken else state.meaning_off} {state.hint}".strip()
        button = ("OK", "")
        if broken:
            button = ("Repair", "repair") if state.remedy == "repair" else ("Try Again", "retry")
        self._offer(Alert(title, text, *button))

    def _is_sure(self, folder: str) -> bool:
        name = Path(folder).name
        text = "Its files are no longer found. The files themselves are not touched."
        return alerts.confirm(f"Stop searching “{name}”?", text, "Remove")

    def _toggle_login(self) -> None:
        preferences = self._memory.preferences
        preferences.choose(p.LAUNCH_AT_LOGIN, not preferences.flag(p.LAUNCH_AT_LOGIN))

    def _chosen(self, key: p.Key, value: p.Value) -> None:
        try:
            if key is p.HOTKEY:
                self._use_hotkey(str(value))
            elif key is p.LAUNCH_AT_LOGIN:
                login_item.set_enabled(bool(value))
            elif key is p.PAUSE_IN_LOW_POWER:
                self._hooks.saving_power(is_low_power())
        except EngineError as exc:
            self._problem(exc)
        self._show_state(self._keeper.state)
        for page in self._pages():
            page.announce("settings", {})

    def _use_hotkey(self, text: str) -> None:
        try:
            self._hotkey.register(parse_hotkey(text))
        except EngineError as exc:
            log.warning("the shortcut %s could not be registered", text)
            self.tell(describe_problem(exc), "hotkey")
            if self._hotkey.hotkey is not None:
                # What is shown must be what works.
                self._memory.preferences.choose(p.HOTKEY, str(self._hotkey.hotkey))

    def _state_changed(self, state: AppState) -> None:
        # From any thread, often: one call waits at most, and it shows what is so by then.
        if not self._showing:
            self._showing = True
            on_main(self._show_latest)

    def _show_latest(self) -> None:
        self._showing = False
        self._show_state(self._keeper.state)

    def _show_state(self, state: AppState) -> None:
        self._warn_of_closed_folders(state)
        preferences = self._memory.preferences
        self._status.show(
            build_menu(
                state,
                hotkey=preferences.text(p.HOTKEY),
                recent=self._memory.recent.queries(),
                launch_at_login=preferences.flag(p.LAUNCH_AT_LOGIN),
            )
        )
        for page in self._pages():
            page.announce("status", show_state(state))

    def _warn_of_closed_folders(self, state: AppState) -> None:
        closed = {folder.path for folder in state.folders if folder.problem == CLOSED_FOLDER}
        for path in sorted(closed - self._closed_folders):
            error = UnreadableFileError(problem=f"macOS keeps {Path(path).name} closed")
            self.tell(describe_problem(error), f"closed {path}")
        self._closed_folders = closed

    def _pages(self) -> list[Page]:
        return [self._page, *(page for _, page in self._windows.values())]


def _notify(alert: Alert, topic: str) -> None:
    notify(alert.title, alert.text, topic)
