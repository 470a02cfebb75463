"""What do files of Office 97 to 2003 say? Word (.doc) and PowerPoint (.ppt) without Office.

Word keeps its characters in pieces, each 8 or 16 bits wide, listed in a piece table; PowerPoint in
text records in a tree of records. Layout is ignored: the text in its order is all a search needs.
"""

import re
import struct
from collections.abc import Iterator

from engine.errors import DamagedFileError, EncryptedFileError, NoTextError, UnsupportedFormatError
from engine.extract.dates import parse_date
from engine.extract.encodings import guess_encoding
from engine.extract.format import Format, Gather, Source
from engine.extract.ole import Compound
from engine.models import Extracted

_FIELD = re.compile(r"\x13[^\x13\x14\x15]*(?:\x14([^\x13\x14\x15]*))?\x15")
_CONTROLS = {
    ord(c): n
    for c, n in (
        ("\r", "\n"),
        ("\x0b", "\n"),
        ("\x0c", "\n"),
        ("\x07", "\t"),
        ("\x1e", "-"),
        ("\x1f", ""),
        ("\xa0", " "),
    )
} | {code: "" for code in (*range(9), *range(14, 30))}
_PARTS = ("", "footnotes", "header", "comments", "endnotes", "text box", "header text box")
_TEXT_ATOMS = {0x0FA0: "utf-16-le", 0x0FA8: "latin-1", 0x0FBA: "utf-16-le"}
_MAX_RECORDS = 500_000
_WORD_6, _WORD_97 = 0x65, 0xC0  # versions of the file format


def read_doc(source: Source) -> Extracted:
    """A Word 97–2003 document: body, footnotes, headers, comments, text boxes."""
    compound = Compound(source.data, "Word", source.limits)
    main = compound.read("WordDocument")
    if len(main) < 0x1AA:
        raise DamagedFileError(format="Word")
    magic, version, flags = struct.unpack_from("<HH6xH", main)
    if magic not in (0xA5EC, 0xA5DC):
        raise DamagedFileError(format="Word")
    if version < _WORD_6:
        raise UnsupportedFormatError(format="Word 2 files and older: save it as .docx")
    if flags & 0x0100:
        raise EncryptedFileError()
    if version < _WORD_97:
        return _read_word_95(main, compound, source)
    table = compound.read("1Table" if flags & 0x0200 else "0Table")
    text = _join_pieces(main, table, source.limits.max_text_bytes)
    gather = Gather(source.limits)
    for (start, end), kind in zip(_story_bounds(main), _PARTS, strict=True):
        gather.add(_clean_word(text[start:end]), kind=kind)
    return _describe("doc", compound, gather, "a Word document without words")


def _read_word_95(main: bytes, compound: Compound, source: Source) -> Extracted:
    """Word 6 and 95 keep the text in one run of one-byte characters."""
    start, end = struct.unpack_from("<II", main, 0x18)
    raw = main[start:end]
    gather = Gather(source.limits)
    gather.add(
        _clean_word(raw.decode("ascii" if raw.isascii() else guess_encoding(raw), "replace"))
    )
    return _describe("doc", compound, gather, "a Word document without words")


def _story_bounds(main: bytes) -> list[tuple[int, int]]:
    """Where body, footnotes, headers, comments, endnotes and text boxes stand in the text."""
    body, notes, heads, _, comments, endnotes, boxes, head_boxes = struct.unpack_from(
        "<8i", main, 0x4C
    )
    bounds, at = [], 0
    for size in (body, notes, heads, comments, endnotes, boxes, head_boxes):
        size = max(size, 0)
        bounds.append((at, at + size))
        at += size
    return bounds


