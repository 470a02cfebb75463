"""What does a Word document say? Body, tables, headers and footers, notes, comments, text boxes.

The XML is read directly: one walk in document order over w:t, w:tab, w:br and paragraph ends finds
everything wherever it is nested (content controls, insertions, text boxes, fields), where libraries
that model the document leave parts out.
"""

import re
from collections.abc import Iterator
from typing import Any

from engine.errors import DamagedFileError, NoTextError
from engine.extract.format import Format, Gather, Source
from engine.extract.office import core_properties
from engine.extract.package import Package
from engine.models import Extracted

_W = re.compile(
    r"\{http://(?:schemas\.openxmlformats\.org/wordprocessingml/2006/main"
    r"|purl\.oclc\.org/ooxml/wordprocessingml/main)\}"
)
_SIDE_PARTS = (
    ("header", re.compile(r"word/header\d*\.xml$", re.I)),
    ("footer", re.compile(r"word/footer\d*\.xml$", re.I)),
    ("footnotes", re.compile(r"word/footnotes\.xml$", re.I)),
    ("endnotes", re.compile(r"word/endnotes\.xml$", re.I)),
    ("comments", re.compile(r"word/comments\.xml$", re.I)),
)
_HEADING = re.compile(
    r"(?:heading|überschrift|titre|título|titolo|rubrik|kop|nagłówek|заголовок)\s*(\d)", re.I
)


def read_docx(source: Source) -> Extracted:
    """The document by its headings, then what stands at its sides."""
    with Package(source.data, source.limits, "Word") as package:
        facts = core_properties(package)
        gather = Gather(source.limits)
        main = _main_part(package)
        _add_body(package.xml(main), _heading_styles(package), gather)
        for kind, pattern in _SIDE_PARTS:
            seen: set[str] = set()
            for name in sorted(n for n in package.names if pattern.search(n)):
                root = package.find_xml(name)
                text = "\n".join(p for p, _ in _paragraphs(root)) if root is not None else ""
                if text.strip() and text not in seen:
                    seen.add(text)
                    gather.add(text.strip(), kind=kind)
    if not gather.sections:
        raise NoTextError(what="a Word document without words")
    return facts.describe("docx", gather)


def _main_part(package: Package) -> str:
    relations = package.find_xml("_rels/.rels")
    if relations is not None:
        for relation in relations.iter("{*}Relationship"):
            target = str(relation.get("Target", "")).lstrip("/")
            if str(relation.get("Type", "")).endswith("/officeDocument") and package.has(target):
                return target
    if package.has("word/document.xml"):
        return "word/document.xml"
    raise DamagedFileError(format="Word")


def _heading_styles(package: Package) -> dict[str, int]:
    """Style ids that are headings, by outline level or by name, and their depth."""
    root = package.find_xml("word/styles.xml")
    found: dict[str, int] = {}
    if root is None:
        return found
    for style in root.iter("{*}style"):
        key = _attribute(style, "styleId")
        name = style.find("{*}name")
        label = _attribute(name, "val") if name is not None else ""
        level = style.find("{*}pPr/{*}outlineLvl")
        number = _attribute(level, "val") if level is not None else ""
        match = _HEADING.search(label)
        if number.isdigit() and int(number) < 9:
            found[key] = int(number) + 1
        elif match:
            found[key] = int(match[1])
        elif label.lower() == "title":
            found[key] = 1
    return found


def _attribute(element: Any, name: str) -> str:
    for key, value in element.attrib.items():
        if key.rsplit("}", 1)[-1] == name:
            return str(value)
    return ""


def _add_body(root: Any, styles: dict[str, int], gather: Gather) -> None:
    title, depth = "", 0
    parts: list[str] = []
    for text, style in _paragraphs(root):
        level = styles.get(style, 0) if style else 0
        if level and text.strip():
            gather.add(
                "\n".join(parts).strip(), title, depth=depth, kind="heading" if depth else ""
            )
            title, depth, parts = " ".join(text.split()), level, []
        else:
            parts.append(text)
        if gather.full:
            return
    gather.add("\n".join(parts).strip(), title, depth=depth, kind="heading" if depth else "")


def _paragraphs(root: Any) -> Iterator[tuple[str, str]]:
    """Each paragraph's text and style. Text boxes inside a paragraph come out as their own."""
    from lxml import etree

    stack: list[tuple[list[str], str]] = []
    skipping = 0
    rows: list[list[str]] = []  # open table rows: tables stand in cells of tables
    for event, element in etree.iterwalk(root, events=("start", "end")):
        tag = element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""
        if tag == "Fallback":  # the same drawing again, for old readers
            skipping += 1 if event == "start" else -1
        if skipping:
            continue
        if event == "start":
            if tag == "p" and _W.match(element.tag):
                stack.append(([], ""))
            elif tag == "pStyle" and stack:
                stack[-1] = (stack[-1][0], _attribute(element, "val"))
            elif stack:
                stack[-1][0].append(_shown(tag, element))
            elif tag == "tr":
                rows.append([])
        elif tag == "p" and stack and _W.match(element.tag):
            parts, style = stack.pop()
            text = "".join(parts)
            if rows and not stack:
                rows[-1].append(text)
            elif text.strip():
                yield text, style
        elif tag == "tr" and rows and not stack:
            row = "\t".join(rows.pop())
            if rows:
                rows[-1].append(row)
            elif row.strip():
                yield row, ""


def _shown(tag: str, element: Any) -> str:
    """What an element inside a paragraph shows by itself."""
    if tag == "t":
        return element.text or ""
    if tag in ("tab", "ptab"):  # in paragraph properties, w:tab is a tab stop
        return "\t" if element.getparent().tag.endswith("}r") else ""
    return {"br": "\n", "cr": "\n", "noBreakHyphen": "-"}.get(tag, "")


FORMAT = Format(
    "docx",
    (".docx", ".docm", ".dotx", ".dotm"),
    read_docx,
    mime=("application/vnd.openxmlformats-officedocument.wordprocessingml.document",),
)
