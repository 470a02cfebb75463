"""What text is in this file?"""

import logging
import os
from dataclasses import replace

from engine.errors import (
    DamagedFileError,
    EncryptedFileError,
    FileError,
    FileTooLargeError,
    UnsupportedFormatError,
)
from engine.extract import (
    cards,
    code,
    docx,
    epub,
    html,
    iwork,
    legacy,
    mail,
    markdown,
    markup,
    notebook,
    opendocument,
    outlook,
    pdf,
    plain,
    pptx,
    rtf,
    table,
    xls,
    xlsx,
)
from engine.extract.container import container_format
from engine.extract.format import Format, Limits, Source
from engine.extract.opening import read_file
from engine.extract.sniff import HEAD_BYTES, find_binary, find_magic, find_text_format, is_text
from engine.models import Extracted

log = logging.getLogger(__name__)

# Where two formats claim an ending, the first has it; plain.TEXT takes anything that is text.
FORMATS: tuple[Format, ...] = (
    markdown.FORMAT,
    html.FORMAT,
    pdf.FORMAT,
    docx.FORMAT,
    legacy.DOC,
    rtf.FORMAT,
    rtf.RTFD,
    opendocument.ODT,
    opendocument.ODS,
    opendocument.ODP,
    xlsx.FORMAT,
    xls.XLS,
    xls.XLSB,
    pptx.FORMAT,
    legacy.PPT,
    iwork.FORMAT,
    epub.FORMAT,
    mail.EML,
    mail.MBOX,
    outlook.FORMAT,
    table.CSV,
    table.JSON,
    table.JSONL,
    table.YAML,
    table.TOML,
    markup.XML,
    notebook.FORMAT,
    cards.SUBTITLES,
    cards.ICS,
    cards.VCF,
    plain.RST,
    plain.ADOC,
    plain.ORG,
    plain.TEX,
    code.FORMAT,
    plain.TEXT,
)
_BY_SUFFIX = {suffix: format for format in reversed(FORMATS) for suffix in format.suffixes}
_BY_WHOLE_NAME = {name: format for format in reversed(FORMATS) for name in format.names}
_BY_NAME = {format.name: format for format in FORMATS}


def known_suffixes() -> tuple[str, ...]:
    """Every ending that has a reader, sorted."""
    return tuple(sorted(_BY_SUFFIX))


def format_for(path: str, head: bytes, limits: Limits | None = None) -> Format | None:
    """The format of the file at `path` that begins with `head`; None when nothing reads it.

    The name is asked first; where the content contradicts it (a PDF named .txt), the content wins.
    Archives are told apart by what is in them, for which `head` must be the whole file.
    """
    named = _named_format(path)
    magic = find_magic(head)
    if magic in ("PDF", "RTF"):
        return _BY_NAME[magic.lower()]
    if magic:
        kind = container_format(head, magic, limits or Limits())
        return _BY_NAME[kind] if kind else (named if named and not named.text else None)
    if named is not None and (named.binary_too or not named.text):
        misnamed = not named.text and head and is_text(head[:HEAD_BYTES])
        return _text_format(head) if misnamed and not named.refuses_text else named
    if not is_text(head[:HEAD_BYTES]):
        return None
    return named or _text_format(head)


def extract(path: str, data: bytes | None = None, *, limits: Limits | None = None) -> Extracted:
    """The text of the file at `path` (`data`: its bytes when already read); FileError when there is
    none to be had."""
    limits = limits or Limits()
    if data is None and os.path.isdir(path):
        format = _named_format(path)
        if format is None or not format.folders:
            raise UnsupportedFormatError(format="folders")
        return _read(format, Source(path, b"", limits))
    data = read_file(path, limits) if data is None else data
    if len(data) > limits.max_file_bytes:
        raise FileTooLargeError(what=f"{len(data):,} bytes")
    return _extract(path, data, limits, limits.max_depth)


def _extract(path: str, data: bytes, limits: Limits, depth: int) -> Extracted:
    if data.startswith(b"-----BEGIN ") and b"PRIVATE KEY" in data[:64] and not limits.secrets:
        raise UnsupportedFormatError(format="private keys: secrets are left out")
    format = format_for(path, data, limits)
    if format is None:
        raise UnsupportedFormatError(format=find_binary(data[:HEAD_BYTES]))
    if not data and not format.text:
        raise DamagedFileError(format=f"{format.name}: the file is empty")

    def read_inner(name: str, inner: bytes) -> Extracted:
        if depth <= 0:
            raise UnsupportedFormatError(format="attachments of attachments")
        return _extract(name, inner, limits, depth - 1)

    return _read(format, Source(path, data, limits, read_inner))


def _read(format: Format, source: Source) -> Extracted:
    try:
        return _sound(format.read(source))
    except FileError:
        raise
    except MemoryError as exc:
        raise FileTooLargeError(what="needs more memory than it may have") from exc
    except Exception as exc:
        # Libraries raise whatever they like on broken files; here, and only here, all of it is
        # turned into the one thing it means.
        log.debug("%s reader failed", format.name, exc_info=True)
        raise DamagedFileError(format=format.name) from exc


def _named_format(path: str) -> Format | None:
    name = os.path.basename(path).lower()
    if name in _BY_WHOLE_NAME:
        return _BY_WHOLE_NAME[name]
    dot = name.find(".", 1)
    while dot > 0:
        if name[dot:] in _BY_SUFFIX:
            return _BY_SUFFIX[name[dot:]]
        dot = name.find(".", dot + 1)
    return None


def _text_format(head: bytes) -> Format:
    return _BY_NAME[find_text_format(head[:HEAD_BYTES])]


def _sound(found: Extracted) -> Extracted:
    """`found` with text that every database takes: no lone surrogates, no NUL."""
    if all(_is_sound(s.text) and _is_sound(s.title) for s in found.sections):
        sections = found.sections
    else:
        sections = tuple(
            replace(s, text=_mend(s.text), title=_mend(s.title)) for s in found.sections
        )
    words = (found.title, found.author, found.description, *found.tags, *found.keywords)
    if sections is found.sections and all(_is_sound(word) for word in words):
        return found
    return replace(
        found,
        sections=sections,
        title=_mend(found.title),
        author=_mend(found.author),
        description=_mend(found.description),
        tags=tuple(map(_mend, found.tags)),
        keywords=tuple(map(_mend, found.keywords)),
    )


def _is_sound(text: str) -> bool:
    if text.isascii():
        return "\0" not in text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return "\0" not in text


def _mend(text: str) -> str:
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


__all__ = [
    "FORMATS",
    "EncryptedFileError",
    "Extracted",
    "Format",
    "Limits",
    "extract",
    "format_for",
    "known_suffixes",
]
