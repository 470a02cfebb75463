"""What does a PDF say? Its pages, with the outline's titles, and what it says of itself."""

import contextlib
import functools
import re
from bisect import bisect_right
from typing import Any

from engine.errors import DamagedFileError, EncryptedFileError, NoTextError
from engine.extract.dates import parse_pdf_date
from engine.extract.format import Format, Gather, Source
from engine.models import Extracted

MAX_OUTLINE = 20_000
# Vertical writing comes out one character a line; words are searched whole.
_VERTICAL = re.compile(r"(?:^[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af][ \t]*\n){2,}", re.M)
_KEYWORD_BREAK = re.compile(r"[,;]")


def read_pdf(source: Source) -> Extracted:
    """The text page by page; EncryptedFileError when a password is needed."""
    library = _library()
    try:
        document = library.open(stream=source.data, filetype="pdf")
    except (RuntimeError, ValueError) as exc:
        raise DamagedFileError(format="PDF") from exc
    with contextlib.closing(document):
        if document.needs_pass:
            raise EncryptedFileError()
        gather = Gather(source.limits)
        images = _read_pages(document, gather)
        if not gather.sections:
            if images:
                raise NoTextError(what="image only (a scan without recognised text)")
            raise NoTextError(what="an empty PDF")
        facts = {
            key: str(value).strip() for key, value in (document.metadata or {}).items() if value
        }
        return _describe(gather, facts, str(document.language or ""))


@functools.cache
def _library() -> Any:
    """PyMuPDF (untyped), told not to write its complaints to the terminal."""
    import pymupdf

    library: Any = pymupdf
    library.TOOLS.mupdf_display_errors(False)
    library.TOOLS.mupdf_display_warnings(False)
    return library


def _describe(gather: Gather, facts: dict[str, str], language: str) -> Extracted:
    keywords = tuple(
        k.strip() for k in _KEYWORD_BREAK.split(facts.get("keywords", "")) if k.strip()
    )
    return Extracted(
        "pdf",
        tuple(gather.sections),
        facts.get("title", ""),
        facts.get("author", ""),
        language,
        parse_pdf_date(facts.get("creationDate", "")),
        parse_pdf_date(facts.get("modDate", "")),
        description=facts.get("subject", ""),
        keywords=keywords,
        note=gather.note(),
    )


def _read_pages(document: Any, gather: Gather) -> bool:
    """Fills `gather`; True when some page shows an image."""
    library = _library()
    flags = library.TEXT_DEHYPHENATE | library.TEXT_PRESERVE_WHITESPACE
    titles, starts = _outline(document)
    images, broken = False, 0
    try:
        count = document.page_count
    except (RuntimeError, ValueError) as exc:
        raise DamagedFileError(format="PDF") from exc
    for index in range(count):
        try:
            page = document.load_page(index)
            text = _join_vertical(page.get_text("text", flags=flags)) + _annotations(page)
            images = images or (not text.strip() and bool(page.get_images()))
        except (RuntimeError, ValueError, TypeError, AttributeError):
            broken += 1
            continue
        at = bisect_right(starts, index + 1) - 1
        title = titles[at] if at >= 0 else ""
        if text.strip() and not gather.add(
            text.strip(), title, depth=1, kind="page", number=index + 1
        ):
            gather.notes.append(f"pages after {index + 1} of {count}")
            break
    if broken:
        if broken == count:
            raise DamagedFileError(format="PDF")
        gather.notes.append(f"{broken} of {count} pages could not be read")
    return images


def _join_vertical(text: str) -> str:
    return _VERTICAL.sub(lambda m: "".join(m[0].split()), text + "\n")


def _annotations(page: Any) -> str:
    """Comments and filled form fields, which page text leaves out."""
    found: list[str] = []
    with contextlib.suppress(RuntimeError, ValueError, AttributeError, TypeError):
        for note in page.annots() or ():
            content = (note.info or {}).get("content", "").strip()
            if content:
                found.append(content)
        for field in page.widgets() or ():
            value = field.field_value
            if isinstance(value, str) and value.strip() not in ("", "Off"):
                found.append(value.strip())
    return "\n" + "\n".join(found) if found else ""


def _outline(document: Any) -> tuple[list[str], list[int]]:
    """Titles of the outline and the page each begins on, in page order."""
    try:
        rows = document.get_toc(simple=True)[:MAX_OUTLINE]
    except (RuntimeError, ValueError, TypeError, AttributeError, IndexError, KeyError):
        return [], []  # a broken outline takes nothing from the pages
    known = sorted(((page, str(title).strip()) for _, title, page in rows if page > 0), key=_page)
    return [title for _, title in known], [page for page, _ in known]


def _page(row: tuple[int, str]) -> int:
    return row[0]


FORMAT = Format("pdf", (".pdf",), read_pdf, mime=("application/pdf",))
