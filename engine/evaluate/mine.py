"""How do we do on your own questions? Marks that you have set on answers, kept and measured.

A mark says: for this question, this file is right (2), useful (1) or wrong (0). They live in one
JSON file in the data folder, in plain sight:

    {"marks": [{"query": "tax return", "path": "/Users/ada/Documents/tax.pdf", "grade": 2}]}

Measuring asks the marked questions of the index as it is; files that are not marked count as wrong.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from engine.api import Engine
from engine.errors import InvalidValueError
from engine.evaluate.compare import MODES, Comparison, Watch, ask_questions
from engine.evaluate.datasets import Dataset, Question

FILE_NAME = "marks.json"
GRADES = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Mark:
    """One judgement of the person's own."""

    query: str
    path: str
    grade: int


def read_marks(home: Path) -> list[Mark]:
    """The marks kept in the data folder; none when there is no such file."""
    path = home / FILE_NAME
    if not path.exists():
        return []
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["marks"]
        return [Mark(str(row["query"]), str(row["path"]), int(row["grade"])) for row in rows]
    except (ValueError, KeyError, TypeError) as exc:
        raise InvalidValueError(
            name=str(path),
            problem="is not a list of marks",
            fix="Repair the file, or move it away to begin anew.",
        ) from exc


def add_mark(home: Path, mark: Mark) -> list[Mark]:
    """Keeps a mark, in place of an older one for the same question and file; returns all."""
    if mark.grade not in GRADES:
        raise InvalidValueError(
            name="grade", problem=f"{mark.grade} is not possible", fix="Give 0, 1 or 2."
        )
    if not mark.query.strip():
        raise InvalidValueError(name="query", problem="is empty", fix="Say which question it was.")
    kept = [one for one in read_marks(home) if (one.query, one.path) != (mark.query, mark.path)]
    kept.append(mark)
    fresh = home / f"{FILE_NAME}.new"
    text = json.dumps({"marks": [asdict(one) for one in kept]}, ensure_ascii=False, indent=2)
    fresh.write_text(text + "\n", encoding="utf-8")
    os.chmod(fresh, 0o600)
    fresh.replace(home / FILE_NAME)
    return kept


def build_dataset(marks: Sequence[Mark]) -> Dataset:
    """The marks as judged questions; a question with no right file cannot be measured."""
    judgements: dict[str, dict[str, int]] = {}
    for mark in marks:
        judgements.setdefault(mark.query, {})[mark.path] = mark.grade
    asked = {query: found for query, found in judgements.items() if max(found.values()) > 0}
    questions = tuple(Question(query, query) for query in asked)
    return Dataset("mine", Path(), questions, asked, queries_typed=True)


def evaluate_mine(
    engine: Engine, home: Path, *, modes: Sequence[str] = MODES, watch: Watch | None = None
) -> Comparison:
    """Measures an open engine by the person's own marks."""
    marks = read_marks(home)
    found = ask_questions(engine, build_dataset(marks), lambda path: path, modes, watch=watch)
    return replace(found, documents=len({mark.path for mark in marks}))
