"""What can go wrong, in the words a person reads.

EngineError
├─ RequestError  exit 2, 400        QuerySyntaxError · UnknownModeError · ConfigError
│                                   FolderMissingError · InvalidValueError · OutsideRootsError
│                                   NotFoundError (404) · SearchCancelledError
├─ FileError     the batch goes on  UnsupportedFormatError · EncryptedFileError · DamagedFileError
│                                   FileTooLargeError · UnreadableFileError · NoTextError
│                                   FileTimeoutError
├─ StoreError    exit 3, 503        IndexLockedError · IndexMissingError · IndexDamagedError
│                                   IndexOutdatedError · StoreUnwritableError · DiskFullError
│                                   IndexOpeningError
├─ ModelError    words still work   ModelMissingError · ModelDamagedError · ModelMismatchError
├─ ServiceError  exit 1             ServiceUnreachableError · PortTakenError · AlreadyRunningError
│                                   WatchError · ReadersError
├─ DesktopError  one action failed  the system could not open, show or copy something
└─ InternalError a defect of ours   the log has the details

Each class has its sentence (`say`, filled from the facts it is raised with) and what to do
(`hint`).
"""

from typing import ClassVar


class EngineError(Exception):
    """Something a person can read and act on."""

    say: ClassVar[str] = "Something went wrong."
    hint: ClassVar[str] = ""
    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 500

    def __init__(self, **facts: object) -> None:
        super().__init__(self.say.format(**facts))
        self.facts = facts

    @property
    def advice(self) -> str:
        """What to do about it, with the facts filled in; empty when there is nothing to do."""
        return self.hint.format(**self.facts)

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword facts do not survive the default pickling.
        return (_rebuild, (type(self), self.facts))


def _rebuild(kind: type[EngineError], facts: dict[str, object]) -> EngineError:
    return kind(**facts)


class RequestError(EngineError):
    """The question or its settings are off; nothing was done."""

    exit_code = 2
    http_status = 400


class QuerySyntaxError(RequestError):
    """The query cannot be read; carries the position for a caret."""

    say = "{problem}"
    hint = "{fix}"

    def __init__(self, *, problem: str, fix: str, query: str, position: int) -> None:
        super().__init__(problem=problem, fix=fix, query=query, position=position)
        self.query = query
        self.position = position

    def drawing(self) -> str:
        """The query with a caret under the place."""
        return f"  {self.query}\n  {' ' * self.position}^"


class EmptyQueryError(RequestError):
    """There is nothing to search for."""

    say = "query cannot be empty"
    hint = 'Type what you are looking for, for example: sagasu search "tax return"'


class InvalidValueError(RequestError):
    """A parameter is out of its range or of the wrong kind."""

    say = "{name}: {problem}"
    hint = "{fix}"


class UnknownModeError(RequestError):
    """No such search mode."""

    say = "There is no search mode “{mode}”."
    hint = "Modes: {known}."


class SearchCancelledError(RequestError):
    """Nobody waits for the answer any more: a newer question came, or the asker left."""

    say = "The search was cancelled."
    hint = "Ask again."


class ConfigError(RequestError):
    """The configuration file is wrong at one place."""

    say = "{file}, line {line}: {key}: {problem}"
    hint = "{fix}"


class FolderMissingError(RequestError):
    """The path that was given is not there."""

    say = "{path} does not exist."
    hint = "Check the spelling, or plug in the disk that it is on."


class OutsideRootsError(RequestError):
    """Only files under the indexed folders may be read through a door."""

    say = "{path} is not in any indexed folder."
    hint = "Add its folder first: sagasu watch add FOLDER"
    http_status = 403


class NotFoundError(RequestError):
    """No such document, root or token."""

    say = "{what} not found"
    hint = "{fix}"
    http_status = 404

    def __init__(self, *, what: str, fix: str = "") -> None:
        super().__init__(what=what, fix=fix)


class FileError(EngineError):
    """One file cannot be indexed; the ledger keeps the reason and the batch goes on."""


class UnsupportedFormatError(FileError):
    """No reader knows this kind of file."""

    say = "no reader for {format}"


class EncryptedFileError(FileError):
    """Needs a password that we do not have."""

    say = "encrypted: needs a password"
    hint = "Save a copy without a password."


class DamagedFileError(FileError):
    """Looks like the format, but cannot be read as it."""

    say = "damaged: cannot be read as {format}"
    hint = "Open it in its own app and save it again."


