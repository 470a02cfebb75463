"""Where are the words when there are no spaces? Overlapping n-grams stand in for them.

Chinese, Japanese and Korean runs become pairs of characters (東京都 → 東京 京都), Thai, Lao, Khmer
and Burmese ones triples. A run that is too short is kept as it is. Measured (nDCG@10 of BM25 with
n-grams of 1, 2, 3 characters): Chinese 0.953 0.965 0.880, Japanese 0.912 0.928 0.899, Thai 0.332
0.940 0.970; grouping Thai letters with their marks first gains nothing. Korean headings to pages:
pairs 0.828, words 0.744, both 0.816.
"""

import re

HAN_KANA = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
HANGUL = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"
SOUTH_EAST = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ecd\u1000-\u103f\u1050-\u109d"
    "\u1780-\u17d3\u17dc\u17dd\uaa60-\uaa7f"
)


_UNSPACED = re.compile(f"[{HAN_KANA}{HANGUL}{SOUTH_EAST}]")


def is_unspaced(character: str) -> bool:
    """Whether its script is written without spaces between words (or, as Korean, glued)."""
    return character >= "\u0e00" and _UNSPACED.match(character) is not None


def gram_size(character: str) -> int:
    """How many characters of its script make an n-gram."""
    if character < "\u1100" or "\u1780" <= character < "\u17de" or "\uaa60" <= character < "\uaa80":
        return 3
    return 2


def split_grams(run: str) -> tuple[str, ...]:
    """A run's n-grams, each one character further on."""
    size = gram_size(run[0])
    if len(run) <= size:
        return (run,)
    return tuple([run[start : start + size] for start in range(len(run) - size + 1)])
