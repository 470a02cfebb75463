"""How far apart are two words? Edits, Jaro-Winkler, shared trigrams.

A transposition counts as one edit (`recieve` is one away from `receive`). How many edits a word
allows grows with its length: none below five letters, one up to eight, two from nine; numbers none,
because another number is another thing.
"""

from rapidfuzz.distance import OSA, JaroWinkler, Levenshtein


def edit_distance(one: str, other: str, most: int | None = None) -> int:
    """Insertions, deletions, substitutions, swaps of neighbours; `most + 1` when beyond `most`."""
    return OSA.distance(one, other, score_cutoff=most)


def levenshtein(one: str, other: str, most: int | None = None) -> int:
    """Insertions, deletions and substitutions; a swap counts as two."""
    return Levenshtein.distance(one, other, score_cutoff=most)


def jaro_winkler(one: str, other: str) -> float:
    """Likeness from 0 to 1 that favours a common beginning: martha, marhta → 0.961."""
    return JaroWinkler.similarity(one, other)


def trigrams(word: str) -> frozenset[str]:
    """Its triples of letters, padded so that the beginning weighs more: cat → __c _ca cat at_."""
    padded = f"  {word} "
    return frozenset(padded[start : start + 3] for start in range(len(padded) - 2))


def trigram_similarity(one: str, other: str) -> float:
    """Shared trigrams over all trigrams, from 0 to 1."""
    first, second = trigrams(one), trigrams(other)
    return len(first & second) / len(first | second)


def max_edits(word: str) -> int:
    """How many typos a word of this length may hold."""
    if any(character.isdigit() for character in word) or len(word) < 5:
        return 0
    return 1 if len(word) < 9 else 2
