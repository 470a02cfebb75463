"""One writer brings the index level with the disk, whatever happens on the way.

1. The file that killed its reader is in the ledger with the reason; all others are found.
2. What was read is searchable while one file still hangs.
3. Pause holds a run, resume finishes it; a run that is ended goes on where it was; comparing is
   held and ended too, and what urgent work has done meanwhile stands.
4. A changed file embeds its changed passages only; equal passages are embedded once.
5. A renamed file keeps its document, its passages and their vectors.
6. What waits for its vector survives a restart; files opened or touched last come first.
7. An unchanged folder costs one look a file.
8. An urgent file that hangs holds up no other one, and is read with the rest later.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.api import Engine, SearchRequest
from engine.config import Config, FileSettings
from engine.errors import NotFoundError
from engine.models import Progress
from tests.ingest.conftest import Trap, wait_until

States = Callable[[], dict[str, tuple[str, str]]]
PARAGRAPHS = (
    "The harvest of apples was the best in ten years, the baskets were full.",
    "My sister sold the old boat and bought a bicycle for the money.",
    "In winter the lake freezes and the children skate to school.",
)


def write_notes(folder: Path, count: int) -> None:
    for number in range(count):
        path = folder / f"note{number:03}.txt"
        path.write_text(f"The zebra of note{number:03}.", encoding="utf-8")


def found(engine: Engine, words: str) -> list[str]:
    ask = SearchRequest(words, mode="bm25", limit=100)
    return [one.path.rsplit("/", 1)[-1] for one in engine.search(ask).results]


def one(engine: Engine, query: str, *values: Any) -> Any:
    return engine.database.connection().execute(query, values).fetchone()[0]


def set_trap_after_planning(engine: Engine, path: Path) -> list[Trap]:
    """Puts a trap in the place of `path` once the run knows of the file."""
    traps: list[Trap] = []

    def between() -> None:
        if not traps:
            traps.append(Trap(path))

    engine.indexer().between = between
    return traps


def test_the_culprit_is_ledgered_and_the_others_are_found(
    engine: Engine, folder: Path, states: States
) -> None:
    write_notes(folder, 30)
    traps = set_trap_after_planning(engine, folder / "note009.txt")
    plant = engine.indexer().between

    def strike() -> None:
        plant()
        if traps[0].is_sprung():
            for worker in engine.indexer()._readers._workers:
                if worker.tasks and worker.tasks[0].path == str(traps[0].path):
                    os.kill(worker._process.pid, signal.SIGSEGV)

    engine.indexer().between = strike
    report = engine.index(str(folder))
    assert (report.read, report.failed) == (29, 1)
    assert states()["note009.txt"] == ("failed", "gave up reading: its reader crashed (SIGSEGV)")
    assert len(found(engine, "zebra")) == 29


def test_what_was_read_is_found_while_one_file_hangs(engine: Engine, folder: Path) -> None:
    write_notes(folder, 20)
    traps = set_trap_after_planning(engine, folder / "note010.txt")
    running = threading.Thread(target=engine.index, args=(str(folder),))
    running.start()
    wait_until(lambda: bool(traps) and traps[0].is_sprung())
    wait_until(lambda: engine.status().documents >= 5)
    assert running.is_alive()
    traps[0].let_go()
    running.join(60)
    assert engine.status().documents >= 19


@pytest.fixture
def patient(home: Path, words_only: Config) -> Iterator[Engine]:
    """Gives up on a file after two seconds."""
    config = replace(words_only, files=FileSettings(timeout_seconds=2))
    with Engine.open(home, write=True, config=config) as opened:
        yield opened


def test_a_file_that_hangs_is_given_up_and_tried_again_when_it_changes(
    patient: Engine, folder: Path
) -> None:
    write_notes(folder, 10)
    path = folder / "note004.txt"
    set_trap_after_planning(patient, path)
    assert patient.index(str(folder)).failed == 1
    patient.indexer().between = lambda: None
    path.unlink()
    path.write_text("The zebra is back.", encoding="utf-8")
    report = patient.index(str(folder))
    assert (report.read, report.failed) == (1, 0)
    assert len(found(patient, "zebra")) == 10


def test_pause_holds_a_run_and_resume_finishes_it(engine: Engine, folder: Path) -> None:
    write_notes(folder, 90)
    control = engine.indexer().control
    control.pause()
    running = threading.Thread(target=engine.index, args=(str(folder),))
    running.start()
    wait_until(lambda: engine.progress is not None)
    assert engine.status().documents == 0
    control.resume()
    running.join(60)
    assert engine.status().documents == 90


def test_a_run_that_is_ended_goes_on_where_it_was(
    engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.ingest.indexer.BATCH_FILES", 10)
    write_notes(folder, 90)

    def end_early(progress: Progress) -> None:
        if progress.files_done >= 20:
            engine.indexer().control.interrupt()

    engine.listen(end_early)
    first = engine.index(str(folder))
    engine.unlisten(end_early)
    second = engine.index(str(folder))
    assert first.stopped
    assert 20 <= first.read < 90
    assert first.read + second.read == 90
    assert len(found(engine, "zebra")) == 90


def test_an_ended_run_leaves_no_reader_with_work(engine: Engine, folder: Path) -> None:
    write_notes(folder, 60)
    engine.listen(lambda progress: engine.indexer().control.interrupt())
    engine.index(str(folder))
    assert not any(worker.tasks for worker in engine.indexer()._readers._workers)


def test_comparing_a_folder_can_be_ended(engine: Engine, folder: Path) -> None:
    write_notes(folder, 450)
    looks: list[int] = []

    def end_second() -> None:
        looks.append(len(looks))
        if len(looks) == 2:
            engine.indexer().control.interrupt()

    root, _ = engine.add_root(str(folder))
    engine.indexer().between = end_second
    report = engine.indexer().refresh(root)
    assert report.stopped
    assert (report.read, len(looks)) == (0, 2)  # within the comparison: nothing was read yet
    assert engine.index(str(folder)).read == 450


def test_comparing_a_folder_can_be_paused(engine: Engine, folder: Path) -> None:
    write_notes(folder, 450)
    root, _ = engine.add_root(str(folder))
    engine.indexer().control.pause()
    running = threading.Thread(target=engine.indexer().refresh, args=(root,))
    running.start()
    running.join(0.5)
    assert running.is_alive()
    assert not engine.indexer()._readers._workers  # it is still comparing
    engine.indexer().control.resume()
    running.join(60)
    assert engine.status().documents == 450


def test_urgent_work_during_a_comparison_stands(engine: Engine, folder: Path) -> None:
    write_notes(folder, 450)
    engine.index(str(folder))
    root = engine.roots()[0]
    first, last = folder / "note000.txt", folder / "note449.txt"
    first.unlink()  # the comparison sees that it is gone; then it is there again
    last.rename(folder / "zebra.txt")

    def urgent() -> None:
        engine.indexer().between = lambda: None
        first.write_text("The zebra of note000 has come back.", encoding="utf-8")
        places = [str(first), str(folder / "zebra.txt"), str(last)]
        engine.indexer().refresh(root, places, urgent=True)

    engine.indexer().between = urgent
    assert not engine.indexer().refresh(root).stopped
    assert found(engine, "come back") == ["note000.txt"]
    assert one(engine, "SELECT count(*) FROM documents") == 450
    mismatch = "SELECT count(*) FROM documents WHERE id NOT IN (SELECT document_id FROM files)"
    assert one(engine, mismatch) == 0
    assert engine.index(str(folder)).read == 0


def test_an_urgent_file_that_hangs_holds_up_no_other(
    engine: Engine, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.ingest.indexer.URGENT_SECONDS", 2.0)
    write_notes(folder, 8)
    root, _ = engine.add_root(str(folder))
    engine.indexer().warm_up()
    stuck = engine.indexer()._urgent._workers[0]
    wait_until(lambda: stuck.ready)
    os.kill(stuck._process.pid, signal.SIGSTOP)
    paths = [str(path) for path in folder.iterdir()]
    report = engine.indexer().refresh(root, paths, urgent=True)
    assert len(report.unread) == 1
    assert len(found(engine, "zebra")) == report.read == 7
    assert engine.indexer().refresh(root, report.unread).read == 1
    assert len(found(engine, "zebra")) == 8


@pytest.fixture
def meaning(home: Path) -> Iterator[Engine]:
    """With the real model."""
    with Engine.open(home, write=True) as opened:
        if not opened.semantic().on:
            pytest.skip(opened.semantic().reason)
        yield opened


def write_sections(path: Path, *texts: str) -> None:
    parts = [f"# Part {number}\n\n{(text + ' ') * 12}" for number, text in enumerate(texts)]
    path.write_text("\n\n".join(parts), encoding="utf-8")


def test_a_changed_file_embeds_its_changed_passages_only(meaning: Engine, folder: Path) -> None:
    path = folder / "diary.md"
    write_sections(path, *PARAGRAPHS)
    assert meaning.index(str(folder)).embedded == 3
    write_sections(path, PARAGRAPHS[0], "Now it reads quite differently here.", PARAGRAPHS[2])
    report = meaning.index(str(folder))
    assert (report.read, report.embedded) == (1, 1)
    assert one(meaning, "SELECT count(*) FROM vectors") == 3


def test_equal_passages_are_embedded_once(meaning: Engine, folder: Path) -> None:
    for name in ("a.md", "b.md", "c.md"):
        write_sections(folder / name, *PARAGRAPHS)
    report = meaning.index(str(folder))
    assert report.read == 3
    assert report.embedded == 3
    assert one(meaning, "SELECT count(*) FROM chunks") == 9


def test_a_renamed_file_keeps_its_vectors(meaning: Engine, folder: Path) -> None:
    write_sections(folder / "old.md", *PARAGRAPHS)
    meaning.index(str(folder))
    number = one(meaning, "SELECT id FROM documents")
    (folder / "sub").mkdir()
    (folder / "old.md").rename(folder / "sub" / "new.md")
    report = meaning.index(str(folder))
    assert (report.moved, report.read, report.embedded, report.removed) == (1, 0, 0, 0)
    assert one(meaning, "SELECT id FROM documents") == number
    assert found(meaning, "bicycle") == ["new.md"]


def test_what_waits_survives_a_restart(home: Path, folder: Path, meaning: Engine) -> None:
    for number in range(20):
        (folder / f"{number}.txt").write_text(f"Passage number {number}.", encoding="utf-8")
    meaning.index(str(folder), embed=False)
    embedder, index = meaning.embedder(), meaning.vectors()
    assert embedder is not None
    assert index is not None
    assert meaning.indexer().embed_waiting(embedder, index, most=8) == 8
    meaning.close()
    with Engine.open(home, write=True) as again:
        assert one(again, "SELECT count(*) FROM vectors WHERE vector IS NULL") == 12
        assert again.embed() == 12
        assert one(again, "SELECT count(*) FROM vectors WHERE vector IS NULL") == 0


def write_aged(folder: Path, *ages: int) -> None:
    for age in ages:
        path = folder / f"age{age}.txt"
        path.write_text(f"A text of age {age}.", encoding="utf-8")
        os.utime(path, (time.time() - age * 86_400,) * 2)


def embed_one(engine: Engine) -> str:
    """Embeds one passage; the name of its file."""
    embedder, index = engine.embedder(), engine.vectors()
    assert embedder is not None
    assert index is not None
    query = (
        "SELECT name FROM documents JOIN chunks ON document_id = documents.id "
        "JOIN vectors ON vectors.id = vector_id WHERE vector IS NOT NULL"
    )
    before = {name for (name,) in engine.database.connection().execute(query)}
    assert engine.indexer().embed_waiting(embedder, index, most=1) == 1
    after = {name for (name,) in engine.database.connection().execute(query)}
    return str((after - before).pop())


def test_files_touched_last_get_their_meaning_first(meaning: Engine, folder: Path) -> None:
    write_aged(folder, 3, 1, 2)
    meaning.index(str(folder), embed=False)
    assert [embed_one(meaning), embed_one(meaning)] == ["age1.txt", "age2.txt"]


def test_files_that_were_opened_get_their_meaning_before_newer_ones(
    home: Path, folder: Path, meaning: Engine
) -> None:
    write_aged(folder, 1, 2, 3, 4)
    meaning.index(str(folder), embed=False)
    for age in (4, 3, 4):
        meaning.opened(str(folder / f"age{age}.txt"))
    meaning.close()
    with Engine.open(home, write=True) as again:
        order = [embed_one(again) for _ in range(4)]
    assert order == ["age4.txt", "age3.txt", "age1.txt", "age2.txt"]


def test_opening_what_is_not_indexed_is_said(engine: Engine, folder: Path) -> None:
    with pytest.raises(NotFoundError):
        engine.opened(str(folder / "nothing.txt"))


def test_an_unchanged_folder_is_not_read(engine: Engine, folder: Path) -> None:
    write_notes(folder, 50)
    old = time.time() - 60
    for path in folder.iterdir():
        os.utime(path, (old, old))
    engine.index(str(folder))
    report = engine.index(str(folder))
    assert (report.unchanged, report.read, report.skipped) == (50, 0, 0)


@pytest.mark.slow
def test_a_hundred_thousand_unchanged_files_are_compared_in_six_seconds(
    engine: Engine, folder: Path
) -> None:
    for number in range(100):
        (folder / str(number)).mkdir()
        for name in range(1000):
            (folder / str(number) / f"{name}.txt").write_text("x", encoding="utf-8")
    engine.index(str(folder))
    root = engine.roots()[0]
    spent: list[float] = []
    for _ in range(3):
        began = time.process_time()
        assert engine.indexer().refresh(root).unchanged == 100_000
        spent.append(time.process_time() - began)
    assert min(spent) * 1e6 / 100_000 <= 60
