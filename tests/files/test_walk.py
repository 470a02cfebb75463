"""What a walk over a folder sees.

1. Every file is seen exactly once, with a verdict; pruned folders give one row.
2. Links are never followed, and say where they point.
3. Unreadable folders, pipes and cloud placeholders are rows, not exceptions.
4. Included files inside pruned folders are found.
5. Names with newlines, emoji, 255 bytes or without valid UTF-8 are seen as they are.
6. A file costs at most 60 µs (20 µs on an idle machine).
"""

import os
import time
from pathlib import Path

import pytest

from engine.config import FileSettings, WatchSettings
from engine.files.rules import Rules, Ruling
from engine.files.walk import Seen, walk


def see(root: Path, watch: WatchSettings | None = None, **files: object) -> dict[str, Seen]:
    settings = FileSettings(**files)  # type: ignore[arg-type]  # each test names real settings
    rows = list(walk(str(root), Rules.from_settings(settings, watch or WatchSettings())))
    assert len({row.path for row in rows}) == len(rows)
    return {os.path.relpath(row.path, root): row for row in rows}


def write(path: Path, text: str = "words") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_every_file_is_seen_once_with_its_facts(tmp_path: Path) -> None:
    write(tmp_path / "a.md")
    write(tmp_path / "deep" / "er" / "b.txt", "four")
    write(tmp_path / "pic.png")
    seen = see(tmp_path)
    assert set(seen) == {"a.md", "deep/er/b.txt", "pic.png"}
    row, status = seen["deep/er/b.txt"], (tmp_path / "deep/er/b.txt").stat()
    assert (row.size, row.mtime_ns, row.inode) == (4, status.st_mtime_ns, status.st_ino)
    assert row.verdict.ruling is Ruling.TAKE
    assert seen["pic.png"].verdict.reason == "image"


def test_pruned_folder_is_one_row(tmp_path: Path) -> None:
    for index in range(20):
        write(tmp_path / "node_modules" / f"p{index}" / "readme.md")
    seen = see(tmp_path)
    assert list(seen) == ["node_modules"]
    assert seen["node_modules"].is_dir


def test_links_are_rows_and_never_followed(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", write(tmp_path / "outside" / "secret.txt")
    write(root / "a.txt")
    (root / "twin.txt").symlink_to(root / "a.txt")
    (root / "out.txt").symlink_to(outside)
    (root / "outdir").symlink_to(outside.parent)
    (root / "loop").symlink_to(root)
    (root / "broken").symlink_to(root / "nothing")
    reasons = {name: row.verdict.reason for name, row in see(root).items()}
    assert reasons == {
        "a.txt": "",
        "twin.txt": "link to something that is indexed itself",
        "out.txt": "link that leaves the folder",
        "outdir": "link that leaves the folder",
        "loop": "link to something that is indexed itself",
        "broken": "link to nothing",
    }


def test_root_that_is_a_link_is_walked(tmp_path: Path) -> None:
    write(tmp_path / "real" / "a.txt")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert set(see(tmp_path / "link")) == {"a.txt"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_folder_is_a_failed_row(tmp_path: Path) -> None:
    write(tmp_path / "shut" / "a.txt")
    (tmp_path / "shut").chmod(0)
    try:
        seen = see(tmp_path)
    finally:
        (tmp_path / "shut").chmod(0o700)
    assert seen["shut"].verdict.ruling is Ruling.FAILED


def test_missing_root_is_a_failed_row(tmp_path: Path) -> None:
    rows = list(walk(str(tmp_path / "gone"), Rules(FileSettings(), WatchSettings())))
    assert [row.verdict.ruling for row in rows] == [Ruling.FAILED]


def test_pipes_and_placeholders_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    write(tmp_path / ".report.pdf.icloud")
    seen = see(tmp_path)
    assert seen["pipe.txt"].verdict.reason == "not a regular file"
    assert seen[".report.pdf.icloud"].verdict.ruling is Ruling.EVICTED


def test_included_file_in_a_pruned_folder_is_found(tmp_path: Path) -> None:
    write(tmp_path / "build" / "docs" / "guide.md")
    write(tmp_path / "build" / "docs" / "other.txt")
    write(tmp_path / "build" / "junk.txt")
    taken = [
        name
        for name, row in see(tmp_path, include=("build/docs/*.md",)).items()
        if row.verdict.ruling is Ruling.TAKE
    ]
    assert taken == ["build/docs/guide.md"]


def test_only_the_folder_itself_when_not_recursive(tmp_path: Path) -> None:
    write(tmp_path / "a.txt")
    write(tmp_path / "in" / "b.txt")
    assert set(see(tmp_path, WatchSettings(recursive=False))) == {"a.txt"}


def test_rich_text_folder_is_one_document(tmp_path: Path) -> None:
    write(tmp_path / "letter.rtfd" / "TXT.rtf", "{\\rtf1 hello}")
    seen = see(tmp_path)
    assert seen["letter.rtfd"].verdict.ruling is Ruling.TAKE
    assert seen["letter.rtfd"].size >= 13


@pytest.mark.parametrize(
    "name", [b"new\nline.txt", "🌼 garden.txt".encode(), b"n" * 251 + b".txt", b"caf\xe9.txt"]
)
def test_odd_names_are_seen_as_they_are(tmp_path: Path, name: bytes) -> None:
    path = os.path.join(os.fsencode(tmp_path), name)
    try:
        with open(path, "wb") as file:
            file.write(b"words")
    except OSError:
        pytest.skip("this file system refuses the name")
    seen = see(tmp_path)
    assert [os.fsencode(os.path.basename(row.path)) for row in seen.values()] == [name]
    assert next(iter(seen.values())).verdict.ruling is Ruling.TAKE


def test_a_walk_costs_little_per_file(tmp_path: Path) -> None:
    for folder in range(20):
        (tmp_path / f"f{folder}").mkdir()
        for index in range(100):
            (tmp_path / f"f{folder}" / f"note {index}.md").touch()
    rules = Rules(FileSettings(), WatchSettings())
    costs = []
    for _ in range(3):
        begin = time.process_time()
        count = sum(1 for _ in walk(str(tmp_path), rules))
        costs.append((time.process_time() - begin) / count)
    assert min(costs) < 60e-6
