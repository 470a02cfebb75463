"""Which judged sets are there? Reads BEIR folders and writes their documents as ordinary files.

A folder holds corpus.jsonl (_id, title, text), queries.jsonl (_id, text) and qrels/test.tsv
(query-id, corpus-id, score; or train, dev). Each document becomes one Markdown file whose heading
is its title, 500 to a folder; a document without title is plain text. Ids may hold characters that
no file name can, so files get made-up names, and a table leads back from name to id.
"""

import csv
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from engine.errors import FolderMissingError, InvalidValueError

FILES_PER_FOLDER = 500

# What the query language would read as operators: these questions are prose, not queries.
_SIGNS = re.compile(r"[\"“”„«»()\[\]{}*?~^|!<>=]|(?<!\w)[-+/]+|:(?=\S)|\b(?:AND|OR|NOT|NEAR)\b")


@dataclass(frozen=True, slots=True)
class Question:
    """One judged question."""

    id: str
    text: str
    category: str = ""
    filters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Dataset:
    """Questions and what answers them; the documents stay on disk."""

    name: str
    folder: Path
    questions: tuple[Question, ...]
    judgements: Mapping[str, Mapping[str, int]]
    queries_typed: bool = False  # as a person types them, filters in plain words and all


def read_dataset(folder: Path, split: str = "test", binary: bool = False) -> Dataset:
    """The judged questions of a BEIR folder; `binary` reads every grade above 0 as 1."""
    if not (folder / "corpus.jsonl").exists():
        raise FolderMissingError(path=folder / "corpus.jsonl")
    judgements = _read_judgements(folder / "qrels" / f"{split}.tsv", binary)
    questions = tuple(
        Question(str(row["_id"]), _prose(str(row["text"])), _category(row))
        for row in _iter_rows(folder / "queries.jsonl")
        if str(row["_id"]) in judgements
    )
    return Dataset(folder.name, folder, questions, judgements)


def write_documents(folder: Path, into: Path) -> dict[str, str]:
    """Writes the set's documents below `into`; returns file name (no suffix) to document id."""
    names: dict[str, str] = {}
    for place, row in enumerate(_iter_rows(folder / "corpus.jsonl")):
        part = into / f"{place // FILES_PER_FOLDER:03d}"
        part.mkdir(parents=True, exist_ok=True)
        title = " ".join(str(row.get("title") or "").split())
        text = str(row.get("text") or "")
        # The name says nothing: a number in it must not answer a question that names a number.
        name = f"document-{_letters(place)}"
        names[name] = str(row["_id"])
        if title:
            (part / f"{name}.md").write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
        else:
            (part / f"{name}.txt").write_text(f"{text}\n", encoding="utf-8")
    return names


def _prose(text: str) -> str:
    """The words of a question, without signs that the query language would obey."""
    plain = _SIGNS.sub(lambda sign: sign[0].lower() if sign[0].isalpha() else " ", text)
    return " ".join(plain.split())


def _letters(number: int) -> str:
    letters = ""
    for _ in range(5):
        number, rest = divmod(number, 20)
        letters = "bcdfghjklmnpqrstvwxz"[rest] + letters  # consonants only: no word can arise
    return letters


def _category(row: Mapping[str, object]) -> str:
    metadata = row.get("metadata")
    found = metadata.get("category") if isinstance(metadata, dict) else row.get("category")
    return str(found or "")


def _iter_rows(path: Path) -> Iterator[Mapping[str, object]]:
    if not path.exists():
        raise FolderMissingError(path=path)
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
                row["_id"]
            except (ValueError, KeyError, TypeError) as exc:
                raise InvalidValueError(
                    name=f"{path.name}, line {number}",
                    problem="is not a JSON object with an _id",
                    fix="A BEIR folder holds one JSON object per line.",
                ) from exc
            yield row


def _read_judgements(path: Path, binary: bool) -> dict[str, dict[str, int]]:
    if not path.exists():
        raise FolderMissingError(path=path)
    judgements: dict[str, dict[str, int]] = {}
    with path.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.reader(lines, delimiter="\t"), 1):
            if number == 1 and not row[-1].lstrip("-").isdigit():
                continue  # the heading
            try:
                question, document, grade = row[0], row[-2], int(row[-1])
            except (ValueError, IndexError) as exc:
                raise InvalidValueError(
                    name=f"{path.name}, line {number}",
                    problem="is not: query-id, corpus-id, score",
                    fix="Columns are separated by tabs.",
                ) from exc
            judgements.setdefault(question, {})[document] = min(grade, 1) if binary else grade
    return {question: judged for question, judged in judgements.items() if max(judged.values()) > 0}
