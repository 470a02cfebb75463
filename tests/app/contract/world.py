"""The app on the stand-in: what a person at that Mac can do, as methods.

The engine behind is a small one kept in memory: these tests are about the Mac, the engine has its
own. Everything of `app/` and `app/mac/` is the real thing, and so is rumps.
"""

import ctypes
import json
import queue
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.bridge import Ticket
from app.desk import Desk
from app.frecency import JsonOpenings, Openings
from app.memory import Memory
from app.messages import Coverage as AskCoverage
from app.messages import Search
from app.office import Office
from app.ports import Pack
from app.preferences import Preferences
from app.recent import RecentSearches
from app.state import Folder, Keeper, after_numbers
from app.wire import Json
from engine.api import SearchResponse
from engine.errors import NotFoundError
from engine.models import Coverage, Explanation, Result
from tests.app.contract.standin import StandIn

RESOURCES = Path(__file__).resolve().parents[3] / "resources"
DEADLINE = 10.0


class HandClock:
    """A clock that stands still."""

    def now(self) -> float:
        return 1_700_000_000.0

    def monotonic(self) -> float:
        return 0.0


class SmallEngine:
    """Folders and files in memory, behind both of the engine's ports."""

    def __init__(self, home: Path) -> None:
        self.files = {"1": home / "Documents" / "tax.pdf", "2": home / "Documents" / "rent.pdf"}
        self.roots: list[Folder] = []
        self.calls: list[tuple[object, ...]] = []
        self.openings: list[str] = []

    def search(self, request: Search, ticket: Ticket) -> SearchResponse:
        found = [(id, path) for id, path in self.files.items() if request.query in path.name]
        results = tuple(
            Result(n, id, str(path), path.name, 0.5, 0.5, 0.0, ())
            for n, (id, path) in enumerate(found, 1)
        )
        return SearchResponse(request.query, 1.0, len(results), results)

    def similar(self, id: str, limit: int) -> SearchResponse:
        return SearchResponse("", 1.0, 0, ())

    def suggest(self, query: str, limit: int) -> Sequence[str]:
        return ()

    def complete(self, query: str, limit: int) -> Sequence[str]:
        return ("tax return",)

    def preview(self, id: str, chunk: int, query: str) -> Mapping[str, Json]:
        return {"title": self.locate(id).name}

    def explain(self, query: str, id: str) -> Explanation:
        return Explanation(0.5, "score")

    def passage(self, id: str, chunk: int) -> str:
        return "the passage"

    def pack(self, query: str, ids: Sequence[str], chunks: Sequence[int], budget: int) -> Pack:
        return Pack("# the pack", 3)

    def locate(self, id: str) -> Path:
        for known, path in self.files.items():
            if id in (known, str(path)):
                return path
        raise NotFoundError(what="document")

    def opened(self, id: str) -> None:
        self.openings.append(id)

    def folders(self) -> tuple[Folder, ...]:
        return tuple(self.roots)

    def add_folder(self, path: Path) -> None:
        self.roots.append(Folder(str(path), files=2))

    def remove_folder(self, path: Path) -> None:
        self.roots = [one for one in self.roots if one.path != str(path)]

    def pause(self, path: Path | None, paused: bool) -> None:
        self.calls.append(("pause", path, paused))

    def coverage(self, ask: AskCoverage) -> Coverage:
        return Coverage("", 0, {}, (), ())

    def retry(self, paths: Sequence[str]) -> int:
        return len(paths)

    def include(self, pattern: str) -> None:
        self.calls.append(("include", pattern))

    def exclude(self, pattern: str) -> None:
        self.calls.append(("exclude", pattern))

    def pin(self, query: str, id: str, pinned: bool) -> None:
        self.calls.append(("pin", query, id, pinned))

    def settings(self) -> Mapping[str, Json]:
        return {"files.hidden": False}

    def configure(self, key: str, value: Json) -> None:
        self.calls.append(("configure", key, value))

    def wipe(self) -> None:
        self.calls.append(("wipe",))

    def listing(self) -> Json:
        return {"tokens": [], "scopes": []}

    def create(self, label: str, scopes: Sequence[str]) -> str:
        return "secret"

    def revoke(self, id: str) -> None:
        self.calls.append(("revoke", id))


class Carbon:
    """Carbon's few functions, with the types that app.mac.hotkey declares checked by ctypes."""

    def __init__(self) -> None:
        self.handler: Any = None
        self.registered: dict[int, tuple[int, int, int]] = {}  # reference: code, modifiers, id
        self.refuse = 0
        self._pressed: tuple[int, int] = (0, 0)
        self._next = 100
        self.GetEventDispatcherTarget = self._function(lambda: 1, "GetEventDispatcherTarget")
        self.InstallEventHandler = self._function(self._install, "InstallEventHandler")
        self.RegisterEventHotKey = self._function(self._register, "RegisterEventHotKey")
        self.UnregisterEventHotKey = self._function(self._unregister, "UnregisterEventHotKey")
        self.GetEventParameter = self._function(self._parameter, "GetEventParameter")

    def press(self, code: int, modifiers: int) -> bool:
        """Presses keys; True when a registered shortcut took them."""
        for known, mask, id in list(self.registered.values()):
            if (known, mask) == (code, modifiers):
                self._pressed = (int.from_bytes(b"SGSU", "big"), id)
                return bool(self.handler(None, None, None) == 0)
        return False

    def _function(self, work: Callable[..., int], name: str) -> Any:
        class Function:
            restype: Any = None
            argtypes: Any = None

            def __call__(self, *args: Any) -> int:
                assert self.argtypes is not None, f"{name} was called without declared types"
                assert len(args) == len(self.argtypes), f"{name} takes {len(self.argtypes)}"
                for given, kind in zip(args, self.argtypes, strict=True):
                    kind.from_param(given)
                return work(*args)

        return Function()

    def _install(
        self, target: int, handler: Any, count: int, spec: Any, data: Any, out: Any
    ) -> int:
        assert (spec._obj.event_class, spec._obj.event_kind) == (struct.unpack(">I", b"keyb")[0], 5)
        self.handler = handler
        return 0

    def _register(self, code: int, mask: int, which: Any, target: int, flags: int, out: Any) -> int:
        if self.refuse:
            return self.refuse
        self._next += 1
        out._obj.value = self._next
        self.registered[self._next] = (code, mask, which.id)
        return 0

    def _unregister(self, reference: Any) -> int:
        del self.registered[reference.value]
        return 0

    def _parameter(
        self, event: Any, name: int, kind: int, a: Any, size: int, b: Any, out: Any
    ) -> int:
        assert (name, kind) == (struct.unpack(">I", b"----")[0], struct.unpack(">I", b"hkid")[0])
        out._obj.signature, out._obj.id = self._pressed
        assert size == ctypes.sizeof(out._obj)
        return 0


