"""What kinds of documents are in the answer? Counts by kind, folder, year and language; sorting.

Counted over the documents that were ranked, which are all that match up to the candidate limit.
"""

import os
import sqlite3
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from engine.search.combine import Fused

MOST_VALUES = 20
_FACTS = (
    "SELECT id, format, path, modified, language, name, size FROM documents WHERE id IN ({marks})"
)

Row = tuple[int, str, str, float, str, str, int]


def read_rows(connection: sqlite3.Connection, fused: Sequence[Fused]) -> dict[int, Row]:
    """What facets and sorting need to know of each document."""
    found: dict[int, Row] = {}
    ids = [one.document_id for one in fused]
    for start in range(0, len(ids), 500):
        batch = ids[start : start + 500]
        query = _FACTS.format(marks=",".join("?" * len(batch)))
        found.update((row[0], row) for row in connection.execute(query, batch))
    return found


def count_facets(rows: dict[int, Row]) -> dict[str, list[tuple[str, int]]]:
    """Values with their counts, the most frequent first."""
    counters: dict[str, Counter[str]] = {
        name: Counter() for name in ("kind", "folder", "year", "language")
    }
    for _, kind, path, modified, language, _, _ in rows.values():
        counters["kind"][kind] += 1
        counters["folder"][os.path.dirname(path)] += 1
        counters["year"][str(time.localtime(modified).tm_year)] += 1
        counters["language"][language] += 1
    return {name: counter.most_common(MOST_VALUES) for name, counter in counters.items()}


def sort_fused(fused: list[Fused], rows: dict[int, Row], by: str) -> list[Fused]:
    """The documents in another order: newest, by name, or largest first."""
    keys: dict[str, Any] = {
        "date": lambda row: -row[3],
        "name": lambda row: row[5].casefold(),
        "size": lambda row: -row[6],
    }
    known = [one for one in fused if one.document_id in rows]
    return sorted(known, key=lambda one: (keys[by](rows[one.document_id]), one.document_id))


def raise_pinned(fused: list[Fused], pinned: Sequence[int]) -> list[Fused]:
    """What a person pinned to this question stands first, found or not."""
    if not pinned:
        return fused
    known = {one.document_id: one for one in fused}
    top = [known.get(number, Fused(number, 1.0, 1.0, 0.0, ())) for number in pinned]
    return [*top, *(one for one in fused if one.document_id not in pinned)]
