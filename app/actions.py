"""How are files opened, revealed and copied off macOS? Through the desktop's own tools.

xdg-open opens, the file manager reveals (org.freedesktop.FileManager1, else its folder is opened),
wl-copy, xclip or xsel fill the clipboard. What is missing is said, never passed over.
"""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.errors import DesktopError, NotFoundError

SECONDS = 10.0
CLIPBOARDS: tuple[tuple[str, ...], ...] = (
    ("wl-copy",),
    ("xclip", "-selection", "clipboard"),
    ("xsel", "--clipboard", "--input"),
)


class FreeDesktop:
    """Files and clipboard by the freedesktop.org tools."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._environment = dict(os.environ if environment is None else environment)

    def open(self, path: Path) -> None:
        """Opens with the program that the desktop has chosen for its kind."""
        self._run(["xdg-open", str(_existing(path))], f"Opening {path.name}")

    def open_with(self, path: Path, application: str) -> None:
        """Opens with a desktop entry, by its name."""
        if application not in self.applications(path):
            raise NotFoundError(what=f"The application {application}")
        self._run(["gtk-launch", application, str(_existing(path))], f"Opening with {application}")

    def applications(self, path: Path) -> tuple[str, ...]:
        """The desktop entries that declare the file's kind, by name, without their ending."""
        if self._find("xdg-mime") is None:
            return ()
        kind = self._read(["xdg-mime", "query", "filetype", str(_existing(path))])
        folders = self._environment.get("XDG_DATA_DIRS", "/usr/local/share:/usr/share").split(":")
        found: set[str] = set()
        for folder in folders:
            cache = Path(folder) / "applications" / "mimeinfo.cache"
            if kind and cache.is_file():
                found |= _entries(cache.read_text(encoding="utf-8", errors="replace"), kind)
        return tuple(sorted(found))

    def reveal(self, path: Path) -> None:
        """Shows it selected in the file manager, or at least its folder."""
        address = _existing(path).absolute().as_uri()
        if self._find("gdbus") is not None:
            shown = subprocess.run(
                ["gdbus", "call", "--session", "--dest", "org.freedesktop.FileManager1",
                 "--object-path", "/org/freedesktop/FileManager1",
                 "--method", "org.freedesktop.FileManager1.ShowItems", f"['{address}']", ""],
                capture_output=True, timeout=SECONDS, env=self._environment, check=False,
            )  # fmt: skip
            if shown.returncode == 0:
                return
        self._run(["xdg-open", str(path.parent)], f"Showing {path.name}")

    def copy_text(self, text: str) -> None:
        """Puts `text` on the clipboard."""
        for command in CLIPBOARDS:
            if self._find(command[0]) is not None:
                self._run(list(command), "Copying", text)
                return
        raise DesktopError(
            what="Copying", problem="there is no clipboard program", fix="Install wl-copy or xclip."
        )

    def copy_files(self, paths: Sequence[Path]) -> None:
        """Puts the paths on the clipboard, one a line."""
        self.copy_text("\n".join(str(path) for path in paths))

    def open_address(self, address: str) -> None:
        """Opens a page in the browser."""
        self._run(["xdg-open", address], "Opening the page")

    def _find(self, program: str) -> str | None:
        return shutil.which(program, path=self._environment.get("PATH"))

    def _read(self, command: list[str]) -> str:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=SECONDS, env=self._environment,
            check=False,
        )  # fmt: skip
        return done.stdout.strip() if done.returncode == 0 else ""

    def _run(self, command: list[str], what: str, text: str | None = None) -> None:
        program = self._find(command[0])
        if program is None:
            fix = f"Install it: {command[0]}"
            raise DesktopError(what=what, problem=f"there is no {command[0]}", fix=fix)
        # Clipboard programs stay behind as owners of the selection: their output must not be
        # waited for.
        try:
            done = subprocess.run(
                [program, *command[1:]], input=text, text=True, timeout=SECONDS,
                stdin=subprocess.DEVNULL if text is None else None,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                env=self._environment, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as exc:
            raise DesktopError(what=what, problem=str(exc)) from exc
        if done.returncode:
            problem = f"{command[0]} gave up (exit {done.returncode})"
            raise DesktopError(what=what, problem=problem)


def _existing(path: Path) -> Path:
    if not path.exists():
        raise NotFoundError(what=str(path), fix="It was moved or deleted.")
    return path


def _entries(cache: str, kind: str) -> set[str]:
    for line in cache.splitlines():
        name, _, rest = line.partition("=")
        if name == kind:
            return {one.removesuffix(".desktop") for one in rest.split(";") if one}
    return set()
