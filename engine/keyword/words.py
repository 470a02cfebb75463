"""How well does each unit answer plain words? Vector sums over the postings.

Words are soft: none has to occur. A unit's score is the sum over the words it holds, plus what
its document's title, name, path, tags and author make of them. For short queries, documents that
hold all the words, in whatever passages and fields, stand above those that do not: the best score
of the others is added to theirs. Longer questions are ordered by the sum alone, which judged sets
show to be better.

A word may have several choices (its stems in the languages of the index, or what a prefix or a
typo expands to). They count as one term: counts are added, weighted; the units that hold any of
them are its document frequency. Where the choices are not all exact, a unit with an exact one
gets the word's idf on top, and so stands above every unit with the others only.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from engine.keyword.fields import ANYWHERE, Scope
from engine.keyword.layer import Floats, Layer, Mask, Places
from engine.keyword.scoring.scorer import Scorer, TermStatistics
from engine.keyword.scoring.weighing import Weighing
from engine.keyword.view import View

MANY = 1000  # places: beyond it a mask is faster than looking each one up

Gathered = tuple[Places, Floats, Mask | None]
Memo = dict[tuple[int, int, tuple[float, ...]], tuple[tuple["Choice", ...], Gathered]]


@dataclass(frozen=True, slots=True)
class Choice:
    """One term that a word may be found as; `term_id` 0: not in the index."""

    term: str
    term_id: int
    weight: float = 1.0
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Found:
    """Where something stands: passages, and documents by their fields."""

    units: Places  # ascending
    documents: Places  # places in View.document_ids


@dataclass(frozen=True, slots=True)
class Word:
    """One word of the query."""

    text: str
    choices: tuple[Choice, ...]
    boost: float = 1.0
    scope: Scope = ANYWHERE
    found: Found | None = field(default=None, compare=False)  # it counts nowhere else


@dataclass(frozen=True, slots=True)
class Scores:
    """One number a unit (passages, then phantoms), and who was touched at all."""

    values: Floats
    touched: Mask
    matches: tuple[Found, ...]


def score_words(view: View, words: Sequence[Word], weighing: Weighing, memo: Memo) -> Scores:
    """The score of every unit that answers, or whose document answers, at least one word."""
    size = len(view.unit_chunks)
    values = np.zeros(size, np.float32)
    touched = np.zeros(size, bool)
    by_field = np.zeros(len(view.document_ids), np.float32)
    matches: list[Found] = []
    for word in words:
        units = _add_word(
            view.passages, word, mask_weights(weighing.passage_weights, word.scope.passage),
            weighing.scorer, values, None if word.found is None else word.found.units, memo,
        )
        touched[units] = True
        fields = _field_scores(view, word, weighing, by_field, memo)
        matches.append(Found(units, fields))
    _add_fields(view, values, touched, by_field, matches)
    negative = _add_background(view, values, touched, len(words), weighing.scorer)
    if 1 < len(words) <= max(weighing.coverage_words, weighing.all_first):
        held = count_words(view, matches)
        if len(words) <= weighing.coverage_words and not negative:
            share = (held / np.float32(len(words))) ** np.float32(weighing.coverage_power)
            values *= share[view.unit_documents]
        if len(words) <= weighing.all_first:
            _lift(view, values, touched, held == len(words))
    return Scores(values, touched, tuple(matches))


def gather_word(
    layer: Layer,
    word: Word,
    weights: tuple[float, ...],
    memo: Memo,
    norms: Floats | None = None,
) -> Gathered:
    """The units that hold any choice of the word, its weighted count, and which hold an exact one
    (None: no difference). `memo` belongs to one question: matching and scoring ask for the same."""
    key = (id(layer), id(word.choices), weights)
    if key not in memo:
        # The choices are kept beside the answer: as long as they live, no other has their id.
        memo[key] = (word.choices, _gather(layer, word, weights, norms))
    return memo[key][1]


def _gather(
    layer: Layer, word: Word, weights: tuple[float, ...], norms: Floats | None
) -> Gathered:
    known = [choice for choice in word.choices if choice.term_id]
    if len(known) == 1:
        units, tf = layer.postings(known[0].term_id, weights, norms)
        return units, tf if known[0].weight == 1.0 else tf * np.float32(known[0].weight), None
    ids = np.array([choice.term_id for choice in known], np.uint32)
    factors = np.array([choice.weight for choice in known], np.float32)
    exact = np.array([choice.exact for choice in known], bool)
    units, total = layer.gather(ids, factors, weights, norms)
    if exact.all() or not exact.any():
        return units, total, None
    literal, _ = layer.gather(ids[exact], factors[exact], weights, norms)
    return units, total, contains(literal, units)


def mask_weights(weights: Sequence[float], on: Sequence[bool]) -> tuple[float, ...]:
    """The weights of the fields that count; 0 for the others."""
    return tuple(weight if one else 0.0 for weight, one in zip(weights, on, strict=True))


def _add_word(
    layer: Layer,
    word: Word,
    weights: tuple[float, ...],
    scorer: Scorer,
    values: Floats,
    only: Places | None,
    memo: Memo,
) -> Places:
    """Adds the word's score to each unit that holds it (of `only`, if given), and says which."""
    if not any(weights):
        return np.zeros(0, np.intp)
    units, tf, exact = gather_word(layer, word, weights, memo, layer.field_factors(scorer))
    if not len(units):
        return units
    df = len(units)
    if layer.frequencies is not None:
        df = layer.frequencies[tuple(choice.term_id for choice in word.choices)]
    term = TermStatistics(df, float(tf.sum(dtype=np.float64)), word.boost)
    addends = scorer.score(tf, layer.factors(scorer)[units], term, layer.statistics)
    if exact is not None:
        addends[exact] += exact_bonus(addends)
    if only is not None:
        keep = contains(only, units)
        units, addends = units[keep], addends[keep]
    values[units] += addends
    return units


