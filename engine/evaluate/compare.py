"""Which mode, and which setting, answers best? Asks every judged question through the engine.

A set's documents are written as files, indexed with the ordinary pipeline and searched with the
ordinary engine; what comes back is measured, side by side, over all questions and by category, with
the p-value of each difference between modes. Leaving one setting out at a time shows what it adds.
"""

import dataclasses
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.api import Engine, SearchRequest
from engine.config import Config
from engine.evaluate.datasets import Dataset, Question, read_dataset, write_documents
from engine.evaluate.metrics import Measured, average, compare_paired, measure_run

MODES = ("bm25", "semantic", "hybrid")
DEPTH = 100  # results asked for: recall@100 needs them
MAIN_METRIC = "ndcg@10"

Watch = Callable[[str, int, int], None]  # what is being done, how far, of how many


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was measured on one set."""

    name: str
    documents: int
    questions: tuple[Question, ...]
    values: Mapping[str, Measured]  # mode, then question, then metric
    seconds: Mapping[str, float] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "set": self.name,
            "documents": self.documents,
            "queries": len(self.questions),
            "modes": {mode: _rounded(average(found)) for mode, found in self.values.items()},
            "seconds": {what: round(value, 3) for what, value in self.seconds.items()},
            "significance": self.significance(),
            "categories": self.categories(),
        }

    def significance(self, metric: str = MAIN_METRIC) -> dict[str, dict[str, float]]:
        """For each two modes: the difference of their means, and its p-value."""
        modes = list(self.values)
        found: dict[str, dict[str, float]] = {}
        for place, first in enumerate(modes):
            for second in modes[place + 1 :]:
                ours = [self.values[first][one.id][metric] for one in self.questions]
                theirs = [self.values[second][one.id][metric] for one in self.questions]
                gain = (sum(theirs) - sum(ours)) / max(len(ours), 1)
                found[f"{second} - {first}"] = {
                    "difference": round(gain, 4),
                    "p": round(compare_paired(ours, theirs), 4),
                }
        return found

    def categories(self) -> dict[str, dict[str, dict[str, float]]]:
        """The means by category, then mode; empty when the set has no categories."""
        names = sorted({question.category for question in self.questions} - {""})
        return {
            name: {
                mode: _rounded(average(found, self._of(name)))
                for mode, found in self.values.items()
            }
            for name in names
        }

    def _of(self, category: str) -> list[str]:
        return [question.id for question in self.questions if question.category == category]


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {metric: round(value, 4) for metric, value in values.items()}


def evaluate_folder(
    folder: Path,
    *,
    split: str = "test",
    modes: Sequence[str] = MODES,
    binary: bool = False,
    limit: int | None = None,
    config: Config | None = None,
    watch: Watch | None = None,
) -> Comparison:
    """Measures a BEIR folder with an index of its own, which is thrown away afterwards."""
    dataset = read_dataset(folder, split, binary)
    with tempfile.TemporaryDirectory(prefix="sagasu-eval-") as scratch:
        files = Path(scratch).resolve() / "files"
        names = write_documents(folder, files)
        started = time.perf_counter()
        with Engine.open(Path(scratch) / "home", write=True, config=config) as engine:
            if watch is not None:
                watch("indexing", 0, len(names))
            engine.index(str(files))
            indexed = time.perf_counter() - started
            found = ask_questions(
                engine, dataset, lambda path: names.get(Path(path).stem, ""), modes, limit, watch
            )
    seconds = {"index": indexed, **found.seconds}
    return dataclasses.replace(found, documents=len(names), seconds=seconds)


def ask_questions(
    engine: Engine,
    dataset: Dataset,
    identify: Callable[[str], str],
    modes: Sequence[str] = MODES,
    limit: int | None = None,
    watch: Watch | None = None,
) -> Comparison:
    """Measures the answers of an open engine; `identify` gives the judged id of a path."""
    questions = dataset.questions[:limit]
    judged = {question.id: dataset.judgements[question.id] for question in questions}
    values: dict[str, Measured] = {}
    seconds: dict[str, float] = {}
    for mode in modes:
        run: dict[str, list[str]] = {}
        started = time.perf_counter()
        for done, question in enumerate(questions):
            if watch is not None:
                watch(mode, done, len(questions))
            request = SearchRequest(
                query=question.text,
                mode=mode,
                limit=DEPTH,
                plain_filters=dataset.queries_typed,
                filters=question.filters,
            )
            answer = engine.search(request)
            run[question.id] = [identify(result.path) for result in answer.results]
        seconds[mode] = time.perf_counter() - started
        values[mode] = measure_run(judged, run)
    return Comparison(dataset.name, 0, questions, values, seconds)


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one setting adds: the mean with it, without it, and the p-value."""

    setting: str
    value: object
    ndcg: float
    difference: float
    p: float


def leave_one_out(
    home: Path,
    config: Config,
    dataset: Dataset,
    identify: Callable[[str], str],
    changes: Mapping[str, object],
    mode: str = "hybrid",
) -> list[Contribution]:
    """Measures `mode` on an index with each setting ("ranking.smoothing": 0.0) changed alone."""
    base = _measure(home, config, dataset, identify, mode)
    found: list[Contribution] = []
    for key, value in changes.items():
        section, name = key.split(".")
        part = dataclasses.replace(getattr(config, section), **{name: value})
        other = _measure(
            home, dataclasses.replace(config, **{section: part}), dataset, identify, mode
        )
        mean = sum(other) / max(len(other), 1)
        gain = mean - sum(base) / max(len(base), 1)
        p = compare_paired(base, other)
        found.append(Contribution(key, value, round(mean, 4), round(gain, 4), p))
    return found


def _measure(
    home: Path, config: Config, dataset: Dataset, identify: Callable[[str], str], mode: str
) -> list[float]:
    with Engine.open(home, config=config) as engine:
        found = ask_questions(engine, dataset, identify, (mode,))
    return [found.values[mode][question.id][MAIN_METRIC] for question in dataset.questions]
