"""Disk and ledger are compared once, and only differences are touched.

1. A move is known by its inode: one file, a whole folder, a change of case alone.
2. A file that becomes a folder, and a folder that becomes a file.
3. Names: NFC and NFD twins, not UTF-8, 255 bytes, emoji, newline; 500 folders deep.
4. Roots: a single file, one inside another, one twice, one that is away and comes back; so does a
   disk that is mounted inside one.
5. Permissions taken and given back; a sparse file of a gigabyte.
6. Hypothesis: after any changes the kept index equals one made afresh.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.api import Engine, Report, SearchRequest
from engine.config import Config, EmbeddingSettings

States = Callable[[], dict[str, tuple[str, str]]]


def write(path: Path, text: str = "The zebra is here.") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def run(engine: Engine, path: Path) -> Report:
    return engine.index(str(path))


def numbers(engine: Engine) -> dict[str, int]:
    """Document numbers by path."""
    rows = engine.database.connection().execute("SELECT path, id FROM documents")
    return dict(rows.fetchall())


def found(engine: Engine, words: str = "zebra") -> set[str]:
    return {one.path for one in engine.search(SearchRequest(words, mode="bm25")).results}


def test_a_moved_file_is_the_same_document(engine: Engine, folder: Path) -> None:
    old = write(folder / "a" / "old.txt")
    run(engine, folder)
    number = numbers(engine)[str(old)]
    new = folder / "b" / "new.txt"
    new.parent.mkdir()
    old.rename(new)
    report = run(engine, folder)
    assert (report.moved, report.read, report.removed) == (1, 0, 0)
    assert numbers(engine) == {str(new): number}
    assert found(engine, "new") == {str(new)}


def test_a_moved_folder_moves_all_that_is_in_it(engine: Engine, folder: Path) -> None:
    for number in range(5):
        write(folder / "project" / "deep" / f"{number}.txt")
    run(engine, folder)
    before = sorted(numbers(engine).values())
    (folder / "project").rename(folder / "archive")
    report = run(engine, folder)
    assert (report.moved, report.read) == (5, 0)
    assert sorted(numbers(engine).values()) == before
    assert all("/archive/" in path for path in numbers(engine))


def test_a_change_of_case_is_a_move(engine: Engine, folder: Path) -> None:
    old = write(folder / "readme.txt")
    run(engine, folder)
    number = numbers(engine)[str(old)]
    old.rename(folder / "README.txt")
    assert run(engine, folder).read == 0
    assert numbers(engine) == {str(folder / "README.txt"): number}


def test_a_move_over_another_file_leaves_one_document(engine: Engine, folder: Path) -> None:
    one, other = write(folder / "one.txt", "first zebra"), write(folder / "other.txt", "second")
    run(engine, folder)
    one.rename(other)
    run(engine, folder)
    assert set(numbers(engine)) == {str(other)}
    assert found(engine, "second") == set()
    assert found(engine, "zebra") == {str(other)}


def test_two_files_that_swap_names_keep_their_own_words(engine: Engine, folder: Path) -> None:
    one, other = write(folder / "one.txt", "first"), write(folder / "other.txt", "second")
    run(engine, folder)
    one.rename(folder / "aside")
    other.rename(one)
    (folder / "aside").rename(other)
    run(engine, folder)
    assert found(engine, "first") == {str(other)}
    assert found(engine, "second") == {str(one)}


def test_a_file_becomes_a_folder_and_back(engine: Engine, folder: Path) -> None:
    place = write(folder / "thing.txt")
    run(engine, folder)
    place.unlink()
    inner = write(place / "inner.txt")
    run(engine, folder)
    assert set(numbers(engine)) == {str(inner)}
    shutil.rmtree(place)
    write(place)
    run(engine, folder)
    assert set(numbers(engine)) == {str(place)}


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS takes both forms for one name")
def test_twins_in_two_forms_are_one_document_and_said(
    engine: Engine, folder: Path, states: States
) -> None:
    composed = write(folder / unicodedata.normalize("NFC", "café.txt"))
    apart = write(folder / unicodedata.normalize("NFD", "café.txt"))
    run(engine, folder)
    assert len(numbers(engine)) == 1
    said = {state for state, _ in (states()[composed.name], states()[apart.name])}
    assert said == {"indexed", "skipped"}


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS refuses such names")
def test_a_name_that_is_not_utf8_is_said(engine: Engine, folder: Path) -> None:
    with open(os.path.join(os.fsencode(folder), b"caf\xe9.txt"), "wb") as file:
        file.write(b"The zebra is here.")
    report = run(engine, folder)
    assert (report.failed, report.read) == (1, 0)
    assert "UTF-8" in report.failures[0][1]
    assert run(engine, folder).unchanged == 1


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("n" * 251 + ".txt", id="255 bytes"),
        pytest.param("é" * 125 + ".txt", id="254 bytes in two-byte letters"),
        pytest.param("🎉👩‍👩‍👧.txt", id="emoji"),
        pytest.param("two\nlines.txt", id="newline"),
        pytest.param(" leading and trailing .txt ", id="blanks"),
        pytest.param("100% 'quoted' \"and\" [more]*?.txt", id="signs"),
        pytest.param("-rf.txt", id="like an option"),
    ],
)
def test_any_name_is_indexed_moved_and_removed(engine: Engine, folder: Path, name: str) -> None:
    path = write(folder / name)
    assert run(engine, folder).read == 1
    assert found(engine) == {str(path)}
    (folder / "sub").mkdir()
    path.rename(folder / "sub" / name)
    assert run(engine, folder).moved == 1
    (folder / "sub" / name).unlink()
    assert run(engine, folder).removed == 1
    assert found(engine) == set()


def test_five_hundred_folders_deep(engine: Engine, folder: Path) -> None:
    place = folder
    for _ in range(500):
        place = place / "d"
        place.mkdir()
    path = write(place / "deep.txt")
    run(engine, folder)
    assert found(engine) == {str(path)}


def test_a_single_file_is_a_root(engine: Engine, folder: Path) -> None:
    path, other = write(folder / "one.txt"), write(folder / "other.txt")
    assert run(engine, path).read == 1
    assert found(engine) == {str(path)}
    write(path, "The zebra has moved on.")
    assert run(engine, path).read == 1
    assert str(other) not in numbers(engine)


def test_a_root_twice_and_one_inside_another_do_no_double_work(
    engine: Engine, folder: Path
) -> None:
    for path in (write(folder / "top.txt"), write(folder / "sub" / "inner.txt")):
        os.utime(path, (1_000_000_000, 1_000_000_000))  # not so new that it may change unseen
    assert run(engine, folder / "sub").read == 1
    assert run(engine, folder).read == 1
    assert run(engine, folder).read == 0
    assert run(engine, folder / "sub").read == 0
    assert [root.path for root in engine.roots()] == [str(folder)]
    assert len(numbers(engine)) == 2


def test_a_root_that_is_away_loses_nothing_and_comes_back_unread(
    engine: Engine, folder: Path, states: States, tmp_path: Path
) -> None:
    for number in range(4):
        write(folder / f"{number}.txt")
    run(engine, folder)
    before = numbers(engine)
    folder.rename(tmp_path / "unplugged")
    root = engine.roots()[0]
    assert engine.indexer().refresh(root).missing == 4
    assert {state for state, _ in states().values()} == {"missing"}
    assert numbers(engine) == before
    (tmp_path / "unplugged").rename(folder)
    report = run(engine, folder)
    assert (report.read, report.removed) == (0, 0)
    assert {state for state, _ in states().values()} == {"indexed"}
    assert numbers(engine) == before


def test_a_disk_inside_a_root_that_is_away_loses_nothing(
    engine: Engine, folder: Path, states: States
) -> None:
    inner = folder / "disk"
    inner.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(inner)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only the administrator may mount a disk")
    try:
        write(folder / "home.txt")
        write(inner / "away.txt")
        write(inner / "deep" / "er.txt")
        run(engine, folder)
        before = numbers(engine)
        assert len(before) == 3
    finally:
        subprocess.run(["umount", "-l", str(inner)], check=True)
    report = run(engine, folder)
    assert (report.missing, report.removed) == (2, 0)
    assert run(engine, inner).removed == 0  # also when only this place is looked at
    assert numbers(engine) == before
    assert states()["home.txt"][0] == "indexed"
    inner.rmdir()  # some systems take the mount point away too
    assert run(engine, folder).removed == 0
    assert {states()[name][0] for name in ("away.txt", "er.txt")} == {"missing"}


def test_an_empty_folder_in_the_place_of_a_disk_loses_nothing(
    engine: Engine, folder: Path, states: States
) -> None:
    for name in ("home.txt", "disk/away.txt", "disk/deep/er.txt"):
        write(folder / name)
    run(engine, folder)
    before = numbers(engine)
    with engine.database.write() as connection:  # as if another disk had been mounted there
        connection.execute(
            "UPDATE files SET device = device + 1 WHERE path LIKE ?", (f"{folder}/disk/%",)
        )
    shutil.rmtree(folder / "disk")
    (folder / "disk").mkdir()
    assert run(engine, folder / "disk").missing == 2
    report = run(engine, folder)
    assert (report.removed, report.read) == (0, 0)
    assert numbers(engine) == before
    assert {states()[name][0] for name in ("away.txt", "er.txt")} == {"missing"}


def test_what_is_deleted_is_gone_also_when_its_disk_has_another_number(
    engine: Engine, folder: Path
) -> None:
    for name in ("kept.txt", "gone.txt", "sub/too.txt"):
        write(folder / name)
    run(engine, folder)
    with engine.database.write() as connection:
        connection.execute("UPDATE files SET device = device + 1000")  # as after a restart
    (folder / "gone.txt").unlink()
    shutil.rmtree(folder / "sub")
    root = engine.roots()[0]
    report = engine.indexer().refresh(root, [str(folder / "gone.txt")], urgent=True)
    assert (report.removed, report.missing) == (1, 0)
    assert (run(engine, folder).removed, list(numbers(engine))) == (1, [str(folder / "kept.txt")])


def test_removing_a_root_purges_it(engine: Engine, folder: Path, tmp_path: Path) -> None:
    write(folder / "a.txt")
    kept = write(tmp_path / "Other" / "b.txt")
    run(engine, folder)
    run(engine, tmp_path / "Other")
    assert engine.remove_root(str(folder)) == 1
    connection = engine.database.connection()
    assert set(numbers(engine)) == {str(kept)}
    assert connection.execute("SELECT path FROM files").fetchall() == [(str(kept),)]
    for table in ("chunks", "vectors", "sections"):
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (1,)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_permission_taken_is_said_and_given_back_is_read(
    engine: Engine, folder: Path, states: States
) -> None:
    path = write(folder / "private.txt")
    path.chmod(0)
    run(engine, folder)
    assert states()["private.txt"][0] == "failed"
    path.chmod(0o600)
    assert run(engine, folder).read == 1


def test_a_sparse_gigabyte_is_said_and_costs_nothing(
    engine: Engine, folder: Path, states: States
) -> None:
    write(folder / "small.txt")
    os.truncate(write(folder / "large.txt"), 1024**3)
    report = run(engine, folder)
    assert report.read == 1
    assert states()["large.txt"][0] == "skipped"
    assert "large" in states()["large.txt"][1] or "binary" in states()["large.txt"][1]


@pytest.mark.parametrize("change", ["content", "date"])
def test_a_touched_file_is_read_again(engine: Engine, folder: Path, change: str) -> None:
    path = write(folder / "note.txt")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    run(engine, folder)
    if change == "content":
        write(path, "The zebra left long ago.")
    else:
        os.utime(path, (1_000_000_001, 1_000_000_001))
    assert run(engine, folder).read == 1
    assert len(numbers(engine)) == 1


NAMES = ("a.txt", "b.txt", "c.md", "sub/a.txt", "sub/d.txt", "sub/deep/e.txt", "other/a.txt")
STEPS = st.lists(
    st.tuples(st.sampled_from(("write", "move", "delete", "run")), *[st.sampled_from(NAMES)] * 2),
    max_size=14,
)


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS)
def test_after_any_changes_the_index_equals_a_fresh_one(steps: list[tuple[str, str, str]]) -> None:
    config = Config(embedding=EmbeddingSettings(model_path="/nowhere"))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "Documents"
        folder.mkdir()
        with Engine.open(Path(place) / "kept", write=True, config=config) as kept:
            for number, (what, one, other) in enumerate(steps):
                _step(kept, folder, what, folder / one, folder / other, number)
            run(kept, folder)
            known = _contents(kept)
        with Engine.open(Path(place) / "fresh", write=True, config=config) as fresh:
            run(fresh, folder)
            assert known == _contents(fresh)


def _step(engine: Engine, folder: Path, what: str, one: Path, other: Path, number: int) -> None:
    if what == "run":
        run(engine, folder)
    elif what == "write":
        write(one, f"The text of step {number}.")
    elif one.exists() and what == "delete":
        one.unlink()
    elif one.exists():
        other.parent.mkdir(parents=True, exist_ok=True)
        one.rename(other)


def _contents(engine: Engine) -> list[tuple[object, ...]]:
    return (
        engine.database.connection()
        .execute(
            "SELECT files.path, state, title, text, trail FROM files "
            "JOIN documents ON documents.id = files.document_id "
            "JOIN chunks ON chunks.document_id = documents.id ORDER BY 1, position"
        )
        .fetchall()
    )
