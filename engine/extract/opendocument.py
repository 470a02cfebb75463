"""What does an OpenDocument file say? Text by headings, sheets by rows, presentations by pages."""

import re
from collections.abc import Iterator
from typing import Any

from engine.errors import EncryptedFileError, NoTextError
from engine.extract.dates import parse_date
from engine.extract.format import Format, Gather, Source
from engine.extract.package import Package, parse_xml
from engine.models import Extracted

_SKIPPED = frozenset(
    {"tracked-changes", "sequence-decls", "forms", "office-forms", "event-listeners"}
)
_SPACES = re.compile(r"[ \t\r\n]+")
_MAX_REPEAT = 1000  # the rest of a sheet is one cell repeated a million times


def read_opendocument(source: Source) -> Extracted:
    """An .odt, .ods or .odp file, or its flat XML form."""
    if source.data[:4] == b"PK\x03\x04":
        with Package(source.data, source.limits, "OpenDocument") as package:
            manifest = package.find_xml("META-INF/manifest.xml")
            if manifest is not None and next(manifest.iter("{*}encryption-data"), None) is not None:
                raise EncryptedFileError()
            content = package.xml("content.xml")
            meta, styles = package.find_xml("meta.xml"), package.find_xml("styles.xml")
    else:
        content = parse_xml(source.data[: source.limits.max_xml_bytes], "OpenDocument")
        meta = styles = content
    gather = Gather(source.limits)
    name = _add_content(content, gather)
    if styles is not None:
        _add_margins(styles, gather)
    if not gather.sections:
        raise NoTextError(what="an OpenDocument file without words")
    return _describe(name, gather, meta)


def _describe(name: str, gather: Gather, meta: Any | None) -> Extracted:
    facts: dict[str, str] = {}
    keywords: list[str] = []
    if meta is not None:
        for element in meta.iter(
            "{*}title",
            "{*}creator",
            "{*}initial-creator",
            "{*}language",
            "{*}creation-date",
            "{*}date",
            "{*}description",
            "{*}keyword",
        ):
            key, text = _tag(element), (element.text or "").strip()
            if key == "keyword" and text:
                keywords.append(text)
            elif text:
                facts.setdefault(key, text)
    return Extracted(
        name,
        tuple(gather.sections),
        facts.get("title", ""),
        facts.get("initial-creator") or facts.get("creator", ""),
        facts.get("language", ""),
        parse_date(facts.get("creation-date", "")),
        parse_date(facts.get("date", "")),
        description=facts.get("description", ""),
        keywords=tuple(keywords),
        note=gather.note(),
    )


def _tag(element: Any) -> str:
    return element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def _add_content(root: Any, gather: Gather) -> str:
    """Fills `gather` from the body; the name of the format it turned out to be."""
    body = next(root.iter("{urn:oasis:names:tc:opendocument:xmlns:office:1.0}body"), None)
    if body is None or not len(body):
        return "odt"
    inner = body[0]
    kind = _tag(inner)
    if kind == "spreadsheet":
        for number, table in enumerate(inner.iter("{*}table"), 1):
            _add_sheet(table, number, gather)
        return "ods"
    if kind in ("presentation", "drawing"):
        for number, page in enumerate(inner.iter("{*}page"), 1):
            _add_page(page, number, gather)
        return "odp"
    _add_text(inner, gather)
    return "odt"


def _add_sheet(table: Any, number: int, gather: Gather) -> None:
    name = next((str(v) for k, v in table.attrib.items() if k.endswith("}name")), "")
    lines: list[str] = []
    for row in table.iter("{*}table-row"):
        cells: list[str] = []
        for cell in row:
            if _tag(cell) in ("table-cell", "covered-table-cell"):
                text = " ".join(line for line, _ in _lines(cell))
                cells += [text] * (min(_repeat(cell), _MAX_REPEAT) if text else 1)
        line = "\t".join(cells).strip()
        if line:
            lines.append(line)
    gather.add("\n".join(lines), name, depth=1, kind="sheet", number=number, code=True)


def _repeat(cell: Any) -> int:
    text = next((str(v) for k, v in cell.attrib.items() if k.endswith("columns-repeated")), "1")
    return int(text) if text.isdigit() else 1


def _add_page(page: Any, number: int, gather: Gather) -> None:
    lines: list[str] = []
    notes: list[str] = []
    title = ""
    for shape in page:
        tag = _tag(shape)
        found = [line for line, _ in _lines(shape)]
        role = next((v for k, v in shape.attrib.items() if k.endswith("}class")), "")
        if tag == "notes":
            notes += found
        elif role == "title" and not title:
            title = " ".join(found)
        else:
            lines += found
    gather.add("\n".join(lines), title, depth=1, kind="slide", number=number)
    if notes:
        gather.add("\n".join(notes), depth=2, kind="notes", number=number)


def _add_text(body: Any, gather: Gather) -> None:
    title, depth = "", 0
    parts: list[str] = []
    for text, level in _lines(body):
        if level:
            gather.add("\n".join(parts), title, depth=depth, kind="heading" if depth else "")
            title, depth, parts = text, level, []
        else:
            parts.append(text)
        if gather.full:
            return
    gather.add("\n".join(parts), title, depth=depth, kind="heading" if depth else "")


def _add_margins(styles: Any, gather: Gather) -> None:
    """Headers and footers, which the master pages keep."""
    seen: set[str] = set()
    for tag in ("header", "footer"):
        for part in styles.iter("{urn:oasis:names:tc:opendocument:xmlns:style:1.0}" + tag):
            text = "\n".join(line for line, _ in _lines(part))
            if text and text not in seen:
                seen.add(text)
                gather.add(text, kind=tag)


def _lines(root: Any) -> Iterator[tuple[str, int]]:
    """Paragraphs below `root` with their heading level (0: none); cells of a row on one line."""
    from lxml import etree

    stack: list[tuple[list[str], int]] = []
    skipping = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        tag = _tag(element)
        if tag in _SKIPPED:
            skipping += 1 if event == "start" else -1
            continue
        if skipping:
            continue
        if event == "start":
            if tag in ("p", "h"):
                stack.append(([], _level(element) if tag == "h" else 0))
            if stack:
                stack[-1][0].append(_opening(tag, element))
        else:
            if tag in ("p", "h") and stack:
                parts, level = stack.pop()
                text = _SPACES.sub(" ", "".join(parts)).strip()
                if text:
                    yield text, level
            if stack and element.tail:
                stack[-1][0].append(element.tail)


def _opening(tag: str, element: Any) -> str:
    if tag in ("s", "tab", "line-break"):
        return " "
    return element.text or ""


def _level(element: Any) -> int:
    text = next((str(v) for k, v in element.attrib.items() if k.endswith("outline-level")), "1")
    return int(text) if text.isdigit() and 0 < int(text) < 100 else 1


ODT = Format(
    "odt",
    (".odt", ".ott", ".fodt"),
    read_opendocument,
    mime=("application/vnd.oasis.opendocument.text",),
)
ODS = Format(
    "ods",
    (".ods", ".ots", ".fods"),
    read_opendocument,
    mime=("application/vnd.oasis.opendocument.spreadsheet",),
)
ODP = Format(
    "odp",
    (".odp", ".otp", ".fodp", ".odg"),
    read_opendocument,
    mime=("application/vnd.oasis.opendocument.presentation",),
)
