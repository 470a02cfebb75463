"""How good is a ranked list, and is one list better than another by more than luck?

The measures are trec_eval's, through ir-measures; a list's order alone counts, never its scores.
One relevant document at place 2 of a question that has one: nDCG@10 = 1 / log2(3) = 0.631,
MRR@10 = 0.5, recall@10 = 1, P@5 = 0.2.

Two lists are compared by Fisher's randomisation test on the differences per question: if both were
equal, every difference could as well have the other sign. Differences 0.1, 0.2, 0.3 reach their sum
in 2 of 8 sign patterns (all plus, all minus), so p = 0.25.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

Judgements: TypeAlias = Mapping[str, Mapping[str, int]]  # question, then document, to grade
Run: TypeAlias = Mapping[str, Sequence[str]]  # question to documents, best first
Measured: TypeAlias = dict[str, dict[str, float]]  # question, then metric, to value

METRICS: dict[str, str] = {  # our name to that of ir-measures
    "ndcg@5": "nDCG@5",
    "ndcg@10": "nDCG@10",
    "mrr@10": "RR@10",
    "recall@10": "R@10",
    "recall@100": "R@100",
    "p@5": "P@5",
    "p@10": "P@10",
    "map@10": "AP@10",
}
EXACT_UP_TO = 12  # questions: all sign patterns are tried (4,096); above, this many are drawn:
DRAWS = 10_000


def measure_run(judgements: Judgements, run: Run) -> Measured:
    """Every metric for every judged question; a question without an answer scores 0."""
    import ir_measures  # 20 ms, and only this command needs it

    # trec_eval sorts by score and breaks ties by name: falling numbers keep our order.
    scored = {
        question: {document: float(-place) for place, document in enumerate(documents)}
        for question, documents in run.items()
    }
    measures = {ir_measures.parse_measure(theirs): ours for ours, theirs in METRICS.items()}
    grades = {question: dict(judged) for question, judged in judgements.items()}
    values: Measured = {question: dict.fromkeys(METRICS, 0.0) for question in judgements}
    for metric in ir_measures.iter_calc(list(measures), grades, scored):
        values[metric.query_id][measures[metric.measure]] = float(metric.value)
    return values


def average(values: Measured, questions: Sequence[str] | None = None) -> dict[str, float]:
    """The mean of every metric over `questions`, or over all."""
    chosen = list(values) if questions is None else list(questions)
    if not chosen:
        return dict.fromkeys(METRICS, 0.0)
    return {
        metric: float(np.mean([values[question][metric] for question in chosen]))
        for metric in METRICS
    }


def compare_paired(first: Sequence[float], second: Sequence[float], seed: int = 0) -> float:
    """The two-sided p-value of `second` differing from `first`, question by question."""
    differences = np.asarray(second, dtype=np.float64) - np.asarray(first, dtype=np.float64)
    differences = differences[differences != 0.0]
    count = len(differences)
    if count == 0:
        return 1.0
    seen = abs(differences.sum()) - 1e-12  # rounding must not make an equal sum smaller
    if count <= EXACT_UP_TO:
        patterns = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
        sums = np.abs((patterns * 2.0 - 1.0) @ differences)
        return float(np.mean(sums >= seen))
    signs = np.random.default_rng(seed).integers(0, 2, size=(DRAWS, count)) * 2.0 - 1.0
    sums = np.abs(signs @ differences)
    return float((np.sum(sums >= seen) + 1) / (DRAWS + 1))
