"""Which terms does each part of a query stand for? Leaves of the tree as words with choices.

A plain word is found as its stem in each language of the index. Patterns, typos and sounds go
through the vocabulary's written forms. Where a word is several terms (error-handling, or Chinese by
pairs) it scores as each of them, where their sequence stands; a whole sentence without spaces is
taken loosely, like plain words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.keyword.vocabulary import Expansion, Expansions, Vocabulary
from engine.keyword.words import Choice, Word
from engine.query import nodes
from engine.store.database import Database
from engine.text import analyse, prefix_terms, query_alternatives, query_terms, short_run
from engine.text.cjk import is_unspaced
from engine.text.distance import max_edits
from engine.text.languages import find_language
from engine.text.normalise import fold, to_nfkc

PREFIX_TERMS = 64
PREFIX_POSTINGS = 60_000  # passages that a beginning may touch: more takes longer than a keystroke
FUZZY_TERMS = 50
PATTERN_TERMS = 1000
LOOSE_GRAMS = 3  # more n-grams than a word has: a run of Chinese or Thai is then a sentence
CROWDED = 50  # passages: from here on a stem that the word's own forms deny is left out


@dataclass(frozen=True, slots=True)
class Leaf:
    """A leaf, compiled: how it scores, and how it is found where it must occur."""

    words: tuple[Word, ...]
    whole: Word | None  # one of its choices alone stands for the leaf
    sequences: tuple[tuple[Choice, ...], ...] = ()  # and so does one of these, as neighbours
    loose: bool = False  # a sentence without spaces: any of its words will do
    flags: frozenset[str] = frozenset()


class Compiler:
    """Knows the vocabulary and the languages; one for each question."""

    def __init__(
        self, database: Database, vocabulary: Vocabulary, languages: Sequence[str], *, fuzzy: bool
    ) -> None:
        self._connection = database.connection()
        self._vocabulary = vocabulary
        self._languages = tuple(languages) or ("en",)
        self._fuzzy = fuzzy

    def find_term(self, term: str) -> int:
        """The vocabulary number of a term; 0 when the index has never met it."""
        row = self._connection.execute(_FIND, (term,)).fetchone()
        return int(row[0]) if row else 0

    def compile(self, node: nodes.Leaf, *, typing: bool = False) -> Leaf:
        """The leaf's words; `typing`: it is the word under the cursor, perhaps unfinished."""
        match node:
            case nodes.Word(text=text):
                return self._beginning(text, node.boost) if typing else self._word(text, node.boost)
            case nodes.Prefix(text=text):
                return self._beginning(text, node.boost, strict=True)
            case nodes.Wildcard(pattern=pattern):
                found = self._vocabulary.expand_wildcard(pattern, PATTERN_TERMS)
                return self._expanded(pattern, found, node.boost)
            case nodes.Regex(pattern=pattern):
                found = self._vocabulary.expand_regex(pattern, PATTERN_TERMS)
                return self._expanded(pattern, found, node.boost)
            case nodes.Sounds(word=word):
                found = self._vocabulary.expand_sound(word, FUZZY_TERMS)
                return self._expanded(word, found, node.boost)
            case nodes.Fuzzy(word=word, edits=edits):
                return self._typo(word, edits, node.boost)
        raise AssertionError(f"phrases are matched by their words: {node}")

    def _word(self, text: str, boost: float) -> Leaf:
        inner = short_run(text)
        if inner is not None:
            return self._expanded(text, self._vocabulary.expand_infix(inner, PATTERN_TERMS), boost)
        alternatives = _alternatives(text, self._languages)
        single = self._faithful(text, [one[0] for one in alternatives if len(one) == 1])
        if self._fuzzy and not any(choice.term_id for choice in single):
            return self._typo(text, None, boost)
        whole = Word(text, tuple(single), boost) if single else None
        words = [whole] if whole else []
        sequences = [
            tuple(Choice(term, self.find_term(term)) for term in one)
            for one in alternatives
            if len(one) > 1
        ]
        known = {choice.term for choice in single}
        for sequence in sequences:
            for choice in sequence:
                if choice.term not in known:
                    known.add(choice.term)
                    words.append(Word(text, (choice,), boost))
        loose = len(words) > LOOSE_GRAMS and any(map(is_unspaced, to_nfkc(text)))
        return Leaf(tuple(words) or (Word(text, (), boost),), whole, tuple(sequences), loose=loose)

    def _faithful(self, text: str, terms: Iterable[str]) -> list[Choice]:
        """The stems without those that only another language's rules make of this word."""
        choices = [Choice(term, self.find_term(term)) for term in dict.fromkeys(terms)]
        if len(choices) < 2:
            return choices
        forms = {one.term_id: one.frequency for one in self._vocabulary.find_forms(text)}
        if not forms:
            return choices
        kept = [
            choice
            for choice in choices
            if choice.term_id in forms or self._frequency(choice.term) < CROWDED
        ]
        return kept or choices

    def _frequency(self, term: str) -> int:
        return max((one.frequency for one in self._vocabulary.find_forms(term)), default=0)

    def _beginning(self, text: str, boost: float, *, strict: bool = False) -> Leaf:
        """Words that begin so. While typing, the word as it stands counts more than those."""
        whole = self._word(text, boost)
        folded, stems = _prefix_terms(text, self._languages)
        limit = PATTERN_TERMS if strict else PREFIX_TERMS
        found = self._vocabulary.expand_prefix(folded, limit)
        exact = _choices(whole.whole)
        rest = {
            choice.term: choice
            for choice in (
                *(Choice(stem, self.find_term(stem), exact=False) for stem in stems),
                *(self._choice(one, exact=False) for one in found.found),
            )
            if choice.term_id and choice.term not in exact
        }
        if not strict:
            rest = self._within_budget(rest, found.found)
        choices = (*exact.values(), *rest.values())
        flags = {"expanded"} | ({"capped"} if found.capped and strict else set())
        word = Word(text, choices, boost)
        others = whole.words[1:] if whole.whole else whole.words
        return Leaf((word, *others), word, whole.sequences, whole.loose, frozenset(flags))

    def _within_budget(
        self, choices: dict[str, Choice], found: Sequence[Expansion]
    ) -> dict[str, Choice]:
        """The commonest completions that can be added up within a keystroke."""
        frequency = {one.term_id: one.frequency for one in found}
        kept: dict[str, Choice] = {}
        spent = 0
        for term, choice in choices.items():
            spent += frequency.get(choice.term_id, 0)
            if kept and spent > PREFIX_POSTINGS:
                break
            kept[term] = choice
        return kept

    def _typo(self, text: str, edits: int | None, boost: float) -> Leaf:
        """The word and its neighbours; what is further away counts less."""
        key = fold(to_nfkc(text))
        most = max_edits(key) if edits is None else edits
        exact = _choices(Word(text, tuple(self._exact(text))))
        near = self._vocabulary.expand_fuzzy(text, most, FUZZY_TERMS) if most else Expansions(())
        choices = dict(exact)
        for one in near.found:
            weight = 1.0 / (1.0 + one.distance)
            choice = self._choice(one, exact=one.distance == 0, weight=weight)
            choices.setdefault(choice.term, choice)
        word = Word(text, tuple(choices.values()), boost)
        return Leaf((word,), word, flags=frozenset({"fuzzy"}))

    def _exact(self, text: str) -> list[Choice]:
        return self._faithful(text, query_terms(text, self._languages))

    def _expanded(self, text: str, found: Expansions, boost: float) -> Leaf:
        key = fold(to_nfkc(text))
        choices = tuple(self._choice(one, exact=one.form == key) for one in found.found)
        flags = {"expanded", "capped"} if found.capped else {"expanded"}
        word = Word(text, choices, boost)
        return Leaf((word,), word, flags=frozenset(flags))

    def _choice(self, one: Expansion, *, exact: bool, weight: float = 1.0) -> Choice:
        row = self._connection.execute(_NAME, (one.term_id,)).fetchone()
        return Choice(row[0] if row else one.form, one.term_id, weight, exact)


