"""How does an assistant get to know us? By an entry in its own settings file, written with care.

The file is read, our one entry is put in or changed, everything else stays as it was; a copy of the
file as it was is kept beside it. A file that is not plain JSON (comments, a typing error) is not
touched: the entry is shown, to be put in by hand.
"""

import json
import os
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import InvalidValueError, StoreUnwritableError

ENTRY = "sagasu"


@dataclass(frozen=True, slots=True)
class Assistant:
    """A program that speaks MCP, and where its settings are."""

    name: str
    title: str
    key: str  # under which its settings keep the servers
    mac: str
    linux: str
    typed: bool = False  # whether an entry says that it is of type stdio

    def path(self, home: Path) -> Path:
        """Its settings file for the person whose home this is."""
        return home / (self.mac if sys.platform == "darwin" else self.linux)


ASSISTANTS = (
    Assistant(
        "claude-desktop",
        "Claude Desktop",
        "mcpServers",
        "Library/Application Support/Claude/claude_desktop_config.json",
        ".config/Claude/claude_desktop_config.json",
    ),
    Assistant("claude-code", "Claude Code", "mcpServers", ".claude.json", ".claude.json", True),
    Assistant("cursor", "Cursor", "mcpServers", ".cursor/mcp.json", ".cursor/mcp.json"),
    Assistant(
        "vscode",
        "VS Code",
        "servers",
        "Library/Application Support/Code/User/mcp.json",
        ".config/Code/User/mcp.json",
        True,
    ),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one assistant's settings."""

    assistant: Assistant
    path: Path
    done: str  # added, changed, unchanged, removed, absent, not touched
    backup: Path | None = None
    problem: str = ""

    def sentence(self) -> str:
        """For the person."""
        kept = f" (the file as it was: {self.backup})" if self.backup else ""
        said = f"{self.assistant.title}: {self.done}: {self.path}{kept}"
        return f"{said}\n  {self.problem}" if self.problem else said


def build_entry(assistant: Assistant, command: Sequence[str]) -> dict[str, Any]:
    """The entry that starts us."""
    entry: dict[str, Any] = {"type": "stdio"} if assistant.typed else {}
    entry |= {"command": command[0], "args": list(command[1:])}
    if os.environ.get("SAGASU_HOME"):
        entry["env"] = {"SAGASU_HOME": os.environ["SAGASU_HOME"]}
    return entry


def default_command() -> tuple[str, ...]:
    """How this very installation is started."""
    found = shutil.which("sagasu")
    return (found, "mcp") if found else (sys.executable, "-m", "engine.cli.main", "mcp")


def choose_assistants(names: Sequence[str], home: Path) -> list[Assistant]:
    """Those that are named; without names those that have been used on this machine."""
    known = {one.name: one for one in ASSISTANTS}
    for name in names:
        if name not in known:
            raise InvalidValueError(
                name="client", problem=f"“{name}” is unknown", fix=f"One of: {', '.join(known)}."
            )
    if names:
        return [known[name] for name in names]
    return [one for one in ASSISTANTS if _is_used(one.path(home), home)]


def write_snippet(assistant: Assistant, command: Sequence[str]) -> str:
    """The part of the settings file that `install` would write."""
    entry = build_entry(assistant, command)
    return json.dumps({assistant.key: {ENTRY: entry}}, indent=2, ensure_ascii=False)


def install(
    names: Sequence[str], *, command: Sequence[str] | None = None, home: Path | None = None
) -> list[Outcome]:
    """Put our entry into the settings of the assistants; what was done, for each."""
    home = home or Path.home()
    command = command or default_command()
    return [
        _change(one, one.path(home), build_entry(one, command))
        for one in choose_assistants(names, home)
    ]


def uninstall(names: Sequence[str], *, home: Path | None = None) -> list[Outcome]:
    """Take our entry out again."""
    home = home or Path.home()
    return [_change(one, one.path(home), None) for one in choose_assistants(names, home)]


def _is_used(path: Path, home: Path) -> bool:
    return path.exists() or (path.parent != home and path.parent.is_dir())


def _change(assistant: Assistant, path: Path, entry: dict[str, Any] | None) -> Outcome:
    """One settings file with our entry put in, or taken out (None)."""
    real = Path(os.path.realpath(path))  # a link to a folder of settings stays a link
    try:
        text = real.read_text(encoding="utf-8") if real.exists() else ""
        settings = json.loads(text) if text.strip() else {}
        servers = settings.setdefault(assistant.key, {})
        before = servers.get(ENTRY)
    except (ValueError, AttributeError) as exc:
        problem = f"It is not plain JSON ({exc}). Put this in by hand, or remove it: {ENTRY}"
        return Outcome(assistant, path, "not touched", problem=problem)
    except OSError as exc:
        raise StoreUnwritableError(path=path, problem=exc.strerror or str(exc)) from exc
    if entry is None and before is None:
        return Outcome(assistant, path, "absent")
    if before == entry:
        return Outcome(assistant, path, "unchanged")
    if entry is None:
        del servers[ENTRY]
        done = "removed"
    else:
        servers[ENTRY] = entry
        done = "changed" if before is not None else "added"
    return Outcome(assistant, path, done, _write(real, settings))


def _write(path: Path, settings: dict[str, Any]) -> Path | None:
    """Write the settings in one step, with the file's own mode; returns the copy of what was."""
    backup = None
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = 0o600
        if path.exists():
            mode = path.stat().st_mode & 0o777
            backup = path.with_name(f"{path.name}.before-sagasu-{time.strftime('%Y%m%d-%H%M%S')}")
            shutil.copy2(path, backup)
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, mode)
        with open(handle, "w", encoding="utf-8") as file:
            file.write(json.dumps(settings, indent=2, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, mode)
        os.replace(beside, path)
    except OSError as exc:
        beside.unlink(missing_ok=True)
        raise StoreUnwritableError(path=path, problem=exc.strerror or str(exc)) from exc
    return backup
