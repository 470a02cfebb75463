"""How is a damaged index mended from the desktop? As `sagasu doctor --repair` does it.

Nobody may have the index open meanwhile. The damaged one is moved aside, its folders are carried
over, and the next start reads them again; the person's files are never touched.

On a Mac the app ends with its windows, so a wish to repair is noted in the data folder and carried
out by the next start, before anything is opened.
"""

import logging
from pathlib import Path

from engine.doctor import examine

log = logging.getLogger(__name__)

WISH = "repair.wanted"


def repair_index(folder: Path) -> tuple[str, ...]:
    """Mends what can be mended; what that was, a line each."""
    (folder / WISH).unlink(missing_ok=True)
    mended = tuple(
        f"{one.what}: {one.detail}" for one in examine(folder, repair=True) if one.mended
    )
    for line in mended:
        log.warning("mended: %s", line)
    return mended


def note_wish(folder: Path) -> None:
    """The next start shall repair before it opens anything."""
    (folder / WISH).touch(mode=0o600)


def has_wish(folder: Path) -> bool:
    """Has a repair been asked for?"""
    return (folder / WISH).exists()
