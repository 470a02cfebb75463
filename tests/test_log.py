"""The log is a private file that never grows beyond its bounds.

1. Files of mode 0600, rotated, a few kept. 2. Setting it up twice does not write lines twice.
3. A log that cannot be written is heard on standard error instead.
"""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import log as logs


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    for handler in list(root.handlers):
        if handler not in handlers:
            root.removeHandler(handler)
            handler.close()
    root.setLevel(level)


def test_files_are_private_and_rotated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "MOST_BYTES", 2_000)
    logs.set_up_logging(tmp_path / "sagasu.log")
    for number in range(500):
        logging.getLogger("engine.test").info("line %d", number)
    files = sorted(tmp_path.iterdir())
    assert len(files) == logs.KEPT_FILES + 1
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in files)
    assert all(path.stat().st_size <= 2_000 for path in files)
    assert "line 499" in (tmp_path / "sagasu.log").read_text()


def test_setting_it_up_twice_writes_lines_once(tmp_path: Path) -> None:
    for _ in range(2):
        logs.set_up_logging(tmp_path / "sagasu.log")
    logging.getLogger("engine.test").warning("once")
    logging.getLogger("engine.test").debug("not at all")
    text = (tmp_path / "sagasu.log").read_text()
    assert text.count("once") == 1
    assert "not at all" not in text


def test_a_log_that_cannot_be_written_is_heard(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.set_up_logging(tmp_path / "missing" / "sagasu.log")
    logging.getLogger("engine.test").error("hear me")
    assert "hear me" in capsys.readouterr().err
