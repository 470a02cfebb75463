"""How well do letters stand in a name, in order but not together? As fzf judges it, simplified.

Every letter found gives 16 points, 8 more where a word begins (after a sign, at a capital or a
digit after letters) and 4 more directly behind the letter before; a gap costs 3 and 1 for each
further letter. The best way to lay the letters over the name is found exactly, and its points are
scaled to at most 1.5 of the largest possible.

    `rbn` in `RecordBudgetNotes`: three capitals, 3 · 24 of 3 · 28 points less two gaps.
"""

from engine.keyword.name_table import strip_accents

HIT, WORD_START, TOGETHER, GAP, FURTHER = 16, 8, 4, 3, 1
MOST = 1.5
LONGEST = 120  # letters of a name that are looked at


def score_letters(written: str, word: bytes) -> float:
    """0 when the letters are not there in order, otherwise up to 1.5."""
    name = strip_accents(written)[:LONGEST]
    low = name.lower()
    letters = word.decode("utf-8", "replace")
    if len(low) != len(name) or not letters:
        name = low
    best = _lay(name, low, letters)
    if best is None:
        return 0.0
    return max(best / (len(letters) * (HIT + WORD_START + TOGETHER)), 0.05) * MOST


def _lay(name: str, low: str, letters: str) -> int | None:
    """The most points for laying `letters` over the name in order."""
    size = len(low)
    bonus = [WORD_START if _begins(name, place) else 0 for place in range(size)]
    # ended[j]: most points with the letter so far at place j; None: impossible.
    ended: list[int | None] = [
        HIT + bonus[place] if low[place] == letters[0] else None for place in range(size)
    ]
    for letter in letters[1:]:
        following: list[int | None] = [None] * size
        carried: int | None = None  # the best earlier end, less the gap up to here
        for place in range(1, size):
            before = ended[place - 1]
            if low[place] == letter:
                points = [carried] if carried is not None else []
                if before is not None:
                    points.append(before + TOGETHER)
                if points:
                    following[place] = max(points) + HIT + bonus[place]
            carried = _carry(carried, before)
        ended = following
    reached = [points for points in ended if points is not None]
    return max(reached) if reached else None


def _carry(carried: int | None, before: int | None) -> int | None:
    options = [carried - FURTHER] if carried is not None else []
    if before is not None:
        options.append(before - GAP)
    return max(options) if options else None


def _begins(name: str, place: int) -> bool:
    if place == 0:
        return True
    before, here = name[place - 1], name[place]
    return (
        (not before.isalnum() and here.isalnum())
        or (here.isupper() and not before.isupper())
        or (here.isdigit() and not before.isdigit())
    )
