"""Which documents are like this one? Those whose passages lie nearest to the middle of its own.

Beside `api` on floor 7. The middle is the mean of the document's passage vectors, at unit length;
a document is as near as its nearest passage. Without vectors nothing is found, and it is said why.
"""

import time
from typing import TYPE_CHECKING, Any

from engine.models import Location, Result, Snippet
from engine.search.request import SearchResponse

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from engine.asked import AskedIndex

LEAST_COSINE = 0.2
PASSAGES_PER_DOCUMENT = 8  # fetched for each document wanted, since one may fill many places
SHOWN_CHARACTERS = 240
_VECTORS = "SELECT vector_id FROM chunks WHERE document_id = ?"
_DOCUMENT = "SELECT id FROM documents WHERE uid = ? OR (path = ? AND path != '')"
_WITHIN = "SELECT id FROM documents WHERE path = ? OR (path >= ? AND path < ?)"
_ROW = """
SELECT uid, path, documents.title, format, language, size, modified, created, chunks.text,
    chunks.trail, chunks.line, sections.title, sections.kind, sections.number
FROM documents JOIN chunks ON chunks.document_id = documents.id
JOIN sections ON sections.id = chunks.section_id WHERE documents.id = ? AND chunks.id = ?
"""


def find_similar(
    engine: "AskedIndex", uid: str, limit: int, scopes: tuple[str, ...] = ()
) -> SearchResponse:
    """The documents nearest to `uid` (an id or a path), itself left out."""
    started = time.perf_counter()
    semantic = engine.semantic()
    view = engine.document(uid)
    results: list[Result] = []
    if semantic.on:
        results = _find(engine, view.id, limit, scopes)
    spent_ms = (time.perf_counter() - started) * 1000
    return SearchResponse(
        view.title, spent_ms, len(results), tuple(results), mode="semantic",
        total_semantic=len(results), semantic=semantic,
    )  # fmt: skip


def _find(engine: "AskedIndex", uid: str, limit: int, scopes: tuple[str, ...]) -> list[Result]:
    from engine.search.meaning import find_near

    index = engine.vectors()
    connection = engine.database.connection()
    number = connection.execute(_DOCUMENT, (uid, uid)).fetchone()[0]
    middle = _middle(engine, number)
    if index is None or middle is None:
        return []
    wanted = (limit + 1) * PASSAGES_PER_DOCUMENT
    near = find_near(connection, index, middle, wanted, _allowed(engine, scopes))
    best: dict[int, tuple[int, float]] = {}
    rows = zip(near.documents.tolist(), near.chunks.tolist(), near.cosines.tolist(), strict=True)
    for document, chunk, cosine in rows:
        if document != number and cosine >= LEAST_COSINE:
            best.setdefault(document, (chunk, cosine))
    found = list(best.items())[:limit]
    return [
        _build(connection.execute(_ROW, (document, chunk)).fetchone(), chunk, cosine, rank)
        for rank, (document, (chunk, cosine)) in enumerate(found, 1)
    ]


def _middle(engine: "AskedIndex", document: int) -> "npt.NDArray[np.float32] | None":
    import numpy as np

    from engine.store.vectors import fetch_vectors

    embedder = engine.embedder()
    connection = engine.database.connection()
    ids = [row[0] for row in connection.execute(_VECTORS, (document,))]
    if embedder is None or not ids:
        return None
    _, vectors = fetch_vectors(connection, ids, embedder.dimensions)
    if not len(vectors):
        return None
    mean = vectors.astype(np.float32).mean(axis=0)
    length = float(np.linalg.norm(mean))
    return mean / length if length > 0 else None


def _allowed(engine: "AskedIndex", scopes: tuple[str, ...]) -> "npt.NDArray[np.int64] | None":
    import numpy as np

    from engine.store.ledger import below

    if not scopes:
        return None
    connection = engine.database.connection()
    ids = [row[0] for one in scopes for row in connection.execute(_WITHIN, (one, *below(one)))]
    return np.unique(np.array(ids, np.int64))


def _build(row: tuple[Any, ...], chunk: int, cosine: float, rank: int) -> Result:
    from engine.store.documents import TRAIL_JOINT

    uid, path, title, kind, language, size, modified, created, text, trail, *place = row
    line, heading, section, page = place
    steps = tuple(trail.split(TRAIL_JOINT)) if trail else ()
    snippet = Snippet(
        text[:SHOWN_CHARACTERS], (), Location(heading, steps, section, page, line), chunk
    )
    return Result(
        rank, uid, path, title, cosine, 0.0, cosine, (snippet,), kind, language, size, modified,
        created, ("meaning",),
    )  # fmt: skip
