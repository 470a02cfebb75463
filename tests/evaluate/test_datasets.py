"""BEIR folders.

1. Questions without a judgement are left out, and signs of the query language with them; grades
   can be read as relevant or not.
2. Documents become files: heading = title, made-up names that lead back to the id.
3. A missing file and a broken line are told with their place.
"""

import json
from pathlib import Path

import pytest

from engine.errors import FolderMissingError, InvalidValueError
from engine.evaluate.datasets import read_dataset, write_documents


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "tiny"
    (home / "qrels").mkdir(parents=True)
    documents = [
        {"_id": "a/1", "title": "Bread", "text": "Flour and water."},
        {"_id": "b", "title": "", "text": "def bake(): ..."},
    ]
    questions = [{"_id": "1", "text": 'is "bread" (NOT) -good: or*?'}, {"_id": "2", "text": "no"}]
    (home / "corpus.jsonl").write_text("\n".join(json.dumps(row) for row in documents))
    (home / "queries.jsonl").write_text("\n".join(json.dumps(row) for row in questions))
    (home / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\ta/1\t3\n1\tb\t0\n")
    return home


def test_only_judged_questions_are_asked(folder: Path) -> None:
    found = read_dataset(folder)
    assert [question.text for question in found.questions] == ["is bread not good: or"]
    assert found.judgements == {"1": {"a/1": 3, "b": 0}}
    assert read_dataset(folder, binary=True).judgements == {"1": {"a/1": 1, "b": 0}}


def test_documents_become_files(folder: Path, tmp_path: Path) -> None:
    names = write_documents(folder, tmp_path / "files")
    written = {path.stem: path for path in (tmp_path / "files").rglob("*.*")}
    by_id = {identity: written[name] for name, identity in names.items()}
    assert by_id["a/1"].read_text() == "# Bread\n\nFlour and water.\n"
    assert by_id["b"].suffix == ".txt"
    assert len(set(names)) == 2


def test_missing_judgements_are_told(folder: Path) -> None:
    with pytest.raises(FolderMissingError, match=r"dev\.tsv"):
        read_dataset(folder, split="dev")


def test_a_broken_line_is_told_with_its_place(folder: Path) -> None:
    (folder / "queries.jsonl").write_text('{"_id": "1", "text": "x"}\nnonsense\n')
    with pytest.raises(InvalidValueError, match=r"queries\.jsonl, line 2"):
        read_dataset(folder)
