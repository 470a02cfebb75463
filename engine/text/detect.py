"""Which language is a text in? The script first, then function words and telling letters.

Looks at the first thousand characters. Each word on a stop list votes for its languages, the rarer
among them the more (60 votes shared out); each telling letter (ß, ñ, ł) votes as well. The votes of
all languages travel in one large integer, sixteen bits each, so that a text is summed up in C.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

from engine.text.languages import DEFAULT_LANGUAGE, LANGUAGES
from engine.text.stopwords import read_stopwords

SAMPLE = 1000  # characters
LEAST_VOTES = 60  # one word that no other language has
LEAST_VOTES_LONG = 150  # where a full sample was there to collect them

_WORDS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_FOREIGN = re.compile(r"[\u0370-\u1cff\u3040-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]")
_LATIN = tuple(row.code for row in LANGUAGES if row.script == "latin" and row.stopwords)
_VOTES = 60
_BITS = 16

# Half blocks of 128 characters that belong to one script.
_BLOCKS = {
    0x06: "el", 0x07: "el", 0x08: "cyrillic", 0x09: "cyrillic", 0x0B: "he", 0x0C: "arabic",
    0x0D: "arabic", 0x12: "hi", 0x15: "gu", 0x17: "ta", 0x1C: "th", 0x1D: "lo", 0x20: "my",
    0x21: "my", 0x22: "ko", 0x23: "ko", 0x2F: "km", 0x3E: "el", 0x3F: "el", 0x60: "kana",
    0x61: "kana",
} | dict.fromkeys(range(0x68, 0x140), "han") | dict.fromkeys(range(0x158, 0x1B0), "ko")  # fmt: skip

_LETTERS = {
    "ß": "de", "ä": "de fi sv sk", "ö": "de fi sv hu tr", "ü": "de hu tr", "ñ": "es", "¿": "es",
    "ã": "pt vi", "õ": "pt vi", "ç": "fr pt tr ca", "è": "it fr ca", "ê": "fr pt vi", "œ": "fr",
    "ù": "it fr", "ì": "it vi", "ò": "it ca vi", "ł": "pl", "ż": "pl", "ś": "pl", "ą": "pl",
    "ę": "pl", "ř": "cs", "ě": "cs", "ů": "cs", "č": "cs sk", "š": "cs sk", "ž": "cs sk",
    "ľ": "sk", "ĺ": "sk", "ŕ": "sk", "ô": "sk fr pt vi", "ő": "hu", "ű": "hu", "ı": "tr",
    "ğ": "tr", "ş": "tr ro", "ș": "ro", "ț": "ro", "ţ": "ro", "ă": "ro vi", "å": "sv da no",
    "æ": "da no", "ø": "da no", "đ": "vi", "ư": "vi", "ơ": "vi", "ạ": "vi", "ế": "vi", "ệ": "vi",
}  # fmt: skip
# Words of markup, code and front matter that are function words somewhere.
_MARKUP = frozenset({"asa", "ca", "font", "ide", "li", "mi", "num", "pre", "ul", "ver", "via"})
# Letters that only one language of a script has; the first language wins a draw.
_TELLING = {
    "cyrillic": {"ru": "ыэё", "uk": "іїєґ", "bg": "ъ"},
    "arabic": {"ar": "يكةىأإ", "fa": "پچژگکی"},
}


def detect_language(text: str) -> str:
    """The code of the likeliest language; English when nothing tells."""
    sample = text[:SAMPLE].lower()
    if not sample.isascii() and (foreign := _FOREIGN.findall(sample)):
        script = _find_script(foreign)
        letters = sum(map(str.isalpha, sample[:400])) if len(foreign) < 200 else 0
        if letters * len(sample) < 4 * len(foreign) * min(400, len(sample)):
            return _find_by_letters(sample, script) if script in _TELLING else script
    return _vote(sample, _LATIN, DEFAULT_LANGUAGE)


def _find_script(foreign: list[str]) -> str:
    counts = Counter(_BLOCKS.get(ord(character) >> 7, "") for character in foreign[:200])
    kana = counts.pop("kana", 0)
    han = counts.get("han", 0)
    if kana > 0.1 * (kana + han) and kana + han >= max(counts.values(), default=0):
        return "ja"
    best = max(counts, key=counts.__getitem__, default="")
    return {"han": "zh", "": DEFAULT_LANGUAGE}.get(best, best)


def _find_by_letters(sample: str, script: str) -> str:
    counts = Counter(sample)
    votes = {code: sum(counts[one] for one in own) for code, own in _TELLING[script].items()}
    return max(votes, key=votes.__getitem__)


def _vote(sample: str, languages: tuple[str, ...], default: str) -> str:
    ballots = _ballots(languages)
    words = set(_WORDS.findall(sample))  # `len` ten times in a program is one word, not Slovak
    total = sum(filter(None, map(ballots.get, words)))
    if not sample.isascii():
        total += sum(filter(None, map(ballots.get, filter(_is_telling, set(sample)))))
    if not total:
        return default
    votes = memoryview(total.to_bytes(len(languages) * _BITS // 8, "little")).cast("H").tolist()
    most = max(votes)
    least = LEAST_VOTES if len(sample) < SAMPLE // 2 else LEAST_VOTES_LONG
    best = [code for code, count in zip(languages, votes, strict=True) if count == most]
    if most < least or default in best:
        return default
    if not sample.isascii():
        return best[0]
    # A program in English names holds a few words that are rare elsewhere, and more English ones.
    return best[0] if _count_known(words, best[0]) > _count_known(words, default) else default


def _count_known(words: set[str], language: str) -> int:
    return len(words.intersection(read_stopwords(language)))


def _is_telling(character: str) -> bool:
    return character > "\x7f"


@cache
def _ballots(languages: tuple[str, ...]) -> dict[str, int]:
    """What each word or letter adds to the sum of votes."""
    owners: dict[str, list[str]] = {}
    for code in languages:
        for word in read_stopwords(code):
            if len(word) > 1 and word not in _MARKUP:
                owners.setdefault(word, []).append(code)
    for letter, codes in _LETTERS.items():
        owners.setdefault(letter, []).extend(code for code in codes.split() if code in languages)
    return {word: _ballot(codes, languages) for word, codes in owners.items() if codes}


def _ballot(codes: Iterable[str], languages: tuple[str, ...]) -> int:
    chosen = set(codes)
    share = _VOTES // len(chosen)
    return sum(share << (_BITS * languages.index(code)) for code in chosen)
