"""Words and meaning into one list.

1. One side alone keeps its order; both sides are summed by the share.
2. Passages become documents by their best, and are listed best first.
3. A document without a vector keeps its score; neighbours draw the others.
4. Foreign documents take weight from meaning, a few wrongly guessed ones do not.
5. Scores lie between 0 and 1 and fall; nonsense is told from treasure.
6. The explanation's numbers are those of the score.
"""

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from engine.config import RankingSettings
from engine.query import parse
from engine.search.combine import (
    Fused,
    MeaningSide,
    WordSide,
    combine,
    is_doubtful,
    nothing_relevant,
)

PLAIN = RankingSettings(adaptive=False, semantic_weight=0.5, neighbour_share=0.0)
QUERY = parse("heated towel rail")


def words(*rows: tuple[int, int, float], held: float = 1.0, fuzzy: bool = False) -> WordSide:
    chunks, documents, scores = zip(*rows, strict=True) if rows else ((), (), ())
    return WordSide(
        np.array(chunks, np.int64),
        np.array(documents, np.int64),
        np.array(scores, np.float32),
        coverage=np.full(len(rows), held, np.float32),
        words=3,
        fuzzy=fuzzy,
    )


def meaning(*rows: tuple[int, int, float], foreign: tuple[int, ...] = ()) -> MeaningSide:
    chunks, documents, cosines = zip(*rows, strict=True) if rows else ((), (), ())
    return MeaningSide(
        np.array(chunks, np.int64),
        np.array(documents, np.int64),
        np.array(cosines, np.float32),
        foreign=frozenset(foreign),
    )


def test_nothing_gives_nothing() -> None:
    assert combine(QUERY, words(), meaning(), RankingSettings()) == []
    assert nothing_relevant([], RankingSettings())


def test_words_alone_keep_their_order() -> None:
    found = combine(QUERY, words((11, 1, 2.0), (21, 2, 8.0)), meaning(), RankingSettings())
    assert [one.document_id for one in found] == [2, 1]
    assert found[1].score / found[0].score == pytest.approx(0.25)
    assert not found[0].by_meaning


def test_meaning_alone_keeps_its_order() -> None:
    found = combine(QUERY, words(), meaning((11, 1, 0.3), (21, 2, 0.7)), RankingSettings())
    assert [one.document_id for one in found] == [2, 1]
    assert found[0].semantic == pytest.approx(0.7)


def _step(one: Fused, place: int) -> float:
    """The sum (0), what neighbours add (1) or the confidence (2) in the explanation."""
    assert one.why is not None
    return one.why.parts[place].value


def _share(one: Fused) -> float:
    assert one.why is not None
    return one.why.parts[0].parts[2].value


def test_both_sides_are_summed() -> None:
    found = combine(
        QUERY,
        words((11, 1, 8.0), (21, 2, 4.0)),
        meaning((11, 1, 0.2), (21, 2, 0.6), (31, 3, 0.4)),
        PLAIN,
        explain=True,
    )
    sums = {one.document_id: _step(one, 0) for one in found}
    assert sums == pytest.approx({1: 0.5, 2: 0.75, 3: 0.25})
    assert [one.document_id for one in found] == [2, 1, 3]


def test_passages_are_listed_best_first() -> None:
    found = combine(
        QUERY,
        words((11, 1, 1.0), (12, 1, 5.0)),
        meaning((11, 1, 0.2), (12, 1, 0.3), (13, 1, 0.6)),
        PLAIN,
    )
    assert found[0].chunks == (12, 13, 11)
    assert found[0].keyword == 5.0
    assert found[0].semantic == pytest.approx(0.6)


