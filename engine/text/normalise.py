"""Which form does a character take? NFKC for texts, case and accent folding for words.

Accents fall before stemming, not after: only so do `création` and `creation` reach one stem, and a
person who types without accents finds a text written with them. Marks that make another letter in
their script (Devanagari vowels, Japanese voicing, Cyrillic й) stay.
"""

import unicodedata
from collections.abc import Callable, Sequence
from functools import cache

# Soft hyphen, joiners, bidi marks, word joiner, byte order mark: invisible inside a word.
IGNORABLE = "\u00ad\u200c\u200d\u200e\u200f\u2060\ufeff"

# Latin with its extensions, Greek, then both again with tone and breathing marks.
_ACCENTED = ((0xC0, 0x250), (0x370, 0x400), (0x1E00, 0x2000))
# What case folding leaves of a dotted I, Hebrew points, Arabic vowel signs.
_LOOSE_MARKS = ((0x300, 0x370), (0x591, 0x5C8), (0x610, 0x61B), (0x64B, 0x660))
_LETTERS = {
    "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i",
    "ŧ": "t", "ŋ": "n", "ё": "е", "ʼ": "", "’": "", "\u0640": "",
}  # fmt: skip


def to_nfkc(text: str) -> str:
    """The text in NFKC; the very same object when it already is."""
    if text.isascii() or unicodedata.is_normalized("NFKC", text):
        return text
    return unicodedata.normalize("NFKC", text)


def fold(word: str) -> str:
    """Lower case without accents: `Ŝtraße` → `strasse`. Expects NFKC."""
    word = word.casefold()
    # Cherokee folds to capitals, the only script that does.
    return word if word.isascii() else word.lower().translate(_fold_table())


@cache
def _fold_table() -> dict[int, str | None]:
    table: dict[int, str | None] = {ord(mark): None for mark in IGNORABLE}
    for first, last in _ACCENTED:
        for code in range(first, last):
            base = unicodedata.normalize("NFD", chr(code))[0]
            if base != chr(code) and base.isalpha():
                table[code] = base
    for first, last in _LOOSE_MARKS:
        codes = (code for code in range(first, last) if unicodedata.category(chr(code)) == "Mn")
        table.update(dict.fromkeys(codes))
    table.update({ord(letter): plain for letter, plain in _LETTERS.items()})
    return table


def to_nfkc_with_offsets(text: str) -> tuple[str, Sequence[int], Sequence[int]]:
    """The text in NFKC, and for each of its characters where its origin starts and ends."""
    wanted = to_nfkc(text)
    if wanted is text:
        return text, range(len(text)), range(1, len(text) + 1)
    normal, starts, ends = _normalise_clusters(_split_clusters(text, _joins_previous))
    if normal != wanted:  # rare scripts compose across clusters: keep their runs together
        normal, starts, ends = _normalise_clusters(_split_clusters(text, _is_not_ascii))
    return normal, starts, ends


def _normalise_clusters(clusters: list[str]) -> tuple[str, list[int], list[int]]:
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    place = 0
    for cluster in clusters:
        piece = unicodedata.normalize("NFKC", cluster)
        pieces.append(piece)
        starts.extend([place] * len(piece))
        place += len(cluster)
        ends.extend([place] * len(piece))
    return "".join(pieces), starts, ends


def _split_clusters(text: str, joins: Callable[[str], bool]) -> list[str]:
    """Cut before every character that does not join what stands before it."""
    clusters: list[str] = []
    start = 0
    for place in range(1, len(text)):
        if not joins(text[place]):
            clusters.append(text[start:place])
            start = place
    clusters.append(text[start:])
    return clusters


def _joins_previous(character: str) -> bool:
    if character < "\u0300":
        return False
    if unicodedata.category(character)[0] == "M":
        return True
    # Hangul vowels and finals, half-width voicing marks.
    return "\u1160" <= character <= "\u11ff" or character in "\uff9e\uff9f"


def _is_not_ascii(character: str) -> bool:
    return not character.isascii()
