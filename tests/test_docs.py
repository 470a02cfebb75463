"""The documents tell the truth.

1. The README's tables are those of the code.
2. Every room stands in ARCHITECTURE.md; neither file names a place on somebody's machine.
3. Every make target that the README names exists.
"""

import re
import sys
from pathlib import Path

HOUSE = Path(__file__).resolve().parents[1]
README = (HOUSE / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = (HOUSE / "ARCHITECTURE.md").read_text(encoding="utf-8")


def test_the_tables_are_those_of_the_code() -> None:
    sys.path.insert(0, str(HOUSE / "packaging"))
    try:
        import write_docs

        assert write_docs.fill(README) == README, "run: make docs"
    finally:
        sys.path.pop(0)


def test_every_room_is_on_the_map() -> None:
    rooms = [path.parent.name for path in (HOUSE / "engine").glob("*/__init__.py")]
    assert rooms
    assert [room for room in rooms if f"**{room}/**" not in ARCHITECTURE] == []


def test_the_map_is_short_enough_to_be_read() -> None:
    assert len(ARCHITECTURE.splitlines()) < 250


def test_every_make_target_named_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (HOUSE / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"`make ([a-z]+)`", README + ARCHITECTURE))
    assert named
    assert named <= targets
