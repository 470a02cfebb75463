"""Which words of the index are meant? Beginnings, patterns, typos and sounds, as terms.

The base lexicon is part of the word snapshot; words that came later are kept beside it in small
lexicons of their own, so that a word is found as soon as it is committed. Answers come by
frequency, but for typos, where the nearer comes first. `limit` counts terms; when there are more,
the answer says so (`capped`).
"""

import fnmatch
import re
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist

from engine.keyword.forms import read_forms
from engine.keyword.lexicon import (
    Entry,
    Lexicon,
    Places,
    build_lexicon,
    lexicon_from_arrays,
    wildcard_pieces,
)
from engine.keyword.postings import LAST, Postings
from engine.keyword.view import View
from engine.store.database import Database
from engine.text.distance import max_edits
from engine.text.normalise import fold, to_nfkc
from engine.text.phonetic import sound_codes

MOST_TERMS = 200
REGEX_SECONDS = 0.05  # of looking through the vocabulary; then the answer is capped
MOST_READ = 5000  # new passages whose text is read for written forms at once
_SCAN_BLOCK = 4096


@dataclass(frozen=True, slots=True)
class Expansion:
    """One term that a pattern stands for, with the commonest form that led to it."""

    form: str
    term_id: int
    frequency: int
    distance: int = 0
    written: bool = True  # False: the index's own stem, which nobody wrote


@dataclass(frozen=True, slots=True)
class Expansions:
    """What a pattern stands for; `capped` when there would have been more."""

    found: tuple[Expansion, ...]
    capped: bool = False


class Vocabulary:
    """The words of the index, old and new."""

    def __init__(self, database: Database, postings: Postings) -> None:
        self._database = database
        self._postings = postings
        self._guard = threading.Lock()
        self._base: Lexicon | None = None
        self._identity: object = None
        self._fresh: list[tuple[list[Entry], Lexicon]] = []
        self._view: View | None = None  # up to which the newer words are known
        self._lexicons: list[Lexicon] = []
        self._last_term = 0
        self._last_read: tuple[int, ...] = (0, 0)

    def lexicons(self) -> list[Lexicon]:
        """Base and newer words, as the database is now."""
        view = self._postings.view()
        snapshot = self._postings.snapshot
        with self._guard:
            identity = snapshot.identity if snapshot else None
            if self._base is None or identity != self._identity:
                self._base = lexicon_from_arrays(snapshot.arrays, "words") if snapshot else _EMPTY
                facts = snapshot.facts if snapshot else {}
                self._last_term = int(facts.get("last_term", 0))
                self._last_read = (
                    int(facts.get("last_passage", 0)), int(facts.get("last_document", 0))
                )
                self._fresh, self._identity = [], identity
            elif view is not None and view is self._view:
                return self._lexicons
            self._learn(view)
            self._view = view
            self._lexicons = [self._base, *(lexicon for _, lexicon in self._fresh)]
            return self._lexicons

    def _learn(self, view: View | None) -> None:
        """Terms that are new, and the written forms in passages that are."""
        with self._database.read() as connection:
            names = dict(connection.execute(_NEWER, (self._last_term,)).fetchall())
            entries = [
                Entry(term, number, _frequency(view, number), False, sound_codes(term))
                for number, term in names.items()
            ]
            entries += self._new_forms(connection)
        if not entries:
            return
        self._last_term = max(names, default=self._last_term)
        while self._fresh and len(self._fresh[-1][0]) <= 2 * len(entries):
            entries = self._fresh.pop()[0] + entries
        self._fresh.append((entries, build_lexicon(entries)))

    def _new_forms(self, connection: sqlite3.Connection) -> list[Entry]:
        last = tuple(
            int(connection.execute(LAST, (name,)).fetchone()[0]) for name in ("chunks", "documents")
        )
        seen, self._last_read = self._last_read, last
        if last == seen or last[0] - seen[0] > MOST_READ:
            return []  # so many wait for the next snapshot, which reads them all
        counts: Counter[tuple[str, str]] = Counter()
        for form, term, times in read_forms(connection, *seen):
            counts[form, term] += times
        ids = {term: connection.execute(_ID, (term,)).fetchone() for _, term in counts}
        return [
            Entry(form, ids[term][0], times, True, sound_codes(form))
            for (form, term), times in counts.items()
            if ids[term]
        ]

    def expand_prefix(self, text: str, limit: int = MOST_TERMS) -> Expansions:
        """Words that begin so."""
        key = _fold(text)
        return _take([(one, one.find_prefix(key)) for one in self.lexicons()], limit)

    def expand_wildcard(self, pattern: str, limit: int = MOST_TERMS) -> Expansions:
        """Words of this shape, `*` any letters, `?` one."""
        folded = _fold(pattern)
        pieces = wildcard_pieces(folded)
        # fnmatch writes atomic groups: many stars cannot make it backtrack.
        shape = re.compile(fnmatch.translate(folded.replace("[", "[[]")))
        return self._matching(shape, lambda one: one.find_pieces(pieces), limit)

    def expand_regex(self, pattern: str, limit: int = MOST_TERMS) -> Expansions:
        """Words that the expression matches from end to end; the commonest words are tried first
        and the time is bounded. `find_fault` of the query room has refused what could hang."""
        shape = re.compile(pattern, re.IGNORECASE | re.DOTALL)
        literal = re.match(r"[^\W_]+(?![*?{|])", pattern, re.ASCII)
        if literal and "|" not in pattern:
            start = _fold(literal[0])
            return self._matching(shape, lambda one: one.find_prefix(start), limit)
        return self._matching(shape, lambda one: np.arange(one.size, dtype=np.intp), limit)

    def expand_infix(self, text: str, limit: int = MOST_TERMS) -> Expansions:
        """Words that hold this text anywhere."""
        return self.expand_wildcard(f"*{text.replace('*', '').replace('?', '')}*", limit)

    def expand_fuzzy(
        self, word: str, edits: int | None = None, limit: int = MOST_TERMS
    ) -> Expansions:
        """Words at most `edits` typos away (None: as many as its length allows), nearest first."""
        key = _fold(word)
        most = max_edits(key) if edits is None else edits
        found: list[Expansion] = []
        for one in self.lexicons():
            places = one.find_near(key, most)
            if len(places):
                found += _near(one, places, key, most)
        found.sort(key=lambda one: (one.distance, not one.written, -one.frequency, one.form))
        return _unique(found, limit)

    def expand_sound(self, word: str, limit: int = MOST_TERMS) -> Expansions:
        """Words that sound like it."""
        codes = sound_codes(word)
        return _take([(one, one.find_sound(codes)) for one in self.lexicons()], limit)

    def find_forms(self, word: str) -> list[Expansion]:
        """The entries of exactly this form."""
        key = _fold(word)
        found: list[Expansion] = []
        for one in self.lexicons():
            found += _expansions(one, one.find_exact(key))
        return found

    def complete(self, prefix: str, limit: int) -> list[tuple[str, int]]:
        """Words as written that begin so, and how often each was met, the commonest first."""
        key = _fold(prefix)
        counts: Counter[str] = Counter()
        for one in self.lexicons():
            places = one.find_prefix(key)
            places = one.most_frequent(places[one.written[places]], limit * 4)
            frequencies = one.frequencies[places].tolist()
            for form, times in zip(one.forms(places), frequencies, strict=True):
                counts[form] += times
        return sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:limit]

    def _matching(
        self, shape: "re.Pattern[str]", narrow: Callable[[Lexicon], Places], limit: int
    ) -> Expansions:
        """Try the narrowed entries, the commonest first, until there are enough or time is up."""
        found: list[Expansion] = []
        deadline = time.monotonic() + REGEX_SECONDS
        capped = False
        for one in self.lexicons():
            places = narrow(one)
            ordered = one.most_frequent(places, len(places))
            kept: list[int] = []
            for start in range(0, len(ordered), _SCAN_BLOCK):
                block = ordered[start : start + _SCAN_BLOCK]
                forms = one.forms(block)
                kept += [int(block[i]) for i, form in enumerate(forms) if shape.fullmatch(form)]
                if len(kept) > 4 * limit or time.monotonic() > deadline:
                    capped = capped or start + _SCAN_BLOCK < len(ordered)
                    break
            found += _expansions(one, np.array(kept, np.intp))
        found.sort(key=_commonest)
        answer = _unique(found, limit)
        return Expansions(answer.found, answer.capped or capped)


