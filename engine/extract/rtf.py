"""What does a rich text file say? RTF as text, with the title and author of its info group."""

import os
import re
from typing import Any

from engine.errors import DamagedFileError, FileTooLargeError
from engine.extract.format import Format, Gather, Source
from engine.models import Extracted

# Pictures and embedded objects are hex digits by the megabyte, which only slow the reader down.
_HEX_RUN = re.compile(r"(?<![0-9A-Fa-f\s])[0-9A-Fa-f\s]{512,}")
# striprtf drops these; their words belong to the document.
_SIDE_GROUP = re.compile(r"\{\\(?:footnote|header[lrf]?|footer[lrf]?|annotation)\b")
_CHARACTER_SETS = (("\\mac", "mac_roman"), ("\\pca", "cp850"), ("\\pc", "cp437"))
_INFO = re.compile(r"\{\\(title|author|subject|keywords)\s+([^{}]{0,2000})\}")
_HEX_CHAR = re.compile(r"\\'([0-9a-fA-F]{2})")
_UNICODE_CHAR = re.compile(r"\\u(-?\d{1,6}) ?\??")
_CODE_PAGE = re.compile(r"\\ansicpg(\d{3,5})")


def read_rtf(source: Source) -> Extracted:
    """The text in reading order."""
    text = source.data.decode("latin-1")
    if "{\\rtf" not in text[:1024]:
        raise DamagedFileError(format="RTF")
    if text.count("{") > 5_000_000:
        raise FileTooLargeError(what="more than 5 million groups")
    return parse_rtf(text, source)


def parse_rtf(text: str, source: Source) -> Extracted:
    """The text of the RTF in `text` (its bytes as Latin-1)."""
    from striprtf import striprtf

    convert: Any = striprtf.rtf_to_text  # untyped
    head = text[:65536]
    gather = Gather(source.limits)
    try:
        marked = _SIDE_GROUP.sub(r"{\\par ", _HEX_RUN.sub(" ", text))
        plain = convert(marked, encoding=_character_set(head), errors="replace")
    except (ValueError, KeyError, IndexError, LookupError, OverflowError, TypeError) as exc:
        raise DamagedFileError(format="RTF") from exc
    gather.add(plain.strip())
    page = _CODE_PAGE.search(head)
    facts = {m[1]: _unescape(m[2], page[1] if page else "1252") for m in _INFO.finditer(head)}
    keywords = tuple(k.strip() for k in facts.get("keywords", "").split(",") if k.strip())
    return Extracted(
        "rtf",
        tuple(gather.sections),
        facts.get("title", ""),
        facts.get("author", ""),
        description=facts.get("subject", ""),
        keywords=keywords,
        note=gather.note(),
    )


def _character_set(head: str) -> str:
    start = head[:40]
    return next((codec for mark, codec in _CHARACTER_SETS if mark in start), "cp1252")


def _unescape(value: str, page: str) -> str:
    def character(match: re.Match[str]) -> str:
        try:
            return bytes([int(match[1], 16)]).decode(f"cp{page}", "replace")
        except LookupError:
            return "?"

    value = _UNICODE_CHAR.sub(lambda m: chr(int(m[1]) % 65536), value)
    return _HEX_CHAR.sub(character, value).replace("\\", "").strip()


def read_rtfd(source: Source) -> Extracted:
    """A rich text folder (.rtfd): the RTF inside it; pictures beside it are left out."""
    inner = os.path.join(source.path, "TXT.rtf")
    with open(inner, "rb") as file:
        data = file.read(source.limits.max_file_bytes + 1)
    if len(data) > source.limits.max_file_bytes:
        raise FileTooLargeError(what="its TXT.rtf")
    return read_rtf(Source(inner, data, source.limits))


FORMAT = Format("rtf", (".rtf",), read_rtf, mime=("application/rtf", "text/rtf"))
RTFD = Format("rtfd", (".rtfd",), read_rtfd, folders=True)
