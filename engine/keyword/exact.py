"""Which passages hold exactly these characters? Substrings, case and accents composed alike.

The index's words narrow the search: whole words inside the text must occur as they are, its first
word may be the end of a longer one and its last the beginning. What is left is verified in the
passages' own text. Text without a single word (`->`, `!!!`) is looked for by the database itself.
"""

import re
import unicodedata
from itertools import islice

import numpy as np

from engine.keyword.answer import Ask
from engine.keyword.compile import Compiler
from engine.keyword.hits import KeywordHits, empty_hits
from engine.keyword.layer import Mask, Places
from engine.keyword.view import View, places_of
from engine.keyword.vocabulary import Vocabulary
from engine.keyword.words import Choice, Memo, Word, gather_word
from engine.query import nodes
from engine.store.database import Database

MOST_TERMS = 5000
MOST_CANDIDATES = 20_000  # passages whose text is read; beyond it the answer is capped
FRESH = 2000  # passages newer than the snapshot are read in any case: their forms are not known yet
_SOME = 500
_WORD = re.compile(r"\w+")


def normal(text: str) -> str:
    """NFC and case folded: what two texts are compared in."""
    return unicodedata.normalize("NFC", text).casefold()


class ExactSearch:
    """Looks for one text over one view."""

    def __init__(
        self, database: Database, view: View, vocabulary: Vocabulary, compiler: Compiler
    ) -> None:
        self._connection = database.connection()
        self._view = view
        self._vocabulary = vocabulary
        self._compiler = compiler

    def search(self, text: str, ask: Ask) -> KeywordHits:
        """Passages that hold the text, most occurrences first; score is their number."""
        wanted = normal(text)
        if not wanted.strip():
            return empty_hits((text,))
        capped = False
        units = self._candidates(text)
        if units is None:
            units = self._scan(text)
        elif len(units) > MOST_CANDIDATES:
            units, capped = units[:MOST_CANDIDATES], True
        if ask.allowed is not None:
            allowed = self._view.document_mask(ask.allowed)
            units = units[allowed[self._view.unit_documents[units]]]
        counts = self._count(units, wanted, ask)
        return self._hits(text, units[counts > 0], counts[counts > 0], ask, capped=capped)

    def _candidates(self, text: str) -> Places | None:
        """Passages that may hold the text; None when it has no word to look for."""
        words = _WORD.findall(text)
        if not words:
            return None
        holding: list[Mask] = []
        starts_inside = text[0].isalnum()
        ends_inside = text[-1].isalnum()
        for number, word in enumerate(words):
            open_start = number == 0 and starts_inside
            open_end = number == len(words) - 1 and ends_inside
            choices = self._choices(word, open_start=open_start, open_end=open_end)
            if choices is not None:
                holding.append(self._units_with(choices))
        if not holding:
            return None
        mask = np.logical_and.reduce(holding)
        self._add_fresh(mask)
        return np.flatnonzero(mask)

    def _choices(self, word: str, *, open_start: bool, open_end: bool) -> tuple[Choice, ...] | None:
        """The terms that a part of the text may stand in; None: too many to narrow anything."""
        found: dict[int, Choice] = {}
        leaf = self._compiler.compile(nodes.Word(word))
        for one in leaf.words:
            found.update((choice.term_id, choice) for choice in one.choices if choice.term_id)
        if open_start or open_end:
            pattern = f"{'*' if open_start else ''}{word}{'*' if open_end else ''}"
            expansions = self._vocabulary.expand_wildcard(pattern, MOST_TERMS)
            if expansions.capped:
                return None
            found.update((e.term_id, Choice(e.form, e.term_id)) for e in expansions.found)
        return tuple(found.values())

    def _units_with(self, choices: tuple[Choice, ...]) -> Mask:
        memo: Memo = {}
        mask = np.zeros(len(self._view.passages.ids), bool)
        if choices:
            mask[gather_word(self._view.passages, Word("", choices), (1.0, 1.0), memo)[0]] = True
        return mask

    def _add_fresh(self, mask: Mask) -> None:
        layer = self._view.passages
        base = layer.segments[0].size if len(layer.segments) > 1 else 0
        if 0 < len(mask) - base <= FRESH:
            mask[base:] = True if layer.alive is None else layer.alive[base:]

    def _scan(self, text: str) -> Places:
        rows = self._connection.execute(
            "SELECT id FROM chunks WHERE instr(text, ?) > 0 ORDER BY id LIMIT ?",
            (text, MOST_CANDIDATES),
        ).fetchall()
        ids = np.array([row[0] for row in rows], np.int64)
        return places_of(self._view.passages.ids, ids)

    def _count(self, units: Places, wanted: str, ask: Ask) -> Places:
        """How often each passage's text holds it."""
        found: dict[int, int] = {}
        rest = iter(self._view.unit_chunks[units].tolist())
        while (batch := list(islice(rest, _SOME))) and not ask.is_cancelled():
            marks = ",".join("?" * len(batch))
            rows = self._connection.execute(
                f"SELECT id, text FROM chunks WHERE id IN ({marks})", batch
            )
            found.update((number, normal(text).count(wanted)) for number, text in rows)
        ids = self._view.unit_chunks[units].tolist()
        return np.array([found.get(number, 0) for number in ids], np.intp)

    def _hits(
        self, text: str, units: Places, counts: Places, ask: Ask, *, capped: bool
    ) -> KeywordHits:
        order = np.lexsort((units, -counts))
        owners = self._view.unit_documents[units]
        total = len(np.unique(owners))
        kept: list[int] = []
        seen: dict[int, int] = {}
        for place in order.tolist():
            owner = int(owners[place])
            if (owner in seen or len(seen) < ask.limit) and seen.get(owner, 0) < ask.per_document:
                seen[owner] = seen.get(owner, 0) + 1
                kept.append(place)
        chosen = np.array(kept, np.intp)
        return KeywordHits(
            self._view.unit_chunks[units[chosen]],
            self._view.document_ids[owners[chosen]],
            counts[chosen].astype(np.float32),
            np.ones(len(chosen), np.uint64),
            (text,),
            (),
            total,
            frozenset({"capped"}) if capped else frozenset(),
        )
