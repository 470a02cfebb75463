"""One small folder, indexed once with the real model; every answer can be worked out by hand."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.api import Engine, SearchRequest, SearchResponse

FILES = {
    "garden/roses.md": "# Roses\n\nPrune the roses in late winter. Old roses need less water.\n",
    "garden/compost.md": "# Compost\n\nTurn the compost heap every two weeks. "
    "Old leaves rot slowly.\n",
    "work/budget 2025.txt": "The marketing budget for 2025 is forty thousand. Travel was cut.\n",
    "work/budget 2026.txt": "The marketing budget for 2026 is sixty thousand. Travel is back.\n",
    "work/travel.md": "# Travel\n\nTrains to Vienna leave at nine. Book the hotel early.\n",
    "code/parse.py": "def parse_json(text):\n    return getUserById(text)\n",
    "letters/müller.txt": "Lieber Herr Müller, die Straße ist wegen der Bäume gesperrt worden.\n",
    "photos/IMG_4711.jpg": "",
}


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("files") / "Documents"
    for number, (name, text) in enumerate(FILES.items()):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        os.utime(path, (1_700_000_000 + number * 86_400, 1_700_000_000 + number * 86_400))
    return root


@pytest.fixture(scope="package")
def engine(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with Engine.open(tmp_path_factory.mktemp("data") / "home", write=True) as opened:
        opened.index(str(folder))
        yield opened


class Ask:
    """Asks and gives the names of the files, best first."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def __call__(self, query: str, **options: object) -> list[str]:
        return [Path(one.path).name for one in self.full(query, **options).results]

    def full(self, query: str, **options: object) -> SearchResponse:
        return self.engine.search(SearchRequest(query, **options))  # type: ignore[arg-type]  # any


@pytest.fixture
def ask(engine: Engine) -> Ask:
    return Ask(engine)
