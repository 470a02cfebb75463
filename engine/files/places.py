"""Where does Sagasu keep its things? One folder, readable by its owner alone.

Everything is derived from the data folder and the storage settings; nothing else in the engine
makes up a path of its own.
"""

from dataclasses import dataclass, field
from pathlib import Path

from engine.config import CONFIG_NAME, StorageSettings, data_folder
from engine.errors import StoreUnwritableError


@dataclass(frozen=True, slots=True)
class Places:
    """The paths of one installation; `home` is its data folder."""

    home: Path
    storage: StorageSettings = field(default_factory=StorageSettings)

    @classmethod
    def find(cls, storage: StorageSettings | None = None) -> "Places":
        """The places of this user on this platform (SAGASU_HOME moves them)."""
        return cls(data_folder(), storage or StorageSettings())

    @property
    def database(self) -> Path:
        return self._chosen(self.storage.database_path, "sagasu.db")

    @property
    def postings(self) -> Path:
        return self._chosen(self.storage.bleve_index_path, "postings")

    @property
    def vectors(self) -> Path:
        return self._chosen(self.storage.faiss_index_path, "vectors.usearch")

    @property
    def token(self) -> Path:
        return self.home / "token"

    @property
    def log(self) -> Path:
        return self.home / "sagasu.log"

    @property
    def config(self) -> Path:
        return self.home / CONFIG_NAME

    @property
    def writer_lock(self) -> Path:
        return self.home / "writer.lock"

    @property
    def service(self) -> Path:
        """The file in which a running service says where it listens."""
        return self.home / "service.json"

    @property
    def models(self) -> Path:
        return self.home / "models"

    def create(self) -> "Places":
        """Makes the folder (mode 0700) and those of the chosen paths; returns itself."""
        try:
            self.home.mkdir(parents=True, exist_ok=True, mode=0o700)
            self.home.chmod(0o700)
            for path in (self.database, self.postings, self.vectors):
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as exc:
            raise StoreUnwritableError(path=self.home, problem=exc.strerror or str(exc)) from exc
        return self

    def _chosen(self, named: str, usual: str) -> Path:
        return Path(named).expanduser().absolute() if named else self.home / usual
