"""Whatever happens to the files, the kept index ends as a fresh one of the same tree would be.

Random creates, writes, renames, moves (over other files too), deletes, chmods, links, folders made,
moved and removed, ignore files; the service runs, is paused, or is stopped in between without a
word to what it had in hand. After quiet, ledger and index are compared row by row with those of
a fresh index.

1. 20 runs in the ordinary suite, 300 in the slow one.
"""

import os
import shutil
import sqlite3
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine.api import Engine
from engine.config import Config, EmbeddingSettings, FileSettings, WatchSettings
from engine.ingest.readers import Readers
from engine.watch.keeper import Keeper

QUIET_SECONDS = 60.0
# Words only: the model would add minutes and proves nothing here.
CONFIG = Config(
    embedding=EmbeddingSettings(model_path="/nowhere"),
    watch=WatchSettings(debounce_ms=20),
    files=FileSettings(workers=1),
)
FOLDERS = ("", "a", "b", "a/c", "b/node_modules", "a/c/deep")
NAMES = ("one.md", "two.md", "three.txt", "Makefile", "café.md", "page.html", ".hidden.md", "x.png")
TEXTS = (
    "# Heron\n\nThe heron stands in the reeds.\n",
    "# Crane\n\nA crane dances at dawn.\n",
    "plain words without a heading, walrus and seal",
    "",
    "<html><title>Page</title><body><p>gulls above the harbour</p></body></html>",
)
folders = st.sampled_from(FOLDERS)
names = st.sampled_from(NAMES)
texts = st.sampled_from(TEXTS)
numbers = st.integers(0, 40)

QUERIES = {
    "documents": "SELECT path, uid, name, title, language, format, hex(content_hash), size,"
    " json_extract(metadata, '$.source_path') FROM documents ORDER BY path",
    "files": "SELECT path, state, reason, rule FROM files ORDER BY path",
    "passages": "SELECT path, position, text, trail, line FROM chunks JOIN documents"
    " ON documents.id = document_id ORDER BY 1, 2",
    "words": "SELECT path, position, term, col, offset FROM temp.words JOIN chunks"
    " ON chunks.id = doc JOIN documents ON documents.id = document_id ORDER BY 1, 2, 4, 5",
    "fields": "SELECT path, term, col, offset FROM temp.fields JOIN documents"
    " ON documents.id = doc ORDER BY 1, 3, 4",
    "stray words": "SELECT count(*) FROM temp.words WHERE doc NOT IN (SELECT id FROM chunks)",
    "vectors": "SELECT hex(hash) FROM vectors ORDER BY 1",
}


def read_index(home: Path) -> dict[str, list[Any]]:
    """Everything that matters, named by path and position instead of by row number."""
    connection = sqlite3.connect(f"file:{home / 'sagasu.db'}?mode=ro", uri=True)
    for name, table in (("words", "passages_fts"), ("fields", "documents_fts")):
        connection.execute(
            f"CREATE VIRTUAL TABLE temp.{name} USING fts5vocab('main', '{table}', 'instance')"
        )
    found = {name: connection.execute(query).fetchall() for name, query in QUERIES.items()}
    connection.close()
    return found


class Workers:
    """Reading processes are slow to start: the fresh indexes of all runs share theirs."""

    shared: Readers | None = None

    @classmethod
    def lend(cls, engine: Engine) -> None:
        if cls.shared is None:
            cls.shared = Readers(engine.recipe(), 1)
        engine.indexer()._readers = cls.shared

    @classmethod
    def take_back(cls, engine: Engine) -> None:
        engine.indexer()._readers = Readers(engine.recipe(), 1)


