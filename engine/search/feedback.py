"""What is asked once more, when the first hits have taught something?

The first answer stands unless feedback is switched on and the question is short or undecided. Then
the telling words of the first hits are asked for as well, with a weight of their own, and the
question's vector is moved towards theirs; rank/feedback has the rules and the guard against drift.
Learned words add to scores only: the share of the question's words that a document holds, and what
is marked in it, are still of the words that were typed.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from engine.config import RankingSettings
from engine.query.nodes import Word
from engine.rank.feedback import FIRST, choose_terms, move_query, needs_feedback
from engine.search.combine import Fused
from engine.search.describe import read_idf
from engine.search.question import Question
from engine.search.sides import is_strict
from engine.store.terms import decode

if TYPE_CHECKING:
    from engine.ports import Vectors

Fetch = Callable[[npt.NDArray[np.int64]], "Vectors"]

SHORTEST = 3  # letters of a word worth learning
_TOKENS = "SELECT tokens FROM chunks WHERE id = ?"


@dataclass(frozen=True, slots=True)
class Wider:
    """The question as the first hits widen it."""

    question: Question
    vector: "Vectors | None"


def widen(
    connection: sqlite3.Connection,
    question: Question,
    fused: Sequence[Fused],
    asked: Sequence[Sequence[str]],
    vector: "Vectors | None",
    settings: RankingSettings,
    fetch: Fetch,
) -> Wider | None:
    """What to ask once more; None when the first answer stands. `asked` are the words' terms."""
    if not wants_feedback(question, fused, settings):
        return None
    moved = vector
    if vector is not None:
        moved = learn_vector(vector, fused, fetch, settings)
    return Wider(learn_words(connection, question, fused, asked, settings), moved)


def wants_feedback(question: Question, fused: Sequence[Fused], settings: RankingSettings) -> bool:
    """Whether the settings and the first answer call for asking once more."""
    if not (settings.feedback_words or settings.feedback_vectors) or not fused:
        return False
    if question.learned or is_strict(question.query):
        return False
    return needs_feedback(len(question.query.words), [one.score for one in fused])


def learn_words(
    connection: sqlite3.Connection,
    question: Question,
    fused: Sequence[Fused],
    asked: Sequence[Sequence[str]],
    settings: RankingSettings,
) -> Question:
    """The question with the words that the first hits teach; `asked` are the terms it has."""
    if not settings.feedback_words or not asked:
        return question
    counts = [_count_terms(connection, one) for one in fused[:FIRST]]
    known = {term for some in asked for term in some}
    often = Counter(term for some in counts for term in some)  # in how many of the hits
    likely = [term for term, hits in often.items() if hits > 1 and _is_word(term)]
    idf = read_idf(connection, [*likely, *known])
    learned = choose_terms(counts, idf, known)
    if not learned.anchors:
        return question
    words = tuple(Word(term, settings.feedback_words) for term in learned.terms)
    return replace(question, learned=words)


def learn_vector(
    vector: "Vectors", fused: Sequence[Fused], fetch: Fetch, settings: RankingSettings
) -> "Vectors":
    """The question's vector moved towards those of the first hits."""
    if not settings.feedback_vectors:
        return vector
    chunks = np.array([one.chunks[0] if one.chunks else 0 for one in fused[:FIRST]], np.int64)
    rows = fetch(chunks)
    return move_query(vector, rows[np.isfinite(rows).all(axis=1)], settings.feedback_vectors)


def _count_terms(connection: sqlite3.Connection, one: Fused) -> Counter[str]:
    row = connection.execute(_TOKENS, (one.chunks[0] if one.chunks else 0,)).fetchone()
    return Counter(decode(connection, row[0])) if row else Counter()


def _is_word(term: str) -> bool:
    return len(term) >= SHORTEST and term.isalpha()
