"""The names that we use, checked without running anything: 1 every name imported from a framework
exists; 2 every selector that is sent exists on some class, with as many arguments as it is given;
3 every method of our Objective-C classes is one of Apple's, or ours by name; 4 none is newer than
the oldest macOS we run on, or deprecated; 5 the Carbon calls are declared as others declare
them, key codes are Apple's; 6 facts.json agrees with the full list of the SDK where that is there.
"""

import ast
import ctypes
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.hotkeys import COMMAND, CONTROL, KEY_CODES, OPTION, SHIFT
from tests.app.contract.standin import CLASSES, FACTS, PARENTS, PROTOCOLS, StandIn, split_encoding

ROOT = Path(__file__).resolve().parents[3]
FULL = ROOT.parent / "shared" / "macos"
FILES = sorted([*(ROOT / "app" / "mac").glob("*.py"), *ROOT.glob("engine/watch/fsevents.py")])
OLDEST = (14, 0)
REFRESH = "If Apple has it: python packaging/refresh_mac_facts.py"
# Made by PyObjC in C, hence not in its metadata.
BY_HAND = {"NSMakeRect", "NSMakePoint", "NSMakeSize", "FSEventStreamCreate"}
METHODS = {
    key for one in (*CLASSES.values(), *PROTOCOLS.values()) for key in one["methods"]
} | {"-init", "+alloc", "+new"}  # fmt: skip


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def has_name(module: str, name: str) -> bool:
    facts = FACTS["modules"].get(module, {})
    known = any(name in facts.get(table, ()) for table in facts)
    above = any(has_name(parent, name) for parent in PARENTS.get(module, ()))
    return known or above or name in CLASSES or name in BY_HAND


def imported(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module in PARENTS:
            yield from ((node.module, alias.name) for alias in node.names)
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in PARENTS
        ):
            yield node.value.id, node.attr


