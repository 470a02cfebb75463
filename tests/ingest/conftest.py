"""A folder, an engine without a model, and a file that holds its reader up."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.api import Engine
from engine.config import Config, EmbeddingSettings

PATIENCE_SECONDS = 60.0


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.005)


class Trap:
    """A named pipe in the place of a file: whoever opens it hangs until it is let go."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: int | None = None
        path.unlink(missing_ok=True)
        os.mkfifo(path)

    def is_sprung(self) -> bool:
        """Whether a reader hangs in it; from then on it is held."""
        if self._handle is None:
            try:
                self._handle = os.open(self.path, os.O_WRONLY | os.O_NONBLOCK)
            except OSError:
                return False
        return True

    def let_go(self) -> None:
        """The reader finds an empty file and goes on."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "Documents"
    place.mkdir()
    return place


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def words_only() -> Config:
    """Settings without a model: words are all that these tests are about."""
    return Config(embedding=EmbeddingSettings(model_path="/nowhere"))


@pytest.fixture
def engine(home: Path, words_only: Config) -> Iterator[Engine]:
    with Engine.open(home, write=True, config=words_only) as opened:
        yield opened


@pytest.fixture
def states(engine: Engine) -> Callable[[], dict[str, tuple[str, str]]]:
    """What the ledger says: state and reason of each file, by its name."""

    def read() -> dict[str, tuple[str, str]]:
        rows = engine.database.connection().execute("SELECT path, state, reason FROM files")
        return {path.rsplit("/", 1)[-1]: (state, reason) for path, state, reason in rows}

    return read
