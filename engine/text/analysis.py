"""Which terms does a text give? The chain, the same for documents and queries.

NFKC → tokens → whole and parts → folding → stem. A token's terms depend on it and the language
only, so they are worked out once and kept: the inner loop over a text runs in C.
"""

from collections.abc import Collection, Iterable
from functools import cache
from itertools import accumulate, chain
from typing import NamedTuple

from engine.text.cjk import gram_size, is_unspaced, split_grams
from engine.text.identifiers import Span, split_compound
from engine.text.normalise import fold, to_nfkc, to_nfkc_with_offsets
from engine.text.stem import SNOWBALL, Stem, open_stemmer
from engine.text.tokenise import ascii_pattern, split_tokens, unicode_pattern

# Changes whenever the same text would give other terms: the index is then made anew.
ANALYSIS_VERSION = f"2-{SNOWBALL}"

LONGEST_TERM = 40  # characters; of a longer one the beginning is kept
_MOST_KEPT = 100_000  # tokens a language remembers; real text repeats itself
_LONGEST_KEPT = 60


class Token(NamedTuple):
    """A term and where it stands in the original text."""

    term: str
    start: int
    end: int


def analyse(text: str, language: str) -> list[str]:
    """The terms of a text in order; a term's position is its index."""
    known = _open_terms(language)
    if text.isascii():
        tokens = ascii_pattern().findall(text)
    else:
        tokens = unicode_pattern().findall(to_nfkc(text))
    return list(chain.from_iterable(map(known.__getitem__, tokens)))


def analyse_with_offsets(text: str, language: str) -> list[Token]:
    """The same terms, each with its place in the text as it was given."""
    known = _open_terms(language)
    normal, starts, ends = to_nfkc_with_offsets(text)
    pattern = ascii_pattern() if text.isascii() else unicode_pattern()
    found: list[Token] = []
    for match in pattern.finditer(normal):
        base = match.start()
        for (start, end), term in known.spell(match.group()):
            found.append(Token(term, starts[base + start], ends[base + end - 1]))
    return found


def find_terms(text: str, language: str, wanted: Collection[str]) -> list[Token]:
    """Where the wanted terms stand in the text, in order; most of a text is passed over in C."""
    known = _open_terms(language)
    normal, starts, ends = to_nfkc_with_offsets(text)
    parts = split_tokens(normal)
    tokens = parts[1::2]
    terms = frozenset(wanted)
    places = {
        token: [(span, term) for span, term in known.spell(token) if term in terms]
        for token in set(tokens)
        if not terms.isdisjoint(known[token])
    }
    if not places:
        return []
    begins = list(accumulate(map(len, parts), initial=0))[1::2]
    return [
        Token(term, starts[begin + start], ends[begin + end - 1])
        for begin, token in zip(begins, tokens, strict=False)
        if token in places
        for (start, end), term in places[token]
    ]


class _Terms(dict[str, tuple[str, ...]]):
    """Tokens with their terms in one language, worked out when first met."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language
        self._stem: Stem = open_stemmer(language)

    def __missing__(self, token: str) -> tuple[str, ...]:
        if is_unspaced(token[0]):
            return split_grams(token)
        terms = tuple(term for _, term in self.spell(token))
        if len(token) > _LONGEST_KEPT:
            return terms
        if len(self) >= _MOST_KEPT:
            self.clear()
        self[token] = terms
        return terms

    def spell(self, token: str) -> Iterable[tuple[Span, str]]:
        """Each term of a token with its span in it."""
        if is_unspaced(token[0]):
            size = min(len(token), gram_size(token[0]))
            return [((start, start + size), term) for start, term in enumerate(split_grams(token))]
        spans = split_compound(token.replace("’", "'"), self._language)
        pairs = ((span, self._term(token[span[0] : span[1]])) for span in spans)
        return [(span, term) for span, term in pairs if term]

    def _term(self, surface: str) -> str:
        if surface.isalpha():
            return self._stem(fold(surface))[:LONGEST_TERM]
        plain = fold(surface.replace("’", "'")).removesuffix("'s")
        for joint in "_-',":
            plain = plain.replace(joint, "")
        if "." in plain and all(len(part) <= 1 for part in plain.split(".")):
            plain = plain if any(map(str.isdigit, plain)) else plain.replace(".", "")
        # node.js and utf8 are names, not inflected words; marks (हिन्दी) are not letters to isalpha.
        named = plain.isascii() and not plain.isalpha()
        return (plain if named else self._stem(plain))[:LONGEST_TERM]


@cache
def _open_terms(language: str) -> _Terms:
    return _Terms(language)
