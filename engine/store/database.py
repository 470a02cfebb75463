"""How is the database opened? WAL, one writer with a lock file, any number of readers.

The writer's lock is an flock on `sagasu.lock`: it dies with its process, so a kill -9 never leaves
the index locked. Every write is one transaction: `with database.write() as connection:`.
"""

import errno
import fcntl
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from engine.cancel import current_cancel, is_cancelled
from engine.errors import (
    DiskFullError,
    EngineError,
    IndexDamagedError,
    IndexLockedError,
    SearchCancelledError,
    StoreError,
    StoreUnwritableError,
)

BUSY_MS = 10_000
PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
    f"PRAGMA busy_timeout = {BUSY_MS}",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA mmap_size = 268435456",
    "PRAGMA cache_size = -4096",  # a service has many reading threads, and the file is mapped
    "PRAGMA trusted_schema = OFF",
)


class WriterLock:
    """Held by the one process that may write; released by the system when it dies."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[str] | None = None

    def acquire(self) -> None:
        """Take the lock, or raise IndexLockedError with the holder's process id."""
        private = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        handle = os.fdopen(private, "r+", encoding="ascii")
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as exc:
            handle.seek(0)
            holder = handle.read().strip() or "unknown"
            handle.close()
            raise IndexLockedError(pid=holder) from exc
        handle.seek(0)
        handle.truncate()
        handle.write(str(os.getpid()))
        handle.flush()
        self._file = handle

    def release(self) -> None:
        """Give it back; harmless when it was not held."""
        if self._file is not None:
            self._file.close()
            self._file = None


class Database:
    """The one SQLite file: a connection per thread, writes serialised."""

    def __init__(self, path: Path, *, writable: bool) -> None:
        self.path = path
        self.writable = writable
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._guard = threading.Lock()
        self._writing = threading.RLock()
        self._lock = WriterLock(path.with_suffix(".lock"))
        self._closed = False

    def open(self) -> Self:
        """Take the writer's lock if asked, keep the file private, and see that it opens."""
        try:
            with translated(self.path):
                if self.writable:
                    self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                    self._lock.acquire()
                    self._make_private()
                self.connection()
        except BaseException:
            self.close()
            raise
        return self

    def _make_private(self) -> None:
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        os.close(handle)
        os.chmod(self.path, 0o600)

    def connection(self) -> sqlite3.Connection:
        """This thread's own connection."""
        found: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if found is None:
            found = self._connect()
            self._local.connection = found
            with self._guard:
                self._connections.append(found)
        return found

    def _connect(self) -> sqlite3.Connection:
        mode = "rwc" if self.writable else "rw"
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode={mode}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
        )
        try:
            for pragma in PRAGMAS:
                connection.execute(pragma)
            if not self.writable:
                connection.execute("PRAGMA query_only = ON")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is kept, or nothing."""
        with self._writing, translated(self.path):
            connection = self.connection()
            if connection.in_transaction:  # a caller above already holds it: join
                yield connection
                return
            if not getattr(self._local, "writes", False):
                self._local.writes = True
                connection.execute("PRAGMA cache_size = -32768")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                _roll_back(connection)
                raise

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """One consistent view for several statements."""
        with translated(self.path):
            connection = self.connection()
            if connection.in_transaction:
                yield connection
                return
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                _roll_back(connection)

    def data_version(self) -> int:
        """Changes when another connection has committed."""
        return int(self.connection().execute("PRAGMA data_version").fetchone()[0])

    @contextmanager
    def cancellable(self) -> Iterator[None]:
        """Within the block, this thread's Cancel interrupts what its connection is doing."""
        cancel = current_cancel()
        if cancel is None:
            yield
            return
        try:
            with cancel.interrupting(self.connection().interrupt):
                yield
        except sqlite3.OperationalError as exc:
            if is_cancelled():
                raise SearchCancelledError from exc
            raise

    def close(self) -> None:
        """Close every connection and give the lock back."""
        if self._closed:
            return
        self._closed = True
        with self._guard:
            for connection in self._connections:
                connection.close()
            self._connections.clear()
        self._lock.release()

    def __enter__(self) -> Self:
        return self.open()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _roll_back(connection: sqlite3.Connection) -> None:
    """Undo what is open; SQLite has done so by itself after some errors (a full disk)."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """SQLite's and the system's complaints, in our words."""
    try:
        yield
    except EngineError:
        raise
    except sqlite3.Error as exc:
        raise _translate(exc, path) from exc
    except OSError as exc:
        if exc.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR):
            raise StoreUnwritableError(path=path.parent, problem=exc.strerror) from exc
        if exc.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFullError(path=path) from exc
        raise


def _translate(exc: sqlite3.Error, path: Path) -> Exception:
    code = getattr(exc, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_INTERRUPT:
        return exc  # not a fault: the question is no longer wanted, see `cancellable`
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return IndexDamagedError(path=path, problem=str(exc))
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return StoreUnwritableError(path=path.parent, problem=str(exc))
    if code == sqlite3.SQLITE_FULL:
        return DiskFullError(path=path)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return IndexLockedError(pid="unknown")
    if isinstance(exc, sqlite3.OperationalError) and code == sqlite3.SQLITE_IOERR:
        return IndexDamagedError(path=path, problem=str(exc))
    if isinstance(exc, sqlite3.DatabaseError) and "malformed" in str(exc):
        return IndexDamagedError(path=path, problem=str(exc))
    return exc


__all__ = ["Database", "StoreError", "WriterLock", "translated"]
