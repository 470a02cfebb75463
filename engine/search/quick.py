"""Which file is meant by its name? Quick open: every file of the ledger, photos and all.

A file whose text is not indexed (a photo, a film) is still a file that people open. In an ordinary
search such names are added behind what was found by content, and stand first when that found
nothing.
"""

import os
import sqlite3
from collections.abc import Sequence

from engine.files.identity import document_uid
from engine.keyword.names import NameHit, NameIndex
from engine.models import Result
from engine.search.snippet import Ranges

MORE_NAMES = 5
_FILE = (
    "SELECT files.size, files.mtime_ns / 1e9, documents.uid, documents.title, documents.format, "
    "documents.language FROM files LEFT JOIN documents ON documents.id = files.document_id "
    "WHERE files.path = ?"
)


def find_names(
    connection: sqlite3.Connection, names: NameIndex, text: str, limit: int, scopes: Sequence[str]
) -> list[Result]:
    """The best files for `text`, as results; scores fall from 1."""
    hits = [hit for hit in names.search(text, limit=limit).hits if _is_inside(hit.path, scopes)]
    best = hits[0].score if hits else 1.0
    return [_build(connection, hit, best, text, rank) for rank, hit in enumerate(hits, 1)]


def find_more(
    connection: sqlite3.Connection, names: NameIndex, text: str, scopes: Sequence[str]
) -> list[Result]:
    """Files that content search cannot find, since their text is not indexed."""
    found = names.search(text, limit=MORE_NAMES)
    if found.fuzzy:
        return []
    hits = [hit for hit in found.hits if hit.document is None and _is_inside(hit.path, scopes)]
    return [_build(connection, hit, hits[0].score, text, rank) for rank, hit in enumerate(hits, 1)]


def _is_inside(path: str, scopes: Sequence[str]) -> bool:
    return not scopes or any(
        path == one or path.startswith(one.rstrip("/") + "/") for one in scopes
    )


def _build(
    connection: sqlite3.Connection, hit: NameHit, best: float, text: str, rank: int
) -> Result:
    row = connection.execute(_FILE, (hit.path,)).fetchone()
    size, modified, uid, title, kind, language = row or (0, 0.0, None, None, None, None)
    name = os.path.basename(hit.path)
    score = max(0.0, min(1.0, hit.score / best)) if best > 0 else 0.0
    return Result(
        rank=rank,
        id=uid or document_uid(hit.path),
        path=hit.path,
        title=title or name,
        score=score,
        keyword_score=score,
        semantic_score=0.0,
        snippets=(),
        kind=kind or os.path.splitext(name)[1].lstrip(".").lower(),
        language=language or "",
        size=size,
        modified=modified,
        created=modified,
        matched=("name",),
        path_highlights=mark_letters(hit.path, text),
        title_highlights=mark_letters(name, text) if not title else (),
        metadata={"state": hit.state},
    )


def mark_letters(path: str, text: str) -> Ranges:
    """Where the words stand in the path, the last place of each; letters apart are not marked."""
    folded = path.casefold()
    if len(folded) != len(path):
        return ()
    ranges: list[tuple[int, int]] = []
    for word in text.casefold().split():
        start = folded.rfind(word)
        if start >= 0:
            ranges.append((start, start + len(word)))
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)
