"""Which words of a passage are shown, and what is marked? The best window, with exact offsets.

The window holds as many different query terms as possible, then as many as possible, then begins
early. Marks are offsets into the returned text; a word is marked when its analysis gives a term of
the query, so stems and accents are marked too, and negated words never are.
"""

import re
from collections.abc import Collection

from engine.text import Token, find_terms

LENGTH = 240
_SENTENCE = re.compile(r"(?<=[.!?…。！？])\s+|\n{2,}")

_BREAKS = dict.fromkeys(map(ord, "\n\r\t\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029"), " ")

Ranges = tuple[tuple[int, int], ...]


def mark_terms(text: str, language: str, terms: Collection[str]) -> Ranges:
    """Where the terms stand in `text`, merged and in order."""
    if not terms or not text:
        return ()
    return _merge(find_terms(text, language, terms))


def _merge(tokens: list[Token]) -> Ranges:
    ranges: list[tuple[int, int]] = []
    for start, end in sorted((token.start, token.end) for token in tokens):
        if ranges and start <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], max(end, ranges[-1][1]))
        else:
            ranges.append((start, end))
    return tuple(ranges)


def cut_snippet(
    text: str, language: str, terms: Collection[str], length: int = LENGTH
) -> tuple[str, Ranges]:
    """The best window of about `length` characters, and the ranges to mark in it."""
    hits = find_terms(text, language, terms) if terms else []
    if len(text) <= length:
        return _clean(text), _merge(hits)
    start, end = _best_window(text, hits, length)
    kept = [token for token in hits if start <= token.start and token.end <= end]
    ranges = tuple((low - start, high - start) for low, high in _merge(kept))
    return _clean(text[start:end]), ranges


def _best_window(text: str, hits: list[Token], length: int) -> tuple[int, int]:
    best, best_key = 0, (0, 0)
    for first, token in enumerate(hits):
        inside = [one for one in hits[first:] if one.end <= token.start + length]
        key = (len({one.term for one in inside}), len(inside))
        if key > best_key:
            best, best_key = first, key
    centre = hits[best].start if hits else 0
    start = _begin(text, centre, length)
    end = min(len(text), start + length)
    if end < len(text):
        cut = text.rfind(" ", start + length // 2, end)
        end = cut if cut > 0 and all(not one.start < cut < one.end for one in hits) else end
    return start, end


def _begin(text: str, first_hit: int, length: int) -> int:
    """A good place to begin: the sentence of the first hit, or a few words before it."""
    lead = length // 3
    if first_hit <= lead:
        return 0
    starts = [match.end() for match in _SENTENCE.finditer(text, first_hit - lead, first_hit)]
    if starts:
        return starts[0]
    blank = text.find(" ", first_hit - lead // 2, first_hit)
    return blank + 1 if blank >= 0 else first_hit


def _clean(text: str) -> str:
    """Line breaks and tabs as blanks, one for one, so that offsets stay true."""
    return text.translate(_BREAKS)
