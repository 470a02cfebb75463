"""Where things are kept.

1. Everything is in the data folder, which SAGASU_HOME moves.
2. The storage settings move single files.
3. The folder is made with mode 0700; one that cannot be made says so.
"""

import stat
from pathlib import Path

import pytest

from engine.config import StorageSettings
from engine.errors import StoreUnwritableError
from engine.files.places import Places


def test_everything_is_in_the_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAGASU_HOME", str(tmp_path / "home"))
    places = Places.find()
    paths = (places.database, places.vectors, places.postings, places.token, places.log)
    more = (places.config, places.writer_lock, places.service, places.models)
    assert len({*paths, *more}) == 9
    assert all(path.parent == tmp_path / "home" for path in (*paths, *more))


def test_settings_move_single_files(tmp_path: Path) -> None:
    storage = StorageSettings(database_path=str(tmp_path / "else" / "my.db"))
    places = Places(tmp_path / "home", storage).create()
    assert places.database == tmp_path / "else" / "my.db"
    assert places.database.parent.is_dir()
    assert places.vectors.parent == tmp_path / "home"


def test_folder_is_private(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    Places(home).create()
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_folder_that_cannot_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(StoreUnwritableError, match="not writable"):
        Places(tmp_path / "file" / "home").create()
