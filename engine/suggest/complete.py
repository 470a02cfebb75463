"""How does this go on? The last word from the index's own words, then titles that fit.

Words are shown as they are written in the documents, not as the index stems them, the commonest
first; a word that is complete already is not offered again.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.keyword import KeywordIndex
from engine.text.normalise import fold, to_nfkc

SHORTEST_TITLE = 2  # letters before titles are looked for: one letter fits too many


@dataclass(frozen=True, slots=True)
class Completion:
    """One way to go on."""

    text: str  # the whole query, completed
    kind: str  # word or title
    frequency: int = 0  # of a word
    document: int | None = None  # of a title


def complete(
    index: KeywordIndex, typed: str, languages: Sequence[str], *, limit: int = 8
) -> list[Completion]:
    """Completions of what was typed so far: words first, then titles, at most `limit` in all."""
    head, last = _split(typed)
    if not last:
        return []
    words = [
        Completion(head + form, "word", times)
        for form, times in index.vocabulary.complete(last, limit + 1)
        if form != fold(to_nfkc(last))
    ]
    titles: list[Completion] = []
    if len(typed.strip()) >= SHORTEST_TITLE:
        titles = [
            Completion(title, "title", document=number)
            for number, title in index.find_titles(typed, languages=languages, limit=limit)
        ]
    room = max(limit - len(titles), (limit + 1) // 2)
    return [*words[:room], *titles][:limit]


def _split(typed: str) -> tuple[str, str]:
    """What stands before the word under the cursor, and that word; empty after a blank."""
    last = len(typed)
    while last and (typed[last - 1].isalnum() or typed[last - 1] in "'’"):
        last -= 1
    return typed[:last], typed[last:]
