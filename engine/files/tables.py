"""Which names have a meaning? Reads the tables of names in resources/.

One entry a line, name and meaning parted by a tab; lines that begin with "# " are comments.
"""

import functools
from pathlib import Path

RESOURCES = Path(__file__).resolve().parents[2] / "resources"


@functools.cache
def read_table(name: str) -> dict[str, str]:
    """The table `name` (a path under resources/) as entries and their meanings, in order."""
    rows: dict[str, str] = {}
    for line in (RESOURCES / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("# "):
            entry, _, meaning = line.partition("\t")
            rows[entry] = meaning
    return rows
