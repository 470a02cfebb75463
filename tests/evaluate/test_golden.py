"""Our own judged questions, and the person's own marks, through the real engine.

1. Every graded file exists; categories and numbers are as promised.
2. Hybrid answers the golden set at least as well as either side, and above a floor.
3. Marks are kept, replaced, refused when wrong, and measured.
4. The report has the promised shape.
"""

from pathlib import Path

import pytest

from engine.api import Engine
from engine.errors import InvalidValueError
from engine.evaluate.compare import evaluate_folder
from engine.evaluate.golden import FOLDER, evaluate_golden, read_golden
from engine.evaluate.metrics import METRICS
from engine.evaluate.mine import Mark, add_mark, build_dataset, evaluate_mine, read_marks

ADI = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "beir" / "adi"


def test_every_graded_file_exists() -> None:
    golden = read_golden()
    for judged in golden.judgements.values():
        for path in judged:
            assert (FOLDER / "files" / path).is_file(), path
    assert len(golden.questions) == 60
    assert {question.category for question in golden.questions} == {
        "keyword", "conceptual", "procedural", "multi_concept", "short_vague", "typo", "file_name",
        "filter",
    }  # fmt: skip


def test_hybrid_holds_on_the_golden_set() -> None:
    report = evaluate_golden().to_json()
    found = {mode: values["ndcg@10"] for mode, values in report["modes"].items()}
    assert found["hybrid"] >= max(found["bm25"], found["semantic"]) - 0.005
    assert found["hybrid"] > 0.85
    assert report["modes"]["hybrid"]["mrr@10"] > 0.85
    assert list(report)[:5] == ["set", "documents", "queries", "modes", "seconds"]
    assert set(report["modes"]["bm25"]) == set(METRICS)
    assert report["categories"]["keyword"]["hybrid"]["ndcg@10"] > 0.95


def test_marks_are_kept_and_replaced(tmp_path: Path) -> None:
    assert read_marks(tmp_path) == []
    add_mark(tmp_path, Mark("tax", "/a.txt", 1))
    add_mark(tmp_path, Mark("tax", "/a.txt", 2))
    assert read_marks(tmp_path) == [Mark("tax", "/a.txt", 2)]
    assert (tmp_path / "marks.json").stat().st_mode & 0o777 == 0o600


def test_wrong_marks_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidValueError):
        add_mark(tmp_path, Mark("tax", "/a.txt", 3))
    with pytest.raises(InvalidValueError):
        add_mark(tmp_path, Mark(" ", "/a.txt", 1))
    (tmp_path / "marks.json").write_text("{}")
    with pytest.raises(InvalidValueError, match="not a list of marks"):
        read_marks(tmp_path)


def test_questions_with_no_right_file_are_left_out() -> None:
    marks = [Mark("tax", "/a.txt", 2), Mark("noise", "/b.txt", 0)]
    assert [question.id for question in build_dataset(marks).questions] == ["tax"]


def test_own_marks_are_measured(tmp_path: Path) -> None:
    files = tmp_path.resolve() / "files"
    files.mkdir()
    (files / "soup.txt").write_text("Lentil soup with carrots.")
    (files / "tax.txt").write_text("The tax return is due in July.")
    with Engine.open(tmp_path / "home", write=True) as engine:
        engine.index(str(files))
        add_mark(tmp_path / "home", Mark("tax return", str(files / "tax.txt"), 2))
        report = evaluate_mine(engine, tmp_path / "home", modes=("bm25", "hybrid")).to_json()
    assert report["modes"]["hybrid"]["mrr@10"] == 1.0
    assert report["queries"] == 1


@pytest.mark.skipif(not ADI.exists(), reason="the judged sets are not beside the project")
def test_a_beir_folder_is_measured_through_the_engine() -> None:
    report = evaluate_folder(ADI).to_json()
    assert (report["set"], report["documents"], report["queries"]) == ("adi", 82, 35)
    found = {mode: values["ndcg@10"] for mode, values in report["modes"].items()}
    assert found["hybrid"] >= max(found["bm25"], found["semantic"]) - 0.005
