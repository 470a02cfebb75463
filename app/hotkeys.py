"""Which keys call the panel? Reads and writes shortcuts, and knows which ones the Mac has taken.

    "⌥Space", "alt+space", "Option-Space"   →  Hotkey("Space", OPTION)   →  "⌥Space"

Key codes are those of Carbon's Events.h (kVK_…): positions on the keyboard, not letters.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.errors import InvalidValueError

COMMAND, SHIFT, OPTION, CONTROL = 0x100, 0x200, 0x800, 0x1000

# In the order in which a Mac writes them.
SYMBOLS: tuple[tuple[int, str], ...] = (
    (CONTROL, "⌃"),
    (OPTION, "⌥"),
    (SHIFT, "⇧"),
    (COMMAND, "⌘"),
)

MODIFIER_WORDS: Mapping[str, int] = {
    "⌃": CONTROL, "ctrl": CONTROL, "control": CONTROL,
    "⌥": OPTION, "alt": OPTION, "option": OPTION, "opt": OPTION,
    "⇧": SHIFT, "shift": SHIFT,
    "⌘": COMMAND, "cmd": COMMAND, "command": COMMAND, "meta": COMMAND,
}  # fmt: skip

_LETTERS = dict(zip("ASDFHGZXCV", range(10), strict=True))
_LETTERS |= dict(zip("BQWERYT", range(11, 18), strict=True))
_LETTERS |= {"O": 31, "U": 32, "I": 34, "P": 35, "L": 37, "J": 38, "K": 40, "N": 45, "M": 46}
_DIGITS = {"1": 18, "2": 19, "3": 20, "4": 21, "6": 22, "5": 23, "9": 25, "7": 26, "8": 28, "0": 29}
_SIGNS = {"=": 24, "-": 27, "]": 30, "[": 33, "'": 39, ";": 41, "\\": 42, ",": 43, "/": 44}
_SIGNS |= {".": 47, "`": 50}
_NAMED = {
    "Space": 49, "Return": 36, "Tab": 48, "Escape": 53, "Delete": 51,
    "Left": 123, "Right": 124, "Down": 125, "Up": 126,
    "F1": 122, "F2": 120, "F3": 99, "F4": 118, "F5": 96, "F6": 97, "F7": 98, "F8": 100,
    "F9": 101, "F10": 109, "F11": 103, "F12": 111, "F13": 105, "F14": 107, "F15": 113,
    "F16": 106, "F17": 64, "F18": 79, "F19": 80,
}  # fmt: skip

KEY_CODES: Mapping[str, int] = {**_LETTERS, **_DIGITS, **_SIGNS, **_NAMED}

_KEY_WORDS: Mapping[str, str] = {
    **{name.casefold(): name for name in KEY_CODES},
    "esc": "Escape", "enter": "Return", "↩": "Return", "⇥": "Tab", "⎋": "Escape", "⌫": "Delete",
    "backspace": "Delete", "←": "Left", "→": "Right", "↓": "Down", "↑": "Up",
    "arrowleft": "Left", "arrowright": "Right", "arrowdown": "Down", "arrowup": "Up",
    "minus": "-", "equal": "=", "comma": ",", "period": ".", "slash": "/", "semicolon": ";",
    "quote": "'", "backquote": "`", "backslash": "\\", "bracketleft": "[", "bracketright": "]",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hotkey:
    """One key with its modifiers."""

    key: str
    modifiers: int

    @property
    def code(self) -> int:
        """The key's position, as Carbon counts."""
        return KEY_CODES[self.key]

    def __str__(self) -> str:
        return "".join(sign for bit, sign in SYMBOLS if self.modifiers & bit) + self.key


