"""A table's passage as a grid: 1 header and rows; 2 the words marked cell by cell, the row with the
most of them named; 3 rows of the neighbours around; 4 figures are no header; 5 without words the
row that is meant; 6 no table, no grid; 7 real CSV and XLSX files through the real engine.
"""

import csv
from pathlib import Path

import openpyxl  # type: ignore[import-untyped]  # it carries no types
import pytest

from app.bridge import Ticket
from app.finding import EngineFinder
from app.messages import Search
from app.recent import RecentSearches
from app.tables import show_table
from engine.api import Engine
from engine.models import DocumentView, Location, PassageView

PEOPLE = "Name\tCity\nAda\tLondon\nGrace\tNew York"


def view(*texts: str, format: str = "csv", kind: str = "") -> DocumentView:
    passages = tuple(
        PassageView(n, text, Location(kind=kind), n) for n, text in enumerate(texts, start=1)
    )
    return DocumentView("id", "/a", "a", "", format, "", "", (), 0, 0, 0, 0, "", {}, passages)


def grid(document: DocumentView, at: int = 0, *words: str, meant: tuple[int, int] | None = None):  # type: ignore[no-untyped-def]  # a test's own helper gives back plain JSON
    text = document.passages[at].text
    ranges = [(text.index(word), text.index(word) + len(word)) for word in words]
    return show_table(document, at, ranges, meant)


def test_header_rows_and_marks() -> None:
    table = grid(view(PEOPLE), 0, "York", "Grace")
    assert table["header"] == ["Name", "City"]
    assert table["rows"] == [["Ada", "London"], ["Grace", "New York"]]
    assert sorted(table["marks"]) == [[1, 0, 0, 5], [1, 1, 4, 8]]
    assert table["hit"] == 1


def test_the_row_with_most_words_is_named() -> None:
    assert grid(view("a\tb\nx\ty\nx\tz"), 0, "z")["hit"] == 1
    table = show_table(view("a\tb\nx\ty\nx\tz"), 0, [(4, 5), (8, 9), (10, 11)], None)
    assert isinstance(table, dict)
    assert table["hit"] == 1


def test_neighbours_stand_around_and_the_header_comes_from_the_first() -> None:
    table = grid(view("Name\tCity\nAda\tLondon", "Grace\tNew York", "Alan\tWilmslow"), 1, "Grace")
    assert table["header"] == ["Name", "City"]
    assert [row[0] for row in table["rows"]] == ["Ada", "Grace", "Alan"]
    assert table["hit"] == 1


def test_figures_are_no_header() -> None:
    table = grid(view("2024\t12.5\n2025\t13.5"), 0, "2025")
    assert table["header"] == []
    assert table["hit"] == 1


def test_without_words_the_row_that_is_meant() -> None:
    start = PEOPLE.index("Grace")
    assert grid(view(PEOPLE), 0, meant=(start, start + 3))["hit"] == 1
    assert grid(view(PEOPLE), 0)["hit"] is None


@pytest.mark.parametrize(
    "document", [view("a\tb\nc\td", format="text"), view("one cell a row\nand another")]
)
def test_no_table_no_grid(document: DocumentView) -> None:
    assert show_table(document, 0, [], None) is None


def test_real_files_become_grids(tmp_path: Path) -> None:
    folder = tmp_path / "Documents"
    folder.mkdir()
    rows = [["Plant", "Bed", "Planted"], ["Tomato", "north", "3"], ["Quince, pear", "south", "1"]]
    with (folder / "garden.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append(row)
    book.save(folder / "orchard.xlsx")
    with Engine.open(tmp_path / "data", write=True) as engine:
        engine.index(str(folder))
        finder = EngineFinder(engine, RecentSearches(tmp_path / "recent.json"))
        found = finder.search(Search("quince", stage="words"), Ticket()).results
        assert sorted(one.kind for one in found) == ["csv", "xlsx"]
        for one in found:
            table = finder.preview(one.id, one.snippets[0].chunk, "quince")["table"]
            assert isinstance(table, dict)
            assert table["header"] == rows[0]
            assert table["rows"] == rows[1:]
            assert table["marks"] == [[1, 0, 0, 6]]
            assert table["hit"] == 1
        kinds = engine.coverage().kinds
        finder.close()
    assert kinds == (("sheet", 2, 0),)
