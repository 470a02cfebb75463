"""How well do author, tags and the rest answer the query? Sagasu's table.

A word of the query in the author's name 0.8, in a tag 0.7, in another field 0.3; the best counts.
Author "Ada Novak", tags "tax", "2026": "novak" 0.8, "tax" 0.7, "novak tax" 0.8.
"""

from collections.abc import Iterable, Sequence

from engine.rank.filename import split_name

AUTHOR, TAG, OTHER = 0.8, 0.7, 0.3


def score_metadata(
    query: str, author: str = "", tags: Sequence[str] = (), others: Iterable[str] = ()
) -> float:
    """From 0 to 0.8."""
    asked = set(split_name(query))
    fields = (
        (AUTHOR, (author,)),
        (TAG, tags),
        (OTHER, others),
    )
    for score, values in fields:
        if any(asked & set(split_name(value)) for value in values):
            return score
    return 0.0
