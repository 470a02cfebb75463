"""Which documents do the filters leave? Conditions on a file, as SQL over the documents.

Folders are ranges of paths; a bare folder name (`in:downloads`) is any folder of that name on the
way. Nothing here is a LIKE with a person's text in it.
"""

import os

import numpy as np
import numpy.typing as npt

from engine.query.filters import Condition
from engine.store.database import Database
from engine.store.ledger import below

_COLUMNS = {"modified": "modified", "created": "created", "size": "size"}


def filter_documents(
    database: Database, conditions: tuple[Condition, ...]
) -> npt.NDArray[np.int64]:
    """Numbers of the documents that meet every condition, in rising order."""
    clauses: list[str] = ["1"]
    values: list[object] = []
    for condition in conditions:
        clause, more = _write(condition)
        clauses.append(f"NOT ({clause})" if condition.negated else f"({clause})")
        values += more
    rows = (
        database.connection()
        .execute(f"SELECT id FROM documents WHERE {' AND '.join(clauses)} ORDER BY id", values)
        .fetchall()
    )
    return np.fromiter((row[0] for row in rows), np.int64, len(rows))


def _write(condition: Condition) -> tuple[str, list[object]]:
    if condition.what in _COLUMNS:
        return _write_range(_COLUMNS[condition.what], condition)
    if condition.what == "tagged":
        return "tags != '[]'", []
    if condition.what == "language":
        marks = ",".join("?" * len(condition.values))
        return f"language IN ({marks})", [*sorted(condition.values)]
    if condition.what == "ext":
        parts = ["lower(substr(name, -length(?))) = ?" for _ in condition.values]
        values: list[object] = []
        for ending in sorted(condition.values):
            values += [f".{ending}", f".{ending}"]
        return " OR ".join(parts) or "0", values
    return _write_folders(condition)


def _write_range(column: str, condition: Condition) -> tuple[str, list[object]]:
    parts, values = ["1"], list[object]()
    if condition.low is not None:
        parts.append(f"{column} >= ?")
        values.append(condition.low)
    if condition.high is not None:
        parts.append(f"{column} < ?")
        values.append(condition.high)
    return " AND ".join(parts), values


def _write_folders(condition: Condition) -> tuple[str, list[object]]:
    parts, values = list[str](), list[object]()
    for folder in sorted(condition.values):
        if folder.startswith(("/", "~")):
            low, high = below(os.path.abspath(os.path.expanduser(folder)))
            parts.append("(path >= ? AND path < ?)")
            values += [low, high]
        else:
            parts.append("instr(lower(path), ?) > 0")
            values.append(f"/{folder.lower().strip('/')}/")
    return " OR ".join(parts) or "0", values
