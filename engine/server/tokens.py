"""Who may ask, and for what? The owner's token, and narrower ones for other programs.

The owner's token stands in the 0600 file `token`, made at the first start: the command line and the
panel read it by themselves. Other tokens are shown once, when they are made; `tokens.json` keeps
their SHA-256 only (they have 256 random bits: a slow hash would protect nothing more).
"""

import hashlib
import hmac
import json
import os
import secrets
import threading
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from engine.errors import InvalidValueError, NotFoundError, StoreUnwritableError

OWNER = "owner"
TOKEN_BYTES = 32
MOST_TOKENS = 100
USED_EVERY_SECONDS = 60.0  # how often "last used" is written down


@dataclass(frozen=True, slots=True)
class Client:
    """Whoever asks: the owner, or a program with a token of its own."""

    name: str
    read_only: bool = False
    folders: tuple[str, ...] = ()  # empty: everywhere

    @property
    def owner(self) -> bool:
        """Whether this is the person's own token, which may do everything."""
        return self.name == OWNER

    def sees(self, path: str) -> bool:
        """Whether a document at `path` may be shown; text without a file is the whole index's."""
        return not self.folders or (bool(path) and any(inside(path, one) for one in self.folders))


@dataclass(frozen=True, slots=True)
class Token:
    """A token of another program, as it is kept."""

    name: str
    hash: str
    read_only: bool
    folders: tuple[str, ...]
    created: float
    last_used: float | None = None
    revoked: float | None = None


def inside(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or lies in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def read_owner_token(path: Path) -> str:
    """The owner's token; made, readable by its owner alone, when there is none."""
    try:
        found = path.read_text(encoding="ascii").strip()
        if found:
            os.chmod(path, 0o600)
            return found
    except FileNotFoundError:
        pass
    except (OSError, UnicodeDecodeError) as exc:
        raise StoreUnwritableError(path=path, problem=str(exc)) from exc
    made = secrets.token_urlsafe(TOKEN_BYTES)
    write_private(path, made + "\n")
    return made


def write_private(path: Path, text: str) -> None:
    """Write a 0600 file so that a reader sees all of it or the one before."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError as exc:
        beside.unlink(missing_ok=True)
        raise StoreUnwritableError(path=path.parent, problem=exc.strerror or str(exc)) from exc


class Tokens:
    """The owner's token and all others; safe to use from several threads."""

    def __init__(self, owner: str, path: Path) -> None:
        self._owner = owner.encode()
        self._path = path
        self._guard = threading.Lock()
        self._mark: tuple[int, int] | None = None  # of the file that the rows were read from
        self._rows: list[Token] = []
        self._refresh()

    def find(self, given: str) -> Client | None:
        """Whose token this is; None: nobody's."""
        if hmac.compare_digest(given.encode("utf-8", "surrogateescape"), self._owner):
            return Client(OWNER)
        wanted = _hash(given)
        found: Token | None = None
        with self._guard:
            self._refresh()
            for row in self._rows:  # all of them, so that the time tells nothing
                if hmac.compare_digest(row.hash, wanted) and row.revoked is None:
                    found = row
            if found is None:
                return None
            self._touch(found)
        return Client(found.name, found.read_only, found.folders)

    def create(self, name: str, *, read_only: bool = True, folders: Iterable[str] = ()) -> str:
        """A new token; this is the only time that its text is seen."""
        folders = tuple(folders)
        if any("\0" in one or not one.strip() for one in folders):
            raise InvalidValueError(name="folders", problem="invalid path", fix="Name a folder.")
        places = tuple(dict.fromkeys(os.path.realpath(os.path.expanduser(one)) for one in folders))
        text = secrets.token_urlsafe(TOKEN_BYTES)
        with self._guard:
            self._refresh()
            if name == OWNER or any(row.name == name and row.revoked is None for row in self._rows):
                raise InvalidValueError(
                    name="name", problem=f"there is a token “{name}” already", fix="Choose another."
                )
            if sum(row.revoked is None for row in self._rows) >= MOST_TOKENS:
                raise InvalidValueError(
                    name="tokens", problem=f"there are {MOST_TOKENS} already", fix="Revoke some."
                )
            made = Token(name, _hash(text), read_only, places, time.time())
            self._rows = [row for row in self._rows if row.name != name] + [made]
            self._write()
        return text

    def rows(self) -> list[Token]:
        """All tokens, revoked ones too, the oldest first."""
        with self._guard:
            self._refresh()
            return sorted(self._rows, key=lambda row: row.created)

    def revoke(self, name: str) -> None:
        """From now on this token opens nothing."""
        with self._guard:
            self._refresh()
            for index, row in enumerate(self._rows):
                if row.name == name and row.revoked is None:
                    self._rows[index] = replace(row, revoked=time.time())
                    self._write()
                    return
        raise NotFoundError(what=f"token {name}", fix="sagasu token list shows them.")

    def _touch(self, row: Token) -> None:
        now = time.time()
        if row.last_used is None or now - row.last_used >= USED_EVERY_SECONDS:
            self._rows[self._rows.index(row)] = replace(row, last_used=now)
            self._write()

    def _refresh(self) -> None:
        """Read the file again when another process (the command line) has changed it."""
        mark = _mark(self._path)
        if mark != self._mark:
            self._rows = self._read()
            self._mark = mark

    def _read(self) -> list[Token]:
        try:
            rows = json.loads(self._path.read_text(encoding="utf-8"))
            return [Token(**{**row, "folders": tuple(row["folders"])}) for row in rows]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, TypeError, KeyError) as exc:
            raise StoreUnwritableError(path=self._path, problem=f"cannot be read: {exc}") from exc

    def _write(self) -> None:
        rows = [asdict(row) for row in self._rows]
        write_private(self._path, json.dumps(rows, indent=1) + "\n")
        self._mark = _mark(self._path)


def _mark(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
