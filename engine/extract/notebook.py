"""What does a notebook say? A Jupyter file's cells: prose by headings, code, and text outputs."""

import json
import re
from typing import Any

from engine.errors import DamagedFileError
from engine.extract.format import Format, Gather, Source
from engine.extract.sniff import decode
from engine.models import Extracted

_HEADING = re.compile(r"^(#{1,6})[ \t]+([^\n]+)$", re.M)
MAX_OUTPUT_CHARS = 20_000  # of one cell: tables and logs repeat what the code says


def read_notebook(source: Source) -> Extracted:
    """The notebook, one section a cell below the heading it stands under."""
    try:
        book = json.loads(decode(source.data))
    except (ValueError, RecursionError) as exc:
        raise DamagedFileError(format="Jupyter notebook") from exc
    if not isinstance(book, dict):
        raise DamagedFileError(format="Jupyter notebook")
    gather = Gather(source.limits)
    title, depth = "", 0
    for number, cell in enumerate(_cells(book), 1):
        text = _joined(cell.get("source", cell.get("input", "")))
        if cell.get("cell_type") == "code":
            gather.add(text, depth=depth + 1, kind="cell", number=number, code=True)
            output = "\n".join(_outputs(cell))[:MAX_OUTPUT_CHARS]
            gather.add(output, depth=depth + 1, kind="output", number=number, code=True)
        else:
            first, depth = _add_prose(gather, text, depth, number)
            title = title or first
        if gather.full:
            break
    metadata = book.get("metadata")
    facts = metadata if isinstance(metadata, dict) else {}
    own = facts.get("title")
    return Extracted(
        "notebook",
        tuple(gather.sections),
        own if isinstance(own, str) else title,
        note=gather.note(),
    )


def _cells(book: dict[str, Any]) -> list[dict[str, Any]]:
    cells = book.get("cells")
    if not isinstance(cells, list):  # version 3 keeps them in worksheets
        sheets = book.get("worksheets")
        parts = sheets if isinstance(sheets, list) else []
        cells = [c for s in parts if isinstance(s, dict) for c in s.get("cells") or ()]
    return [cell for cell in cells if isinstance(cell, dict)]


def _joined(value: Any) -> str:
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""


def _add_prose(gather: Gather, text: str, depth: int, number: int) -> tuple[str, int]:
    """Adds a cell of prose by its headings; its first top heading, and the depth it ends at."""
    start, title, first, kind = 0, "", "", "cell"
    for match in _HEADING.finditer(text):
        gather.add(
            text[start : match.start()].strip(), title, depth=depth, kind=kind, number=number
        )
        start, title, depth, kind = match.end(), match[2].strip(" #*"), len(match[1]), "heading"
        if depth == 1 and not first:
            first = title
    gather.add(text[start:].strip(), title, depth=depth, kind=kind, number=number)
    return first, depth


def _outputs(cell: dict[str, Any]) -> list[str]:
    found: list[str] = []
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else ():
        if not isinstance(output, dict):
            continue
        data = output.get("data")
        shown = data if isinstance(data, dict) else output
        for key in ("text", "text/plain", "text/markdown"):
            text = _joined(shown.get(key))
            if text.strip():
                found.append(text.rstrip())
                break
        if output.get("output_type") in ("error", "pyerr"):
            found.append(f"{output.get('ename', '')}: {output.get('evalue', '')}")
    return found


FORMAT = Format("notebook", (".ipynb",), read_notebook, text=True)
