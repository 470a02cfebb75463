"""Which words does a compound hold? Its whole first, then its parts in order.

getUserById → getUserById get User By Id; parse_json → parse_json parse json; node.js → node.js node
js; v1.2.3 → v1.2.3 1.2.3; error-handling → error handling (a hyphen between words is a space).
"""

import re

from engine.text.normalise import fold

Span = tuple[int, int]

LEAST_PIECE = 2.5  # mean letters of a part: getUserById has 2.75, encoded data about 1.5
MOST_PIECES = 24  # of one compound; beyond it (encoded data, long lists) its runs of letters only

_CASES = re.compile(
    r"[A-ZÀ-ÖØ-Þ]{2,}s(?![a-zß-öø-ÿ])"  # PDFs
    r"|[A-ZÀ-ÖØ-Þ]+(?=[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ])"  # XML of XMLHttp
    r"|[A-ZÀ-ÖØ-Þ]?[^\W\d_A-ZÀ-ÖØ-Þ]+|[A-ZÀ-ÖØ-Þ]+|\d+"
)
_NUMBER = re.compile(r"(v?)\d+(?:[.,]\d+)*", re.IGNORECASE)
_WORD_NUMBER = re.compile(r"([^\W\d_]+)(\d+)")
_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?")
_RUNS = re.compile(r"[^\W_]+")
_ELIDING = frozenset({"fr", "it", "ca", "tr"})


def split_compound(token: str, language: str) -> list[Span]:
    """The spans of what is to be found by itself: the whole, then its parts."""
    spans: list[Span] = []
    _split(token, 0, language, spans)
    if len(spans) <= MOST_PIECES:
        return spans
    return [run.span() for run in _RUNS.finditer(token)]


def _split(token: str, start: int, language: str, spans: list[Span]) -> None:
    trimmed = token.strip("_")
    start += len(token) - len(token.lstrip("_"))
    end = start + len(trimmed)
    if not trimmed:
        return
    if trimmed.isalpha() or trimmed.isdigit():
        _split_cases(trimmed, start, spans)
    elif number := _NUMBER.fullmatch(trimmed):
        spans.append((start, end))
        if number[1]:
            spans.append((start + 1, end))
    elif trimmed.endswith(("++", "#")):
        _split_suffixed(trimmed, start, language, spans)
    else:
        _split_joined(trimmed, start, language, spans)


def _split_suffixed(token: str, start: int, language: str, spans: list[Span]) -> None:
    """C++ and C# are words; `count++` and `issue#` are others with something behind."""
    bare = token.rstrip("+#")
    if len(bare) == 1 or token.endswith("++"):
        spans.append((start, start + len(token)))
    if len(bare) > 1:
        _split(bare, start, language, spans)


def _split_joined(token: str, start: int, language: str, spans: list[Span]) -> None:
    """At the loosest of its joints; each part may be a compound itself."""
    for joint in "@'-._":
        if joint not in token:
            continue
        parts = token.split(joint)
        if _is_word(token, parts, joint, language):
            spans.append((start, start + len(token)))
        if not _is_letters(parts, joint, language):
            for part in parts:
                _split(part, start, language, spans)
                start += len(part) + 1
        return
    found = _WORD_NUMBER.fullmatch(token)
    if found and _length(found[1]) > 2:
        spans.append((start, start + len(token)))
        spans.extend((start + found.start(i), start + found.end(i)) for i in (1, 2))
    else:
        _split_cases(token, start, spans)


def _is_word(token: str, parts: list[str], joint: str, language: str) -> bool:
    """Whether the compound is looked for as one: not `error-handling`, not `l'avion`."""
    if joint == "'":
        return language not in _ELIDING
    if joint == "-":
        if all(part.isdigit() for part in parts):
            return len(parts) > 2 or _DATE.fullmatch(token) is not None
        return any(_length(part) == 1 or not part.isalpha() for part in parts)
    return True


def _is_letters(parts: list[str], joint: str, language: str) -> bool:
    """U.S.A and don't are one word and nothing else; O'Reilly is also Reilly."""
    if joint == "'":
        return language not in _ELIDING and (_length(parts[0]) > 1 or _length(parts[-1]) < 3)
    return joint == "." and all(_length(part) <= 1 for part in parts)


def _length(part: str) -> int:
    """Letters after folding: æ is two, so that it splits as ae does."""
    return len(part) if part.isascii() else len(fold(part))


def _split_cases(word: str, start: int, spans: list[Span]) -> None:
    spans.append((start, start + len(word)))
    if word[1:].islower() or word.islower() or word.isupper():
        return
    found = [match.span() for match in _CASES.finditer(word)]
    if len(found) > 1 and len(word) >= LEAST_PIECE * len(found):
        spans.extend((start + first, start + last) for first, last in found)