class FileTooLargeError(FileError):
    """Above a size limit, of the file or of what it unpacks to."""

    say = "too large: {what}"
    hint = "Raise files.max_size_mb in the configuration to include it."


class UnreadableFileError(FileError):
    """The system refused to open it."""

    say = "cannot be opened: {problem}"
    hint = "Give Sagasu permission to read it (on a Mac: Full Disk Access)."


class NoTextError(FileError):
    """Readable, but there is no text in it."""

    say = "no text: {what}"


class FileTimeoutError(FileError):
    """Reading took too long or too much memory, or killed its worker."""

    say = "gave up reading: {what}"


class StoreError(EngineError):
    """The index cannot be used as it is."""

    exit_code = 3
    http_status = 503


class IndexLockedError(StoreError):
    """Another process writes to this index."""

    say = "Another Sagasu (process {pid}) is writing to the index."
    hint = "Wait for it to finish, or use it: the command line asks a running service by itself."


class IndexOpeningError(StoreError):
    """The index is not open yet."""

    say = "The index is still being opened after {seconds} seconds."
    hint = "Ask again in a moment."


class IndexMissingError(StoreError):
    """Nothing has been indexed yet."""

    say = "There is no index yet in {path}."
    hint = "Index a folder first: sagasu index ~/Documents"


class IndexDamagedError(StoreError):
    """SQLite says that the file is not a sound database."""

    say = "The index at {path} is damaged: {problem}"
    hint = "Run: sagasu doctor --repair   (your files are not touched, the index is made sound)"


class IndexOutdatedError(StoreError):
    """Written by a newer version."""

    say = "The index at {path} is of a newer Sagasu (schema {found}, this one knows {known})."
    hint = "Update Sagasu, or choose another data folder with SAGASU_HOME."


class StoreUnwritableError(StoreError):
    """The data folder refuses writing."""

    say = "The data folder {path} is not writable: {problem}"
    hint = "Change its permissions, or choose another one with SAGASU_HOME."


class DiskFullError(StoreError):
    """No space left; what was committed is kept."""

    say = "The disk is full: {path} could not be written."
    hint = "Free some space and run it again; nothing that was indexed is lost."


class ModelError(EngineError):
    """Meaning is off; words still work."""

    exit_code = 3
    http_status = 503


class ModelMissingError(ModelError):
    """The model's files are not there."""

    say = "Searching by meaning is off: no model at {path}."
    hint = "Run: make model"


class ModelDamagedError(ModelError):
    """The model's files are there but cannot be used."""

    say = "Searching by meaning is off: the model at {path} cannot be loaded ({problem})."
    hint = "Run: make model"


class ModelMismatchError(ModelError):
    """The model does not fit the index or the settings."""

    say = "The model gives vectors of {found} dimensions, the index has {wanted}."
    hint = "Set embedding.model_path back, or rebuild the index: sagasu index --rebuild"


class ServiceError(EngineError):
    """The running service cannot be reached or started."""


class ServiceUnreachableError(ServiceError):
    """Nothing answers where the service should be."""

    say = "No Sagasu service answers at {address}."
    hint = "Start it: sagasu server"


class PortTakenError(ServiceError):
    """Another program listens on our port."""

    say = "Port {port} is used by another program."
    hint = "Choose another one: sagasu config set server.port {free}"


class WatchError(ServiceError):
    """The system cannot tell us about changes."""

    say = "Changes cannot be watched: {problem}"
    hint = "Sagasu compares the folders every minute instead."


class AlreadyRunningError(ServiceError):
    """One service owns the index."""

    say = "A Sagasu service is already running (process {pid}, {address})."
    hint = "Use that one, or stop it first."


class ReadersError(ServiceError):
    """The processes that read files end as soon as they are started."""

    say = "The processes that read files cannot be started: {what}."
    hint = "The log has the details. Install Sagasu again if this stays."


class DesktopError(EngineError):
    """The system could not open, show or copy something."""

    say = "{what} did not work: {problem}"
    hint = "{fix}"

    def __init__(self, *, what: str, problem: str, fix: str = "") -> None:
        super().__init__(what=what, problem=problem, fix=fix)


class InternalError(EngineError):
    """A defect of ours; the log has the details."""

    say = "Something went wrong inside Sagasu."
    hint = "The log in Sagasu's data folder has the details."
