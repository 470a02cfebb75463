"""The steward with a real engine: 1 a folder is listed at once and searchable soon; 2 state and
numbers follow without being asked; 3 one folder and everything can be paused; resting does not undo
the person's own pause; 4 settings are checked, written, comments kept; 5 patterns are added once;
6 a folder that may not be read, or is away, says so; 7 wiping leaves nothing; 8 closing ends it.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.bridge import Ticket
from app.finding import EngineFinder
from app.keeping import EngineSteward
from app.messages import Coverage, Search
from app.office import spell_pattern
from app.recent import RecentSearches
from app.state import Keeper, Phase
from engine.api import Engine
from engine.errors import ConfigError, NotFoundError, OutsideRootsError
from engine.settings import write_setting

DEADLINE = 60.0


def wait(until: Callable[[], object]) -> None:
    deadline = time.monotonic() + DEADLINE
    while not until():
        assert time.monotonic() < deadline, "it never happened"
        threading.Event().wait(0.02)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with Engine.open(tmp_path / "data", write=True) as engine:
        yield engine


@pytest.fixture
def keeper() -> Keeper:
    return Keeper()


@pytest.fixture
def steward(engine: Engine, keeper: Keeper) -> Iterator[EngineSteward]:
    steward = EngineSteward(engine, keeper, "closed")
    steward.start()
    yield steward
    steward.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "Documents"
    (folder / "Plans").mkdir(parents=True)
    (folder / "harbour.md").write_text("# Boats\n\nThe harbour master counts boats at dawn.\n")
    (folder / "Plans" / "garden.md").write_text("# Roses\n\nRoses by the harbour wall.\n")
    return folder


@pytest.fixture
def finder(engine: Engine, tmp_path: Path) -> EngineFinder:
    return EngineFinder(engine, RecentSearches(tmp_path / "recent.json"))


def found(finder: EngineFinder, query: str) -> list[str]:
    answer = finder.search(Search(query, stage="words"), Ticket())
    return sorted(Path(one.path).name for one in answer.results)


def test_folder_is_listed_at_once_and_searchable_soon(
    steward: EngineSteward, finder: EngineFinder, keeper: Keeper, folder: Path
) -> None:
    steward.add_folder(folder)
    assert [one.path for one in keeper.state.folders] == [str(folder)]
    wait(lambda: found(finder, "harbour") == ["garden.md", "harbour.md"])
    wait(lambda: keeper.state.files == 2 and keeper.state.phase is Phase.IDLE)
    (folder / "new.md").write_text("The harbour has a new light.\n")
    wait(lambda: "new.md" in found(finder, "harbour"))
    steward.remove_folder(folder)
    assert keeper.state.folders == ()
    assert found(finder, "harbour") == []


def test_passages_previews_packs_and_places(
    steward: EngineSteward, finder: EngineFinder, folder: Path
) -> None:
    steward.add_folder(folder)
    wait(lambda: len(found(finder, "harbour")) == 2)
    first = finder.search(Search("boats", stage="words"), Ticket()).results[0]
    assert finder.locate(first.id) == folder / "harbour.md"
    assert "counts boats" in finder.passage(first.id, first.snippets[0].chunk)
    preview = finder.preview(first.id, first.snippets[0].chunk, "boats")
    assert preview["title"] == first.title
    assert preview["highlights"]
    pack = finder.pack("boats", [first.id], [], 0)
    assert "harbour.md" in pack.markdown
    assert pack.tokens > 0
    assert "harbour.md" in finder.pack("boats", [], [], 500).markdown
    with pytest.raises(NotFoundError):
        finder.locate("/etc/passwd")


def test_link_out_of_the_folder_is_not_opened(
    steward: EngineSteward, finder: EngineFinder, folder: Path, tmp_path: Path
) -> None:
    steward.add_folder(folder)
    wait(lambda: len(found(finder, "harbour")) == 2)
    secret = tmp_path / "secret.md"
    secret.write_text("secret")
    steward.pause(None, True)
    (folder / "harbour.md").unlink()
    (folder / "harbour.md").symlink_to(secret)
    with pytest.raises(OutsideRootsError):
        finder.locate(str(folder / "harbour.md"))


def test_pausing_one_folder_and_all(
    steward: EngineSteward, engine: Engine, keeper: Keeper, folder: Path
) -> None:
    steward.add_folder(folder)
    steward.pause(folder, True)
    assert [one.paused for one in keeper.state.folders] == [True]
    steward.pause(folder, False)
    assert [one.paused for one in keeper.state.folders] == [False]
    steward.pause(None, True)
    wait(lambda: keeper.state.phase is Phase.PAUSED)
    steward.wake()
    assert engine.status().paused
    steward.pause(None, False)
    wait(lambda: not engine.status().paused)


def test_resting_ends_with_waking(steward: EngineSteward, engine: Engine) -> None:
    steward.rest(True)
    wait(lambda: engine.status().paused)
    steward.wake()
    wait(lambda: not engine.status().paused)


def test_coverage_and_retry(steward: EngineSteward, finder: EngineFinder, folder: Path) -> None:
    steward.add_folder(folder)
    wait(lambda: len(found(finder, "harbour")) == 2)
    assert steward.coverage(Coverage()).total >= 2
    assert steward.retry([]) == 1
    assert steward.retry([str(folder / "harbour.md")]) == 1


def test_settings_are_checked_and_written(steward: EngineSteward, engine: Engine) -> None:
    engine.places.config.write_text("# my notes\nfiles:\n  hidden: false  # for now\n")
    steward.configure("files.hidden", True)
    written = engine.places.config.read_text()
    assert "# my notes" in written
    assert "# for now" in written
    assert steward.settings()["files.hidden"] is True
    with pytest.raises(ConfigError):
        steward.configure("files.hidden", "perhaps")
    with pytest.raises(ConfigError):
        steward.configure("files.nothing", 1)
    assert engine.places.config.read_text() == written


def test_patterns_are_added(steward: EngineSteward, engine: Engine) -> None:
    steward.exclude("/Plans/")
    steward.exclude("/Plans/")
    steward.exclude("*.tmp")
    assert steward.settings()["files.exclude"] == ["/Plans/", "*.tmp"]
    steward.include("*.log")
    written = engine.places.config.read_text()
    assert "/Plans/" in written
    assert "*.log" in written


def test_a_pattern_acts_at_once_and_can_be_taken_back(
    steward: EngineSteward, finder: EngineFinder, folder: Path
) -> None:
    steward.add_folder(folder)
    wait(lambda: len(found(finder, "harbour")) == 2)
    steward.exclude(spell_pattern(folder / "Plans") + "/")
    wait(lambda: found(finder, "harbour") == ["harbour.md"])
    steward.configure("files.exclude", [])
    wait(lambda: found(finder, "harbour") == ["garden.md", "harbour.md"])
    (folder / "new.md").write_text("Still watched: the harbour.\n")
    wait(lambda: "new.md" in found(finder, "harbour"))


def test_search_settings_act_on_the_next_question(
    steward: EngineSteward, finder: EngineFinder, engine: Engine, folder: Path
) -> None:
    steward.add_folder(folder)
    wait(lambda: engine.status().vectors == 2 and engine.status().waiting == 0)
    ask = Search("where ships are tallied in the morning", stage="full")
    assert any("meaning" in one.matched for one in finder.search(ask, Ticket()).results)
    steward.configure("search.default_semantic_enabled", False)
    assert not any("meaning" in one.matched for one in finder.search(ask, Ticket()).results)


def test_a_pause_outlives_a_changed_setting(steward: EngineSteward, engine: Engine) -> None:
    steward.pause(None, True)
    steward.configure("files.hidden", True)
    assert engine.status().paused


def test_broken_configuration_is_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text("files: [")
    with pytest.raises(ConfigError):
        write_setting(file, "files.hidden", True)
    assert file.read_text() == "files: ["


def test_folder_that_is_away_or_closed_says_so(steward: EngineSteward, folder: Path) -> None:
    steward.add_folder(folder)
    if os.geteuid() != 0:
        folder.chmod(0)
        assert steward.folders()[0].problem == "closed"
        folder.chmod(0o700)
    folder.rename(folder.with_name("Away"))
    assert "is its disk plugged in" in steward.folders()[0].problem
    folder.with_name("Away").rename(folder)
    assert steward.folders()[0].problem == ""


def test_wiping_leaves_nothing(
    steward: EngineSteward, finder: EngineFinder, engine: Engine, folder: Path
) -> None:
    steward.add_folder(folder)
    wait(lambda: len(found(finder, "harbour")) == 2)
    steward.wipe()
    assert engine.status().documents == 0
    assert engine.roots() == []


def test_recent_searches_complete_what_is_typed(finder: EngineFinder, tmp_path: Path) -> None:
    recent = RecentSearches(tmp_path / "recent.json")
    recent.add("rent contract", 5)
    recent.add("tax return", 5)
    assert finder.complete("Ta", 5) == ["tax return"]
    assert finder.complete("", 5) == finder.complete("tax return", 5) == []
