"""How does the app start anew? A shell waits for this process to end, then opens the bundle."""

import os
import subprocess
import sys

from Foundation import NSBundle

_WAIT = 'while kill -0 "$1" 2>/dev/null; do sleep 0.2; done; exec /usr/bin/open "$2"'


def relaunch_after_quit() -> bool:
    """Has the app opened again once it has quit; False when it does not run from a bundle."""
    if getattr(sys, "frozen", None) != "macosx_app":
        return False
    bundle = str(NSBundle.mainBundle().bundlePath())
    subprocess.Popen(
        ["/bin/sh", "-c", _WAIT, "sagasu", str(os.getpid()), bundle], start_new_session=True
    )
    return True
