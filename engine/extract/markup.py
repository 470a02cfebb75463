"""What does an XML file say? Element text and attribute values in document order.

An element that holds nothing but text becomes "name: text"; running text with marks in it stays
running text. Entities are never resolved.
"""

import re
from typing import Any

from engine.errors import DamagedFileError, FileTooLargeError
from engine.extract.format import MEGABYTE, Format, Gather, Source
from engine.extract.package import parse_xml
from engine.extract.sniff import decode, is_text
from engine.models import Extracted

_SPACES = re.compile(r"\s+")
_HIDDEN_ATTRIBUTES = frozenset(
    {"style", "class", "id", "d", "points", "transform", "schemaLocation"}
)
_MAX_ATTRIBUTE = 2000


def read_xml(source: Source) -> Extracted:
    """The text of the document; what is not well-formed is read as far as it goes."""
    if source.data.startswith(b"bplist00"):
        return _read_binary_plist(source)
    if not is_text(source.data[:8192]):
        raise DamagedFileError(format="XML")
    if len(source.data) > source.limits.max_xml_bytes:
        raise FileTooLargeError(what=f"{len(source.data) // MEGABYTE} MB of XML")
    gather = Gather(source.limits)
    try:
        root = parse_xml(source.data, "XML")
    except DamagedFileError:
        gather.add(decode(source.data), line=1, code=True)
        gather.notes.append("not well-formed XML: read as text")
        return Extracted("xml", tuple(gather.sections), note=gather.note())
    gather.add("\n".join(_lines(root, gather.room)), code=True)
    titles = root.findall("./{*}title") or root.findall("./{*}head/{*}title")
    title = _SPACES.sub(" ", "".join(titles[0].itertext())).strip() if titles else ""
    language = str(root.get("{http://www.w3.org/XML/1998/namespace}lang", ""))
    return Extracted("xml", tuple(gather.sections), title, language=language, note=gather.note())


def _lines(root: Any, room: int) -> list[str]:
    from lxml import etree

    lines: list[str] = []
    running: list[str] = []

    def close() -> None:
        nonlocal room
        text = _SPACES.sub(" ", "".join(running)).strip()
        running.clear()
        if text:
            lines.append(text)
            room -= len(text)

    mixed_depth = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if not isinstance(element.tag, str):
            continue
        if event == "start":
            if not mixed_depth:
                close()
                if not len(element):
                    running.append(_label(element))
            _add_attributes(element, running)
            running.append(element.text or "")
            if mixed_depth or _is_mixed(element):
                mixed_depth += 1
        else:
            if mixed_depth:
                mixed_depth -= 1
            if not mixed_depth:
                close()
            if element.tail:
                running.append(element.tail)
            if room <= 0:
                break
    close()
    return lines


def _is_mixed(element: Any) -> bool:
    """Whether text stands between the elements inside it."""
    if not len(element):
        return False
    if element.text and not element.text.isspace():
        return True
    return any(child.tail and not child.tail.isspace() for child in element)


def _label(element: Any) -> str:
    text = element.text
    return f"{element.tag.rsplit('}', 1)[-1]}: " if text and not text.isspace() else ""


def _add_attributes(element: Any, running: list[str]) -> None:
    for key, value in element.attrib.items():
        if value and len(value) < _MAX_ATTRIBUTE:
            name = key.rsplit("}", 1)[-1]
            if name not in _HIDDEN_ATTRIBUTES:
                running.append(f"{name} {value} ")


def _read_binary_plist(source: Source) -> Extracted:
    import plistlib

    from engine.extract.table import flatten_value

    try:
        value = plistlib.loads(source.data)
    except (plistlib.InvalidFileException, ValueError, KeyError, IndexError, OverflowError) as exc:
        raise DamagedFileError(format="property list") from exc
    gather = Gather(source.limits)
    gather.add(flatten_value(value, gather.room), code=True)
    return Extracted("plist", tuple(gather.sections), note=gather.note())


XML = Format(
    "xml",
    (
        ".xml",
        ".xsd",
        ".xsl",
        ".xslt",
        ".rss",
        ".atom",
        ".opml",
        ".plist",
        ".svg",
        ".kml",
        ".gpx",
        ".dita",
        ".docbook",
        ".dbk",
        ".tei",
        ".xliff",
        ".xlf",
        ".tmx",
        ".resx",
        ".wsdl",
        ".xaml",
        ".storyboard",
        ".xib",
        ".csproj",
        ".vbproj",
        ".vcxproj",
        ".props",
        ".targets",
        ".fb2",
        ".rdf",
        ".owl",
        ".musicxml",
        ".ncx",
        ".opf",
    ),
    read_xml,
    mime=("application/xml", "text/xml"),
    text=True,
    binary_too=True,
)
