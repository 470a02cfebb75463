"""Which rows does a passage of a table hold? Lines of cells parted by tabs, as a grid again.

"Name\\tCity\\nAda\\tLondon"  →  header Name, City; one row; "london" marks row 0, column 1
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.wire import Json
from engine.models import DocumentView, PassageView

MOST_ROWS = 60  # of each: before, of the passage, after
_FIGURE = re.compile(r"[-+(]?[\d.,:/ %€$£-]+\)?")

Ranges = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Row:
    start: int  # where it stands in the passage, in characters
    cells: tuple[str, ...]


def show_table(view: DocumentView, at: int, highlights: Ranges, meant: Json) -> Json:
    """The grid around passage `at`, its words marked and its best row named; None: no table."""
    passage = view.passages[at]
    if not _is_table(view, passage):
        return None
    same = [one for one in view.passages if one.location.page == passage.location.page]
    place = same.index(passage)
    header = _find_header(same[0])
    before = _rows(same[place - 1].text)[-MOST_ROWS:] if place else []
    after = _rows(same[place + 1].text)[:MOST_ROWS] if place + 1 < len(same) else []
    rows = _rows(passage.text)
    if header:
        # The first line of a table stands above the columns, not among the rows.
        before = before[1:] if place == 1 and before[:1] == _rows(same[0].text)[:1] else before
        rows = rows[1:] if place == 0 else rows
    marks = [[len(before) + row, *rest] for row, *rest in _mark(rows, highlights)]
    return {
        "header": list(header),
        "rows": [list(row.cells) for row in (*before, *rows, *after)],
        "marks": marks,
        "hit": _find_hit(rows, len(before), marks, meant),
    }


def _is_table(view: DocumentView, passage: PassageView) -> bool:
    rows = view.format == "csv" or passage.location.kind == "sheet"
    return rows and "\t" in passage.text


def _rows(text: str) -> list[_Row]:
    found, start = [], 0
    for line in text.split("\n"):
        if line.strip():
            found.append(_Row(start, tuple(line.split("\t"))))
        start += len(line) + 1
    return found


def _find_header(first: PassageView) -> tuple[str, ...]:
    """The first line, if it names columns: several of them, and no figure among them."""
    rows = _rows(first.text)
    cells = rows[0].cells if rows else ()
    names = [cell.strip() for cell in cells if cell.strip()]
    if len(rows) < 2 or len(names) < 2 or any(_FIGURE.fullmatch(name) for name in names):
        return ()
    return cells


def _mark(rows: Sequence[_Row], highlights: Ranges) -> list[list[int]]:
    """Row, column, start and end of every highlighted stretch that lies within one cell."""
    marks: list[list[int]] = []
    for number, row in enumerate(rows):
        start = row.start
        for column, cell in enumerate(row.cells):
            end = start + len(cell)
            marks += [
                [number, column, first - start, last - start]
                for first, last in highlights
                if start <= first < last <= end
            ]
            start = end + 1
    return marks


def _find_hit(
    rows: Sequence[_Row], above: int, marks: Sequence[Sequence[int]], meant: Json
) -> int | None:
    """The row with the most marked words; without any, where the meaning begins."""
    if marks:
        counts: dict[int, int] = {}
        for row, *_ in marks:
            counts[row] = counts.get(row, 0) + 1
        return max(counts, key=lambda row: (counts[row], -row))
    if isinstance(meant, Sequence) and not isinstance(meant, str) and isinstance(meant[0], int):
        found = [n for n, row in enumerate(rows) if row.start <= meant[0]]
        return above + found[-1] if found else None
    return None
