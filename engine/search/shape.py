"""How is a ranked list shaped? What a person has switched on: signals, a cross-encoder, no copies,
variety, a cut at the elbow. Each is off by default, since the judged sets gain nothing from it.

Only the first POOL documents are looked at; the rest follow as they were.
"""

import json
import os
import sqlite3
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from engine.config import RankingSettings
from engine.rank import Asked, Candidate, rank
from engine.rank.cutoff import find_elbow
from engine.rank.diversify import drop_similar, spread_vectors
from engine.rank.rerank import Judge, rerank
from engine.search.combine import Fused
from engine.store.terms import decode

POOL = 50
Floats = npt.NDArray[np.float32]
Fetch = Callable[[npt.NDArray[np.int64]], Floats]

_HIT = (
    "SELECT name, path, author, tags, modified FROM documents WHERE id = ?",
    "SELECT tokens, trail_length, text FROM chunks WHERE id = ?",
)


def shape_list(
    connection: sqlite3.Connection,
    fused: list[Fused],
    settings: RankingSettings,
    *,
    text: str,
    terms: tuple[str, ...],
    fetch: Fetch,
    judge: Judge | None,
) -> list[Fused]:
    """The list as the settings want it."""
    pool, rest = fused[:POOL], fused[POOL:]
    if settings.signals > 0.0 and pool:
        pool = _by_signals(connection, pool, settings, Asked(text, terms, time.time()))
    if judge is not None and pool:
        pool = _by_judge(connection, pool, settings, text, judge)
    if (settings.duplicate_cosine < 1.0 or settings.diversity < 1.0) and len(pool) > 1:
        pool = _by_vectors(pool, settings, fetch)
    shaped = [*pool, *rest]
    if settings.elbow_ratio > 0.0:
        scores = [one.score for one in shaped]
        shaped = shaped[: find_elbow(scores, settings.elbow_ratio, settings.elbow_most).keep]
    return shaped


def _by_signals(
    connection: sqlite3.Connection, pool: list[Fused], settings: RankingSettings, asked: Asked
) -> list[Fused]:
    hits = [_describe(connection, one) for one in pool]
    ranked = rank(asked, hits, [one.score for one in pool], settings)
    return [replace(pool[place], score=score) for place, score, _ in ranked]


def _describe(connection: sqlite3.Connection, one: Fused) -> Candidate:
    row = connection.execute(_HIT[0], (one.document_id,)).fetchone()
    if row is None:
        return Candidate("")
    name, path, author, tags, modified = row
    passage = connection.execute(_HIT[1], (one.chunks[0] if one.chunks else 0,)).fetchone()
    words = decode(connection, passage[0]) if passage else []
    trail = passage[1] if passage else 0
    folders = tuple(part for part in os.path.dirname(path).split("/") if part)
    return Candidate(
        name,
        folders,
        headings=((1, tuple(words[:trail])),) if trail else (),
        terms=words[trail:],
        author=author,
        tags=tuple(json.loads(tags)),
        modified=modified,
    )


def _by_judge(
    connection: sqlite3.Connection,
    pool: list[Fused],
    settings: RankingSettings,
    text: str,
    judge: Judge,
) -> list[Fused]:
    passages: list[str] = []
    for one in pool:
        row = connection.execute(_HIT[1], (one.chunks[0] if one.chunks else 0,)).fetchone()
        passages.append(row[2] if row else "")
    scores = [one.score for one in pool]
    order, fresh = rerank(text, passages, scores, judge, settings.rerank_count)
    return [replace(pool[place], score=score) for place, score in zip(order, fresh, strict=True)]


def _by_vectors(pool: list[Fused], settings: RankingSettings, fetch: Fetch) -> list[Fused]:
    chunks = np.array([one.chunks[0] if one.chunks else 0 for one in pool], np.int64)
    vectors = np.nan_to_num(fetch(chunks))
    if settings.duplicate_cosine < 1.0:
        kept = drop_similar(vectors, settings.duplicate_cosine)
        pool, vectors = [pool[place] for place in kept], vectors[kept]
    if settings.diversity < 1.0:
        relevance = [one.score for one in pool]
        pool = [pool[place] for place in spread_vectors(relevance, vectors, settings.diversity)]
    return pool
