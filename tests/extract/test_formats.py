"""What every format promises, and what each reader finds in its sample.

1. Names and endings are unique enough to choose by; every format has a data file that opens.
2. Random bytes under any ending raise nothing but FileError.
3. Title, author, dates and labels come out as the document says.
4. Content wins over a lying name; unknown text is text, other things are refused by what they are.
5. Encrypted, scanned, empty and missing files say so.
"""

import os
import random
import struct
from pathlib import Path

import pytest

from engine.errors import (
    DamagedFileError,
    EncryptedFileError,
    FileError,
    FileTooLargeError,
    NoTextError,
    UnreadableFileError,
    UnsupportedFormatError,
)
from engine.extract import FORMATS, Format, Limits, extract, format_for, known_suffixes
from engine.models import Extracted

DATA = Path(__file__).resolve().parents[1] / "data"
WITHOUT_SAMPLE = {"xlsb"}  # nothing here writes it


def words(found: Extracted) -> str:
    return "\n".join(f"{section.title}\n{section.text}" for section in found.sections)


def sample(ending: str) -> Extracted:
    return extract(str(DATA / f"sample{ending}"))


def test_names_are_unique_and_known_suffixes_are_theirs() -> None:
    names = [format.name for format in FORMATS]
    assert len(set(names)) == len(names)
    assert set(known_suffixes()) == {s for format in FORMATS for s in format.suffixes}
    assert all(s.startswith(".") and s == s.lower() for s in known_suffixes())
    assert len([s for f in FORMATS if f.name == "code" for s in f.suffixes]) > 80


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.name)
def test_every_format_has_a_sample_that_opens(format: Format) -> None:
    if format.name in WITHOUT_SAMPLE:
        return
    path = next(p for s in format.suffixes if (p := DATA / f"sample{s}").exists())
    found = extract(str(path))
    assert "marigold" in words(found).lower()
    assert all(section.depth >= 0 for section in found.sections)


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.name)
def test_random_bytes_raise_nothing_but_file_errors(format: Format) -> None:
    rng = random.Random(format.name)
    for size in (0, 1, 7, 600, 20_000):
        try:
            found = extract(f"/nowhere/x{format.suffixes[0]}", rng.randbytes(size))
        except FileError:
            continue
        assert isinstance(found, Extracted)


@pytest.mark.parametrize(
    "ending", [".md", ".html", ".pdf", ".docx", ".odt", ".ods", ".odp", ".xlsx", ".pptx", ".epub"]
)
def test_documents_know_their_title_and_author(ending: str) -> None:
    found = sample(ending)
    assert (found.title, found.author) == ("Marigold garden", "Ann Example")


@pytest.mark.parametrize("ending", [".pdf", ".odt", ".epub", ".eml", ".msg"])
def test_documents_know_their_date(ending: str) -> None:
    created = sample(ending).created
    assert created is not None
    assert 1706600000 < created < 1706800000  # 31 January 2024, in some zone


@pytest.mark.parametrize(
    ("ending", "labels"),
    [
        (".pdf", [("page", 1, "Budget"), ("page", 2, "Costs")]),
        (".pptx", [("slide", 1, "Budget"), ("notes", 1, ""), ("slide", 2, "Costs")]),
        (".xlsx", [("sheet", 1, "Budget"), ("sheet", 2, "Costs")]),
        (".xls", [("sheet", 1, "Budget")]),
        (".ods", [("sheet", 1, "Budget"), ("sheet", 2, "Costs")]),
        (".odp", [("slide", 1, "Budget"), ("notes", 1, "")]),
        (".mbox", [("message", 1, "First"), ("message", 2, "Second")]),
        (".ics", [("event", None, "Quarterly budget")]),
        (".vcf", [("card", None, "Ann Example")]),
        (".toml", [("", None, ""), ("key", None, "garden.flowers")]),
        (".rst", [("", None, ""), ("heading", None, "Budget"), ("heading", None, "Costs")]),
        (".org", [("", None, ""), ("heading", None, "Budget"), ("heading", None, "Costs")]),
        (".tex", [("", None, ""), ("heading", None, "Budget"), ("heading", None, "Costs")]),
    ],
)
def test_sections_carry_their_labels(
    ending: str, labels: list[tuple[str, int | None, str]]
) -> None:
    assert [(s.kind, s.number, s.title) for s in sample(ending).sections] == labels


def test_word_document_gives_all_its_parts() -> None:
    found = sample(".docx")
    assert [(s.title, s.depth) for s in found.sections if s.kind == "heading"] == [
        ("Budget", 1),
        ("Costs", 2),
    ]
    text = words(found)
    for phrase in ("Soil\t12", "Garden club header", "Garden club footer", "A remark by"):
        assert phrase in text


def test_presentation_gives_tables_groups_and_notes() -> None:
    text = words(sample(".pptx"))
    for phrase in ("Seeds\t7", "Grouped flower", "Speak about soil"):
        assert phrase in text


