"""A strict stand-in for PyObjC, for these tests only: it knows Apple's names and nothing else.

install() puts objc, AppKit, Foundation, WebKit … into sys.modules. Their classes know the selectors
in facts.json (taken from PyObjC's own packages) with argument counts and types. A selector,
constant or argument that does not exist raises at once, as it would on a Mac; so does a block that
PyObjC has no signature for, a method of ours with the wrong number of arguments, and a class
defined twice.
Setters are remembered, getters give them back, and every message sent is in `sent`.
"""

import json
import re
import sys
import threading
import types
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

FACTS = json.loads((Path(__file__).parent / "facts.json").read_text(encoding="utf-8"))
CLASSES: dict[str, Any] = FACTS["classes"]
PROTOCOLS: dict[str, Any] = FACTS["protocols"]
PARENTS = {
    "CoreFoundation": (), "Foundation": ("CoreFoundation",), "AppKit": ("Foundation",),
    "WebKit": ("Foundation",), "FSEvents": ("Foundation",), "ServiceManagement": ("Foundation",),
    "UserNotifications": ("Foundation",), "Quartz.QuickLookUI": ("AppKit",),
    "Quartz": ("Quartz.QuickLookUI",),
}  # fmt: skip
ROOT_SELECTORS = {"+alloc", "+new", "-init", "-respondsToSelector:", "+class", "-class"}
NUMBERS = set("qQdfiIlLsScC")


class Point(NamedTuple):
    """CGPoint."""

    x: float
    y: float


class Size(NamedTuple):
    """CGSize."""

    width: float
    height: float


class Rect(NamedTuple):
    """CGRect."""

    origin: Point
    size: Size


def make_rect(x: float, y: float, width: float, height: float) -> Rect:
    """NSMakeRect."""
    return Rect(Point(float(x), float(y)), Size(float(width), float(height)))


class ObjCError(Exception):
    """objc.error."""


class Terminated(BaseException):
    """-[NSApplication terminate:] ends the process; here it ends the run loop."""


class ObjCText(str):
    """What PyObjC gives for an NSString: a subclass of str."""


class ObjCInt(int):
    """What PyObjC gives for an NSNumber: a subclass of int."""


def selector_of(name: str) -> str:
    """The selector that a Python name stands for."""
    return name.replace("_", ":")


def find_method(name: str, selector: str, sign: str) -> dict[str, Any] | None:
    """The facts of a method of class `name`, looked for upwards and in its protocols."""
    if sign + selector in ROOT_SELECTORS:
        return {"result": ["@", "instancetype"], "arguments": [[":", "SEL"]] * selector.count(":")}
    protocols: deque[str] = deque()
    at: str | None = name
    while at in CLASSES:
        one = CLASSES[at]
        if sign + selector in one["methods"]:
            return dict(one["methods"][sign + selector])
        protocols.extend(one["protocols"])
        at = one["super"]
    seen: set[str] = set()
    while protocols:
        protocol = protocols.popleft()
        if protocol in PROTOCOLS and protocol not in seen:
            seen.add(protocol)
            if sign + selector in PROTOCOLS[protocol]["methods"]:
                return dict(PROTOCOLS[protocol]["methods"][sign + selector])
            protocols.extend(PROTOCOLS[protocol]["protocols"])
    return None


def split_encoding(text: str) -> list[str]:
    """The parts of a type encoding: the result first, then the arguments."""
    return re.findall(r"\^+(?:\{[^}]*\}|.)|\{[^}]*\}|@\?|.", text)


class ObjCMeta(type):
    """The type of every Objective-C class: looks selectors up, and checks our subclasses."""

    standin: "StandIn"
    objc_name: str

    def __new__(
        cls, name: str, bases: tuple[type, ...], space: dict[str, Any], native: bool = False
    ) -> "ObjCMeta":
        if not native:
            standin: StandIn = bases[0].standin  # type: ignore[attr-defined]  # set by lookup
            if name in standin.classes or name in CLASSES:
                raise ObjCError(f"{name} is overriding existing Objective-C class")
            _check_own_methods(name, space)
        made = super().__new__(cls, name, bases, space)
        if not native:
            made.standin.classes[name] = made
        return made

    def __init__(
        cls, name: str, bases: tuple[type, ...], space: dict[str, Any], native: bool = False
    ) -> None:
        super().__init__(name, bases, space)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        selector = selector_of(name)
        method = find_method(cls.objc_name, selector, "+")
        if method is None:
            raise AttributeError(f"+[{cls.objc_name} {selector}] does not exist")
        return lambda *args: cls.standin.send(cls, cls.objc_name, "+", selector, method, args)


def _check_own_methods(name: str, space: dict[str, Any]) -> None:
    for attribute, value in space.items():
        function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        if not isinstance(function, types.FunctionType) or attribute.startswith("__"):
            continue
        given = function.__code__.co_argcount - (0 if isinstance(value, staticmethod) else 1)
        wanted = attribute.count("_") if attribute.endswith("_") else 0
        if given != wanted:
            raise ObjCError(f"{name}.{attribute}: {given} arguments, its selector has {wanted}")


