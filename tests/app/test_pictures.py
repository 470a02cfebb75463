"""Previews as pictures: 1 a page of a PDF and an image become a JPEG; 2 what has no picture gives
none: text, a missing page, a locked, broken or vanished file; 3 a process that dies or hangs is
replaced, and nothing else is harmed; 4 the same picture is drawn once, a changed file anew.
"""

import base64
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.pictures import WIDTH, Pictures, draw_page

pymupdf = pytest.importorskip("pymupdf")


@pytest.fixture
def pictures() -> Iterator[Pictures]:
    pictures = Pictures(60)  # a loaded machine draws late, but it draws
    yield pictures
    pictures.close()


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    path = tmp_path / "plan.pdf"
    write_pdf(path, "first", "second")
    return path


def write_pdf(path: Path, *texts: str, **options: object) -> None:
    with pymupdf.open() as document:
        for text in texts:
            document.new_page().insert_text((72, 72), text)
        document.save(path, **options)


def decode(address: str) -> bytes:
    head, _, body = address.partition(",")
    assert head == "data:image/jpeg;base64"
    return base64.b64decode(body)


def test_page_becomes_a_jpeg(pictures: Pictures, pdf: Path) -> None:
    first, second = (decode(pictures.draw(pdf, page)) for page in (1, 2))
    assert first.startswith(b"\xff\xd8")
    assert first != second
    assert pymupdf.Pixmap(first).width == WIDTH


def test_image_becomes_a_jpeg(pictures: Pictures, tmp_path: Path) -> None:
    image = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 40, 30), False)
    image.clear_with(200)
    image.save(tmp_path / "photo.png")
    assert decode(pictures.draw(tmp_path / "photo.png", None)).startswith(b"\xff\xd8")


def test_what_has_no_picture_gives_none(pictures: Pictures, pdf: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("text")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 nonsense")
    write_pdf(
        tmp_path / "locked.pdf", "x", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="secret"
    )
    for name, page in (("notes.txt", 1), ("broken.pdf", 1), ("locked.pdf", 1), ("gone.pdf", 1)):
        assert pictures.draw(tmp_path / name, page) == "", name
    assert pictures.draw(pdf, None) == pictures.draw(pdf, 3) == pictures.draw(pdf, 0) == ""


def test_dead_process_is_replaced(pictures: Pictures, pdf: Path) -> None:
    assert pictures.draw(pdf, 1)
    assert pictures._process is not None
    assert pictures._process.pid is not None
    os.kill(pictures._process.pid, signal.SIGKILL)
    pictures._process.join(10)
    assert pictures.draw(pdf, 2)


def test_hanging_process_is_given_up(pdf: Path) -> None:
    pictures = Pictures(seconds=0.0)
    assert pictures.draw(pdf, 1) == ""
    assert pictures._process is None


def test_drawn_once_and_anew_when_changed(pictures: Pictures, pdf: Path) -> None:
    before = pictures.draw(pdf, 1)
    assert pictures.draw(pdf, 1) is before
    write_pdf(pdf, "something else entirely")
    os.utime(pdf, (1, 1))
    assert pictures.draw(pdf, 1) != before


def test_bad_bytes_raise_nothing(tmp_path: Path) -> None:
    for number in range(20):
        path = tmp_path / "x.pdf"
        path.write_bytes(b"%PDF-1.4\n" + os.urandom(50 * number))
        assert draw_page(str(path), 1) == b""
