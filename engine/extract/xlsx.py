"""What does an Excel workbook say? Every sheet row by row, with the values that Excel last showed.

Sheets are streamed, one row in memory at a time: a million rows, or one cell in the last corner of
the grid, cost no more than the text they hold. Binary workbooks are read in xls.py.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from engine.errors import DamagedFileError, NoTextError
from engine.extract.format import Format, Gather, Source
from engine.extract.office import core_properties, relations
from engine.extract.package import Package
from engine.models import Extracted

_DATE_IDS = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
_MAX_STRINGS = 5_000_000


def read_xlsx(source: Source) -> Extracted:
    """The workbook, one section a sheet."""
    with Package(source.data, source.limits, "Excel") as package:
        facts = core_properties(package)
        gather = Gather(source.limits)
        book = _Book(package, source.limits.max_text_bytes)
        for number, (name, part) in enumerate(book.sheets(), 1):
            add_sheet(gather, name, number, book.rows(part))
            if gather.full:
                break
            _add_notes(package, part, gather)
    if not any(section.text for section in gather.sections):
        raise NoTextError(what="a workbook without values")
    return facts.describe("xlsx", gather)


def add_sheet(gather: Gather, name: str, number: int, rows: Iterable[list[str]]) -> None:
    """Adds a sheet as a section, one row a line, as far as there is room."""
    lines: list[str] = []
    size = 0
    for row in rows:
        line = "\t".join(row).strip()
        if line:
            lines.append(line)
            size += len(line) + 1
            if size > gather.room:
                break
    gather.add("\n".join(lines), name, depth=1, kind="sheet", number=number, code=True)


def _add_notes(package: Package, part: str, gather: Gather) -> None:
    """Comments on cells and text in drawings of the sheet."""
    for kind, target in relations(package, part).values():
        if kind not in ("comments", "threadedComment", "drawing"):
            continue
        root = package.find_xml(target)
        if root is not None:
            words = [t.text for t in root.iter("{*}t", "{*}text") if t.text and t.text.strip()]
            gather.add(" ".join(words), depth=2, kind="notes")


class _Book:
    """The parts of a workbook that its sheets refer to."""

    def __init__(self, package: Package, most: int) -> None:
        self._package = package
        self._relations = relations(package, "xl/workbook.xml")
        self._strings = _Strings(package, self._part("sharedStrings"), most)
        self._date_styles = _date_styles(package, self._part("styles"))
        self._base = datetime(1899, 12, 30)

    def _part(self, kind: str) -> str:
        found = (target for known, target in self._relations.values() if known == kind)
        return next(found, f"xl/{kind}.xml")

    def sheets(self) -> Iterator[tuple[str, str]]:
        """Name and part of each sheet, in the workbook's order."""
        root = self._package.find_xml("xl/workbook.xml")
        if root is None:
            raise DamagedFileError(format="Excel")
        settings = root.find("{*}workbookPr")
        if settings is not None and settings.get("date1904") in ("1", "true"):
            self._base = datetime(1904, 1, 1)
        for sheet in root.iter("{*}sheet"):
            key = next((v for k, v in sheet.attrib.items() if k.endswith("}id")), "")
            _, target = self._relations.get(key, ("", ""))
            if self._package.has(target):
                yield str(sheet.get("name", "")), target

    def rows(self, part: str) -> Iterator[list[str]]:
        """The rows of a sheet that have cells, as shown values."""
        from lxml import etree

        with self._package.open(part) as file:
            try:
                for _, row in etree.iterparse(
                    file,
                    events=("end",),
                    tag="{*}row",
                    resolve_entities=False,
                    no_network=True,
                    huge_tree=False,
                    recover=True,
                    load_dtd=False,
                ):
                    yield [text for cell in row if (text := self._show(cell))]
                    row.clear()
                    while row.getprevious() is not None:
                        del row.getparent()[0]
            except (etree.XMLSyntaxError, OSError, ValueError, EOFError) as exc:
                raise DamagedFileError(format="Excel") from exc

    def _show(self, cell: Any) -> str:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return "".join(t.text or "" for t in cell.iter("{*}t"))
        value = next(
            (v.text for v in cell if isinstance(v.tag, str) and v.tag.endswith("}v")), None
        )
        if not value:
            return ""
        if kind == "s":
            return self._strings.get(value)
        if kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        if kind == "n":
            return self._show_number(value, cell.get("s", ""))
        return str(value)

    def _show_number(self, value: str, style: str) -> str:
        try:
            number = float(value)
            if style in self._date_styles and 0 < number < 2_958_466:
                moment = self._base + timedelta(seconds=round(number * 86_400))
                text = moment.isoformat(" ").removesuffix(" 00:00:00")
                return text if number >= 1 else text.split(" ")[-1]
            # Files keep 0.1 as 0.10000000000000001; people see and search 0.1.
            return f"{number:.15g}" if len(value) > 15 and abs(number) < 1e15 else value
        except (ValueError, OverflowError):
            return value


class _Strings:
    """The shared strings, streamed into memory once and within the limit."""

    def __init__(self, package: Package, part: str, most: int) -> None:
        self._texts: list[str] = []
        if package.has(part):
            self._read(package, part, most * 2)

    def _read(self, package: Package, part: str, most: int) -> None:
        from lxml import etree

        with package.open(part) as file:
            try:
                for _, item in etree.iterparse(
                    file,
                    events=("end",),
                    tag="{*}si",
                    resolve_entities=False,
                    no_network=True,
                    huge_tree=False,
                    recover=True,
                    load_dtd=False,
                ):
                    text = "".join(
                        t.text or ""
                        for t in item.iter("{*}t")
                        if not t.getparent().tag.endswith("}rPh")
                    )
                    self._texts.append(text)
                    most -= len(text)
                    item.clear()
                    while item.getprevious() is not None:
                        del item.getparent()[0]
                    if most < 0 or len(self._texts) > _MAX_STRINGS:
                        return
            except (etree.XMLSyntaxError, OSError, ValueError, EOFError) as exc:
                raise DamagedFileError(format="Excel") from exc

    def get(self, key: str) -> str:
        """The string that a cell's number stands for."""
        return self._texts[int(key)] if key.isdigit() and int(key) < len(self._texts) else ""


def _date_styles(package: Package, part: str) -> frozenset[str]:
    """The style numbers (as written on cells) that show a number as a date or time."""
    root = package.find_xml(part)
    if root is None:
        return frozenset()
    dates = set(_DATE_IDS)
    for form in root.iter("{*}numFmt"):
        code = _QUOTED.sub("", str(form.get("formatCode", ""))).lower()
        key = str(form.get("numFmtId", ""))
        if key.isdigit() and any(letter in code for letter in "ymdhs") and "general" not in code:
            dates.add(int(key))
    cells = root.find("{*}cellXfs")
    styles = list(cells) if cells is not None else []
    return frozenset(
        str(index)
        for index, style in enumerate(styles)
        if str(style.get("numFmtId", "")).isdigit() and int(style.get("numFmtId")) in dates
    )


FORMAT = Format(
    "xlsx",
    (".xlsx", ".xlsm", ".xltx", ".xltm"),
    read_xlsx,
    mime=("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",),
)
