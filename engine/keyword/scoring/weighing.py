"""What makes a passage's score beside the model? Fields, coverage and phrases.

    score = (passage + field_boost · document's fields) · (words held / words)^power · phrase factor

Sagasu 1's formula is one setting of it: title boost 2.0, power 2, phrase 1.5. Worked: a passage
with 3.0, a title with 1.0, 2 of 3 words, no phrase: (3.0 + 2·1.0) · (2/3)² · 1 = 2.2222.
"""

from dataclasses import dataclass, field

from engine.keyword.scoring.bm25 import BM25
from engine.keyword.scoring.scorer import Scorer

PASSAGE_WEIGHTS = (1.0, 1.0)  # trail, body
DOCUMENT_WEIGHTS = (2.0, 1.5, 0.5, 1.5, 1.0)  # title, name, path, tags, author
TITLE_ONLY = (1.0, 0.0, 0.0, 0.0, 0.0)
ANY_NUMBER = 1_000_000


@dataclass(frozen=True, slots=True)
class Weighing:
    """How scores are made; everything that can be tuned."""

    scorer: Scorer = field(default_factory=BM25)
    passage_weights: tuple[float, ...] = PASSAGE_WEIGHTS
    document_weights: tuple[float, ...] = DOCUMENT_WEIGHTS
    field_boost: float = 0.15  # of the document's fields beside the passage's words
    all_first: int = 2  # up to so many words, documents that hold all of them come first
    coverage_words: int = 0  # up to so many words, the share that a document holds is a factor
    coverage_power: float = 2.0
    phrase_boost: float = 1.0  # for documents with the whole query as a phrase


def sagasu_weighing(
    title_boost: float = 2.0, phrase_boost: float = 1.5, k1: float = 1.2, b: float = 0.75
) -> Weighing:
    """Sagasu 1's formula: (title · boost + content) · coverage² · phrase."""
    return Weighing(
        scorer=BM25(k1=k1, b=b),
        document_weights=TITLE_ONLY,
        field_boost=title_boost,
        all_first=0,
        coverage_words=ANY_NUMBER,
        phrase_boost=phrase_boost,
    )
