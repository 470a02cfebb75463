"""Names, folders, text, metadata: Sagasu's tables, and how they add up.

1. Every row of each table.
2. Multipliers and LSS's features.
3. The docstring's sum; signals re-order hits only by their share.
"""

import dataclasses

import pytest

from engine.config import RankingSettings
from engine.rank import SIGNALS, Asked, Candidate, rank, score_candidate
from engine.rank.content import boost_early, boost_rare, score_content, score_features
from engine.rank.filename import score_filename
from engine.rank.metadata import score_metadata
from engine.rank.path import score_path
from engine.rank.recency import DAY_SECONDS

NAME = "Budget_2026-final.xlsx"


@pytest.mark.parametrize(
    ("query", "score"),
    [
        ("budget 2026 final", 1.0),
        ("budget_2026-final.xlsx", 1.0),
        ("budget2026final", 0.95),
        ("budget final", 0.9),
        ("final budget", 0.8),
        ("get 2026", 0.6),
        ("bud fin", 0.5),
        ("budget plan", 0.25),
        ("holiday", 0.0),
        ("", 0.0),
    ],
)
def test_filename_table(query: str, score: float) -> None:
    assert score_filename(NAME, query) == pytest.approx(score)


def test_filename_reads_humps_and_accents() -> None:
    assert score_filename("getUserById.py", "get user by id") == 1.0
    assert score_filename("Résumé.pdf", "resume") == 1.0
    assert score_filename(".zshrc", "zshrc") == 1.0


@pytest.mark.parametrize(
    ("query", "score"), [("tax returns", 0.9), ("tax", 0.5), ("tax 2026", 0.6), ("beach", 0.0)]
)
def test_path_table(query: str, score: float) -> None:
    assert score_path(["Work", "Tax Returns", "2026"], query) == pytest.approx(score)


def test_metadata_table() -> None:
    assert score_metadata("novak", "Ada Novak", ["tax"]) == 0.8
    assert score_metadata("tax", "Ada Novak", ["tax"]) == 0.7
    assert score_metadata("draft", "Ada Novak", ["tax"], ["a draft"]) == 0.3
    assert score_metadata("other", "Ada Novak", ["tax"]) == 0.0


def test_content_table() -> None:
    text = ["my", "tax", "return", "is", "due"]
    assert score_content(text, ["tax", "return"]).how == "phrase"
    assert score_content(text, ["tax", "due"]).score == 0.6
    assert score_content(text, ["tax", "audit"]).score == pytest.approx(0.15)
    heading = score_content(["text"], ["tax", "return"], [(2, ("return", "of", "tax"))])
    assert heading.score == pytest.approx(0.91)
    assert score_content(text, []).score == 0.0


def test_multipliers() -> None:
    assert boost_early(["tax"] + ["x"] * 9, ["tax"]) == 1.3
    assert boost_early(["x"] * 19 + ["tax"], ["tax"]) == 1.0
    assert boost_rare({"tax": 1}, 10, {"tax": 5.0}, ["tax"]) == pytest.approx(1.5)
    assert boost_rare({"tax": 9}, 10, {"tax": 5.0}, ["tax"]) == 2.0


def test_features_of_lss_add_up() -> None:
    # common 2 of 3, side by side, a number
    found = score_features(["tax", "2026", "form"], ["tax", "2026"])
    assert found == pytest.approx(0.4 * 2 / 3 + 0.3 + 0.1)


def test_the_sum_of_the_docstring() -> None:
    asked = Asked("tax return", ("tax", "return"), now=1_000_000.0)
    hit = Candidate(
        "Tax return.pdf", terms=("tax", "x", "return"), modified=1_000_000.0 - DAY_SECONDS / 2
    )
    fresh = dataclasses.replace(RankingSettings(), recency=True)
    found = score_candidate(asked, hit, fresh)
    assert found.signals == {"filename": 1.0, "content": 0.6, "path": 0.0, "metadata": 0.0}
    assert found.final == pytest.approx(0.6 * 1.3 * 1.2)
    assert found.match == "exact"


def test_signals_reorder_by_their_share_only() -> None:
    asked = Asked("tax return", ("tax", "return"))
    hits = [Candidate("notes.txt"), Candidate("tax return.txt")]
    off, on = RankingSettings(signals=0.0), RankingSettings(signals=0.5)
    assert [place for place, _, _ in rank(asked, hits, [0.8, 0.7], off)] == [0, 1]
    assert [place for place, _, _ in rank(asked, hits, [0.8, 0.7], on)] == [1, 0]


def test_signal_names_are_unique() -> None:
    assert len({signal.name for signal in SIGNALS}) == len(SIGNALS)