def test_sheet_shows_dates_and_numbers_as_people_see_them() -> None:
    text = words(sample(".xlsx"))
    assert "2024-01-31\t0.1" in text
    assert "Soil\t12" in text


def test_old_word_document_keeps_field_results_and_footnotes() -> None:
    found = sample(".doc")
    text = words(found)
    assert "linked words" in text
    assert "HYPERLINK" not in text
    assert [s.kind for s in found.sections] == ["", "footnotes"]


def test_word_95_document_is_read() -> None:
    data = bytearray((DATA / "sample.doc").read_bytes())
    main = 512  # the sample's first stream
    struct.pack_into("<H", data, main + 2, 0x68)
    struct.pack_into("<II", data, main + 0x18, 1024, 1024 + 26)
    assert words(extract("/x/old.doc", bytes(data))).strip() == "Quarterly budget for the m"


def test_rich_text_keeps_footnotes_headers_and_old_characters() -> None:
    text = rb"{\rtf1\mac Caf\'8e{\footnote below it}{\header above it}{\*\generator App;}}"
    found = words(extract("/x/a.rtf", text))
    for phrase in ("Café", "below it", "above it"):
        assert phrase in found
    assert "App" not in found


def test_rich_text_decodes_its_characters() -> None:
    assert "Grüße — 日本" in words(sample(".rtf"))
    assert "Grüße — 日本" in words(sample(".rtfd"))


def test_mail_reads_headers_body_and_attachments() -> None:
    found = sample(".eml")
    text = words(found)
    assert found.title == "Marigold gärden"
    assert text.count("The mödel of the garden is attached.") == 1
    assert "Quarterly budget for the marigold garden" in text
    assert [s.title for s in found.sections if s.kind == "attachment"] == ["plan.docx"]
    assert "tool.exe" in found.note
    assert "Soil and seeds attached" in words(sample(".msg"))


def test_mail_in_mail_stops_at_the_limit() -> None:
    inner = (DATA / "sample.eml").read_bytes()
    for _ in range(30):
        inner = b"From: a@b.org\nSubject: x\nContent-Type: message/rfc822\n\n" + inner
    found = extract("/x/deep.eml", inner)
    assert "forwarded message" in found.note


def test_json_is_flattened_to_the_bottom() -> None:
    text = words(sample(".json"))
    for line in ("budget.items.name: marigold garden", "tags: soil, seeds", "deep.a.b: bottom"):
        assert line in text


def test_tables_keep_every_row_and_unquote_cells() -> None:
    assert (
        sample(".csv").sections[0].text
        == "item\tcost\nQuarterly budget; all\t12\nmarigold garden\t7"
    )
    rows = "\n".join(f"row {i},{i}" for i in range(50_000))
    assert "row 49999\t49999" in words(extract("/x/big.csv", rows.encode()))


def test_source_code_is_cut_at_definitions() -> None:
    found = sample(".py")
    assert [(s.title, s.depth, s.kind, s.line, s.code) for s in found.sections] == [
        ("", 0, "", 1, True),
        ("Garden", 1, "definition", 5, True),
        ("count_seeds", 2, "definition", 8, True),
        ("price_soil", 1, "definition", 13, True),
    ]
    assert found.sections[2].text.lstrip().startswith("# counts them")


@pytest.mark.parametrize(
    ("name", "code", "expected"),
    [
        (
            "a.js",
            "async function load(x) {\n}\nconst save = (a) => a\nclass Box {\n  open(a) {\n}\n}",
            ["load", "save", "Box", "open"],
        ),
        (
            "a.ts",
            "export interface Shape {}\ntype Id = string\nenum Kind { A }",
            ["Shape", "Id", "Kind"],
        ),
        (
            "a.go",
            "type Box int\nfunc (b Box) Open() {}\nfunc main() {}",
            ["Box", "Open", "main"],
        ),
        (
            "a.rs",
            "pub struct Box;\nimpl Box {\n    pub fn open(&self) {}\n}",
            ["Box", "Box", "open"],
        ),
        (
            "a.c",
            "struct box {\n};\nstatic int open_box(int a)\n{\n  if (a) {\n  }\n}",
            ["box", "open_box"],
        ),
        (
            "A.java",
            "public class Box {\n  private int open(int a) {\n    return new Box(a);\n  }\n}",
            ["Box", "open"],
        ),
        ("a.rb", "module Garden\n  class Box\n    def open?\n", ["Garden", "Box", "open?"]),
        ("a.sh", "open_box() {\n}\nfunction shut {\n}", ["open_box", "shut"]),
        (
            "a.sql",
            "CREATE TABLE IF NOT EXISTS boxes (id int);\ncreate or replace view v as",
            ["boxes", "v"],
        ),
        ("a.swift", "public struct Box {\n  func open() {}\n}", ["Box", "open"]),
        ("a.kt", "data class Box(val a: Int)\nsuspend fun open() {}", ["Box", "open"]),
        ("a.php", "class Box {\n  public static function open() {}", ["Box", "open"]),
        ("a.hs", "data Box = Box\nopen :: Box -> Int\nopen b = 1", ["Box", "open"]),
        ("a.el", "(defun open-box (a)\n  1)", ["open-box"]),
        ("Makefile", "all: build\nbuild:\n\tcc x.c", ["all", "build"]),
    ],
)
def test_definitions_of_common_languages(name: str, code: str, expected: list[str]) -> None:
    found = extract(f"/x/{name}", code.encode())
    assert [s.title for s in found.sections if s.kind == "definition"] == expected


