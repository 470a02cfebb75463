"""Preferences: 1 every key has a possible default and a help; 2 values survive in the file; 3 wrong
ones are refused and change nothing; 4 a kept value that is no longer possible counts as not set;
5 a broken file means defaults, and says so; 6 who listens hears the change; 7 an unwritable folder
is an error of ours.
"""

import logging
from pathlib import Path

import pytest

from app.preferences import (
    HOTKEY,
    KEYS,
    LAUNCH_AT_LOGIN,
    RECENT_KEPT,
    THEME,
    JsonBackend,
    Key,
    Preferences,
    Value,
    check_value,
)
from engine.errors import InvalidValueError, StoreUnwritableError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "preferences.json"


@pytest.fixture
def preferences(file: Path) -> Preferences:
    return Preferences(JsonBackend(file))


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_every_default_is_possible_and_explained(key: Key) -> None:
    assert check_value(key, key.default) == key.default
    assert key.help


def test_names_are_unique() -> None:
    assert len({key.name for key in KEYS}) == len(KEYS)


def test_values_survive(preferences: Preferences, file: Path) -> None:
    preferences.choose(THEME, "dark")
    preferences.choose(LAUNCH_AT_LOGIN, True)
    again = Preferences(JsonBackend(file))
    assert (again.text(THEME), again.flag(LAUNCH_AT_LOGIN)) == ("dark", True)
    again.reset(THEME)
    assert preferences.text(THEME) == "system"


@pytest.mark.parametrize(
    ("key", "value"),
    [(THEME, "pink"), (THEME, 3), (RECENT_KEPT, 201), (RECENT_KEPT, True), (HOTKEY, "Space"),
     (LAUNCH_AT_LOGIN, 1)],
)  # fmt: skip
def test_wrong_values_are_refused_and_change_nothing(
    preferences: Preferences, key: Key, value: object
) -> None:
    with pytest.raises(InvalidValueError):
        preferences.choose(key, value)
    assert preferences.value(key) == key.default


def test_impossible_kept_value_counts_as_not_set(file: Path) -> None:
    JsonBackend(file).write("theme", "sepia")
    assert Preferences(JsonBackend(file)).text(THEME) == "system"


@pytest.mark.parametrize("content", ["{", "[1]", "\0"])
def test_broken_file_means_defaults(
    file: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    file.parent.mkdir()
    file.write_text(content)
    with caplog.at_level(logging.WARNING):
        assert Preferences(JsonBackend(file)).text(THEME) == "system"


def test_listeners_hear_the_change(preferences: Preferences) -> None:
    heard: list[tuple[str, Value]] = []
    preferences.listen(lambda key, value: heard.append((key.name, value)))
    preferences.choose(RECENT_KEPT, 5)
    preferences.reset(RECENT_KEPT)
    assert heard == [("recent_kept", 5), ("recent_kept", 20)]


def test_unwritable_folder_is_our_error(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    with pytest.raises(StoreUnwritableError):
        Preferences(JsonBackend(tmp_path / "data" / "p.json")).choose(THEME, "dark")


def test_nothing_half_written_stays(preferences: Preferences, file: Path) -> None:
    for number in range(5):
        preferences.choose(RECENT_KEPT, number)
    assert [path.name for path in file.parent.iterdir()] == ["preferences.json"]
