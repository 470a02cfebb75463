"""Files made to hurt.

1. Zip bombs are refused before they unpack, also when their headers lie.
2. Entities are not expanded and nothing outside the file is read.
3. Deep nesting, endless repetition and unclosed things take no more than linear time.
4. 10,000 pages and a million rows are read within the limits, and what was left out is said.
"""

import io
import struct
import time
import zipfile
from pathlib import Path

import pytest

from engine.errors import FileError, FileTooLargeError
from engine.extract import Limits, extract
from engine.models import Extracted

DATA = Path(__file__).resolve().parents[1] / "data"
LAUGHS = "<!DOCTYPE a [<!ENTITY e0 'lol'>" + "".join(
    f"<!ENTITY e{i} '{f'&e{i - 1};' * 10}'>" for i in range(1, 11)
)


def repack(ending: str, part: str, content: bytes) -> bytes:
    """The sample with one part replaced."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(DATA / f"sample{ending}") as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, content if name == part else old.read(name))
    return out.getvalue()


def try_extract(name: str, data: bytes) -> Extracted | None:
    begin = time.process_time()
    try:
        return extract(name, data)
    except FileError:
        return None
    finally:
        assert time.process_time() - begin < 5


PARTS = [
    (".docx", "word/document.xml"),
    (".xlsx", "xl/worksheets/sheet1.xml"),
    (".pptx", "ppt/presentation.xml"),
    (".odt", "content.xml"),
]


@pytest.mark.parametrize(("ending", "part"), PARTS)
def test_zip_bombs_are_refused(ending: str, part: str) -> None:
    data = repack(ending, part, b" " * 30_000_000)
    with pytest.raises(FileTooLargeError, match="unpacks to more"):
        extract(f"/x/a{ending}", data, limits=Limits(max_unpacked_bytes=10_000_000))


def test_zip_bomb_with_lying_headers_is_refused() -> None:
    data = bytearray(repack(".docx", "word/document.xml", b"<a>" + b" " * 30_000_000))
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as archive:
        info = archive.getinfo("word/document.xml")
    at = data.rfind(b"PK\x01\x02", 0, data.rfind(b"word/document.xml"))
    struct.pack_into("<I", data, at + 24, 1000)
    struct.pack_into("<I", data, info.header_offset + 22, 1000)
    with pytest.raises(FileError):
        extract("/x/a.docx", bytes(data), limits=Limits(max_unpacked_bytes=10_000_000))


def test_archive_with_too_many_members_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for index in range(300):
            archive.writestr(f"word/{index}.xml", "")
    with pytest.raises(FileTooLargeError, match="parts"):
        extract("/x/a.docx", out.getvalue(), limits=Limits(max_members=200))


@pytest.mark.parametrize(("ending", "part"), PARTS)
def test_entity_bombs_stay_small(ending: str, part: str) -> None:
    found = try_extract(f"/x/a{ending}", repack(ending, part, f"{LAUGHS}]><a>&e10;</a>".encode()))
    assert found is None or "lollol" not in "".join(s.text for s in found.sections)


@pytest.mark.parametrize("ending", [".xml", ".svg", ".html", ".fodt"])
def test_external_entities_are_not_read(ending: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("kingfisher", encoding="utf-8")
    data = f'<!DOCTYPE a [<!ENTITY x SYSTEM "{secret.as_uri()}">]><a><p>&x; seen</p></a>'
    found = try_extract(f"/x/a{ending}", data.encode())
    assert found is None or "kingfisher" not in "".join(s.text for s in found.sections)


DEEP = 60_000


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.html", b"<div>" * DEEP),
        ("b.html", b"<script>" * DEEP),
        ("c.html", b"<pre>" * 2900 + b"x\n" * 500_000),
        ("d.html", b"<" * 500_000),
        ("a.json", b"[" * DEEP + b"]" * DEEP),
        ("b.json", b'{"a":' * DEEP),
        ("a.xml", b"<a>" * DEEP + b"</a>" * DEEP),
        ("a.yaml", b"[\n" * DEEP),
        ("a.rtf", b"{\\rtf1 " + b"{" * DEEP + b"x" + b"}" * DEEP + b"}"),
        ("a.ipynb", b"[" * DEEP),
        ("a.md", b">" * DEEP + b"[[" * DEEP + b"`" * DEEP + b"#" * DEEP),
        ("a.eml", b"From: a\nContent-Type: message/rfc822\n\n" * 2000),
        ("b.eml", b"Subject: " + b"=?utf-8?q?a?= " * DEEP + b"\n\nhello"),
        ("a.csv", b'a,"' * DEEP),
        ("a.js", b"async " * DEEP),
        ("a.c", b"int " * DEEP),
        ("a.java", b"public static " * DEEP),
        ("a.rst", (b"=" * 2000 + b"\n") * 200),
        ("a.srt", b"1\n" * DEEP),
    ],
)
def test_nesting_and_repetition_take_linear_time(name: str, data: bytes) -> None:
    try_extract(f"/x/{name}", data)


def make_pdf(pages: int) -> bytes:
    """A PDF with a line of text on every page."""
    out = io.BytesIO(b"")
    offsets: list[int] = []

    def add(body: bytes) -> None:
        offsets.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (len(offsets), body))

    out.write(b"%PDF-1.4\n")
    add(b"<</Type/Catalog/Pages 2 0 R>>")
    kids = b" ".join(b"%d 0 R" % (4 + 2 * page) for page in range(pages))
    add(b"<</Type/Pages/Count %d/Kids[%s]>>" % (pages, kids))
    add(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    for page in range(pages):
        content = b"BT /F 12 Tf 72 700 Td (page %d on marigolds) Tj ET" % (page + 1)
        place = b"/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 3 0 R>>>>"
        add(b"<</Type/Page%s/Contents %d 0 R>>" % (place, 5 + 2 * page))
        add(b"<</Length %d>>stream\n%s\nendstream" % (len(content), content))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1))
    out.write(b"".join(b"%010d 00000 n \n" % offset for offset in offsets))
    out.write(b"trailer<</Size %d/Root 1 0 R>>\n" % (len(offsets) + 1))
    out.write(b"startxref\n%d\n%%%%EOF" % start)
    return out.getvalue()


def test_ten_thousand_pages_are_read() -> None:
    begin = time.process_time()
    found = extract("/x/long.pdf", make_pdf(10_000))
    assert time.process_time() - begin < 20
    assert len(found.sections) == 10_000
    assert found.sections[-1].number == 10_000
    assert found.sections[-1].text == "page 10000 on marigolds"


def test_rows_beyond_the_limit_are_left_out_and_said() -> None:
    rows = "".join(
        f'<row r="{i}"><c r="A{i}"><v>{i}</v></c><c r="B{i}" t="inlineStr"><is><t>name {i}</t></is>'
        "</c></row>"
        for i in range(1, 100_001)
    )
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = f'<worksheet xmlns="{space}"><sheetData>{rows}</sheetData></worksheet>'
    data = repack(".xlsx", "xl/worksheets/sheet1.xml", sheet.encode())
    found = extract("/x/a.xlsx", data, limits=Limits(max_text_bytes=500_000))
    assert "left out" in found.note
    assert sum(len(s.text) for s in found.sections) <= 500_000
    assert "name 100000" in extract("/x/a.xlsx", data).sections[0].text


def test_cell_in_the_last_corner_costs_nothing() -> None:
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    cell = '<row r="1048576"><c r="XFD1048576"><v>42</v></c></row>'
    sheet = f'<worksheet xmlns="{space}"><sheetData>{cell}</sheetData></worksheet>'
    found = extract("/x/a.xlsx", repack(".xlsx", "xl/worksheets/sheet1.xml", sheet.encode()))
    assert found.sections[0].text == "42"


def test_sparse_gigabyte_file_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    begin = time.process_time()
    with pytest.raises(FileTooLargeError, match="1,024 MB"):
        extract(str(path))
    assert time.process_time() - begin < 0.5