class World:
    """The running app, and the hands of the person before it."""

    def __init__(self, mac: StandIn, home: Path) -> None:
        from app.mac.defaults import DefaultsBackend
        from app.mac.desktop import MacDesktop
        from app.mac.shell import Hooks, Shell

        (home / "Documents").mkdir()
        self.mac, self.home, self.engine, self.carbon = mac, home, SmallEngine(home), Carbon()
        for path in self.engine.files.values():
            path.write_bytes(b"%PDF-")
        self.said: list[str] = []
        self.keeper = Keeper()
        self.preferences = Preferences(DefaultsBackend())
        openings = Openings(JsonOpenings(home / "openings.json"), HandClock())
        self.memory = Memory(self.preferences, openings, RecentSearches(home / "recent.json"))
        self.shell = Shell(RESOURCES, self.memory, self.keeper, carbon=self.carbon)
        desktop = MacDesktop()
        office = Office(
            self.engine, self.engine, desktop, self.shell, self.memory, self.keeper, on_mac=True
        )
        self.desk = Desk(self.engine, office, desktop, self.shell, self.memory)
        self.hooks = Hooks(
            started=lambda: self.said.append("started"),
            asleep=lambda: self.said.append("asleep"),
            awake=lambda: self.said.append("awake"),
            saving_power=lambda low: self.said.append(f"saving power: {low}"),
            repair=lambda action: self.said.append(action),
            stopped=lambda: self.said.append("stopped"),
        )

    def run(self, *steps: Callable[[], object]) -> None:
        """Starts the app, does the steps while it runs, and lets it end."""

        def loop() -> None:
            self.refresh()
            for step in steps:
                step()
                self.mac.turn()

        self.mac.loop = loop
        self.shell.run(self.desk, self.hooks)

    def close(self) -> None:
        """Ends what still works in the background."""
        self.shell.bridge.close()

    def refresh(self) -> None:
        """What the engine would tell after every change."""
        folders = self.engine.folders()
        self.keeper.change(lambda s: after_numbers(s, folders=folders, files=2, left_out=0))
        self.mac.turn()

    def settle(self, until: Callable[[], bool]) -> None:
        """Lets background work and main thread go on until it is so."""
        deadline = time.monotonic() + DEADLINE
        while not until():
            assert time.monotonic() < deadline, "it never happened"
            if not self.mac.turn():
                time.sleep(0.001)  # yields to the worker; the condition is polled to a deadline

    # The menu bar

    def menu(self) -> Any:
        """The status item's menu."""
        return self.shell._status._app._nsapp.nsstatusitem.menu()

    def titles(self, menu: Any = None) -> list[str]:
        """The titles in a menu, top to bottom."""
        return [str(one.title()) for one in (menu or self.menu()).itemArray()]

    def item(self, *path: str) -> Any:
        """The item at the end of this path of titles."""
        menu = self.menu()
        found = None
        for title in path:
            found = next(one for one in menu.itemArray() if str(one.title()).startswith(title))
            menu = found.submenu()
        return found

    def click(self, *path: str) -> None:
        """Chooses an item, as AppKit would: its action is sent to its target."""
        item = self.item(*path)
        assert item.action() is not None, f"{path} is greyed out"
        getattr(item.target(), str(item.action()).replace(":", "_"))(item)

    # The page

    def ask(self, name: str, view: Any = None, **fields: object) -> Any:
        """Sends a message as the page does, and waits for its answer."""
        view = view or self.shell._page.view
        content = view.configuration().userContentController()
        bridge = content._kept["bridges"]["sagasu"]
        replies: queue.Queue[tuple[str | None, str | None]] = queue.Queue()
        message = self.mac.make("WKScriptMessage", body=json.dumps({"name": name, **fields}))
        bridge.userContentController_didReceiveScriptMessage_replyHandler_(
            content, message, lambda value, error: replies.put((value, error))
        )
        self.settle(lambda: not replies.empty())
        value, error = replies.get()
        assert replies.empty(), "answered twice"
        assert error is None, error
        return json.loads(value or "")

    def told(self, view: Any = None) -> list[dict[str, Any]]:
        """The events that the page was told."""
        view = view or self.shell._page.view
        return [json.loads(arguments["message"]) for _, arguments in view._kept["scripts"]]

    def sent(self, name: str, selector: str) -> list[tuple[Any, ...]]:
        """The arguments of every such message."""
        return [args for kind, sel, args in self.mac.sent if (kind, sel) == (name, selector)]
