"""Which passages hold the question's words? Asks the keyword room for one side of the answer."""

import numpy as np
import numpy.typing as npt

from engine.keyword import KeywordHits, KeywordIndex
from engine.search.question import Question
from engine.text import query_terms


def find_words(
    index: KeywordIndex, question: Question, limit: int, allowed: npt.NDArray[np.int64] | None
) -> KeywordHits:
    """The best passages of the best `limit` documents, of allowed ones only."""
    words = [
        index.word(text, query_terms(text, question.languages)) for text in question.query.words
    ]
    return index.rank_words(words, limit=limit, allowed=allowed)
