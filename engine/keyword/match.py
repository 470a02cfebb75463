"""Which documents does a query's tree leave, and what of it scores?

Operators are strict at the level of documents: `a AND b` holds where one document has both, in
whatever passages or fields; `NOT a` holds for every document that has a nowhere, so the two always
divide the documents between them. Phrases, NEAR and FIRST must hold within one passage or one
field. Of plain words at least one must occur; with `+word` those are required, the others rank.

A leaf's documents come from the postings; phrases and NEAR from FTS5, which knows positions, or for
common words from the token stream; order, slop and FIRST are then verified from the tokens.
Everything that is not negated scores.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, product

import numpy as np

from engine.cancel import check_cancelled
from engine.keyword.compile import Compiler, Leaf
from engine.keyword.fallback import quote
from engine.keyword.fields import ANYWHERE, SCOPES, Scope, narrow
from engine.keyword.forward import read_some_documents, read_some_passages
from engine.keyword.layer import Layer, Mask, Places
from engine.keyword.positions import Occurrences, Part, TokenPlaces
from engine.keyword.scoring.weighing import Weighing
from engine.keyword.segment import FindColumns, Integers, Tokens
from engine.keyword.stream import near_columns, sequence_columns
from engine.keyword.view import View, places_of
from engine.keyword.words import Found, Memo, Word, gather_word, mask_weights
from engine.query import nodes
from engine.store.database import Database

COMMON_SHARE = 0.6  # of all passages: rarer words cost FTS5 less than one look at all tokens
COMMON_LINES = 3  # such looks
COMBINATIONS = 64  # of alternatives in one phrase or NEAR that FTS5 is asked for


@dataclass(slots=True)
class Matched:
    """What the tree says: the documents it leaves, the words that score, how they were found."""

    documents: Mask
    words: list[Word] = field(default_factory=list)
    flags: set[str] = field(default_factory=set)


class Matcher:
    """Walks one tree over one view."""

    def __init__(
        self,
        database: Database,
        view: View,
        compiler: Compiler,
        *,
        typed_end: int,
        weighing: Weighing,
    ) -> None:
        self._connection = database.connection()
        self._view = view
        self._compiler = compiler
        self._typed_end = typed_end  # where a word under the cursor ends; -1: none
        self._living = view.living_documents()
        self._weighing = weighing
        self.memo: Memo = {}
        self.words: list[Word] = []
        self.flags: set[str] = set()

    def match(self, tree: nodes.Node) -> Matched:
        """The documents that the whole tree leaves."""
        return Matched(self._walk(tree, ANYWHERE, scores=True), self.words, self.flags)

    def phrase_documents(self, words: Sequence[str]) -> Mask:
        """The documents that hold all the words as one phrase, in a passage or a field."""
        phrase = nodes.Phrase(tuple(words))
        parts = tuple(nodes.Word(word) for word in words)
        return self._positional(phrase, parts, ANYWHERE, scores=False)

    def _walk(self, node: nodes.Node, scope: Scope, *, scores: bool) -> Mask:
        check_cancelled()
        match node:
            case nodes.Not(part=part):
                return self._living & ~self._walk(part, scope, scores=False)
            case nodes.Must(part=part):
                return self._walk(part, scope, scores=scores)
            case nodes.Field(name=name, part=part):
                return self._walk(part, narrow(scope, SCOPES[name]), scores=scores)
            case nodes.And(parts=parts):
                return self._all([self._walk(one, scope, scores=scores) for one in parts])
            case nodes.Or(parts=parts):
                return self._any([self._walk(one, scope, scores=scores) for one in parts])
            case nodes.Words(parts=parts):
                return self._soft(parts, scope, scores=scores)
            case nodes.Quorum(count=count, parts=parts):
                masks = [self._walk(one, scope, scores=scores) for one in parts]
                held = np.zeros(len(self._living), np.int64)
                for mask in masks:
                    held += mask
                return self._living & (held >= count)
            case nodes.Phrase():
                parts = tuple(nodes.Word(word) for word in node.words)
                return self._positional(node, parts, scope, scores=scores)
            case nodes.Near(parts=parts):
                return self._positional(node, parts, scope, scores=scores)
            case nodes.First(part=part):
                return self._positional(node, (part,), scope, scores=scores)
        if isinstance(node, nodes.Leaf):
            return self._leaf(node, scope, scores=scores)
        return self._living

    def _all(self, masks: Sequence[Mask]) -> Mask:
        result = self._living
        for mask in masks:
            result = result & mask
        return result

    def _any(self, masks: Sequence[Mask]) -> Mask:
        result = np.zeros(len(self._living), bool)
        for mask in masks:
            result |= mask
        return result

    def _soft(self, parts: Sequence[nodes.Node], scope: Scope, *, scores: bool) -> Mask:
        required: list[Mask] = []
        optional: list[Mask] = []
        for part in parts:
            mask = self._walk(part, scope, scores=scores)
            (required if isinstance(part, nodes.Must | nodes.Not) else optional).append(mask)
        if any(isinstance(part, nodes.Must) for part in parts) or not optional:
            return self._all(required)
        return self._all([self._any(optional), *required])

    def _leaf(self, node: nodes.Leaf, scope: Scope, *, scores: bool) -> Mask:
        typing = isinstance(node, nodes.Word) and node.end == self._typed_end
        leaf = self._compiler.compile(node, typing=typing)
        self.flags |= leaf.flags
        words = [replace(word, scope=scope) for word in leaf.words]
        if leaf.loose:
            self.words += words if scores else ()
            return self._any([self._holding(word) for word in words])
        if not leaf.sequences:
            self.words += words if scores else ()
            return self._holding(words[0])
        found = self._compound(leaf, scope)
        self.words += [replace(word, found=found) for word in words] if scores else ()
        return self._owners(found)

    def _compound(self, leaf: Leaf, scope: Scope) -> Found:
        """Where one of the wholes stands, or all the parts as neighbours."""
        expressions = [
            " + ".join(quote(one.term) for one in sequence)
            for sequence in leaf.sequences
            if all(one.term_id for one in sequence)
        ]
        whole = leaf.whole.choices if leaf.whole else ()
        expressions += [quote(one.term) for one in whole if one.term_id]
        return self._by_phrases(expressions, scope) if expressions else Found(_NONE, _NONE)

    def _holding(self, word: Word) -> Mask:
        """The documents that hold any choice of the word within its scope."""
        mask = np.zeros(len(self._living), bool)
        if any(word.scope.passage):
            weights = self._weights(self._weighing.passage_weights, word.scope.passage)
            units = self._gather(self._view.passages, word, weights)
            mask[self._view.unit_documents[units]] = True
        if any(word.scope.document):
            weights = self._weights(self._weighing.document_weights, word.scope.document)
            units = self._gather(self._view.documents, word, weights)
            mask[self._view.field_documents[units]] = True
        return mask

    def _weights(self, weights: Sequence[float], on: Sequence[bool]) -> tuple[float, ...]:
        """As in scoring, so that the work is shared, unless scoring leaves out a field."""
        masked = mask_weights(weights, on)
        return masked if all(weights) else tuple(1.0 if one else 0.0 for one in on)

    def _gather(self, layer: Layer, word: Word, weights: tuple[float, ...]) -> Places:
        norms = layer.field_factors(self._weighing.scorer)
        return gather_word(layer, word, weights, self.memo, norms)[0]

    def _owners(self, found: Found) -> Mask:
        mask = np.zeros(len(self._living), bool)
        mask[self._view.unit_documents[found.units]] = True
        mask[found.documents] = True
        return mask

    def _positional(
        self, node: nodes.Node, parts: Sequence[nodes.Node], scope: Scope, *, scores: bool
    ) -> Mask:
        """Phrase, NEAR or FIRST: the units where it holds, and its words scored in them only."""
        compiled = [self._sequences(part) for part in parts]
        words = [word for _, leaf in compiled for word in leaf]
        found = Found(_NONE, _NONE)
        if all(alternatives for alternatives, _ in compiled):
            found = self._where(node, [alternatives for alternatives, _ in compiled], scope)
        if scores:
            boost = getattr(node, "boost", 1.0)
            self.words += [
                replace(word, scope=scope, boost=word.boost * boost, found=found) for word in words
            ]
        return self._owners(found)

    def _sequences(self, part: nodes.Node) -> tuple[list[tuple[str, ...]], list[Word]]:
        """A part's alternatives as sequences of known terms, and its words."""
        if isinstance(part, nodes.Phrase):
            each = [self._sequences(nodes.Word(word)) for word in part.words]
            joined = islice(product(*(alternatives for alternatives, _ in each)), COMBINATIONS)
            words = [word for _, leaf in each for word in leaf]
            terms = [tuple(term for one in combination for term in one) for combination in joined]
            return terms, words
        if not isinstance(part, nodes.Leaf):
            return [], []
        leaf = self._compiler.compile(part)
        self.flags |= leaf.flags
        whole = leaf.whole.choices if leaf.whole else ()
        found: list[tuple[str, ...]] = [(one.term,) for one in whole if one.term_id]
        found += [
            tuple(one.term for one in sequence)
            for sequence in leaf.sequences
            if all(one.term_id for one in sequence)
        ]
        return found, list(leaf.words)

    def _where(self, node: nodes.Node, parts: list[list[tuple[str, ...]]], scope: Scope) -> Found:
        phrases = [[" + ".join(quote(term) for term in one) for one in part] for part in parts]
        joined = islice(product(*phrases), COMBINATIONS)
        match node:
            case nodes.Phrase(slop=0):
                expressions = [" + ".join(one) for one in joined]
                return self._among_tokens(node, parts, expressions, scope)
            case nodes.Near(ordered=False, distance=distance):
                expressions = [f"NEAR({' '.join(one)}, {distance})" for one in joined]
                return self._among_tokens(node, parts, expressions, scope)
        candidates = self._by_phrases(
            [" AND ".join(f"({' OR '.join(part)})" for part in phrases)], scope
        )
        return self._verify(node, [self._numbers(part) for part in parts], scope, candidates)

    def _line(self, sequences: tuple[tuple[str, ...], ...]) -> list[int]:
        return [self._compiler.find_term(term) for one in sequences for term in one]

    def _are_common(self, lines: Sequence[list[int]]) -> bool:
        """Whether FTS5 would have to walk through a large part of all positions."""
        layer = self._view.passages
        least = len(layer.ids) * COMMON_SHARE
        return len(lines) <= COMMON_LINES and all(
            min(layer.document_frequency(term) for term in line) > least and layer.has_codes(line)
            for line in lines
        )

    def _among_tokens(
        self,
        node: nodes.Phrase | nodes.Near,
        parts: list[list[tuple[str, ...]]],
        expressions: Sequence[str],
        scope: Scope,
    ) -> Found:
        """As `_by_phrases`; where all words are common the passages' tokens are looked through."""
        lines = [self._line(one) for one in islice(product(*parts), COMBINATIONS)]
        pair = len(parts) == 2 and all(len(line) == 2 for line in lines)
        if (isinstance(node, nodes.Near) and not pair) or not self._are_common(lines):
            return self._by_phrases(expressions, scope)
        fields = np.flatnonzero(scope.passage).tolist()
        look: FindColumns = sequence_columns
        if isinstance(node, nodes.Near):
            look = partial(near_columns, distance=node.distance)
        units = [self._view.passages.find_columns(look, line, fields) for line in lines]
        joined = units[0] if len(units) == 1 else np.unique(np.concatenate(units))
        return Found(joined, self._named(look, lines, expressions, scope))

    def _named(
        self,
        look: FindColumns,
        lines: Sequence[list[int]],
        expressions: Sequence[str],
        scope: Scope,
    ) -> Places:
        """The documents whose title, name, path, tags or author it is."""
        layer = self._view.documents
        if not all(layer.has_codes(line) for line in lines):
            return self._by_phrases(expressions, replace(scope, passage=(False, False))).documents
        fields = np.flatnonzero(scope.document).tolist()
        found = [layer.find_columns(look, line, fields) for line in lines]
        documents = np.unique(self._view.field_documents[np.concatenate(found)])
        return documents[self._living[documents]]

    def _numbers(self, part: list[tuple[str, ...]]) -> Part:
        return [[self._compiler.find_term(term) for term in sequence] for sequence in part]

    def _by_phrases(self, expressions: Sequence[str], scope: Scope) -> Found:
        """Units and documents that FTS5 finds for any of the expressions within the scope."""
        expression = " OR ".join(f"({one})" for one in expressions)
        units: Places = _NONE
        documents: Places = _NONE
        if columns := scope.passage_columns():
            ids = self._ask("passages_fts", columns, expression)
            layer = self._view.passages
            units = places_of(layer.ids, ids)
            units = units if layer.alive is None else units[layer.alive[units]]
        if columns := scope.document_columns():
            ids = self._ask("documents_fts", columns, expression)
            documents = places_of(self._view.document_ids, ids)
            documents = documents[self._living[documents]]
        return Found(units, documents)

    def _ask(self, table: str, columns: Sequence[str], expression: str) -> Integers:
        scoped = f"{{{' '.join(columns)}}} : ({expression})"
        rows = self._connection.execute(
            f"SELECT rowid FROM {table} WHERE {table} MATCH ? ORDER BY rowid", (scoped,)
        ).fetchall()
        return np.fromiter((row[0] for row in rows), np.int64, len(rows))

    def _verify(
        self, node: nodes.Node, parts: Sequence[Part], scope: Scope, candidates: Found
    ) -> Found:
        """Of the candidates, those whose tokens stand as the node wants."""
        units = candidates.units
        if isinstance(node, nodes.First):
            units = units[self._words_before(units) < node.within]
        chunks = self._view.unit_chunks[units]
        owners = self._view.document_ids[candidates.documents]
        passages = read_some_passages(self._connection, chunks.tolist())
        fields = read_some_documents(self._connection, owners.tolist())
        kept = self._fitting(node, parts, passages, scope.passage, passages=True)
        named = self._fitting(node, parts, fields, scope.document, passages=False)
        return Found(
            places_of(self._view.passages.ids, passages.ids[kept]),
            places_of(self._view.document_ids, fields.ids[named]),
        )

    def _fitting(
        self,
        node: nodes.Node,
        parts: Sequence[Part],
        forward: Tokens,
        on: Sequence[bool],
        *,
        passages: bool,
    ) -> Integers:
        if not len(forward.ids):
            return _NONE
        places = TokenPlaces(forward)
        found = [places.find(part, np.flatnonzero(on).tolist()) for part in parts]
        match node:
            case nodes.First(within=within):
                before = np.zeros(len(forward.ids), np.int64)
                if passages:
                    before = self._words_before(places_of(self._view.passages.ids, forward.ids))
                return _among_first(places, found[0], before, within)
            case nodes.Near(distance=distance):
                return places.units_in_order(found, distance, slop=False)
            case nodes.Phrase(slop=slop):
                return places.units_in_order(found, slop, slop=True)
        return _NONE

    def _words_before(self, units: Places) -> Integers:
        """How many body words of its document stand before each of these passages."""
        body = self._view.passages.field_lengths[1].astype(np.int64)
        before = np.cumsum(body) - body
        first = self._view.first_units[self._view.unit_documents[units]]
        ahead: Integers = before[units] - before[first]
        return ahead


_NONE: Places = np.zeros(0, np.intp)


def _among_first(places: TokenPlaces, part: Occurrences, before: Integers, within: int) -> Integers:
    units, offsets = places.earliest(part)
    return units[offsets + before[units] < within]