def contains(sorted_places: Places, wanted: Places) -> Mask:
    """Which of `wanted` are among the ascending `sorted_places`."""
    if not len(sorted_places):
        return np.zeros(len(wanted), bool)
    if len(wanted) > MANY:
        mask = np.zeros(max(int(sorted_places[-1]), int(wanted.max())) + 1, bool)
        mask[sorted_places] = True
        among: Mask = mask[wanted]
        return among
    places = np.minimum(sorted_places.searchsorted(wanted), len(sorted_places) - 1)
    same: Mask = sorted_places[places] == wanted
    return same


def exact_bonus(addends: Floats) -> np.float32:
    """Lifts any exact match above all others, whatever the model."""
    return np.float32(max(float(addends.max()), 0.0) - min(float(addends.min()), 0.0))


def _field_scores(
    view: View, word: Word, weighing: Weighing, by_field: Floats, memo: Memo
) -> Places:
    layer = view.documents
    weights = mask_weights(weighing.document_weights, word.scope.document)
    if not weighing.field_boost:
        return np.zeros(0, np.intp)
    scores = np.zeros(len(layer.ids), np.float32)
    units = _add_word(layer, word, weights, weighing.scorer, scores, None, memo)
    documents = view.field_documents[units]
    if word.found is not None:
        keep = contains(word.found.documents, documents)
        units, documents = units[keep], documents[keep]
    by_field[documents] += scores[units] * np.float32(weighing.field_boost)
    return documents


def _add_background(
    view: View, values: Floats, touched: Mask, words: int, scorer: Scorer
) -> bool:
    """Adds it; says whether there is one (scores are then logarithms, and no factor applies)."""
    passages = view.passages
    addend = scorer.background(passages.factors(scorer), words, passages.statistics)
    if addend is None:
        return False
    values[: len(addend)] += addend * touched[: len(addend)]
    return True


def _add_fields(
    view: View, values: Floats, touched: Mask, by_field: Floats, matches: Sequence[Found]
) -> None:
    """Every touched unit gets its document's share; a document with no such unit, its first one."""
    named = [match.documents for match in matches if len(match.documents)]
    if not named:
        return
    found = np.zeros(len(view.document_ids), bool)
    for documents in named:
        found[documents] = True
    units = np.flatnonzero(touched)
    owners = view.unit_documents[units]
    values[units] += by_field[owners]
    found[owners] = False
    alone = np.flatnonzero(found)
    first = view.first_units[alone]
    values[first] = by_field[alone]
    touched[first] = True


def _lift(view: View, values: Floats, touched: Mask, complete: Mask) -> None:
    """Put the units of complete documents above all others, the distances among them kept."""
    first = touched & complete[view.unit_documents]
    others = touched & ~first
    if first.any() and others.any():
        above = float(values[others].max()) - min(float(values[first].min()), 0.0)
        values[first] += np.float32(max(above, 0.0))


def count_words(view: View, matches: Sequence[Found]) -> npt.NDArray[np.float32]:
    """How many of the words each document holds, in any passage or field."""
    count = np.zeros(len(view.document_ids), np.float32)
    for match in matches:
        hit = np.zeros(len(count), bool)
        hit[view.unit_documents[match.units]] = True
        hit[match.documents] = True
        count += hit
    return count
