"""The command line in this process, on an index of its own."""

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.api import Engine
from engine.cli.main import run

Told = tuple[int, str, str]
Call = Callable[..., Told]


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A data folder and the folder it indexes."""
    base = tmp_path_factory.mktemp("cli")
    folder = base / "Documents"
    folder.mkdir()
    (folder / "rent.txt").write_text("The rent is due on the third of each month.\n")
    (folder / "soup.md").write_text("# Soup\n\nSimmer the lentils with cumin for an hour.\n")
    (folder / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0" + bytes(100))
    with Engine.open(base / "home", write=True) as engine:
        engine.index(str(folder))
    return base / "home", folder


@pytest.fixture
def call(
    indexed: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    monkeypatch.setenv("SAGASU_HOME", str(indexed[0]))

    def run_command(*arguments: str) -> Told:
        code = run([str(one) for one in arguments])
        told = capsys.readouterr()
        return code, told.out, told.err

    return run_command
