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
    lines: list[str] = []
    skip = 0  # elements inside running text, which was taken whole
    for element in root.iter():
        if skip:
            skip -= 1
            continue
        tag = element.tag
        if not isinstance(tag, str):
            continue
        words = _attributes(element) if element.attrib else ""
        if len(element) and _is_mixed(element):
            words += " ".join("".join(element.itertext()).split())
            skip = sum(1 for _ in element.iter()) - 1
        elif element.text and (text := " ".join(element.text.split())):
            words += f"{tag[tag.rfind('}') + 1 :]}: {text}"
        if words:
            lines.append(words)
            room -= len(words)
            if room <= 0:
                break
    return lines


def _is_mixed(element: Any) -> bool:
    """Whether text stands between the elements inside it."""
    if element.text and not element.text.isspace():
        return True
    return any(child.tail and not child.tail.isspace() for child in element)


def _attributes(element: Any) -> str:
    found: list[str] = []
    for key, value in element.attrib.items():
        name = key[key.rfind("}") + 1 :]
        if value and len(value) < _MAX_ATTRIBUTE and name not in _HIDDEN_ATTRIBUTES:
            found.append(f"{name} {value} ")
    return "".join(found)


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
