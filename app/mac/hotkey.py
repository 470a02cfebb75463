"""How do keys reach us from every application? Carbon's RegisterEventHotKey, through ctypes.

It needs no permission, and the keys do not reach the application in front. Called by hand because
a shortcut that cannot be registered must be said: the status code is the only sign.
"""

import ctypes
import logging
from collections.abc import Callable
from typing import Any

from app.hotkeys import Hotkey
from engine.errors import DesktopError

log = logging.getLogger(__name__)

CARBON = "/System/Library/Frameworks/Carbon.framework/Carbon"
EVENT_NOT_HANDLED = -9874
PROBLEMS = {-9878: "another part of Sagasu uses these keys", -9868: "macOS refuses these keys"}
HOT_KEY_PRESSED = 5


def four_chars(text: str) -> int:
    """The number that Carbon writes as four characters."""
    return int.from_bytes(text.encode("mac_roman"), "big")


SIGNATURE = four_chars("SGSU")
KEYBOARD_CLASS = four_chars("keyb")
DIRECT_OBJECT = four_chars("----")
TYPE_HOT_KEY_ID = four_chars("hkid")


class EventTypeSpec(ctypes.Structure):
    """Which events a handler wants."""

    _fields_ = (("event_class", ctypes.c_uint32), ("event_kind", ctypes.c_uint32))


class EventHotKeyID(ctypes.Structure):
    """Which of our hot keys it was."""

    _fields_ = (("signature", ctypes.c_uint32), ("id", ctypes.c_uint32))


HANDLER = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)

# name: (result, arguments)
FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "GetEventDispatcherTarget": (ctypes.c_void_p, ()),
    "InstallEventHandler": (
        ctypes.c_int32,
        (ctypes.c_void_p, HANDLER, ctypes.c_ulong, ctypes.POINTER(EventTypeSpec),
         ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)),
    ),
    "RegisterEventHotKey": (
        ctypes.c_int32,
        (ctypes.c_uint32, ctypes.c_uint32, EventHotKeyID, ctypes.c_void_p, ctypes.c_uint32,
         ctypes.POINTER(ctypes.c_void_p)),
    ),
    "UnregisterEventHotKey": (ctypes.c_int32, (ctypes.c_void_p,)),
    "GetEventParameter": (
        ctypes.c_int32,
        (ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_ulong,
         ctypes.c_void_p, ctypes.c_void_p),
    ),
}  # fmt: skip


def open_carbon(library: Any = None) -> Any:
    """The library with its functions' types declared."""
    carbon = ctypes.CDLL(CARBON) if library is None else library
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(carbon, name)
        function.restype = result
        function.argtypes = arguments
    return carbon


class GlobalHotkey:
    """One global shortcut at a time; main thread only, delivered by the app's run loop."""

    def __init__(self, pressed: Callable[[], None], library: Any = None) -> None:
        self._pressed = pressed
        self._carbon = open_carbon(library)
        self._reference = ctypes.c_void_p()
        self.hotkey: Hotkey | None = None  # what is listened for now
        self._held: Hotkey | None = None  # let go of while a menu is open
        self._id = 0
        self._handler = HANDLER(self._event)  # C keeps only the address: this keeps it alive
        installed = ctypes.c_void_p()
        status = self._carbon.InstallEventHandler(
            self._carbon.GetEventDispatcherTarget(),
            self._handler,
            1,
            ctypes.byref(EventTypeSpec(KEYBOARD_CLASS, HOT_KEY_PRESSED)),
            None,
            ctypes.byref(installed),
        )
        if status:
            raise DesktopError(what="The shortcut", problem=f"no event handler ({status})")

    def register(self, hotkey: Hotkey) -> None:
        """Listens for these keys instead of those before; the old ones stay when it fails."""
        if hotkey == self.hotkey:
            return
        reference = ctypes.c_void_p()
        id = self._id + 1
        status = self._carbon.RegisterEventHotKey(
            hotkey.code,
            hotkey.modifiers,
            EventHotKeyID(SIGNATURE, id),
            self._carbon.GetEventDispatcherTarget(),
            0,
            ctypes.byref(reference),
        )
        if status or not reference:
            problem = PROBLEMS.get(status, f"Carbon says {status}")
            fix = "Choose other keys under Settings › Shortcuts."
            raise DesktopError(what=f"The shortcut {hotkey}", problem=problem, fix=fix)
        self.unregister()
        self._reference, self.hotkey, self._id = reference, hotkey, id

    def unregister(self) -> None:
        """Listens no more."""
        if self._reference:
            self._carbon.UnregisterEventHotKey(self._reference)
        self._reference, self.hotkey = ctypes.c_void_p(), None

    def suspend(self, suspended: bool) -> None:
        """Lets go of the keys while a menu is open, where they could not be delivered anyway."""
        if suspended and self.hotkey is not None:
            self._held = self.hotkey
            self.unregister()
        elif not suspended and self._held is not None:
            held, self._held = self._held, None
            self.register(held)

    def _event(self, call: Any, event: Any, data: Any) -> int:
        try:
            which = EventHotKeyID()
            status = self._carbon.GetEventParameter(
                event, DIRECT_OBJECT, TYPE_HOT_KEY_ID, None, ctypes.sizeof(which), None,
                ctypes.byref(which),
            )  # fmt: skip
            if status or which.signature != SIGNATURE or which.id != self._id:
                return EVENT_NOT_HANDLED
            self._pressed()
        except Exception:  # a main-thread callback: nothing may cross into C
            log.exception("the shortcut failed")
        return 0
