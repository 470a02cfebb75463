"""What do the ranking signals look at? The first hits with their names, folders, text and facts."""

import json
import math
import os
import sqlite3
from collections.abc import Sequence

from engine.rank import Candidate
from engine.rank.rules import Facts, measure_proximity
from engine.search.combine import Fused
from engine.store.terms import decode

TITLE, HEADING, PATH, BODY = range(4)  # where a word was found, the telling place first

_DOCUMENT = "SELECT name, path, author, tags, modified FROM documents WHERE id = ?"
_PASSAGE = """
SELECT chunks.tokens, chunks.trail_length, sections.depth
FROM chunks JOIN sections ON sections.id = section_id WHERE chunks.id = ?
"""
_FREQUENCY = "SELECT count(*) FROM passages_fts WHERE passages_fts MATCH ?"
_PASSAGES = "SELECT count(*) FROM chunks"


def describe(connection: sqlite3.Connection, one: Fused) -> Candidate:
    """The hit as signals see it, by its best passage."""
    row = connection.execute(_DOCUMENT, (one.document_id,)).fetchone()
    if row is None:
        return Candidate("")
    name, path, author, tags, modified = row
    passage = connection.execute(_PASSAGE, (one.chunks[0] if one.chunks else 0,)).fetchone()
    words = decode(connection, passage[0]) if passage else []
    trail, depth = (passage[1], max(passage[2], 1)) if passage else (0, 1)
    folders = tuple(part for part in os.path.dirname(path).split("/") if part)
    return Candidate(
        name,
        folders,
        headings=((depth, tuple(words[:trail])),) if trail else (),
        terms=words[trail:],
        author=author,
        tags=tuple(json.loads(tags)),
        modified=modified,
    )


def state_facts(hit: Candidate, asked: Sequence[Sequence[str]], sort: float, fuzzy: bool) -> Facts:
    """What the ordered rules look at; `asked` are each word's terms, its own first."""
    places = [[place for place, term in enumerate(hit.terms) if term in some] for some in asked]
    headings = {term for _, terms in hit.headings for term in terms}
    folders = " ".join((*hit.folders, hit.name)).lower()
    where = [
        HEADING if headings.intersection(some)
        else BODY if found
        else PATH if any(term in folders for term in some)
        else None
        for some, found in zip(asked, places, strict=True)
    ]  # fmt: skip
    found = [place for place in where if place is not None]
    present = {*hit.terms, *headings}
    return Facts(
        words=len(found),
        typos=len(found) if fuzzy else 0,
        proximity=measure_proximity(places),
        attribute=min(found, default=BODY),
        sort=sort,
        exactness=sum(bool(some) and some[0] in present for some in asked),
    )


def read_idf(connection: sqlite3.Connection, terms: Sequence[str]) -> dict[str, float]:
    """How rare each term is among passages: the logarithm of 1 + passages / (1 + those with it)."""
    total = connection.execute(_PASSAGES).fetchone()[0]
    idf: dict[str, float] = {}
    for term in terms:
        quoted = '"' + term.replace('"', '""') + '"'
        found = connection.execute(_FREQUENCY, (quoted,)).fetchone()[0]
        idf[term] = math.log(1.0 + total / (1.0 + found))
    return idf