class KeptIndex(RuleBasedStateMachine):
    """A folder, a service that keeps it, and anything that may happen to both."""

    @initialize()
    def begin(self) -> None:
        self.place = Path(tempfile.mkdtemp(prefix="sagasu-kept-"))
        self.tree = self.place / "Documents"
        for number, folder in enumerate(FOLDERS):
            (self.tree / folder).mkdir(parents=True, exist_ok=True)
            for name in NAMES[number % 3 :: 3]:
                self.at(folder, name).write_text(f"# {name}\n\nlantern {folder}\n")
        self.outside = self.place / "outside.md"
        self.outside.write_text(TEXTS[0])
        self.home = self.place / "home"
        self.engine: Engine | None = None
        self.fences = 0
        self.start()
        self.kept.watch_root(str(self.tree))

    @property
    def kept(self) -> Engine:
        assert self.engine is not None
        return self.engine

    @property
    def keeper(self) -> Keeper:
        assert self.kept.keeper is not None
        return self.kept.keeper

    def start(self) -> None:
        self.engine = Engine.open(self.home, write=True, config=CONFIG)
        Workers.lend(self.engine)
        self.engine.start_keeping()

    def stop(self) -> None:
        if self.engine is not None:
            self.engine.stop_keeping()
            Workers.take_back(self.engine)
            self.engine.close()
            self.engine = None

    # What happens to the service

    @precondition(lambda self: self.engine is not None)
    @rule()
    def kill(self) -> None:
        self.stop()

    @precondition(lambda self: self.engine is None)
    @rule()
    def restart(self) -> None:
        self.start()

    @precondition(lambda self: self.engine is not None)
    @rule(paused=st.booleans())
    def pause(self, paused: bool) -> None:
        self.kept.pause(paused)

    @precondition(lambda self: self.engine is not None)
    @rule()
    def let_it_catch_up(self) -> None:
        self.kept.pause(False)
        self.wait()

    # What happens to the files

    def at(self, folder: str, name: str) -> Path:
        return self.tree / folder / name

    @rule(folder=folders, name=names, text=texts)
    def write(self, folder: str, name: str, text: str) -> None:
        path = self.at(folder, name)
        if not path.is_dir():
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_symlink():
                path.unlink()
            path.write_text(text, encoding="utf-8")

    @rule(folder=folders, name=names, text=texts)
    def save_by_rename(self, folder: str, name: str, text: str) -> None:
        path = self.at(folder, name)
        if path.parent.is_dir() and not path.is_dir():
            draft = path.with_name(f"{name}.tmp~")
            draft.write_text(text, encoding="utf-8")
            draft.replace(path)

    @rule(which=numbers)
    def append(self, which: int) -> None:
        path = self.some_file(which)
        if path is not None and not path.is_symlink():
            with path.open("a", encoding="utf-8") as file:
                file.write("\nmore of it\n")

    def some_file(self, which: int) -> Path | None:
        """One of the files that are there."""
        found = sorted(path for path in self.tree.rglob("*") if path.is_file())
        return found[which % len(found)] if found else None

    @rule(which=numbers, new=folders, other=names)
    def rename(self, which: int, new: str, other: str) -> None:
        source, target = self.some_file(which), self.at(new, other)
        if source is not None and target.parent.is_dir() and not target.is_dir():
            source.rename(target)

    @rule(which=numbers, new=folders)
    def move(self, which: int, new: str) -> None:
        source = self.some_file(which)
        if source is not None and (self.tree / new).is_dir():
            target = self.tree / new / source.name
            if not target.is_dir():
                source.replace(target)

    @rule(which=numbers)
    def delete(self, which: int) -> None:
        path = self.some_file(which)
        if path is not None:
            path.unlink()

    @rule(folder=folders, name=names, mode=st.sampled_from((0o600, 0o644, 0o755)))
    def chmod(self, folder: str, name: str, mode: int) -> None:
        path = self.at(folder, name)
        if path.is_file() and not path.is_symlink():
            path.chmod(mode)

    @rule(folder=folders, name=names, other=names, out=st.booleans())
    def link(self, folder: str, name: str, other: str, out: bool) -> None:
        path = self.at(folder, f"link-{name}")
        if path.parent.is_dir() and not path.is_symlink():
            path.symlink_to(self.outside if out else self.at(folder, other))

    @rule(folder=folders)
    def make_folder(self, folder: str) -> None:
        (self.tree / folder).mkdir(parents=True, exist_ok=True)

    @rule(old=folders, new=folders)
    def move_folder(self, old: str, new: str) -> None:
        source, target = self.tree / old, self.tree / new
        free = not target.exists() and not target.is_symlink() and target.parent.is_dir()
        inside = str(target).startswith(f"{source}/")
        if old and new and source.is_dir() and free and not inside:
            source.rename(target)

    @rule(folder=folders)
    def remove_folder(self, folder: str) -> None:
        if folder:
            shutil.rmtree(self.tree / folder, ignore_errors=True)

    @rule(folder=folders, pattern=st.sampled_from(("two.md", "c/", "*.txt", "")))
    def ignore(self, folder: str, pattern: str) -> None:
        path = self.at(folder, ".gitignore")
        if path.parent.is_dir():
            path.write_text(pattern + "\n")

    # After quiet

    def wait(self) -> None:
        """Reports come in order: once this one has arrived, all before it have."""
        self.fences += 1
        fence = self.tree / f"fence{self.fences}.md"
        fence.write_text("fence")
        end = time.monotonic() + QUIET_SECONDS
        while "indexed," not in self.kept.why(str(fence)):
            assert time.monotonic() < end, self.keeper.state()
            self.keeper.wait_quiet(0.01)
            os.sched_yield()
        assert self.keeper.wait_quiet(QUIET_SECONDS), self.keeper.state()

    def teardown(self) -> None:
        try:
            if self.engine is None:
                self.start()
            assert self.engine is not None
            self.engine.pause(False)
            self.wait()
            self.kept.settle()
            self.compare()
        finally:
            self.stop()
            shutil.rmtree(self.place)

    def compare(self) -> None:
        fresh = self.place / "fresh"
        with Engine.open(fresh, write=True, config=CONFIG) as engine:
            Workers.lend(engine)
            engine.index(str(self.tree))
            Workers.take_back(engine)
        kept, wanted = read_index(self.home), read_index(fresh)
        for what, rows in wanted.items():
            assert kept[what] == rows, what
        assert wanted["stray words"] == [(0,)]


def run(examples: int) -> None:
    try:
        run_state_machine_as_test(
            KeptIndex,
            settings=settings(
                max_examples=examples,
                stateful_step_count=20,
                deadline=None,
                suppress_health_check=list(HealthCheck),
                derandomize=examples < 100,
            ),
        )
    finally:
        if Workers.shared is not None:
            Workers.shared.close()
            Workers.shared = None


def test_whatever_happens_the_kept_index_equals_a_fresh_one() -> None:
    run(20)


@pytest.mark.slow
def test_whatever_happens_in_a_long_campaign_the_kept_index_equals_a_fresh_one() -> None:
    run(300)
