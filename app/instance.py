"""Is the app already running? A lock file in the data folder; it goes with the process.

with hold_instance(folder):          AlreadyRunningError when another process holds it
    …
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.errors import AlreadyRunningError, StoreUnwritableError

LOCK_NAME = "app.lock"


@contextmanager
def hold_instance(folder: Path, address: str = "the menu bar") -> Iterator[None]:
    """Holds the lock for as long as the block runs."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as exc:
        raise StoreUnwritableError(path=str(folder), problem=exc.strerror or str(exc)) from exc
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as exc:
            holder = os.read(handle, 32).decode("ascii", "replace").strip() or "unknown"
            raise AlreadyRunningError(pid=holder, address=address) from exc
        os.truncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(handle)
