"""What does a book say? An EPUB's chapters in reading order."""

import posixpath
from typing import Any
from urllib.parse import unquote

from engine.errors import DamagedFileError, EncryptedFileError, FileError, NoTextError
from engine.extract.dates import parse_date
from engine.extract.format import Format, Gather, Source
from engine.extract.html import parse_html
from engine.extract.package import Package
from engine.extract.sniff import declared_encoding, decode
from engine.models import Extracted

_PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document")


def read_epub(source: Source) -> Extracted:
    """The book, one section a chapter with its headings below."""
    with Package(source.data, source.limits, "EPUB") as package:
        if _is_locked(package):
            raise EncryptedFileError()
        opf_name = _find_opf(package)
        opf = package.xml(opf_name)
        gather = Gather(source.limits)
        for number, name in enumerate(_spine(opf, opf_name), 1):
            if not _add_chapter(package, name, number, source, gather):
                break
    if not gather.sections:
        raise NoTextError(what="a book without words")
    return _describe(opf, gather)


def _is_locked(package: Package) -> bool:
    """Copy protection encrypts the chapters; obfuscated fonts alone are harmless."""
    root = package.find_xml("META-INF/encryption.xml")
    if root is None:
        return False
    targets = [str(node.get("URI", "")).lower() for node in root.iter("{*}CipherReference")]
    return any(target.endswith((".xhtml", ".html", ".htm", ".xml")) for target in targets)


def _find_opf(package: Package) -> str:
    container = package.find_xml("META-INF/container.xml")
    if container is not None:
        for root in container.iter("{*}rootfile"):
            name = str(root.get("full-path", ""))
            if package.has(name):
                return name
    found = [name for name in package.names if name.lower().endswith(".opf")]
    if not found:
        raise DamagedFileError(format="EPUB")
    return found[0]


def _spine(opf: Any, opf_name: str) -> list[str]:
    folder = posixpath.dirname(opf_name)
    items: dict[str, str] = {}
    pages: list[str] = []
    for item in opf.iter("{*}item"):
        name = posixpath.normpath(posixpath.join(folder, unquote(str(item.get("href", "")))))
        items[str(item.get("id", ""))] = name
        if item.get("media-type") in _PAGES:
            pages.append(name)
    order = [items[key] for ref in opf.iter("{*}itemref") if (key := ref.get("idref", "")) in items]
    return order or pages


def _add_chapter(package: Package, name: str, number: int, source: Source, gather: Gather) -> bool:
    try:
        data = package.read(name)
    except FileError:
        gather.notes.append(f"chapter {number} could not be read")
        return True
    page = parse_html(decode(data, declared_encoding(data)), source)
    first = next((s.title for s in page.sections if s.title), page.title)
    opened = False
    for section in page.sections:
        if not opened:
            gather.add("", first or f"Chapter {number}", depth=1, kind="chapter", number=number)
            opened = True
        title = "" if section.title == first else section.title
        added = gather.add(
            section.text,
            title,
            depth=1 + section.depth,
            kind="heading" if title else "",
            number=number,
        )
        if not added:
            return False
    return True


def _describe(opf: Any, gather: Gather) -> Extracted:
    facts: dict[str, list[str]] = {}
    for element in opf.iter("{http://purl.org/dc/elements/1.1/}*"):
        text = "".join(element.itertext()).strip()
        if text:
            facts.setdefault(element.tag.rsplit("}", 1)[-1], []).append(text)
    return Extracted(
        "epub",
        tuple(gather.sections),
        facts.get("title", [""])[0],
        ", ".join(facts.get("creator", [])),
        facts.get("language", [""])[0],
        parse_date(facts.get("date", [""])[0]),
        description=facts.get("description", [""])[0],
        keywords=tuple(facts.get("subject", [])),
        note=gather.note(),
    )


FORMAT = Format("epub", (".epub",), read_epub, mime=("application/epub+zip",))
