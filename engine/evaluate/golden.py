"""How do we do on files like a person's own? About forty files, sixty judged questions.

resources/golden/files is the folder of an invented translator: notes, recipes, invoices, minutes,
letters, travel, code. queries.json holds the questions as a person types them, each with a category
and grades: 2 for a file that answers it, 1 for one that touches it.
"""

import json
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.api import Engine
from engine.config import Config
from engine.evaluate.compare import MODES, Comparison, Watch, ask_questions
from engine.evaluate.datasets import Dataset, Question

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "golden"


def read_golden(folder: Path = FOLDER) -> Dataset:
    """The judged questions of our own."""
    facts = json.loads((folder / "queries.json").read_text(encoding="utf-8"))
    questions = tuple(
        Question(row["id"], row["query"], row["category"]) for row in facts["queries"]
    )
    judgements = {row["id"]: dict(row["grades"]) for row in facts["queries"]}
    return Dataset(facts["name"], folder / "files", questions, judgements, queries_typed=True)


def evaluate_golden(
    *,
    modes: Sequence[str] = MODES,
    config: Config | None = None,
    watch: Watch | None = None,
) -> Comparison:
    """Measures them with an index of their own, which is thrown away afterwards."""
    dataset = read_golden()
    with tempfile.TemporaryDirectory(prefix="sagasu-golden-") as scratch:
        files = Path(scratch).resolve() / "files"
        shutil.copytree(dataset.folder, files)
        started = time.perf_counter()
        with Engine.open(Path(scratch) / "home", write=True, config=config) as engine:
            engine.index(str(files))
            indexed = time.perf_counter() - started
            found = ask_questions(
                engine,
                dataset,
                lambda path: Path(path).relative_to(files).as_posix(),
                modes,
                watch=watch,
            )
    count = sum(1 for path in dataset.folder.rglob("*") if path.is_file())
    return replace(found, documents=count, seconds={"index": indexed, **found.seconds})