@lru_cache(4096)
def _alternatives(text: str, languages: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """`query_alternatives`, kept: whoever types asks for the earlier words at every keystroke."""
    found: dict[tuple[str, ...], None] = {}
    for code in _distinct(languages) if _is_plain(text) else languages:
        terms = tuple(analyse(text, code))
        many = query_alternatives(text, (code,)) if len(terms) > 1 else (terms,)
        found.update(dict.fromkeys(one for one in many if one))
    return tuple(found)


@lru_cache(1024)
def _prefix_terms(text: str, languages: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    return prefix_terms(text, _distinct(languages) if _is_plain(text) else languages)


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isalpha()


@lru_cache(64)
def _distinct(languages: tuple[str, ...]) -> tuple[str, ...]:
    """One language for each stemmer that a plain Latin word can meet; an index may hold dozens."""
    by_stemmer: dict[str, str] = {}
    for code in languages:
        row = find_language(code)
        latin = row is None or row.script == "latin"
        by_stemmer.setdefault((row.stemmer if row else "") if latin else "english", code)
    return tuple(by_stemmer.values())


_FIND = "SELECT id FROM vocabulary WHERE term = ?"
_NAME = "SELECT term FROM vocabulary WHERE id = ?"


def _choices(word: Word | None) -> dict[str, Choice]:
    return {choice.term: choice for choice in word.choices if choice.term_id} if word else {}
