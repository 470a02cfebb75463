"""Is this text, in which encoding, and what format is it really? Answers from the first bytes.

Order of guesses for text: a byte order mark, valid UTF-8, the pattern of zero bytes that UTF-16 and
UTF-32 make, ISO-2022 escapes, then the legacy encodings (see encodings.py).
"""

import re
import unicodedata

from engine.extract.encodings import guess_encoding

HEAD_BYTES = 8192

_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
# Control characters that no text has: everything below space but tab, line ends, form feed, escape
# and the backspace that man pages overprint with.
_CONTROLS = bytes(sorted(set(range(32)) - {7, 8, 9, 10, 11, 12, 13, 26, 27})) + b"\x7f"
_ISO_2022 = re.compile(rb"\x1b(?:\$[@AB]|\([BJI]|\$\([CD])")
_DECLARED = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{2,40})", re.I)

_MAIL_HEADER = re.compile(
    rb"^(?:Return-Path|Received|Delivered-To|From|To|Subject|Date|Message-ID|MIME-Version): ",
    re.M | re.I,
)
_FROM_LINE = re.compile(rb"From \S+[^\n]*\d\d:\d\d[^\n]*\r?\n[A-Za-z-]+: ")

_MAGIC = (
    (b"%PDF-", "PDF"),
    (b"{\\rtf", "RTF"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "OLE"),
    (b"PK\x03\x04", "ZIP"),
    (b"PK\x05\x06", "ZIP"),
)
_BINARY_MAGIC = (
    (b"\x89PNG", "image"),
    (b"\xff\xd8\xff", "image"),
    (b"GIF8", "image"),
    (b"II*\x00", "image"),
    (b"MM\x00*", "image"),
    (b"PK\x03\x04", "zip archive"),
    (b"\x1f\x8b", "archive"),
    (b"BZh", "archive"),
    (b"\xfd7zXZ\x00", "archive"),
    (b"7z\xbc\xaf\x27\x1c", "archive"),
    (b"Rar!\x1a", "archive"),
    (b"\x7fELF", "program"),
    (b"\xcf\xfa\xed\xfe", "program"),
    (b"\xca\xfe\xba\xbe", "program"),
    (b"MZ\x90\x00", "program"),
    (b"SQLite format 3\x00", "database"),
    (b"OggS", "sound"),
    (b"ID3", "sound"),
    (b"fLaC", "sound"),
    (b"bplist00", "property list"),
)


def find_magic(head: bytes) -> str:
    """The container that the first bytes show: PDF, RTF, OLE, ZIP; empty when none."""
    for mark, name in _MAGIC:
        if head.startswith(mark):
            return name
    # Some programs write a few bytes before the PDF header; readers look for it in the first 1 KB.
    return "PDF" if b"%PDF-1." in head[:1024] and not is_text(head[:256]) else ""


def find_binary(head: bytes) -> str:
    """What kind of thing without text this is, in a word; "binary file" when unknown."""
    for mark, name in _BINARY_MAGIC:
        if head.startswith(mark):
            return name
    if head[4:8] == b"ftyp":
        return "film"
    return "binary file"


def find_text_format(head: bytes) -> str:
    """The name of the text format that `head` looks like; "text" when it could be any."""
    start = head[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "html"
    if start.startswith(b"<?xml"):
        return "html" if b"<html" in start else "xml"
    if start.startswith(b"begin:vcalendar"):
        return "ics"
    if start.startswith(b"begin:vcard"):
        return "vcf"
    if _FROM_LINE.match(head):
        return "mbox"
    if len(_MAIL_HEADER.findall(head[:4096])) >= 3 and _MAIL_HEADER.match(head):
        return "eml"
    if start.startswith(b"#!"):
        return "code"
    return "text"


def is_text(head: bytes) -> bool:
    """Whether the bytes are text in some encoding."""
    if not head or head.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")):
        return True
    if b"\0" in head:
        return bool(_wide_encoding(head))
    return len(head.translate(None, _CONTROLS)) >= 0.99 * len(head)


def decode(data: bytes, declared: str = "") -> str:
    """The text in `data`, line ends as \\n; `declared`: the encoding that the document names."""
    text = _decode(data, declared)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\0", "") if "\0" in text else text


def declared_encoding(head: bytes) -> str:
    """The encoding that an HTML or XML head names; empty when none."""
    found = _DECLARED.search(head[:2048])
    return found.group(1).decode("ascii") if found else ""


def _decode(data: bytes, declared: str) -> str:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    wide = _wide_encoding(data[:HEAD_BYTES]) if b"\0" in data[:HEAD_BYTES] else ""
    if wide:
        return data.decode(wide, "replace")
    if _ISO_2022.search(data[:65536]):
        for encoding in ("iso2022_jp_2", "iso2022_jp_ext", "iso2022_kr"):
            try:
                return data.decode(encoding)
            except UnicodeDecodeError:
                continue
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as exc:
        if _is_broken_utf8(data, exc):
            return data.decode("utf-8", "replace")
    try:
        return data.decode(declared) if declared else _decode_legacy(data)
    except (LookupError, UnicodeError):
        return _decode_legacy(data)


def _decode_legacy(data: bytes) -> str:
    return data.decode(guess_encoding(data), "replace")


def _is_broken_utf8(data: bytes, exc: UnicodeDecodeError) -> bool:
    """UTF-8 with a few bad bytes, or cut in the middle of a character, is still UTF-8."""
    if exc.end == len(data) and exc.start > len(data) - 4 and exc.start > 8:
        return not data[: exc.start].isascii()
    sample = data[:65536].decode("utf-8", "replace")
    bad = sample.count("\N{REPLACEMENT CHARACTER}")
    good = sum(1 for c in sample if c > "\x7f") - bad
    return good > 8 * bad


def _wide_encoding(head: bytes) -> str:
    """UTF-16 or UTF-32 without a mark, known by where its zero bytes stand."""
    size = len(head) & ~3
    if size < 4:
        return ""
    zeros = [head[start:size:4].count(0) / (size // 4) for start in range(4)]
    if zeros[0] > 0.9 and zeros[1] > 0.9 and zeros[3] < 0.5:
        return "utf-32-be"
    if zeros[3] > 0.9 and zeros[2] > 0.9 and zeros[0] < 0.5:
        return "utf-32-le"
    odd, even = (zeros[1] + zeros[3]) / 2, (zeros[0] + zeros[2]) / 2
    if odd > 0.3 and even < 0.05:
        return _if_readable(head[:size], "utf-16-le")
    if even > 0.3 and odd < 0.05:
        return _if_readable(head[:size], "utf-16-be")
    return ""


def _if_readable(head: bytes, encoding: str) -> str:
    text = head.decode(encoding, "replace")
    odd = sum(
        1
        for c in text
        if c == "\ufffd" or (unicodedata.category(c) == "Cc" and c not in "\t\r\n\f")
    )
    return encoding if odd <= 0.02 * len(text) else ""
