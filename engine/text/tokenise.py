"""Where do the tokens of a text begin and end?

A token is a run of letters, digits and marks, with single joints inside (node.js, user@example.com,
don't, 2026-03-01, 1,000), a dot before (.NET) or a tail behind (C++, C#); or a run of a script
without spaces; or one emoji. What a token's terms are is decided afterwards, once for each.
"""

import re
import unicodedata
from functools import cache

from engine.text.cjk import HAN_KANA, HANGUL, SOUTH_EAST
from engine.text.normalise import IGNORABLE

_EMOJI = "\u2600-\u27bf\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff"


@cache
def ascii_pattern() -> "re.Pattern[str]":
    """Finds the tokens of a text that is all ASCII."""
    return re.compile(_token("A-Za-z0-9_", "'"), re.ASCII)


@cache
def unicode_pattern() -> "re.Pattern[str]":
    """Finds the tokens of any text in NFKC."""
    runs = "|".join(f"[{script}]+" for script in (HAN_KANA, HANGUL, SOUTH_EAST))
    return re.compile(f"{_token(_word_characters(), chr(0x2019) + chr(39))}|{runs}|[{_EMOJI}]")


def split_tokens(text: str) -> list[str]:
    """What stands between the tokens and the tokens, by turns: together they are the text."""
    return _splitter(text.isascii()).split(text)


@cache
def _splitter(plain: bool) -> "re.Pattern[str]":
    pattern = ascii_pattern() if plain else unicode_pattern()
    return re.compile(f"({pattern.pattern})", pattern.flags)


def _token(word: str, apostrophes: str) -> str:
    """Written so that a search can skip to the next word character or dot, and so that a plain
    word ends without trying what only a few have."""
    joint = f"[.@{apostrophes}-]|(?<=\\d),(?=\\d{{3}}(?!\\d))"
    more = f"(?:(?:{joint})[{word}]+)*(?:\\+\\+|#(?![{word}]))?"
    whole = f"[{word}]+(?:(?=[.@,+#{apostrophes}-]){more})?"
    return f"{whole}|\\.(?<![{word}.]\\.)(?=[A-Za-z]){whole}"


def _word_characters() -> str:
    """Letters, digits and marks as ranges, without the scripts that have no spaces."""
    unspaced = re.compile(f"[{HAN_KANA}{HANGUL}{SOUTH_EAST}]")
    ranges: list[list[int]] = []
    for code in range(0x10000):
        character = chr(code)
        if not (character.isalnum() or unicodedata.category(character)[0] == "M"):
            continue
        if unspaced.match(character):
            continue
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    letters = "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)
    # Beyond the first plane: historic scripts, then what NFKC leaves of mathematical letters.
    return f"{letters}_{IGNORABLE}\U00010000-\U0001e95f"