def test_content_wins_over_a_lying_name() -> None:
    pdf, docx = (DATA / "sample.pdf").read_bytes(), (DATA / "sample.docx").read_bytes()
    assert extract("/x/a.txt", pdf).format == "pdf"
    assert extract("/x/a.xlsx", docx).format == "docx"
    assert extract("/x/noending", docx).format == "docx"
    assert extract("/x/a.doc", (DATA / "sample.rtf").read_bytes()).format == "rtf"
    assert extract("/x/a.pdf", b"<html><body>marigold</body></html>").format == "html"
    assert extract("/x/a.docx", (DATA / "sample.doc").read_bytes()).format == "doc"
    assert extract("/x/letter", (DATA / "sample.eml").read_bytes()).format == "eml"


def test_names_without_ending_are_known() -> None:
    assert extract("/x/LICENSE", b"Permission is granted").format == "text"
    assert extract("/x/Dockerfile", b"FROM debian").format == "code"
    assert extract("/x/strange.xyz", b"plain words").format == "text"
    picked = format_for("/x/README.md", b"# Hello")
    assert picked is not None
    assert picked.name == "markdown"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(50), "image"),
        (b"PK\x03\x04" + bytes(100), "zip archive"),
        (b"\x7fELF" + bytes(60), "program"),
        (bytes(range(256)) * 20, "binary file"),
    ],
)
def test_things_without_text_are_refused_by_what_they_are(data: bytes, reason: str) -> None:
    with pytest.raises(UnsupportedFormatError, match=reason):
        extract("/x/thing", data)


def test_private_key_named_like_a_keynote_document_is_not_read() -> None:
    key = b"api token 0123456789abcdef\n"
    with pytest.raises(UnsupportedFormatError, match="not a Pages, Numbers or Keynote"):
        extract("/x/server.key", key)


def test_private_keys_are_not_read_under_any_name() -> None:
    key = b"-----BEGIN RSA PRIVATE KEY-----\nMIIEvQ\n-----END RSA PRIVATE KEY-----\n"
    with pytest.raises(UnsupportedFormatError, match="private keys"):
        extract("/x/notes.txt", key)
    assert extract("/x/notes.txt", key, limits=Limits(secrets=True)).format == "text"


def test_tables_in_tables_keep_all_cells(tmp_path: Path) -> None:
    from docx import Document

    document = Document()
    outer = document.add_table(1, 3)
    outer.cell(0, 0).text = "first"
    outer.cell(0, 1).add_table(1, 1).cell(0, 0).text = "inner"
    outer.cell(0, 2).text = "last"
    document.save(str(tmp_path / "a.docx"))
    text = words(extract(str(tmp_path / "a.docx")))
    assert text.split() == ["first", "inner", "last"]


def test_encrypted_scanned_and_empty_files_say_so() -> None:
    with pytest.raises(EncryptedFileError, match="password"):
        extract(str(DATA / "encrypted.pdf"))
    with pytest.raises(NoTextError, match="image only"):
        extract(str(DATA / "scanned.pdf"))
    with pytest.raises(DamagedFileError, match="empty"):
        extract("/x/a.docx", b"")
    assert extract("/x/a.txt", b"").sections == ()


def test_files_that_cannot_be_opened_say_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFileError, match="No such file"):
        extract(str(tmp_path / "gone.txt"))
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(UnreadableFileError):
        extract(str(tmp_path / "pipe.txt"))
    with pytest.raises(UnsupportedFormatError, match="folders"):
        extract(str(tmp_path))
    (tmp_path / "big.txt").write_bytes(b"x" * 2000)
    with pytest.raises(FileTooLargeError):
        extract(str(tmp_path / "big.txt"), limits=Limits(max_file_bytes=1000))


def test_text_beyond_the_limit_is_left_out_and_said() -> None:
    found = extract("/x/a.txt", b"word " * 1000, limits=Limits(max_text_bytes=100))
    assert len(words(found)) < 110
    assert "left out" in found.note


def test_text_is_sound_for_any_database() -> None:
    found = extract("/x/a.json", b'{"a": "lone \\ud800 half", "b": "nul \\u0000 char"}')
    words(found).encode("utf-8")
    assert "\0" not in words(found)
