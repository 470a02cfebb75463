"""What text is in this file?"""

import errno
import logging
import os
import stat
from dataclasses import replace

from engine.errors import (
    DamagedFileError,
    EncryptedFileError,
    FileError,
    FileTooLargeError,
    NoTextError,
    UnreadableFileError,
    UnsupportedFormatError,
)
from engine.extract import docx, html, markdown, pdf, plain
from engine.extract.format import MEGABYTE, Format, Limits, Source
from engine.extract.sniff import HEAD_BYTES, find_binary, find_magic, is_text
from engine.models import Extracted, Section

log = logging.getLogger(__name__)

# plain.TEXT last: it takes anything that is text.
FORMATS: tuple[Format, ...] = (
    markdown.FORMAT, html.FORMAT, pdf.FORMAT, docx.FORMAT,
    plain.RST, plain.ADOC, plain.ORG, plain.TEX, plain.TEXT,
)
_BY_SUFFIX = {suffix: format for format in reversed(FORMATS) for suffix in format.suffixes}
_BY_NAME = {name: format for format in reversed(FORMATS) for name in format.names}


def known_suffixes() -> tuple[str, ...]:
    """Every ending that has a reader, sorted."""
    return tuple(sorted(_BY_SUFFIX))


def format_for(path: str, head: bytes) -> Format | None:
    """The format of the file at `path` that begins with `head`; None when nothing reads it.

    The name is asked first; when the content contradicts it (a PDF named .txt), the content wins.
    """
    named = _named_format(path)
    magic = find_magic(head)
    if magic == "PDF":
        return pdf.FORMAT
    if named is not None and not named.text:
        if not magic and head and is_text(head):
            return _text_format(head)
        return named
    if magic or not is_text(head):
        return None
    return named or _text_format(head)


def extract(path: str, data: bytes | None = None, *, limits: Limits | None = None) -> Extracted:
    """The text of the file at `path` (`data`: its bytes when already read); FileError when there is
    none to be had."""
    limits = limits or Limits()
    data = _read_file(path, limits) if data is None else data
    return _extract(path, data, limits, limits.max_depth)


def _extract(path: str, data: bytes, limits: Limits, depth: int) -> Extracted:
    format = format_for(path, data[:HEAD_BYTES])
    if format is None:
        raise UnsupportedFormatError(format=find_binary(data[:HEAD_BYTES]))
    if not data and not format.text:
        raise DamagedFileError(format=f"{format.name}: the file is empty")

    def read_inner(name: str, inner: bytes) -> Extracted:
        if depth <= 0:
            raise UnsupportedFormatError(format="attachments of attachments")
        return _extract(name, inner, limits, depth - 1)

    try:
        found = format.read(Source(path, data, limits, read_inner))
    except FileError:
        raise
    except MemoryError as exc:
        raise FileTooLargeError(what="needs more memory than it may have") from exc
    except Exception as exc:
        log.debug("%s reader", format.name, exc_info=True)
        raise DamagedFileError(format=format.name) from exc
    return _sound(found)


def _named_format(path: str) -> Format | None:
    name = os.path.basename(path).lower()
    dot = name.find(".", 1)
    while dot > 0:
        if name[dot:] in _BY_SUFFIX:
            return _BY_SUFFIX[name[dot:]]
        dot = name.find(".", dot + 1)
    return _BY_NAME.get(name)


def _text_format(head: bytes) -> Format:
    start = head[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return html.FORMAT
    return plain.TEXT


def _read_file(path: str, limits: Limits) -> bytes:
    try:
        # Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as exc:
        raise UnreadableFileError(problem=getattr(exc, "strerror", None) or str(exc)) from exc
    with open(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableFileError(problem=os.strerror(errno.EINVAL))
        if status.st_size > limits.max_file_bytes:
            raise FileTooLargeError(what=f"{status.st_size // MEGABYTE:,} MB")
        try:
            return file.read(limits.max_file_bytes + 1)
        except OSError as exc:
            raise UnreadableFileError(problem=exc.strerror or str(exc)) from exc


def _sound(found: Extracted) -> Extracted:
    """`found` with text that every database takes: no lone surrogates, no NUL."""
    if all(_is_sound(s.text) and _is_sound(s.title) for s in found.sections):
        return found
    sections = tuple(
        replace(s, text=_mend(s.text), title=_mend(s.title)) if isinstance(s, Section) else s
        for s in found.sections
    )
    return replace(found, sections=sections)


def _is_sound(text: str) -> bool:
    if "\0" in text:
        return False
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _mend(text: str) -> str:
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


__all__ = [
    "FORMATS", "EncryptedFileError", "Extracted", "Format", "Limits", "NoTextError",
    "extract", "format_for", "known_suffixes",
]
