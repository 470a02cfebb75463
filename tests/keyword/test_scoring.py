"""Scoring models against independent numbers.

1. All five BM25 variants agree with bm25s on random text.
2. The worked examples in the docstrings hold.
3. DFR in all 32 combinations is finite, positive and equals the formulas written out plainly.
4. Dirichlet and Jelinek-Mercer order units as the full likelihood does.
5. An explanation's value is the score, and its factors multiply to it.
6. A wrong name or parameter is told, not guessed.
"""

import math
from itertools import product

import bm25s  # type: ignore[import-untyped]  # it ships no types
import numpy as np
import pytest

from engine.errors import InvalidValueError
from engine.keyword.scoring import SCORERS, make_weighing
from engine.keyword.scoring.bm25 import BM25, VARIANTS
from engine.keyword.scoring.bm25f import BM25F
from engine.keyword.scoring.dfr import AFTER_EFFECTS, BASIC_MODELS, DFR, NORMALISATIONS
from engine.keyword.scoring.lm import Dirichlet, JelinekMercer
from engine.keyword.scoring.scorer import Scorer, Statistics, TermStatistics

TEN = Statistics(units=10, tokens=100)
TWO = TermStatistics(df=2, cf=5)


def addend(
    scorer: Scorer, tf: float, length: float, term: TermStatistics, all_: Statistics
) -> float:
    factors = scorer.unit_factors(np.array([length], np.float32), all_)
    return float(scorer.score(np.array([tf], np.float32), factors, term, all_)[0])


@pytest.mark.parametrize("variant", VARIANTS)
def test_bm25_variants_agree_with_bm25s(variant: str) -> None:
    random = np.random.default_rng(11)
    texts = [random.zipf(1.5, random.integers(5, 40)).clip(1, 60).tolist() for _ in range(80)]
    tokens = [[f"w{one}" for one in text] for text in texts]
    model = bm25s.BM25(method=variant, k1=1.2, b=0.75, delta=1.0 if variant == "bm25+" else 0.5)
    model.index(tokens, show_progress=False)
    statistics = Statistics(len(texts), sum(map(len, texts)))
    lengths = np.array([len(text) for text in texts], np.float32)
    for word in (1, 2, 5, 17):
        tf = np.array([text.count(word) for text in texts], np.float32)
        held = np.flatnonzero(tf)
        if not len(held):
            continue
        scorer = BM25(variant)
        term = TermStatistics(len(held), float(tf.sum()))
        ours = scorer.score(
            tf[held], scorer.unit_factors(lengths, statistics)[held], term, statistics
        )
        theirs = model.get_scores([f"w{word}"])
        assert ours == pytest.approx(theirs[held], rel=1e-4, abs=1e-6)


@pytest.mark.parametrize(
    ("scorer", "expected"),
    [
        pytest.param(BM25("lucene"), 1.1057, id="lucene"),
        pytest.param(BM25("robertson"), math.log(8.5 / 2.5) * 3 / 4.02, id="robertson"),
        pytest.param(BM25("atire"), 2.6424, id="atire"),
        pytest.param(BM25("bm25+"), math.log(5.5) * (6.6 / 4.02 + 1), id="bm25+"),
        pytest.param(
            BM25("bm25l"), math.log(4.4) * 2.2 * (3 / 0.85 + 0.5) / (1.7 + 3 / 0.85), id="bm25l"
        ),
        pytest.param(DFR("In", "L", "H2"), 1.6635, id="InLH2"),
    ],
)
def test_worked_examples(scorer: Scorer, expected: float) -> None:
    assert addend(scorer, 3, 8, TWO, TEN) == pytest.approx(expected, rel=1e-4)


def test_worked_examples_of_the_language_models() -> None:
    thousand = Statistics(units=10, tokens=1000)
    model = Dirichlet(mu=100)
    factors = model.unit_factors(np.array([8], np.float32), thousand)
    background = model.background(factors, 1, thousand)
    assert background is not None
    total = addend(model, 3, 8, TWO, thousand) + float(background[0])
    assert total == pytest.approx(1.8690, abs=1e-4)
    assert addend(JelinekMercer(0.1), 3, 8, TWO, thousand) == pytest.approx(6.5162, abs=1e-4)


