"""May we read what macOS keeps closed? Full Disk Access is probed, never assumed, never nagged for.

Folders chosen in the dialog are open to us without it. Only other applications' own folders need
it, and a refusal is shown as a refusal, not as an empty folder.
"""

import os
from pathlib import Path

from AppKit import NSWorkspace
from Foundation import NSURL

from app.problems import FULL_DISK_ACCESS

# Exists on every Mac and is closed to everyone without Full Disk Access.
PROBE = Path("~/Library/Containers/com.apple.stocks")


def has_full_disk_access(probe: Path = PROBE) -> bool | None:
    """Yes or no; None when this Mac does not have the folder that tells."""
    try:
        os.listdir(probe.expanduser())
    except PermissionError:
        return False
    except OSError:
        return None
    return True


def open_full_disk_access() -> None:
    """Opens the pane of System Settings where it is given."""
    NSWorkspace.sharedWorkspace().openURL_(NSURL.URLWithString_(FULL_DISK_ACCESS))
