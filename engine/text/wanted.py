"""Which terms does a query's word stand for? One index holds the terms of many languages.

Each document was stemmed in its own language, so a query's word is analysed in every language that
the index holds. `query_terms` is the flat answer, for scoring; `query_alternatives` the exact one,
for matching: any of its sequences may stand in a text, each as neighbours in that order.
"""

from collections.abc import Sequence

from engine.text.analysis import analyse, analyse_with_offsets
from engine.text.cjk import gram_size, is_unspaced
from engine.text.normalise import fold, to_nfkc
from engine.text.stem import open_stemmer

# What may follow a beginning and be lost to the stemmer: handli(ng) is indexed as handl.
_ENDINGS = (
    "", "d", "e", "ed", "en", "er", "es", "g", "ing", "ion", "ity", "ly", "ment", "n", "ness", "ng",
    "on", "s", "tion", "ty", "y",
)  # fmt: skip

_AFTER_Y = frozenset({"", "ed", "es", "ing", "s"})


def analyse_query_word(word: str, language: str) -> list[str]:
    """The terms of one word: the very chain that documents go through."""
    return analyse(word, language)


def query_terms(word: str, languages: Sequence[str]) -> tuple[str, ...]:
    """All terms that the word may be indexed as: first language first, wholes before parts."""
    return tuple(dict.fromkeys(term for code in languages for term in analyse(word, code)))


def query_alternatives(word: str, languages: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The sequences of terms that stand for the word, the likeliest first.

    getUserById → (getuserbyid), (get user by id); running in English and German → (run), (running);
    東京都 → (東京 京都).
    """
    found: dict[tuple[str, ...], None] = {}
    for code in languages:
        tokens = analyse_with_offsets(word, code)
        terms = tuple(token.term for token in tokens)
        if len(tokens) > 1 and tokens[0].end >= tokens[-1].end:  # a whole, then its parts
            found[terms[:1]] = None
            terms = terms[1:]
        if terms:
            found[terms] = None
    return tuple(found)


def prefix_terms(prefix: str, languages: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """What a beginning stands for: the folded beginning itself, and whole terms shorter than it.

    `handli` → `handli`, and handl: stemming has cut the words that begin so.
    """
    folded = fold(to_nfkc(prefix)).replace("_", "").replace("-", "").replace("'", "")
    if not folded or is_unspaced(folded[0]) or not folded.isalpha():
        return folded, ()
    # Of `handli` with nothing or -es behind, Snowball makes hand: it takes the i for a y.
    endings = [one for one in _ENDINGS if not (folded[-1] == "i" and one in _AFTER_Y)]
    stems: dict[str, None] = {}
    for code in languages:
        stem = open_stemmer(code)
        for ending in endings:
            term = stem(folded + ending)
            if len(term) > 2 and not term.startswith(folded):
                stems[term] = None
    return folded, tuple(stems)


def short_run(word: str) -> str | None:
    """A word of an unspaced script that is shorter than its n-grams: 猫 is inside 黒猫, not a term.

    Such a word has to be looked for inside the vocabulary's terms. None for every other word.
    """
    normal = to_nfkc(word).strip()
    if normal and is_unspaced(normal[0]) and len(normal) < gram_size(normal[0]):
        return normal
    return None
