"""A folder, an engine that keeps it by words alone, and ways to wait for it."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.api import Engine, SearchRequest
from engine.config import Config, EmbeddingSettings, FileSettings, WatchSettings
from engine.watch.keeper import Keeper

CONFIG = Config(
    embedding=EmbeddingSettings(model_path="/nowhere"),
    watch=WatchSettings(debounce_ms=20),
    files=FileSettings(workers=1),
)
PATIENCE_SECONDS = 30.0


class Kept:
    """An engine whose keeper runs."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @property
    def keeper(self) -> Keeper:
        assert self.engine.keeper is not None
        return self.engine.keeper

    def find(self, words: str) -> list[str]:
        """The names of the files that have these words."""
        request = SearchRequest(words, mode="phrase", verify=False, plain_filters=False)
        return sorted(Path(one.path).name for one in self.engine.search(request).results)

    def until(self, true: Callable[[], bool]) -> None:
        """Wait until something is so."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not true():
            assert time.monotonic() < end, (self.keeper.state(), self.engine.status().files)
            self.keeper.wait_quiet(0.01)
            time.sleep(0.002)

    def until_found(self, words: str, *names: str) -> None:
        """Wait until exactly these files are found by these words."""
        self.until(lambda: self.find(words) == sorted(names))

    def count(self, state: str) -> int:
        """How many files are in a state."""
        return self.engine.status().files[state]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two files."""
    place = tmp_path / "Documents"
    (place / "letters").mkdir(parents=True)
    (place / "heron.md").write_text("# Birds\n\nThe grey heron stands in the reeds.\n")
    (place / "letters" / "crane.txt").write_text("Dear Ada, a white crane danced at dawn.\n")
    return place


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The data folder."""
    return tmp_path / "home"


@pytest.fixture
def kept(home: Path, folder: Path) -> Iterator[Kept]:
    """The folder, kept."""
    with Engine.open(home, write=True, config=CONFIG) as engine:
        engine.start_keeping()
        engine.watch_root(str(folder))
        kept = Kept(engine)
        kept.until_found("grey heron", "heron.md")
        yield kept
