"""What runs when the app starts? Engine, service, desk, shell, wired; it alone imports mac.

The app holds the writer's lock and serves on loopback, so that the command line and other programs
ask it instead of opening the index a second time.
"""

import json
import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from app import preferences as p
from app.access import ServiceTokens
from app.actions import FreeDesktop
from app.bridge import Lanes
from app.browser import BrowserWindow
from app.desk import Desk, find_ended, find_lane
from app.finding import EngineFinder
from app.first_run import should_welcome
from app.frecency import JsonOpenings, Openings
from app.instance import hold_instance
from app.keeping import EngineSteward
from app.memory import Memory
from app.office import Office
from app.ports import Desktop, Window
from app.preferences import Backend, JsonBackend, Preferences
from app.problems import CLOSED_FOLDER, FULL_DISK_ACCESS, Alert, describe_problem
from app.recent import RecentSearches
from app.repairing import has_wish, note_wish, repair_index
from app.shapes import show_state
from app.state import Keeper, after_recovery
from app.wire import SUPERSEDED, answer_text, parse_message
from engine.api import Engine
from engine.config import data_folder
from engine.errors import AlreadyRunningError, EngineError, IndexDamagedError
from engine.log import set_up_logging
from engine.server.serve import Server
from engine.server.tokens import read_owner_token

log = logging.getLogger(__name__)

RESOURCES = Path(__file__).resolve().parents[1] / "resources"
STOP_SECONDS = 10.0


class SystemClock:
    """The time of this machine."""

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds that never run backwards."""
        return time.monotonic()


@dataclass(frozen=True, slots=True)
class Parts:
    """What both shells need."""

    keeper: Keeper
    finder: EngineFinder
    steward: EngineSteward
    office: Office
    desk: Desk
    server: Server


def make_memory(folder: Path, backend: Backend) -> Memory:
    """Preferences, openings and recent searches of this person."""
    openings = Openings(JsonOpenings(folder / "openings.json"), SystemClock())
    return Memory(Preferences(backend), openings, RecentSearches(folder / "recent.json"))


def wire(
    engine: Engine,
    keeper: Keeper,
    memory: Memory,
    desktop: Desktop,
    window: Window,
    *,
    on_mac: bool,
    ready: Callable[[str], None] | None = None,
    repair: Callable[[], object] = lambda: None,
    port: int | None = None,
) -> Parts:
    """Joins the engine and the shell's half at the desk; the service answers the same messages."""
    steward = EngineSteward(engine, keeper, CLOSED_FOLDER if on_mac else "")
    waiting: list[Desk] = []
    lanes = Lanes()
    server = Server(
        engine,
        engine.config,
        panel_handler=lambda name, fields, window: answer_fields(
            waiting[0], lanes, name, fields, window
        ),
        ready=ready,
        port=port,
    )
    tokens = ServiceTokens(server.app.state.service.tokens, engine)
    office = Office(steward, tokens, desktop, window, memory, keeper, on_mac=on_mac, repair=repair)
    finder = EngineFinder(engine, memory.recent)
    desk = Desk(finder, office, desktop, window, memory)
    waiting.append(desk)
    keeper.listen(lambda state: server.send({"type": "status", **show_state(state)}))
    memory.preferences.listen(lambda key, value: server.send({"type": "settings"}))
    return Parts(keeper, finder, steward, office, desk, server)


def answer_fields(
    desk: Desk, lanes: Lanes, name: str, fields: dict[str, Any], window: str = ""
) -> dict[str, Any]:
    """The envelope that answers a message which came over HTTP; its errors are the service's.

    As in the app's own window, a newer search ends the older one of the same window, and nobody
    gets its answer.
    """
    message = parse_message({**fields, "name": name})
    lane, *ended = (
        one and f"{window} {one}" for one in (find_lane(message), *find_ended(message))
    )
    ticket = lanes.enter(lane, ended)
    try:
        text = answer_text(desk.handle(message, ticket))
    except EngineError:
        if not ticket.cancelled:
            raise
    finally:
        lanes.leave(lane, ticket)
    envelope: dict[str, Any] = json.loads(SUPERSEDED if ticket.cancelled else text)
    return envelope


def launch() -> int:
    """Runs the app on this system; its exit code."""
    folder = data_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    set_up_logging(folder / "sagasu.log")
    return launch_mac(folder) if sys.platform == "darwin" else launch_browser(folder)


def launch_browser(folder: Path) -> int:
    """The same service and page, in a browser window, until it is stopped."""
    desktop = FreeDesktop()
    window = BrowserWindow(folder, desktop.open, os.environ)

    def ready(address: str, token: str) -> None:
        sys.stdout.write(
            f"Sagasu listens on {address}\n"
            "Index a folder:  sagasu index ~/Documents\n"
            'Search it:       sagasu search "what you remember of it"\n'
            "Stop it:         Ctrl-C\n"
        )
        sys.stdout.flush()
        window.start(address, token)

    try:
        with hold_instance(folder, "its window"):
            serve(folder, desktop, window, ready)
    except EngineError as exc:
        sys.stderr.write(f"{exc}\n{exc.advice}\n")
        return exc.exit_code
    finally:
        window.close()
    return 0