def _join_pieces(main: bytes, table: bytes, most: int) -> str:
    offset, size = struct.unpack_from("<II", main, 0x1A2)
    pieces = table[offset : offset + size]
    at = 0
    while at + 3 <= len(pieces) and pieces[at] == 1:  # formatting that the pieces refer to
        at += 3 + struct.unpack_from("<H", pieces, at + 1)[0]
    if at + 5 > len(pieces) or pieces[at] != 2:
        raise DamagedFileError(format="Word")
    length = struct.unpack_from("<I", pieces, at + 1)[0]
    plc = pieces[at + 5 : at + 5 + length]
    count = (len(plc) - 4) // 12
    if count < 1:
        raise DamagedFileError(format="Word")
    ends = struct.unpack_from(f"<{count + 1}I", plc)
    parts: list[str] = []
    for index in range(count):
        place = struct.unpack_from("<I", plc, 4 * (count + 1) + 8 * index + 2)[0]
        chars = min(max(ends[index + 1] - ends[index], 0), most)
        if place & 0x40000000:
            begin = (place & 0x3FFFFFFF) // 2
            parts.append(main[begin : begin + chars].decode("cp1252", "replace"))
        else:
            parts.append(main[place : place + 2 * chars].decode("utf-16-le", "replace"))
        most -= chars
        if most <= 0:
            break
    return "".join(parts)


def _clean_word(text: str) -> str:
    """Field codes dropped and their results kept; marks of paragraphs and cells as white space."""
    for _ in range(5):  # fields in fields
        text, changed = _FIELD.subn(lambda m: m[1] or "", text)
        if not changed:
            break
    return text.translate(_CONTROLS).strip()


def read_ppt(source: Source) -> Extracted:
    """A PowerPoint 97–2003 presentation: the text of its slides and notes."""
    compound = Compound(source.data, "PowerPoint", source.limits)
    if compound.has("EncryptedSummary"):
        raise EncryptedFileError()
    stream = compound.read("PowerPoint Document")
    if not stream:
        raise DamagedFileError(format="PowerPoint")
    user = compound.read("Current User")
    if len(user) >= 16 and struct.unpack_from("<I", user, 12)[0] == 0xF3D1C4DF:
        raise EncryptedFileError()
    gather = Gather(source.limits)
    seen: set[str] = set()
    lines: list[str] = []
    for text in _ppt_texts(stream):
        # Outline and slide both hold a slide's text, and masters theirs on every slide.
        if text not in seen:
            seen.add(text)
            lines.append(text)
    gather.add("\n".join(lines))
    return _describe("ppt", compound, gather, "slides without words")


def _ppt_texts(stream: bytes) -> Iterator[str]:
    ends = [len(stream)]
    at = count = 0
    while at + 8 <= len(stream) and count < _MAX_RECORDS:
        count += 1
        version, kind, size = struct.unpack_from("<HHI", stream, at)
        at += 8
        if version & 0x0F == 0x0F and kind != 0:  # a container: its records follow
            ends.append(at + size)
            continue
        if at + size > len(stream):
            return
        if kind in _TEXT_ATOMS:
            raw = stream[at : at + size]
            text = raw.decode(_TEXT_ATOMS[kind], "replace").translate(_CONTROLS).strip()
            if text and not (kind == 0x0FBA and text.startswith("___PPT")):
                yield text
        at += size


def _describe(name: str, compound: Compound, gather: Gather, empty: str) -> Extracted:
    if not gather.sections:
        raise NoTextError(what=empty)
    facts = compound.properties()
    words = {key: _words(facts.get(key)) for key in ("title", "author", "subject", "keywords")}
    return Extracted(
        name,
        tuple(gather.sections),
        words["title"],
        words["author"],
        created=parse_date(facts.get("create_time", "")),
        modified=parse_date(facts.get("last_saved_time", "")),
        description=words["subject"],
        keywords=tuple(k.strip() for k in words["keywords"].split(",") if k.strip()),
        note=gather.note(),
    )


def _words(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("cp1252", "replace").strip("\0 ")
    return value.strip("\0 ") if isinstance(value, str) else ""


DOC = Format("doc", (".doc", ".dot", ".wbk"), read_doc, mime=("application/msword",))
PPT = Format("ppt", (".ppt", ".pps", ".pot"), read_ppt, mime=("application/vnd.ms-powerpoint",))
