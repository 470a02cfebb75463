"""Can this file be opened? Its bytes, read once and within the limits."""

import errno
import os
import stat

from engine.errors import FileTooLargeError, UnreadableFileError
from engine.extract.format import MEGABYTE, Limits


def read_file(path: str, limits: Limits) -> bytes:
    """The bytes of the regular file at `path`."""
    try:
        # Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as exc:
        raise UnreadableFileError(problem=getattr(exc, "strerror", None) or str(exc)) from exc
    with open(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableFileError(problem=os.strerror(errno.EINVAL))
        if status.st_size > limits.max_file_bytes:
            raise FileTooLargeError(what=f"{status.st_size / MEGABYTE:,.0f} MB")
        try:
            data = file.read(limits.max_file_bytes + 1)
        except OSError as exc:
            raise UnreadableFileError(problem=exc.strerror or str(exc)) from exc
    if len(data) > limits.max_file_bytes:
        raise FileTooLargeError(what=f"more than {limits.max_file_bytes // MEGABYTE:,} MB")
    return data
