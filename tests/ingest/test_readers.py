"""Whatever a file does to its reader, the others are read.

1. A reader that is killed, crashes or is stopped costs the one file in its hands; that file gets
   the reason.
2. A file that takes too long is given up; so is one that needs too much memory.
3. Every file gets exactly one reply, however many readers die.
4. Readers that cannot start are an error of their own, and no file's fault.
5. A run that is left in the middle leaves nothing behind for the next.
"""

import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.api import Engine
from engine.errors import ReadersError
from engine.ingest.pipeline import Recipe, Task
from engine.ingest.readers import Readers
from engine.ingest.worker import Reply
from tests.ingest.conftest import Trap, wait_until


@pytest.fixture
def recipe(engine: Engine) -> Recipe:
    return engine.recipe()


@pytest.fixture
def readers(recipe: Recipe) -> Iterator[Readers]:
    with Readers(recipe, 2) as pool:
        yield pool


def write_tasks(folder: Path, count: int) -> list[Task]:
    paths = [folder / f"note{number:03}.txt" for number in range(count)]
    for path in paths:
        path.write_text(f"The words of {path.name}.", encoding="utf-8")
    return [task_of(path) for path in paths]


def task_of(path: Path) -> Task:
    facts = os.stat(path)
    return Task(str(path), facts.st_size, facts.st_mtime_ns, facts.st_ino, facts.st_dev)


def read_all(
    readers: Readers, tasks: list[Task], meanwhile: Callable[[], object] = bool
) -> dict[str, Reply]:
    """Every reply by name; `meanwhile` is called between them."""

    def proceed() -> bool:
        meanwhile()
        return True

    replies = [one for one in readers.read(iter(tasks), proceed) if one is not None]
    assert sorted(one.path for one in replies) == sorted(task.path for task in tasks)
    return {one.path.rsplit("/", 1)[-1]: one for one in replies}


def holders(readers: Readers, path: Path) -> list[int]:
    """The processes whose file in hand is `path`."""
    workers = [one for one in readers._workers if one.tasks and one.tasks[0].path == str(path)]
    return [one._process.pid for one in workers]


@pytest.mark.parametrize(
    "number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT, signal.SIGTERM], ids=lambda s: s.name
)
def test_a_reader_that_dies_costs_one_file(
    readers: Readers, folder: Path, number: signal.Signals
) -> None:
    tasks = write_tasks(folder, 40)
    trap = Trap(folder / "note007.txt")

    def strike() -> None:
        if trap.is_sprung():
            for process in holders(readers, trap.path):
                os.kill(process, number)

    replies = read_all(readers, tasks, strike)
    culprit = replies.pop("note007.txt")
    assert culprit.row is None
    assert number.name in culprit.reason
    assert all(one.row is not None for one in replies.values())
    trap.let_go()


def test_a_file_that_takes_too_long_is_given_up(recipe: Recipe, folder: Path) -> None:
    tasks = write_tasks(folder, 30)
    trap = Trap(folder / "note011.txt")
    with Readers(replace(recipe, timeout_seconds=2), 2) as readers:
        replies = read_all(readers, tasks, trap.is_sprung)
    assert "longer than 2 seconds" in replies.pop("note011.txt").reason
    assert all(one.row is not None for one in replies.values())


def test_a_reader_that_is_stopped_is_replaced(recipe: Recipe, folder: Path) -> None:
    tasks = write_tasks(folder, 12)
    with Readers(replace(recipe, timeout_seconds=3), 1) as readers:
        readers.warm_up()
        wait_until(lambda: readers._workers[0].ready)
        os.kill(readers._workers[0]._process.pid, signal.SIGSTOP)
        replies = read_all(readers, tasks)
    assert sum(one.row is None for one in replies.values()) == 1


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has no limit on address space")
def test_a_file_that_needs_too_much_memory_is_given_up(recipe: Recipe, folder: Path) -> None:
    tasks = write_tasks(folder, 5)
    os.truncate(folder / "note002.txt", 1024**3)
    large = replace(recipe, memory_limit_mb=64, max_file_bytes=2 * 1024**3)
    with Readers(large, 1) as readers:
        replies = read_all(readers, tasks)
    assert "memory" in replies.pop("note002.txt").reason
    assert all(one.row is not None for one in replies.values())


def test_every_file_gets_one_reply_however_many_readers_die(readers: Readers, folder: Path) -> None:
    tasks = write_tasks(folder, 300)
    chance = random.Random(5)
    killed = 0

    def strike() -> None:
        nonlocal killed
        if killed < 12 and chance.random() < 0.2:
            victim = chance.choice(readers._workers)
            if victim.ready:  # one that has not started yet is the business of another test
                os.kill(victim._process.pid, signal.SIGKILL)
                killed += 1

    replies = read_all(readers, tasks, strike)
    failed = sum(one.row is None for one in replies.values())
    assert killed == 12
    assert failed <= killed


def test_readers_that_cannot_start_are_no_files_fault(
    recipe: Recipe, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = write_tasks(folder, 3)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with Readers(recipe, 2) as readers, pytest.raises(ReadersError, match="exit 1"):
        read_all(readers, tasks)


def test_a_reader_killed_before_it_has_started_costs_nothing(
    readers: Readers, folder: Path
) -> None:
    readers.warm_up()
    os.kill(readers._workers[0]._process.pid, signal.SIGKILL)
    replies = read_all(readers, write_tasks(folder, 6))
    assert all(one.row is not None for one in replies.values())


def test_a_run_left_in_the_middle_leaves_nothing_behind(readers: Readers, folder: Path) -> None:
    tasks = write_tasks(folder, 60)
    replies = readers.read(iter(tasks), lambda: True)
    while next(replies) is None:
        pass
    replies.close()
    other = folder / "other.txt"
    other.write_text("another run", encoding="utf-8")
    assert list(read_all(readers, [task_of(other)])) == ["other.txt"]


def test_readers_are_kept_for_the_next_run(readers: Readers, folder: Path) -> None:
    read_all(readers, write_tasks(folder, 4))
    first = {one._process.pid for one in readers._workers}
    read_all(readers, write_tasks(folder, 4))
    assert {one._process.pid for one in readers._workers} == first
