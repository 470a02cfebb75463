"""Are the README's tables true? Writes them from the code; a test compares.

Each table stands between `<!-- made: NAME -->` and `<!-- end -->`.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

HOUSE = Path(__file__).resolve().parents[1]
README = HOUSE / "README.md"


def write_commands() -> str:
    """Every command with its line of help."""
    from engine.cli import COMMANDS

    rows = [f"| `sagasu {name}` | {line} |" for name, (_, _, line) in COMMANDS.items()]
    return "\n".join(["| command | what it does |", "|---|---|", *rows])


def write_settings() -> str:
    """Every setting with its default and meaning."""
    from engine.config import Config, iter_settings

    rows = []
    for row in iter_settings(Config()):
        value = f"`{_plain(row.default)}`"
        rows.append(f"| `{row.key}` | {value} | {row.help} |")
    return "\n".join(["| setting | default | meaning |", "|---|---|---|", *rows])


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(str, value))}]"
    return str(value) if value != "" else '""'


def write_formats() -> str:
    """Every format with its endings."""
    from engine.extract import FORMATS

    rows = []
    for one in FORMATS:
        endings = " ".join(one.suffixes)
        if len(endings) > 120:
            endings = f"{' '.join(one.suffixes[:12])} … ({len(one.suffixes)} endings)"
        rows.append(f"| {one.name} | {endings or ', '.join(one.names[:6])} |")
    return "\n".join(["| format | endings |", "|---|---|", *rows])


def write_modes() -> str:
    """Every mode with its meaning."""
    from engine.search.modes import MODES

    rows = [f"| `{mode.name}` | {mode.help} |" for mode in MODES]
    return "\n".join(["| mode | finds |", "|---|---|", *rows])


TABLES: dict[str, Callable[[], str]] = {
    "commands": write_commands,
    "settings": write_settings,
    "formats": write_formats,
    "modes": write_modes,
}


def fill(text: str) -> str:
    """The text with every table made anew."""
    for name, write in TABLES.items():
        pattern = re.compile(rf"(<!-- made: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, count = pattern.subn(lambda found, w=write: f"{found[1]}{w()}\n{found[2]}", text)  # type: ignore[misc]  # a default binds the loop's value
        if count != 1:
            sys.exit(f"README.md has no place for the table of {name}.")
    return text


if __name__ == "__main__":
    README.write_text(fill(README.read_text(encoding="utf-8")), encoding="utf-8")
    print("The tables of README.md are true.")
