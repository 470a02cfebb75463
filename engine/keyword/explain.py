"""How did a passage's score come about? Every addend and factor, by the formulas that scored it.

    total = Σ words in the passage + field_boost · Σ words in its document's fields (+ background)
            × coverage × phrase, or + what lifts documents with all the words

The parts are worked out again for the one passage; their sum and product is the score.
"""

from collections.abc import Sequence

import numpy as np

from engine.keyword.layer import Layer
from engine.keyword.scoring.scorer import TermStatistics
from engine.keyword.scoring.weighing import Weighing
from engine.keyword.view import View
from engine.keyword.words import (
    Memo,
    Word,
    contains,
    exact_bonus,
    gather_word,
    mask_weights,
    score_words,
)
from engine.models import Explanation


def explain_unit(
    view: View, words: Sequence[Word], weighing: Weighing, unit: int, *, phrase: bool
) -> Explanation:
    """The score of one unit, down to its last addend; `phrase`: its document holds the query."""
    memo: Memo = {}
    final = float(score_words(view, words, weighing, memo).values[unit])
    document = int(view.unit_documents[unit])
    parts: list[Explanation] = []
    if unit < len(view.passages.ids):
        parts += _in_passage(view, words, weighing, unit, memo)
    parts += _in_fields(view, words, weighing, document, memo)
    total = sum(part.value for part in parts)
    if weighing.coverage_words >= len(words) > 1 and total:
        parts.append(Explanation(final / total, "share of the words in the document, to a power"))
    elif abs(final - total) > 1e-4 * max(abs(final), 1.0):
        parts.append(Explanation(final - total, "holds all the words: above those that do not"))
    if phrase and weighing.phrase_boost != 1.0:
        parts.append(Explanation(weighing.phrase_boost, "the words stand together as a phrase"))
        final *= weighing.phrase_boost
    return Explanation(final, "keyword score", tuple(parts))


def _in_passage(
    view: View, words: Sequence[Word], weighing: Weighing, unit: int, memo: Memo
) -> list[Explanation]:
    layer = view.passages
    found: list[Explanation] = []
    for word in words:
        weights = mask_weights(weighing.passage_weights, word.scope.passage)
        only = word.found is None or bool(contains(word.found.units, np.array([unit]))[0])
        if only and any(weights):
            found += _addends(layer, word, weights, weighing, unit, memo)
    background = weighing.scorer.background(
        layer.factors(weighing.scorer)[unit : unit + 1], len(words), layer.statistics
    )
    if background is not None and found:
        found.append(Explanation(float(background[0]), "background: the passage's length"))
    return found


def _in_fields(
    view: View, words: Sequence[Word], weighing: Weighing, document: int, memo: Memo
) -> list[Explanation]:
    found: list[Explanation] = []
    for row in np.flatnonzero(view.field_documents == document).tolist():
        for word in words:
            weights = mask_weights(weighing.document_weights, word.scope.document)
            held = word.found is None or bool(
                contains(word.found.documents, np.array([document]))[0]
            )
            if held and any(weights) and weighing.field_boost:
                found += _addends(view.documents, word, weights, weighing, row, memo)
    boost = weighing.field_boost
    where = "title, name, path, tags, author"
    return [
        Explanation(part.value * boost, where, (part, Explanation(boost, "boost")))
        for part in found
    ]


def _addends(
    layer: Layer,
    word: Word,
    weights: tuple[float, ...],
    weighing: Weighing,
    unit: int,
    memo: Memo,
) -> list[Explanation]:
    scorer = weighing.scorer
    units, tf, exact = gather_word(layer, word, weights, memo, layer.field_factors(scorer))
    place = int(units.searchsorted(unit))
    if place == len(units) or units[place] != unit:
        return []
    term = TermStatistics(len(units), float(tf.sum(dtype=np.float64)), word.boost)
    why = scorer.explain(float(tf[place]), float(layer.lengths[unit]), term, layer.statistics)
    found = [Explanation(why.value, f"“{word.text}”", (why,))]
    if exact is not None and exact[place]:
        addends = scorer.score(tf, layer.factors(scorer)[units], term, layer.statistics)
        bonus = float(exact_bonus(addends))
        found.append(Explanation(bonus, f"“{word.text}” exactly: above what is only near"))
    return found
