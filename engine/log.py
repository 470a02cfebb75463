"""Where does the log go? To a file that never grows beyond its bounds; set up once, by a door.

    set_up_logging(places.log, debug=config.debug)

What people search for and what their files say is never written above debug. The file is readable
by its owner alone.
"""

import logging
import os
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path

MOST_BYTES = 2 * 1024 * 1024
KEPT_FILES = 3
_FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_CHATTY = ("asyncio", "uvicorn", "watchdog", "charset_normalizer", "PIL", "fontTools")


class _PrivateFile(RotatingFileHandler):
    """A log file of mode 0600, also after it has been rotated."""

    def _open(self):  # type: ignore[no-untyped-def]  # TextIOWrapper, as the library has it
        handle = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return os.fdopen(handle, self.mode, encoding=self.encoding, errors=self.errors)


def set_up_logging(path: Path, *, debug: bool = False, loud: bool = False) -> None:
    """Log to `path` from now on; `loud`: to standard error as well."""
    handlers: list[logging.Handler] = []
    try:
        handlers.append(
            _PrivateFile(path, maxBytes=MOST_BYTES, backupCount=KEPT_FILES, encoding="utf-8")
        )
    except OSError:
        loud = True  # a service that cannot write its log must still be heard
    if loud:
        handlers.append(logging.StreamHandler(sys.stderr))
    root = logging.getLogger()
    for old in list(root.handlers):
        if isinstance(old, _PrivateFile):
            root.removeHandler(old)
            old.close()
    for handler in handlers:
        handler.setFormatter(logging.Formatter(_FORM))
        root.addHandler(handler)
    root.setLevel(logging.DEBUG if debug else logging.INFO)
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.INFO if debug else logging.WARNING)