def serve(
    folder: Path, desktop: Desktop, window: Window, ready: Callable[[str, str], None]
) -> None:
    """The service without a shell, until it is stopped; `ready` is told address and token.

    When a repair is asked for, the index is closed, mended and opened anew at the same address.
    """
    port: int | None = None
    while True:
        wanted = threading.Event()
        servers: list[Server] = []

        def repair(wanted: threading.Event = wanted, servers: list[Server] = servers) -> None:
            wanted.set()
            servers[0].stop()

        with Engine.open(folder, write=True) as engine:
            memory = make_memory(folder, JsonBackend(folder / "preferences.json"))
            token = read_owner_token(engine.places.token)
            told = None if port else lambda address, token=token: ready(address, token)
            parts = wire(
                engine, Keeper(), memory, desktop, window,
                on_mac=False, ready=told, repair=repair, port=port,
            )  # fmt: skip
            servers.append(parts.server)
            parts.steward.start()
            try:
                parts.server.run()
            finally:
                parts.steward.close()
                parts.finder.close()
        if not wanted.is_set():
            return
        port = urlsplit(parts.server.address).port
        repair_index(folder)


def launch_mac(folder: Path) -> int:
    """The app in the menu bar, until the person quits."""
    from app.mac import alerts
    from app.mac.defaults import DefaultsBackend
    from app.mac.desktop import MacDesktop
    from app.mac.shell import Shell

    desktop = MacDesktop()
    try:
        with hold_instance(folder), open_sound(folder, alerts.show_alert) as engine:
            keeper, memory = Keeper(), make_memory(folder, DefaultsBackend())
            shell = Shell(RESOURCES, memory, keeper)
            repair = partial(start_repair, folder, shell)
            parts = wire(engine, keeper, memory, desktop, shell, on_mac=True, repair=repair)
            shell.run(parts.desk, make_hooks(engine, parts, shell, memory))
    except AlreadyRunningError:
        # The one that runs shows itself; this one has nothing to add.
        desktop.open_address("sagasu://search")
    except EngineError as exc:
        log.exception("the app could not start")
        if not isinstance(exc, IndexDamagedError):  # the person has just been asked about it
            alerts.show_alert(describe_problem(exc))
        return exc.exit_code
    return 0


def open_sound(folder: Path, ask: Callable[[Alert], bool]) -> Engine:
    """The index open for writing; a damaged one is mended first, if the person wants it."""
    if has_wish(folder):
        repair_index(folder)
    try:
        return Engine.open(folder, write=True)
    except IndexDamagedError as exc:
        if not ask(describe_problem(exc)):
            raise
    repair_index(folder)
    return Engine.open(folder, write=True)


def start_repair(folder: Path, shell: Any) -> None:
    """Ends the app; the next start, which is asked for here, repairs before it opens the index."""
    from app.mac.main_thread import on_main
    from app.mac.relaunch import relaunch_after_quit

    note_wish(folder)
    relaunch_after_quit()
    on_main(shell.quit)


def make_hooks(engine: Engine, parts: Parts, shell: Any, memory: Memory) -> Any:
    """What happens when the app has started, sleeps, wakes, is asked to repair, and stops."""
    from app.mac.desktop import MacDesktop
    from app.mac.shell import Hooks

    serving = threading.Thread(target=parts.server.run, name="service", daemon=True)

    def started() -> None:
        serving.start()
        parts.steward.start()
        seen = memory.preferences.flag(p.FIRST_RUN_DONE)
        if should_welcome(parts.office.facts(), seen):
            shell.show_page("welcome")

    def repair(action: str) -> None:
        if action == "full_disk_access":
            MacDesktop().open_address(FULL_DISK_ACCESS)
        elif action == "quit":
            shell.quit()
        elif action == "repair":
            start_repair(engine.places.home, shell)
        else:
            parts.keeper.change(after_recovery)
            parts.steward.start()

    def stopped() -> None:
        # AppKit ends the process right after this: everything must be closed here.
        parts.server.stop()
        parts.steward.close()
        parts.finder.close()
        serving.join(STOP_SECONDS)
        engine.close()

    return Hooks(
        started=started,
        asleep=lambda: parts.steward.rest(True),
        awake=parts.steward.wake,
        saving_power=lambda low: parts.steward.rest(
            low and memory.preferences.flag(p.PAUSE_IN_LOW_POWER)
        ),
        repair=repair,
        stopped=stopped,
    )