class ObjCObject:
    """What every object of a native class can do here."""

    standin: "StandIn"
    objc_name: str

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_kept":
            raise AttributeError(name)
        selector = selector_of(name)
        method = find_method(self.objc_name, selector, "-")
        if method is None:
            raise AttributeError(f"-[{self.objc_name} {selector}] does not exist")
        return lambda *args: self.standin.send(self, self.objc_name, "-", selector, method, args)


class ObjCSuper:
    """objc.super: the next implementation upwards, ours or native."""

    def __init__(self, kind: Any, instance: Any) -> None:
        self._kind, self._instance = kind, instance

    def __getattr__(self, name: str) -> Any:
        order = type(self._instance).__mro__
        for above in order[order.index(self._kind) + 1 :]:
            if name in vars(above):
                return vars(above)[name].__get__(self._instance)
        return ObjCObject.__getattr__(self._instance, name)


class StandIn:
    """One fresh Objective-C world."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str, tuple[Any, ...]]] = []
        self.deprecated: set[tuple[str, str]] = set()
        self.classes: dict[str, Any] = {}
        self.behaviours: dict[tuple[str, str], Callable[..., Any]] = {}
        self.streams: list[Any] = []  # FSEventStreams that were made
        self.event_id = 1000  # what FSEventsGetCurrentEventId says
        self.home = Path()  # the home folder of this world
        self.later: deque[Callable[[], None]] = deque()
        self.loop: Callable[[], None] = lambda: None  # what happens while the run loop runs
        self._lock = threading.Lock()

    # Classes and messages

    def lookup(self, name: str) -> Any:
        """The class of this name; made when first asked for."""
        if name not in self.classes:
            if name not in CLASSES:
                raise ObjCError(f"no class {name}")
            above = CLASSES[name]["super"]
            base = self.lookup(above) if above in CLASSES else ObjCObject
            space = {"standin": self, "objc_name": name}
            self.classes[name] = ObjCMeta(name, (base,), space, native=True)
        return self.classes[name]

    def make(self, name: str, **state: Any) -> Any:
        """An object of a native class, with what its getters shall give."""
        made = object.__new__(self.lookup(name))
        made.__dict__["_kept"] = {key.lower(): value for key, value in state.items()}
        return made

    def send(
        self, to: Any, name: str, sign: str, selector: str, method: dict[str, Any], args: Any
    ) -> Any:
        """One message: checked, remembered, answered."""
        what = f"{sign}[{name} {selector}]"
        self._check_arguments(what, selector, method["arguments"], args)
        self.sent.append((name, sign + selector, args))
        if "deprecated" in method:
            self.deprecated.add((name, selector))
        answer = self._answer(to, name, sign, selector, method, args)
        if any(kind.startswith("o^") for kind, _ in method["arguments"]):
            return answer if isinstance(answer, tuple) else (answer, None)
        return answer

    def _check_arguments(self, what: str, selector: str, wanted: Any, args: Any) -> None:
        if len(args) != len(wanted):
            raise TypeError(f"{what}: Need {len(wanted)} arguments, got {len(args)}")
        for place, (value, (kind, name)) in enumerate(zip(args, wanted, strict=True)):
            problem = self._find_problem(value, kind, name, selector)
            if problem:
                raise TypeError(f"{what}: argument {place} ({name}) {problem}, got {value!r}")

    def _find_problem(self, value: Any, kind: str, name: str, selector: str) -> str:
        if kind in NUMBERS:
            return "" if isinstance(value, int | float) else "must be a number"
        if kind == "Z":
            return "" if isinstance(value, bool | int) else "must be a BOOL"
        if kind == ":":
            text = value if isinstance(value, str | bytes) or value is None else value.__name__
            return "" if text is None or isinstance(text, str | bytes) else "must be a selector"
        if kind == "@?":
            if value is None:
                return ""
            known = selector in FACTS["blocks"]
            return "" if callable(value) and known else "is a block without a signature"
        if kind.startswith("{CGRect"):
            return "" if isinstance(value, Rect) else "must be a rect"
        if kind.startswith(("{CGSize", "{CGPoint")):
            return "" if len(value) == 2 else "must be two numbers"
        return self._find_object_problem(value, name) if kind == "@" else ""

    def _find_object_problem(self, value: Any, name: str) -> str:
        if value is None:
            return ""
        plain = re.match(r"(NSString|NSArray|NSDictionary|NSData|NSNumber)\b", name)
        if plain:
            kinds: Any = {
                "NSString": str, "NSArray": list | tuple, "NSDictionary": dict,
                "NSData": bytes | self.lookup("NSData"), "NSNumber": int | float,
            }[plain[1]]  # fmt: skip
            return "" if isinstance(value, kinds) else f"must be a {plain[1]}"
        found = re.match(r"([A-Z]\w+)\s*(?:<.*>)?\s*\*", name)
        if found and found[1] in CLASSES and not isinstance(value, self.lookup(found[1])):
            return f"must be a {found[1]}"
        return ""

    def _answer(
        self, to: Any, name: str, sign: str, selector: str, method: dict[str, Any], args: Any
    ) -> Any:
        at: str | None = name
        while at in CLASSES:
            if (at, sign + selector) in self.behaviours:
                return self.behaviours[at, sign + selector](to, *args)
            at = CLASSES[at]["super"]
        if sign == "+":
            if selector in ("alloc", "new"):
                made = object.__new__(to)
                made.__dict__["_kept"] = {}
                return made
            return self._default(to, sign, method)
        if re.match(r"init($|[A-Z])", selector):
            return to
        state = to.__dict__.setdefault("_kept", {})
        if re.fullmatch(r"set[A-Z]\w*:", selector):
            state[selector[3:-1].lower()] = args[0]
            return None
        key = re.sub(r"^is(?=[A-Z])", "", selector).lower()
        if ":" not in selector and key in state:
            return state[key]
        answer = self._default(to, sign, method)
        if ":" not in selector:
            state[key] = answer
        return answer

    def _default(self, to: Any, sign: str, method: dict[str, Any]) -> Any:
        kind, name = method["result"]
        if kind in NUMBERS:
            return 0.0 if kind in "df" else 0
        simple = {"v": None, "Z": False}
        if kind in simple:
            return simple[kind]
        if kind.startswith("{CGRect"):
            return make_rect(0, 0, 1440, 900)
        if kind.startswith(("{CGSize", "{CGPoint")):
            return Point(0.0, 0.0) if "Point" in kind[:8] else Size(0.0, 0.0)
        if name == "instancetype":
            return to if sign == "-" else self.make(to.objc_name)
        found = re.match(r"(?:const )?(?:__kindof )?([A-Z]\w+)\s*(?:<.*>)?\s*\*", name)
        plain = {"NSString": ObjCText(""), "NSArray": [], "NSDictionary": {}}
        if found is None or found[1] in plain:
            return plain.get(found[1]) if found else None
        return self.make(found[1]) if found[1] in CLASSES else None

    # The main thread

    def call_after(self, function: Callable[..., None], *args: Any, **more: Any) -> None:
        """AppHelper.callAfter."""
        with self._lock:
            self.later.append(lambda: function(*args, **more))

    def turn(self) -> int:
        """Lets the main thread do what waits for it; how many calls that were."""
        done = 0
        while self.later:
            with self._lock:
                call = self.later.popleft()
            call()
            done += 1
        return done

    def run_event_loop(self, **options: Any) -> None:
        """AppHelper.runEventLoop: launches, lets the test happen, ends at terminate:."""
        application = self.lookup("NSApplication").sharedApplication()
        delegate = application.delegate()
        self.turn()
        if hasattr(type(delegate), "applicationDidFinishLaunching_"):
            delegate.applicationDidFinishLaunching_(self.make("NSNotification"))
        try:
            self.loop()
            self.turn()
        except Terminated:
            return

    # Modules

    def module(self, name: str) -> types.ModuleType:
        """One framework's module, with constants, functions and classes."""
        made = types.ModuleType(name)
        facts = FACTS["modules"].get(name, {})

        def find(attribute: str) -> Any:
            if attribute.startswith("__"):
                raise AttributeError(attribute)
            for table in ("enums", "values"):
                if attribute in facts.get(table, {}):
                    return facts[table][attribute]
            if attribute in facts.get("constants", ()):
                return ObjCText(attribute)
            if attribute in facts.get("aliases", {}):
                return getattr(made, facts["aliases"][attribute])
            for parent in PARENTS[name]:
                if hasattr(sys.modules[parent], attribute):
                    return getattr(sys.modules[parent], attribute)
            if attribute in CLASSES:
                return self.lookup(attribute)
            raise AttributeError(f"module {name} has no attribute {attribute}")

        made.__getattr__ = find  # type: ignore[method-assign]  # a module's own __getattr__
        return made


