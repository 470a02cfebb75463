"""How do scored words become hits? Scores, then what the tree leaves, then the best of it.

Documents that the tree leaves but no word scores (`NOT draft`, a filter alone) come last, with
score 0, by their first passage.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from engine.keyword.hits import KeywordHits, empty_hits, take_best, word_bits
from engine.keyword.layer import Mask
from engine.keyword.scoring.weighing import Weighing
from engine.keyword.view import View
from engine.keyword.words import Memo, Scores, Word, score_words

PER_DOCUMENT = 3

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Ask:
    """What is wanted of an answer, beside the words."""

    limit: int = 100  # documents
    per_document: int = PER_DOCUMENT  # passages of each
    weighing: Weighing = field(default_factory=Weighing)
    allowed: Integers | None = None  # documents that filters leave; None: all
    cancelled: Callable[[], bool] | None = None

    def is_cancelled(self) -> bool:
        """Whether a newer question has come."""
        return self.cancelled is not None and self.cancelled()


def answer(
    view: View,
    words: Sequence[Word],
    ask: Ask,
    *,
    memo: Memo | None = None,
    left: Mask | None = None,
    phrase: Mask | None = None,
    flags: frozenset[str] = frozenset(),
    total: int | None = None,
) -> KeywordHits:
    """The hits for `words`. `left`: documents that a tree leaves, scored or not; `phrase`: those
    that hold the whole query as a phrase; `total`: documents in all, where the view is a sample."""
    texts = tuple(word.text for word in words)
    terms = tuple(tuple(one.term for one in word.choices if one.term_id) for word in words)
    if ask.is_cancelled():
        return empty_hits(texts, frozenset({"cancelled"}))
    scores = score_words(view, words, ask.weighing, {} if memo is None else memo)
    if phrase is not None:
        held = phrase[view.unit_documents] & scores.touched
        scores.values[held] *= np.float32(ask.weighing.phrase_boost)
    allowed = None if ask.allowed is None else view.document_mask(ask.allowed)
    if left is not None:
        allowed = left if allowed is None else left & allowed
        _touch_rest(view, scores, allowed)

    def take(limit: int, chosen: Mask | None) -> KeywordHits:
        units, found = take_best(
            view, scores, limit=limit, per_document=ask.per_document, allowed=chosen
        )
        return KeywordHits(
            view.unit_chunks[units],
            view.document_ids[view.unit_documents[units]],
            scores.values[units],
            word_bits(view, units, scores.matches),
            texts,
            terms,
            found if total is None or chosen is not None else total,
            flags,
        )

    def among(documents: Integers) -> KeywordHits:
        chosen = view.document_mask(documents)
        return take(len(documents), chosen if allowed is None else chosen & allowed)

    return replace(take(ask.limit, allowed), among=among)


def _touch_rest(view: View, scores: Scores, allowed: Mask) -> None:
    """Documents that are left without any scored unit are shown by their first one."""
    rest = allowed.copy()
    rest[view.unit_documents[np.flatnonzero(scores.touched)]] = False
    scores.touched[view.first_units[rest]] = True
