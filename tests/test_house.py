"""The direction of imports is a law.

1. A room imports the ground and the rooms named for it, nothing else.
2. The engine never imports the app; only app/launch imports app/mac.
3. PyObjC stands in app/mac and engine/watch/fsevents only.
4. Doors start without heavy libraries.
5. Only cli/output prints.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HOUSE = Path(__file__).resolve().parents[1]
GROUND = {"errors", "models", "ports", "config", "log", "cancel", "settings"}
ROOMS: dict[str, set[str]] = {
    "text": set(),
    "files": set(),
    "store": set(),
    "vector": set(),
    "query": {"text"},
    "extract": {"files"},
    "chunk": {"text"},
    "embed": {"store"},
    "git": {"files"},
    "keyword": {"text", "query", "store"},
    "graph": {"store"},
    "suggest": {"text", "keyword"},
    "curate": {"text", "query", "keyword", "store"},
    "rank": {"text", "query", "embed", "graph"},
    "ingest": {
        "files",
        "extract",
        "git",
        "chunk",
        "embed",
        "store",
        "keyword",
        "vector",
        "graph",
        "curate",
        "text",
    },
    "search": {
        "files",
        "text",
        "query",
        "embed",
        "store",
        "keyword",
        "vector",
        "graph",
        "suggest",
        "curate",
        "rank",
    },
    "watch": {"files", "ingest"},
    "memory": {"extract", "ingest", "search"},
    "server": {"api", "seen"},
    "mcp": {"api", "seen"},
    "evaluate": {"api"},
    "cli": {"api", "doctor", "server", "mcp", "evaluate"},
}
FRONT = {  # floor 7
    "api", "asked", "opened", "inspect", "doctor", "passages", "similar", "seen", "keeping",
}  # fmt: skip
DOORS = {"server", "mcp", "evaluate", "cli"}
NATIVE = ("objc", "AppKit", "Foundation", "WebKit", "Quartz", "rumps", "FSEvents", "PyObjCTools")
HEAVY = (
    "onnxruntime",
    "usearch",
    "pymupdf",
    "tokenizers",
    "numpy",
    "fastapi",
    "mcp.",
    "yaml",
    "rich",
)


def iter_imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def name_of(path: Path) -> str:
    return str(path.relative_to(HOUSE))


def room_of(path: Path) -> str:
    return path.relative_to(HOUSE / "engine").with_suffix("").parts[0]


@pytest.mark.parametrize("path", sorted((HOUSE / "engine").rglob("*.py")), ids=name_of)
def test_a_room_imports_only_what_lies_below_it(path: Path) -> None:
    room = room_of(path)
    if room in {"__init__", *GROUND}:
        allowed = GROUND
    elif room in FRONT:
        allowed = GROUND | set(ROOMS) - DOORS | FRONT
    else:
        allowed = GROUND | ROOMS[room] | {room}
    for name in iter_imports(path):
        parts = name.split(".")
        assert parts[0] != "app", f"{path}: the engine does not know the app"
        if parts[0] == "engine" and len(parts) > 1 and parts[1] != "__version__":
            assert parts[1] in allowed, f"{room} imports {name}"


@pytest.mark.parametrize(
    "path", sorted([*(HOUSE / "app").rglob("*.py"), *(HOUSE / "engine").rglob("*.py")]), ids=name_of
)
def test_native_libraries_stand_in_the_native_layer_only(path: Path) -> None:
    native = path.is_relative_to(HOUSE / "app" / "mac") or path.name == "fsevents.py"
    for name in iter_imports(path):
        if name.split(".")[0] in NATIVE:
            assert native, f"{path} imports {name}"
        if name.startswith("app.mac") and not path.is_relative_to(HOUSE / "app" / "mac"):
            assert path.name == "launch.py", f"{path} imports {name}"


@pytest.mark.parametrize("path", sorted((HOUSE / "engine").rglob("*.py")), ids=name_of)
def test_only_output_prints(path: Path) -> None:
    if path.name == "output.py":
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "print", f"{path}:{node.lineno}"


def test_starting_the_command_line_loads_nothing_heavy() -> None:
    code = "import sys, engine.cli.main; print('\\n'.join(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=HOUSE
    ).stdout.split()
    assert [name for name in loaded if name.startswith(HEAVY)] == []