def sent(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if re.fullmatch(r"[a-zA-Z]\w*_", name) and not name.startswith("_"):
                spread = any(isinstance(one, ast.Starred) for one in node.args)
                yield name, -1 if spread else len(node.args)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_imported_names_exist(path: Path) -> None:
    unknown = [(module, name) for module, name in imported(path) if not has_name(module, name)]
    assert not unknown, REFRESH


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_sent_selectors_exist_with_their_arguments(path: Path) -> None:
    ours = {
        node.name
        for other in FILES
        for node in ast.walk(tree(other))
        if isinstance(node, ast.FunctionDef)
    }
    for name, count in sent(path):
        selector = name.replace("_", ":")
        known = {"-" + selector, "+" + selector} & METHODS
        assert known or name in ours, f"no class has {selector}. {REFRESH}"
        assert count in (-1, name.count("_")), f"{selector} with {count} arguments"


def objc_methods(path: Path) -> Iterator[tuple[str, str]]:
    for node in tree(path).body:
        if isinstance(node, ast.ClassDef):
            bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
            if bases & set(CLASSES):
                yield from (
                    (node.name, one.name) for one in node.body if isinstance(one, ast.FunctionDef)
                )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_our_methods_are_apples_or_named_as_ours(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for kind, name in objc_methods(path):
        selector = name.replace("_", ":")
        ours = name.startswith("init") or f'b"{selector}"' in text
        assert ours or "-" + selector in METHODS, f"nobody ever calls {kind}.{name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_pyobjc_knows_the_types_of_our_methods(path: Path) -> None:
    """A protocol's method that takes or gives a number needs PyObjC's metadata, or the number
    arrives as an object."""
    for kind, name in objc_methods(path):
        key = "-" + name.replace("_", ":")
        found = [one["methods"][key] for one in PROTOCOLS.values() if key in one["methods"]]
        inherited = any(key in one["methods"] for one in CLASSES.values())
        for one in found:
            types = [one["result"][0], *(argument[0] for argument in one["arguments"])]
            if set(types) - {"@", "v"} and not inherited:
                assert key[1:] in FACTS["typed"], f"{kind}.{name}: {types}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_nothing_is_too_new_or_deprecated(path: Path) -> None:
    for name, _ in sent(path):
        selector = name.replace("_", ":")
        found = [
            one["methods"][sign + selector]
            for one in (*CLASSES.values(), *PROTOCOLS.values())
            for sign in "+-"
            if sign + selector in one["methods"]
        ]
        if found:
            assert any(_is_current(one) for one in found), selector


def _is_current(method: dict[str, Any]) -> bool:
    since = tuple(int(part) for part in str(method.get("since", "10.0")).split("."))
    return since <= OLDEST and "deprecated" not in method


def test_carbon_is_declared_as_it_is(mac: StandIn) -> None:
    from app.mac import hotkey

    for name, (result, arguments) in hotkey.FUNCTIONS.items():
        parts = split_encoding(FACTS["carbon"]["functions"][name])
        assert len(parts) == len(arguments) + 1, name
        for kind, declared in zip(parts, (result, *arguments), strict=True):
            assert size_of(kind) == ctypes.sizeof(declared), f"{name}: {kind}"
    enums = FACTS["carbon"]["enums"]
    assert enums["kEventClassKeyboard"] == hotkey.KEYBOARD_CLASS
    assert enums["typeEventHotKeyID"] == hotkey.TYPE_HOT_KEY_ID
    assert enums["kEventHotKeyPressed"] == hotkey.HOT_KEY_PRESSED


def size_of(kind: str) -> int:
    if kind.startswith("^"):
        return ctypes.sizeof(ctypes.c_void_p)
    if kind.startswith("{"):
        return sum(size_of(one) for one in kind[kind.index("=") + 1 : -1])
    # "L" stands for ItemCount, an unsigned long of 64 bits.
    return {"i": 4, "I": 4, "L": 8, "Q": 8}[kind]


def test_key_codes_and_modifiers_are_apples() -> None:
    enums = FACTS["carbon"]["enums"]
    assert tuple(enums[name] for name in ("cmdKey", "shiftKey", "optionKey", "controlKey")) == (
        COMMAND,
        SHIFT,
        OPTION,
        CONTROL,
    )
    names = {
        "=": "Equal", "-": "Minus", "]": "RightBracket", "[": "LeftBracket", "'": "Quote",
        ";": "Semicolon", "\\": "Backslash", ",": "Comma", "/": "Slash",
        ".": "Period", "`": "Grave",
        "Left": "LeftArrow", "Right": "RightArrow", "Up": "UpArrow", "Down": "DownArrow",
    }  # fmt: skip
    for key, code in KEY_CODES.items():
        name = names.get(key, key)
        known = enums.get(f"kVK_ANSI_{name}", enums.get(f"kVK_{name}"))
        assert known == code, key


def read(name: str) -> Any:
    if not (FULL / name).exists():
        pytest.skip("the full list of the SDK is not beside the project")
    return json.loads((FULL / name).read_text(encoding="utf-8"))


def test_facts_agree_with_the_full_list_of_selectors() -> None:
    full: dict[str, Any] = {}
    for framework in read("selectors.json").values():
        for name, one in framework.items():
            kept = full.setdefault(name, {"instance": set(), "class": set(), "superclass": None})
            kept["instance"] |= {*one["instance"], *one.get("only_in_objc2", ())}
            kept["class"] |= set(one["class"])
            kept["superclass"] = one["superclass"] or kept["superclass"]
    missing = [
        f"{name} {key}"
        for name, one in CLASSES.items()
        for key in one["methods"]
        if key[1:] not in full[name]["instance" if key[0] == "-" else "class"]
    ]
    assert not missing
    assert all(
        one["super"] == full[name]["superclass"] for name, one in CLASSES.items() if one["super"]
    )


def test_facts_agree_with_the_full_list_of_constants() -> None:
    full = read("pyobjc_names.json")
    for module, facts in FACTS["modules"].items():
        for name, value in facts["enums"].items():
            assert full[module]["enums"][name] == value, name
        assert set(facts["constants"]) <= set(full[module]["constants"])
        assert set(facts["functions"]) <= set(full[module]["functions"])
