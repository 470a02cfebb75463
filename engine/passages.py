"""Which passages answer it? For those who read text, not files: assistants, and the context pack.

Beside `api` on floor 7. A search finds documents; here their best passages are taken whole, those
that say the same are left out, and a pack of them fits a budget of tokens:

    [1] docs/auth.md § Configuration > Authentication (line 12)
"""

import math
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.models import Location, Result
from engine.search.request import SearchRequest, SearchResponse

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from engine.asked import AskedIndex

SAME_WORDS = 0.7  # so much of their word triples in common: one of the two is left out
_SYNTAX = re.compile(r"""["“”«»()\[\]{}:*?~^|&!<>=/\\+-]+""")
_CHUNKS = """
SELECT chunks.id, chunks.text, chunks.vector_id FROM chunks WHERE chunks.id IN ({marks})
"""


@dataclass(frozen=True, slots=True)
class PassageRequest:
    """What is asked for; `search` brings the question and its filters."""

    search: SearchRequest
    most: int = 5
    per_document: int = 2
    least_score: float = 0.0
    likeness: float = 0.85  # passages whose vectors are closer than this are one
    excluded: tuple[str, ...] = ()  # names, or the ends of paths, or whole paths


@dataclass(frozen=True, slots=True)
class Cited:
    """One passage with where it stands."""

    id: str
    path: str
    title: str
    chunk: int
    text: str
    location: Location
    score: float
    matched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Passages:
    """The passages, best first, and how many were left after each step."""

    found: tuple[Cited, ...]
    response: SearchResponse
    candidates: int
    scored: int
    distinct: int


@dataclass(frozen=True, slots=True)
class Pack:
    """Passages that fit a budget, as Markdown with their sources."""

    markdown: str
    tokens: int
    cited: tuple[Cited, ...]
    left_out: int  # passages that the budget had no room for


def find_passages(engine: "AskedIndex", ask: PassageRequest) -> Passages:
    """The best passages of the best documents, those that repeat a better one left out."""
    wide = min(engine.config.search.max_limit, max(20, 4 * ask.most))
    response = engine.search(replace(ask.search, limit=wide, snippets=ask.per_document))
    kept = [one for one in response.results if not _is_excluded(one.path, ask.excluded)]
    candidates = _cite(engine.database.connection(), kept)
    scored = [one for one in candidates if one.score >= ask.least_score]
    distinct = _drop_repeats(engine, scored, ask.likeness)
    return Passages(
        tuple(distinct[: ask.most]), response, len(candidates), len(scored), len(distinct)
    )


def build_pack(
    engine: "AskedIndex", ask: PassageRequest, budget: int, name: Callable[[str], str] = str
) -> Pack:
    """The best passages that `budget` tokens have room for, each cited; `name` shortens a path."""
    found = find_passages(engine, ask).found
    parts: list[str] = []
    taken: list[Cited] = []
    spent = 0
    for one in found:
        part = f"[{len(taken) + 1}] {cite(one, name(one.path))}\n{one.text.strip()}\n"
        cost = count_tokens(part)
        if spent + cost <= budget:
            parts.append(part)
            taken.append(one)
            spent += cost
    return Pack("\n".join(parts), spent, tuple(taken), len(found) - len(taken))


def cite(one: Cited, path: str = "") -> str:
    """Path, heading and line of a passage, in one line."""
    place = one.location
    text = " ".join((path or one.path or one.title or one.id).split())
    trail = [step for step in place.trail if step] or [place.heading]
    named = " > ".join(" ".join(step.split()) for step in trail if step)
    if named:
        text += f" § {named}"
    if place.page is not None:
        text += f" ({place.kind or 'page'} {place.page})"
    elif place.line is not None:
        text += f" (line {place.line})"
    return text


def count_tokens(text: str) -> int:
    """About how many tokens a language model makes of `text`: four Latin characters each, or one
    character of another script."""
    plain = sum(character < "\u0250" for character in text)
    return math.ceil(plain / 4) + len(text) - plain


def plain_words(text: str) -> str:
    """`text` without what the query language would read as its own."""
    words = _SYNTAX.sub(" ", text).split()
    return " ".join(
        word.lower() if word in ("AND", "OR", "NOT", "NEAR") else word for word in words
    )


def _is_excluded(path: str, excluded: Iterable[str]) -> bool:
    name = os.path.basename(path)
    stem = os.path.splitext(path)[0]
    for one in excluded:
        end = "/" + one.lstrip("./")
        if one in (path, name) or path.endswith(end) or stem.endswith(end):
            return True
    return False


def _cite(connection: sqlite3.Connection, results: Sequence[Result]) -> list[Cited]:
    snippets = [(one, snippet) for one in results for snippet in one.snippets]
    texts = {
        row[0]: row[1] for row in _load(connection, [snippet.chunk for _, snippet in snippets])
    }
    return [
        Cited(
            one.id, one.path, one.title, snippet.chunk, texts.get(snippet.chunk, snippet.text),
            snippet.location, one.score, one.matched,
        )
        for one, snippet in snippets
    ]  # fmt: skip


def _load(connection: sqlite3.Connection, chunks: Sequence[int]) -> list[tuple[int, str, int]]:
    found: list[tuple[int, str, int]] = []
    for start in range(0, len(chunks), 500):
        batch = list(chunks[start : start + 500])
        found += connection.execute(_CHUNKS.format(marks=",".join("?" * len(batch))), batch)
    return found


def _drop_repeats(engine: "AskedIndex", passages: list[Cited], likeness: float) -> list[Cited]:
    from engine.rank.diversify import (
        cut_ngrams,
        drop_copies,
        drop_ngrams,
        drop_similar,
        hash_content,
    )

    kept = [passages[place] for place in drop_copies([hash_content(one.text) for one in passages])]
    grams = [cut_ngrams(one.text.casefold().split()) for one in kept]
    kept = [kept[place] for place in drop_ngrams(grams, SAME_WORDS)]
    vectors = _vectors(engine, kept)
    if vectors is not None and likeness < 1.0:
        kept = [kept[place] for place in drop_similar(vectors, likeness)]
    return kept


def _vectors(engine: "AskedIndex", passages: Sequence[Cited]) -> "npt.NDArray[np.float32] | None":
    """A vector for each passage; None when meaning is off. One that waits for its vector has a
    row of zeros, which is like nothing."""
    embedder = engine.embedder()
    if embedder is None or not passages:
        return None
    import numpy as np

    from engine.store.vectors import fetch_vectors

    connection = engine.database.connection()
    numbers = {
        chunk: vector for chunk, _, vector in _load(connection, [one.chunk for one in passages])
    }
    keys, rows = fetch_vectors(connection, list(set(numbers.values())), embedder.dimensions)
    known = dict(zip(keys.tolist(), rows.astype(np.float32), strict=True))
    nothing = np.zeros(embedder.dimensions, np.float32)
    return np.stack([known.get(numbers.get(one.chunk, -1), nothing) for one in passages])