@contextmanager
def install() -> Iterator[StandIn]:
    """A fresh world in sys.modules; afterwards everything is as it was."""
    from tests.app.contract.behaviours import add_behaviours

    before = dict(sys.modules)
    for name in list(sys.modules):
        if name.split(".")[0] == "rumps" or name.startswith("app.mac"):
            del sys.modules[name]
    standin = StandIn()
    objc = types.ModuleType("objc")
    vars(objc).update(
        error=ObjCError, super=ObjCSuper, lookUpClass=standin.lookup, nil=None,
        python_method=lambda function: function, autorelease_pool=nullcontext, YES=True, NO=False,
    )  # fmt: skip
    sys.modules["objc"] = objc
    for name in PARENTS:
        sys.modules[name] = standin.module(name)
    vars(sys.modules["Quartz"])["QuickLookUI"] = sys.modules["Quartz.QuickLookUI"]
    add_behaviours(standin)
    try:
        yield standin
    finally:
        for name in set(sys.modules) - set(before):
            if name.split(".")[0] in {"rumps", "objc", "PyObjCTools", *PARENTS, "Quartz"}:
                del sys.modules[name]
        for name in [one for one in sys.modules if one.startswith("app.mac")]:
            del sys.modules[name]
        package = sys.modules.get("app")
        if package is not None and hasattr(package, "mac"):
            del package.mac
