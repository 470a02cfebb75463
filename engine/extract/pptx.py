"""What does a presentation say? Slides in their order, with tables, groups and notes."""

from collections.abc import Iterator
from typing import Any

from engine.errors import DamagedFileError, NoTextError
from engine.extract.format import Format, Gather, Source
from engine.extract.office import core_properties, relations
from engine.extract.package import Package
from engine.models import Extracted

_TITLES = ("title", "ctrTitle")
_SMALL = ("sldNum", "dt", "ftr", "hdr")  # placeholders that repeat on every slide


def read_pptx(source: Source) -> Extracted:
    """The presentation, one section a slide, its notes below it."""
    with Package(source.data, source.limits, "PowerPoint") as package:
        facts = core_properties(package)
        gather = Gather(source.limits)
        for number, part in enumerate(_slides(package), 1):
            root = package.find_xml(part)
            if root is None:
                gather.notes.append(f"slide {number} could not be read")
                continue
            if not _add_slide(package, part, root, number, gather):
                break
    if not any(section.text or section.title for section in gather.sections):
        raise NoTextError(what="slides without words")
    return facts.describe("pptx", gather)


def _slides(package: Package) -> list[str]:
    root = package.find_xml("ppt/presentation.xml")
    if root is None:
        raise DamagedFileError(format="PowerPoint")
    known = relations(package, "ppt/presentation.xml")
    found: list[str] = []
    for slide in root.iter("{*}sldId"):
        key = next((v for k, v in slide.attrib.items() if k.endswith("}id")), "")
        if key in known and package.has(known[key][1]):
            found.append(known[key][1])
    # A broken list of slides takes nothing from the slides that are there.
    return found or sorted(
        (n for n in package.names if n.lower().startswith("ppt/slides/slide")), key=_slide_number
    )


def _slide_number(name: str) -> int:
    digits = "".join(c for c in name.rsplit("/", 1)[-1] if c.isdigit())
    return int(digits) if digits else 0


def _add_slide(package: Package, part: str, root: Any, number: int, gather: Gather) -> bool:
    title, body = _split_title(root)
    side: dict[str, list[str]] = {}
    for kind, target in relations(package, part).values():
        if kind in ("notesSlide", "comments", "diagramData", "chart"):
            other = package.find_xml(target)
            if other is not None:
                side.setdefault(kind, []).extend(_side_lines(kind, other))
    body += side.get("diagramData", []) + side.get("chart", [])
    gather.add("\n".join(body), title, depth=1, kind="slide", number=number)
    if side.get("notesSlide"):
        gather.add("\n".join(side["notesSlide"]), depth=2, kind="notes", number=number)
    if side.get("comments"):
        gather.add("\n".join(side["comments"]), depth=2, kind="comments", number=number)
    return not gather.full


def _split_title(root: Any) -> tuple[str, list[str]]:
    title = ""
    lines: list[str] = []
    for shape in root.iter("{*}sp", "{*}tbl"):
        if shape.tag.endswith("}tbl"):
            lines += _table_lines(shape)
            continue
        kind = _placeholder(shape)
        if kind in _SMALL:
            continue
        found = list(_paragraphs(shape))
        if kind in _TITLES and not title:
            title = " ".join(" ".join(found).split())
        else:
            lines += found
    return title, lines


def _placeholder(shape: Any) -> str:
    mark = shape.find("{*}nvSpPr/{*}nvPr/{*}ph")
    return str(mark.get("type", "body")) if mark is not None else ""


def _table_lines(table: Any) -> Iterator[str]:
    for row in table.iter("{*}tr"):
        cells = [" ".join(_paragraphs(cell)) for cell in row.iter("{*}tc")]
        if any(cells):
            yield "\t".join(cells)


def _side_lines(kind: str, root: Any) -> list[str]:
    if kind == "comments":
        return [t.text.strip() for t in root.iter("{*}text", "{*}t") if t.text and t.text.strip()]
    if kind == "chart":
        words = [v.text for v in root.iter("{*}t", "{*}v") if v.text and not _is_number(v.text)]
        return list(dict.fromkeys(words))
    if kind == "notesSlide":
        shapes = [s for s in root.iter("{*}sp") if _placeholder(s) not in (*_SMALL, "sldImg")]
        return [line for shape in shapes for line in _paragraphs(shape)]
    return list(_paragraphs(root))


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).replace("-", "", 1).replace("E", "", 1).isdigit()


def _paragraphs(root: Any) -> Iterator[str]:
    for paragraph in root.iter("{*}p"):
        parts: list[str] = []
        for node in paragraph.iter("{*}t", "{*}br", "{*}tab"):
            if node.tag.endswith("}t"):
                parts.append(node.text or "")
            else:
                parts.append(" ")
        text = "".join(parts).strip()
        if text:
            yield text


FORMAT = Format(
    "pptx",
    (".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"),
    read_pptx,
    mime=("application/vnd.openxmlformats-officedocument.presentationml.presentation",),
)
