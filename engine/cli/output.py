"""What does the terminal show? The only place that prints: text for people, JSON for programs.

Answers go to standard output, progress and remarks to standard error. Colours and links appear on
a terminal only, and not when NO_COLOR is set.
"""

import json
import os
import sys
from typing import Any

import click

BOLD, DIM, GREEN, BLUE, VIOLET, YELLOW = "1", "2", "32", "34", "35", "1;33"


def say(text: str = "") -> None:
    """A line of the answer."""
    print(text)


def remark(text: str) -> None:
    """A line beside the answer."""
    click.echo(text, err=True)


def say_json(value: Any) -> None:
    """One JSON document and nothing else."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def is_colourful() -> bool:
    """Whether standard output takes colours."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def paint(text: str, style: str) -> str:
    """`text` in a style, on a terminal."""
    return f"\x1b[{style}m{text}\x1b[0m" if is_colourful() else text


def link(text: str, path: str) -> str:
    """`text` as a link to the file, on a terminal that shows links (OSC 8)."""
    if not is_colourful() or not path:
        return text
    from pathlib import Path

    return f"\x1b]8;;{Path(path).as_uri()}\x1b\\{text}\x1b]8;;\x1b\\"


def clean(text: str) -> str:
    """`text` without control characters: a file's name must not move the cursor."""
    return "".join(one if one.isprintable() else " " for one in text)


def mark(text: str, ranges: list[tuple[int, int]] | tuple[tuple[int, int], ...]) -> str:
    """`text` on one line with the ranges painted."""
    if not is_colourful():
        return clean(text)
    parts: list[str] = []
    last = 0
    for start, end in ranges:
        parts += [clean(text[last:start]), paint(clean(text[start:end]), YELLOW)]
        last = end
    return "".join([*parts, clean(text[last:])])