# What macOS itself does with these keys as it comes out of the box.
SYSTEM_SHORTCUTS: Mapping[Hotkey, str] = {
    Hotkey("Space", COMMAND): "Spotlight",
    Hotkey("Space", COMMAND | OPTION): "Finder's search window",
    Hotkey("Space", COMMAND | CONTROL): "Emoji & Symbols",
    Hotkey("Space", CONTROL): "the previous input source",
    Hotkey("Space", CONTROL | OPTION): "the next input source",
    Hotkey("Tab", COMMAND): "switching applications",
    Hotkey("Tab", COMMAND | SHIFT): "switching applications",
    Hotkey("`", COMMAND): "the next window",
    Hotkey("Escape", COMMAND | OPTION): "Force Quit",
    Hotkey("Q", COMMAND | CONTROL): "Lock Screen",
    Hotkey("Q", COMMAND | SHIFT): "Log Out",
    Hotkey("F", COMMAND | CONTROL): "full screen",
    Hotkey("D", COMMAND | OPTION): "hiding the Dock",
    Hotkey("3", COMMAND | SHIFT): "screenshots",
    Hotkey("4", COMMAND | SHIFT): "screenshots",
    Hotkey("5", COMMAND | SHIFT): "screenshots",
    Hotkey("Up", CONTROL): "Mission Control",
    Hotkey("Down", CONTROL): "App Exposé",
    Hotkey("Left", CONTROL): "the space on the left",
    Hotkey("Right", CONTROL): "the space on the right",
}

# Taking one of these away would break the same command in every application.
EVERYWHERE: Mapping[str, str] = {
    "Q": "Quit", "W": "Close", "C": "Copy", "V": "Paste", "X": "Cut", "Z": "Undo",
    "A": "Select All", "S": "Save", "H": "Hide", "M": "Minimise", "N": "New", "O": "Open",
    "P": "Print", "F": "Find", "T": "New Tab", ",": "Settings",
}  # fmt: skip


def parse_hotkey(text: str) -> Hotkey:
    """The shortcut that `text` names; InvalidValueError when it is none, or not usable as a
    global one."""
    modifiers, rest = 0, text.strip()
    while rest and rest[0] in "⌃⌥⇧⌘":
        modifiers |= MODIFIER_WORDS[rest[0]]
        rest = rest[1:].lstrip(" +")
    words = [rest] if rest in KEY_CODES else [w for w in rest.replace("+", "-").split("-") if w]
    if rest.endswith(("--", "+-")) and len(rest) > 2:
        words.append("-")
    for word in words[:-1]:
        if word.strip().casefold() not in MODIFIER_WORDS:
            raise _complain(text, f"{word.strip()} is not a modifier key")
        modifiers |= MODIFIER_WORDS[word.strip().casefold()]
    if not words:
        raise _complain(text, "a key is missing beside the modifiers")
    key = _key_name(words[-1].strip())
    if key is None:
        raise _complain(text, f"there is no key {words[-1].strip()}")
    hotkey = Hotkey(key, modifiers)
    problem = find_problem(hotkey)
    if problem:
        raise _complain(text, problem)
    return hotkey


def _key_name(word: str) -> str | None:
    folded = word.casefold()
    if folded in _KEY_WORDS:
        return _KEY_WORDS[folded]
    # What a browser's KeyboardEvent.code calls the keys: KeyK, Digit1.
    for prefix in ("key", "digit"):
        if folded.startswith(prefix) and len(folded) == len(prefix) + 1:
            return _KEY_WORDS.get(folded[-1])
    return None


def find_problem(hotkey: Hotkey) -> str:
    """Why this cannot be a global shortcut; empty when it can."""
    function_key = hotkey.key[0] == "F" and len(hotkey.key) > 1
    if not function_key and not hotkey.modifiers & (COMMAND | OPTION | CONTROL):
        return "needs ⌘, ⌥ or ⌃, or typing would call the panel"
    if hotkey.modifiers == COMMAND and hotkey.key in EVERYWHERE:
        return f"{hotkey} is {EVERYWHERE[hotkey.key]} in every application"
    return ""


def find_conflict(hotkey: Hotkey) -> str:
    """What macOS uses these keys for; empty when nothing. Only a warning: it can be switched off
    in System Settings."""
    use = SYSTEM_SHORTCUTS.get(hotkey, "")
    return f"macOS uses {hotkey} for {use}." if use else ""


def _complain(text: str, problem: str) -> InvalidValueError:
    return InvalidValueError(name=f"shortcut “{text}”", problem=problem, fix="For example: ⌥Space.")
