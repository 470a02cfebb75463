"""No ghosts: what is shown has been looked at.

1. A file that is gone is dropped, reported, and the next in line takes its place.
2. A renamed file is shown under its new name; one that the ledger has seen elsewhere, there.
3. A number that was given to another file does not make it the old one.
4. A changed file is marked "updating"; one on a disk that is away is marked, not dropped.
5. A disk that does not answer costs 30 ms, and what it holds is shown as it is.
6. With a keeper, what a question found to be stale is put right.
"""

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.api import Engine, SearchRequest
from engine.config import Config, EmbeddingSettings, FileSettings, WatchSettings
from engine.models import Result
from engine.search.verify import Verifier

CONFIG = Config(
    embedding=EmbeddingSettings(model_path="/nowhere"),
    watch=WatchSettings(debounce_ms=60_000),  # so slow that only what a question reports counts
    files=FileSettings(workers=1),
)


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a disk says is tested here, not how fast a busy machine is."""
    monkeypatch.setattr("engine.search.verify.BUDGET_MS", 5_000.0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "Documents"
    place.mkdir()
    for number in range(8):
        text = f"# Pelican {number}\n\n" + "pelican " * (8 - number) + "in the harbour\n"
        (place / f"pelican{number}.md").write_text(text)
    return place


@pytest.fixture
def engine(tmp_path: Path, folder: Path) -> Iterator[Engine]:
    with Engine.open(tmp_path / "home", write=True, config=CONFIG) as opened:
        opened.index(str(folder), watched=True)
        yield opened


def ask(engine: Engine, limit: int = 5, offset: int = 0, check: bool = True) -> list[Result]:
    request = SearchRequest("pelican", mode="bm25", limit=limit, offset=offset, verify=check)
    return list(engine.search(request).results)


def names(results: list[Result]) -> list[str]:
    return [Path(one.path).name for one in results]


def test_what_is_gone_is_dropped_and_the_next_takes_its_place(
    engine: Engine, folder: Path
) -> None:
    before = names(ask(engine, limit=8))
    for name in before[:2]:
        (folder / name).unlink()
    results = ask(engine)
    assert names(results) == before[2:7]
    assert [one.rank for one in results] == [1, 2, 3, 4, 5]
    assert names(ask(engine, check=False)) == before[:5]


def test_a_page_whose_files_are_all_gone_is_filled_from_the_next(
    engine: Engine, folder: Path
) -> None:
    before = names(ask(engine, limit=8))
    for name in before[:6]:
        (folder / name).unlink()
    assert names(ask(engine, limit=3)) == before[6:]


def test_a_renamed_file_is_shown_under_its_new_name(engine: Engine, folder: Path) -> None:
    first = ask(engine)[0]
    os.rename(first.path, folder / "renamed.md")
    shown = ask(engine)[0]
    assert shown.path == str(folder / "renamed.md")
    assert shown.freshness == "updating"
    assert shown.id == first.id


def test_a_file_that_got_the_number_of_another_is_not_it(engine: Engine, folder: Path) -> None:
    first = Path(ask(engine)[0].path)
    os.link(first, folder / "other.md")  # the same number, and then other content
    first.unlink()
    (folder / "other.md").write_text("something else")
    assert first.name not in names(ask(engine))
    assert "other.md" not in names(ask(engine))


def test_a_changed_file_is_marked(engine: Engine, folder: Path) -> None:
    first = Path(ask(engine)[0].path)
    first.write_text("# Pelican\n\nnow about other things")
    shown = ask(engine)
    assert [one.freshness for one in shown] == ["updating", "", "", "", ""]


def test_files_on_a_disk_that_is_away_are_marked_and_kept(engine: Engine, folder: Path) -> None:
    folder.rename(folder.with_name("away"))
    shown = ask(engine)
    assert len(shown) == 5
    assert {one.freshness for one in shown} == {"away"}


def test_a_disk_that_does_not_answer_holds_up_nobody(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = ask(engine)
    answer, look = threading.Event(), os.lstat

    def hang(path: str) -> os.stat_result:
        answer.wait(20)
        return look(path)

    monkeypatch.setattr(os, "lstat", hang)
    verifier = Verifier()
    started = time.monotonic()
    checked = verifier.verify(engine.database.connection(), shown)
    waited = time.monotonic() - started
    answer.set()
    verifier.close()
    assert list(checked.results) == shown
    assert checked.stale == ()
    assert waited < 1.0  # 30 ms and what a busy machine adds


def test_documents_without_a_file_are_left_as_they_are(engine: Engine) -> None:
    engine.add_document("a spoken pelican pelican pelican", title="Spoken", uid="spoken")
    assert "spoken" in [one.id for one in ask(engine, limit=9)]


def test_what_a_question_found_is_put_right_by_the_keeper(engine: Engine, folder: Path) -> None:
    engine.start_keeping()
    assert engine.keeper is not None
    assert engine.keeper.wait_quiet(30)
    first, second, *_ = [Path(one.path) for one in ask(engine)]
    first.unlink()
    second.write_text("# Cormorant\n\na cormorant dries its wings")
    ask(engine)
    end = time.monotonic() + 30
    while engine.status().documents == 8 or "indexed" not in engine.why(str(second)):
        assert time.monotonic() < end
        engine.keeper.wait_quiet(0.01)
    while not engine.search(SearchRequest("cormorant", mode="bm25")).results:
        assert time.monotonic() < end
    assert engine.status().documents == 7
