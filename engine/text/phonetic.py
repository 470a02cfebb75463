"""How does a word sound? Double Metaphone: a first code and, where speakers differ, a second.

Smith → SM0, XMT and Schmidt → XMT, SMT share XMT: they sound alike. Made for European names; what
has no Latin letters has no code.
"""

from doublemetaphone import doublemetaphone  # type: ignore[import-untyped]  # no stubs

from engine.text.normalise import fold, to_nfkc

_LONGEST = 40


def sound_codes(word: str) -> tuple[str, ...]:
    """The codes of a word: none, one or two, the likelier first."""
    letters = "".join(filter(str.isalpha, fold(to_nfkc(word))[:_LONGEST]))
    if not letters.isascii():
        return ()
    first, second = doublemetaphone(letters)
    return tuple(dict.fromkeys(code for code in (first, second) if code))


def sounds_like(one: str, other: str) -> bool:
    """Whether two words share a code."""
    return not set(sound_codes(one)).isdisjoint(sound_codes(other))
