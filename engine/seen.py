"""Who was shown what? `access.log`: one JSON object a line, which client saw which file.

Other programs and assistants are kept here; what the owner reads is nobody's business and is not.
"""

import json
import logging
import os
import time
from collections.abc import Iterable
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

ROTATE_BYTES = 5 * 1024 * 1024
KEPT_FILES = 3


class _PrivateFile(RotatingFileHandler):
    def _open(self) -> TextIOWrapper:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        return open(os.open(self.baseFilename, flags, 0o600), "a", encoding="utf-8")


class SeenLog:
    """Which client was shown which file."""

    def __init__(self, path: Path) -> None:
        self._handler = _PrivateFile(
            path, maxBytes=ROTATE_BYTES, backupCount=KEPT_FILES, delay=True
        )

    def note(self, client: str, action: str, documents: Iterable[tuple[str, str]]) -> None:
        """Keep that `client` was shown these documents, given as id and path."""
        shown = [path or id_ for id_, path in documents]
        row = {"time": time.time(), "client": client, "action": action, "shown": shown}
        line = json.dumps(row)
        self._handler.handle(logging.LogRecord("seen", logging.INFO, "", 0, line, None, None))

    def close(self) -> None:
        """Close the file."""
        self._handler.close()