_ID = "SELECT id FROM vocabulary WHERE term = ?"
_NEWER = "SELECT id, term FROM vocabulary WHERE id > ? ORDER BY id"
_EMPTY = build_lexicon(())


def _take(parts: list[tuple[Lexicon, Places]], limit: int) -> Expansions:
    """The most frequent terms of all parts."""
    found: list[Expansion] = []
    more = False
    for one, places in parts:
        most = limit * 4  # several forms lead to one term: look further than the limit
        more = more or len(places) > most
        found += _expansions(one, one.most_frequent(places, most))
    found.sort(key=_commonest)
    answer = _unique(found, limit)
    return Expansions(answer.found, answer.capped or more)


def _expansions(lexicon: Lexicon, places: Places) -> list[Expansion]:
    rows = zip(
        lexicon.forms(places),
        lexicon.term_ids[places].tolist(),
        lexicon.frequencies[places].tolist(),
        lexicon.written[places].tolist(),
        strict=True,
    )
    return [Expansion(form, term_id, times, 0, written) for form, term_id, times, written in rows]


def _commonest(one: Expansion) -> tuple[int, bool, str]:
    return -one.frequency, not one.written, one.form


def _near(lexicon: Lexicon, places: Places, key: str, most: int) -> list[Expansion]:
    forms = lexicon.forms(places)
    distances = cdist([key], forms, scorer=OSA.distance, score_cutoff=most, dtype=np.uint8)[0]
    close = np.flatnonzero(distances <= most)
    found = _expansions(lexicon, places[close])
    return [
        replace(one, distance=int(distance))
        for one, distance in zip(found, distances[close].tolist(), strict=True)
    ]


def _unique(found: list[Expansion], limit: int) -> Expansions:
    """One a term, in the order given."""
    chosen: dict[int, Expansion] = {}
    for one in found:
        chosen.setdefault(one.term_id, one)
    kept = tuple(chosen.values())
    return Expansions(kept[:limit], len(kept) > limit)


def _fold(text: str) -> str:
    return fold(to_nfkc(text))


def _frequency(view: View | None, term_id: int) -> int:
    if view is None:
        return 1
    return view.passages.document_frequency(term_id) + view.documents.document_frequency(term_id)