def test_neighbours_draw_and_a_missing_vector_does_not() -> None:
    vectors = {11: [1.0, 0.0], 21: [np.nan, np.nan], 31: [1.0, 0.0]}

    def fetch(chunks: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        return np.array([vectors[int(chunk)] for chunk in chunks], np.float32)

    side = meaning((11, 1, 0.6), (21, 2, 0.5), (31, 3, 0.2))
    side = MeaningSide(side.chunk_ids, side.document_ids, side.cosines, fetch)
    settings = RankingSettings(adaptive=False, semantic_weight=0.5, neighbour_share=0.5)
    fused = combine(QUERY, words((11, 1, 3.0)), side, settings, explain=True)
    found = {one.document_id: one for one in fused}
    assert _step(found[3], 1) == pytest.approx(0.5)  # 0 drawn to 1 by half
    assert _step(found[2], 1) == 0.0


def test_foreign_documents_take_weight_from_meaning() -> None:
    rows = [(10 + number, number, 9.0 - number) for number in range(1, 5)]
    close = [(10 + number, number, 0.1 * number) for number in range(1, 5)]
    share = {}
    for foreign in ((), (1,), (1, 2, 3, 4)):
        side = meaning(*close, foreign=foreign)
        found = combine(QUERY, words(*rows), side, RankingSettings(), explain=True)
        share[len(foreign)] = _share(found[0])
    assert share[0] == share[1]
    assert share[4] == pytest.approx(0.3 * share[0])


def test_words_found_with_typos_weigh_less() -> None:
    near = meaning((11, 1, 0.2), (21, 2, 0.6))
    sure = combine(QUERY, words((11, 1, 5.0)), near, RankingSettings(), explain=True)
    typos = words((11, 1, 5.0), fuzzy=True)
    unsure = combine(QUERY, typos, near, RankingSettings(), explain=True)
    assert _share(sure[0]) < _share(unsure[0])


def test_nonsense_is_told_from_treasure() -> None:
    treasure = combine(QUERY, words((11, 1, 5.0)), meaning((11, 1, 0.6)), RankingSettings())
    nonsense = combine(
        QUERY, words((11, 1, 5.0), held=0.05), meaning((11, 1, 0.12)), RankingSettings()
    )
    assert treasure[0].score > 0.9
    assert not is_doubtful(treasure)
    assert nonsense[0].score < 0.03
    assert nothing_relevant(nonsense, RankingSettings())


@pytest.mark.parametrize("fusion", ["convex", "minmax", "zscore", "rrf"])
def test_scores_fall_from_at_most_one(fusion: str) -> None:
    rows = [(number, number, float(number % 7)) for number in range(1, 40)]
    close = [(number, number, (number * 13 % 29) / 29) for number in range(5, 60)]
    found = combine(QUERY, words(*rows), meaning(*close), RankingSettings(fusion=fusion))
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    assert 0.0 <= scores[-1] <= scores[0] <= 1.0
    assert len(found) == 59


def test_the_explanation_adds_up() -> None:
    settings = RankingSettings(neighbour_share=0.0)
    near = meaning((11, 1, 0.2), (21, 2, 0.6))
    found = combine(QUERY, words((11, 1, 5.0)), near, settings, explain=True)
    why = found[0].why
    assert why is not None
    total = why.parts[0]
    by_words, by_meaning, share = (part.value for part in total.parts)
    assert total.value == pytest.approx((1 - share) * by_words + share * by_meaning)
    assert combine(QUERY, words((11, 1, 5.0)), near, settings)[0].why is None


def test_a_side_that_hardly_varies_counts_half() -> None:
    flat = meaning((11, 1, 0.50), (21, 2, 0.51), (31, 3, 0.505))
    steep = words((11, 1, 8.0), (21, 2, 1.0), (31, 3, 1.0))
    both = combine(QUERY, steep, flat, PLAIN)
    varied = combine(QUERY, steep, flat, replace(PLAIN, variance=True))
    # scaled words 1, 0, 0 vary by 0.222, cosines 0, 1, 0.5 by 0.167: above 0.1, nothing changes
    assert [one.score for one in both] == [one.score for one in varied]
    many = [(10 + n, n, 8.0 - 0.01 * (n != 1)) for n in range(1, 20)]
    even = words(*many, (90, 90, 1.0))  # nineteen alike and one: variance 0.0475, so half counts
    cosines = meaning((11, 1, 0.34), (12, 2, 0.1), (90, 90, 0.9))
    # 1: 0.5 + 0.15 against 90: 0.0625 + 0.5; halved, 0.25 + 0.15 against 0.03125 + 0.5
    assert combine(QUERY, even, cosines, PLAIN)[0].document_id == 1
    halved = combine(QUERY, even, cosines, replace(PLAIN, variance=True))
    assert halved[0].document_id == 90
