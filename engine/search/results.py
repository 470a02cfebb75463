"""What does a person see of a hit? Its row, its passages cut to snippets, its marks."""

import json
import os
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.models import Location, Result, Snippet
from engine.search.combine import Fused
from engine.search.snippet import cut_snippet, mark_terms
from engine.store.documents import TRAIL_JOINT

_DOCUMENTS = """
SELECT id, uid, path, name, title, format, language, size, modified, created, metadata, tags, author
FROM documents WHERE id IN ({marks})
"""
_CHUNKS = """
SELECT chunks.id, chunks.document_id, chunks.text, chunks.trail, chunks.line, sections.title,
    sections.kind, sections.number
FROM chunks JOIN sections ON sections.id = chunks.section_id WHERE chunks.id IN ({marks})
"""
_FIRST = "SELECT id FROM chunks WHERE document_id = ? ORDER BY position LIMIT 1"


@dataclass(frozen=True, slots=True)
class Shown:
    """What to mark and how much to show."""

    terms: Collection[str]  # the query's terms, as the index has them
    words: tuple[str, ...]  # as typed
    snippets: int
    scored: bool = False  # whatever meaning found was looked up by words as well

    def terms_in(self, one: Fused) -> Collection[str]:
        """What may stand in this document."""
        # Only what meaning brought: some models score a word that is there at nought or below.
        alone = self.scored and one.by_meaning and one.keyword == 0.0
        return () if alone else self.terms


def build_results(
    connection: sqlite3.Connection, fused: Sequence[Fused], shown: Shown, first_rank: int
) -> list[Result]:
    """One result for each fused document, in their order; documents gone meanwhile are left out."""
    rows = _load(connection, _DOCUMENTS, [one.document_id for one in fused])
    chosen = {one.document_id: _choose_chunks(connection, one, shown.snippets) for one in fused}
    chunks = _load(connection, _CHUNKS, [chunk for some in chosen.values() for chunk in some])
    results: list[Result] = []
    for one in fused:
        row = rows.get(one.document_id)
        if row is not None:
            passages = [chunks[chunk] for chunk in chosen[one.document_id] if chunk in chunks]
            results.append(_build(one, row, passages, shown, first_rank + len(results)))
    return results


def _load(
    connection: sqlite3.Connection, query: str, ids: Sequence[int]
) -> Mapping[int, tuple[Any, ...]]:
    found: dict[int, tuple[Any, ...]] = {}
    for start in range(0, len(ids), 500):
        batch = list(ids[start : start + 500])
        rows = connection.execute(query.format(marks=",".join("?" * len(batch))), batch)
        found.update((row[0], row) for row in rows)
    return found


def _choose_chunks(connection: sqlite3.Connection, one: Fused, count: int) -> list[int]:
    """The passages to show; a document found by its name alone shows its beginning."""
    best = [chunk for chunk in one.chunks if chunk][:count]
    if not best:
        first = connection.execute(_FIRST, (one.document_id,)).fetchone()
        best = [first[0]] if first else []
    return best


def _build(
    one: Fused, row: tuple[Any, ...], passages: Sequence[tuple[Any, ...]], shown: Shown, rank: int
) -> Result:
    (_, uid, path, name, title, kind, language, size, modified, created, metadata, tags, author) = (
        row
    )
    terms = shown.terms_in(one)
    snippets = tuple(_snippet(passage, language, terms) for passage in passages)
    title_marks = mark_terms(title, language, terms)
    name_marks = mark_terms(name, language, terms)
    offset = len(path) - len(os.path.basename(path))
    matched = []
    if title_marks or name_marks:
        matched.append("name")
    if any(snippet.highlights for snippet in snippets) or (one.keyword and not matched):
        matched.append("word")
    if one.semantic > 0 and one.by_meaning:
        matched.append("meaning")
    return Result(
        rank=rank,
        id=uid,
        path=path,
        title=title,
        score=one.score,
        keyword_score=one.keyword,
        semantic_score=one.semantic,
        snippets=snippets,
        kind=kind,
        language=language,
        size=size,
        modified=modified,
        created=created,
        matched=tuple(matched),
        terms=_found_words(shown, snippets, title, title_marks),
        title_highlights=title_marks,
        path_highlights=tuple((start + offset, end + offset) for start, end in name_marks),
        metadata={**json.loads(metadata), "tags": json.loads(tags), "author": author},
        why=one.why,
    )


def _snippet(passage: tuple[Any, ...], language: str, terms: Collection[str]) -> Snippet:
    chunk, _, text, trail, line, heading, kind, number = passage
    cut, marks = cut_snippet(text, language, terms)
    location = Location(
        heading, tuple(trail.split(TRAIL_JOINT)) if trail else (), kind, number, line
    )
    return Snippet(cut, marks, location, chunk)


def _found_words(
    shown: Shown, snippets: Sequence[Snippet], title: str, title_marks: Sequence[tuple[int, int]]
) -> tuple[str, ...]:
    """The marked words, as they stand in the document, once each."""
    found: dict[str, None] = {}
    for snippet in snippets:
        for start, end in snippet.highlights:
            found.setdefault(snippet.text[start:end].lower())
    for start, end in title_marks:
        found.setdefault(title[start:end].lower())
    return tuple(found)