def test_worked_example_of_bm25f() -> None:
    statistics = Statistics(units=10, tokens=1040, field_tokens=(40, 1000))
    model = BM25F()
    factors = model.field_factors(np.array([[4], [80]], np.int32), statistics)
    assert factors is not None
    tf = 2 * 1 * factors[0, 0] + 3 * factors[1, 0]
    assert tf == pytest.approx(5.5294, abs=1e-4)
    expected = math.log(1 + 8.5 / 2.5) * 0.8217
    assert addend(model, tf, 84, TWO, statistics) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(names, id="".join(names))
        for names in product(BASIC_MODELS, AFTER_EFFECTS, NORMALISATIONS)
    ],
)
def test_dfr_equals_the_formula_written_out(names: tuple[str, str, str]) -> None:
    basic, effect, normalisation = names
    tf, length, average, n, df, cf, t = 3.0, 8.0, 10.0, 10.0, 2.0, 5.0, 100.0
    tfn = {
        "H1": tf * average / length,
        "H2": tf * math.log2(1 + average / length),
        "H3": 800 * (tf + 800 * cf / t) / (length + 800),
        "Z": tf * (average / length) ** 0.3,
    }[normalisation]
    chance, expected = cf / n, n * (1 - ((n - 1) / n) ** cf)
    risk = {
        "G": -math.log2(1 / (1 + chance)) - tfn * math.log2(chance / (1 + chance)),
        "In": tfn * math.log2((n + 1) / (df + 0.5)),
        "Ine": tfn * math.log2((n + 1) / (expected + 0.5)),
        "IF": tfn * math.log2(1 + (n + 1) / (cf + 0.5)),
    }[basic]
    gain = {"L": 1 / (tfn + 1), "B": (cf + 1) / (df * (tfn + 1))}[effect]
    assert addend(DFR(*names), tf, length, TWO, TEN) == pytest.approx(gain * risk, rel=1e-5)


def test_dirichlet_orders_as_the_full_likelihood_does() -> None:
    random = np.random.default_rng(5)
    lengths = random.integers(5, 200, 50).astype(np.float32)
    tf = random.integers(0, 4, (3, 50)).astype(np.float32)
    statistics = Statistics(50, int(lengths.sum()))
    model = Dirichlet(mu=300)
    factors = model.unit_factors(lengths, statistics)
    ours = model.background(factors, 3, statistics)
    assert ours is not None
    full = np.zeros(50)
    for row in tf:
        term = TermStatistics(int((row > 0).sum()), float(row.sum()))
        ours = ours + np.where(row > 0, model.score(row, factors, term, statistics), 0)
        full += np.log((row + 300 * term.cf / statistics.tokens) / (lengths + 300))
    difference = full - ours
    assert difference == pytest.approx(np.full(50, difference[0]), abs=1e-3)


@pytest.mark.parametrize("model", SCORERS, ids=lambda model: model.name)
def test_an_explanation_gives_the_score_and_its_parts(model: object) -> None:
    scorer = model.make().scorer  # type: ignore[attr-defined]  # pytest's ids need an object
    statistics = Statistics(10, 100, (20, 80))
    term = TermStatistics(2, 5, boost=1.5)
    why = scorer.explain(3.0, 8.0, term, statistics)
    assert why.value == pytest.approx(addend(scorer, 3, 8, term, statistics), rel=1e-5)
    assert why.parts
    if not why.what.startswith("LM"):
        assert math.prod(part.value for part in why.parts) == pytest.approx(why.value, rel=1e-5)


def test_names_and_help_are_complete() -> None:
    assert len({model.name for model in SCORERS}) == len(SCORERS)
    assert all(model.help for model in SCORERS)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("bm26", {}),
        ("bm25", {"variant": "moon"}),
        ("dfr", {"basic_model": "X"}),
        ("bm25", {"k2": 1.0}),
    ],
)
def test_what_is_unknown_is_told(name: str, parameters: dict[str, float | str]) -> None:
    with pytest.raises(InvalidValueError):
        make_weighing(name, **parameters)
