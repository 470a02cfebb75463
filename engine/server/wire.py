"""What does an answer look like as JSON? The engine's records as dictionaries, for every door.

Sagasu's document has two disjoint lists, each with its own limit and offset:

    non_semantic_results = documents that the words (or the name) found, by keyword_score
    semantic_results     = documents that only the meaning found, by semantic_score

Beside them stands our one ranked list, `results`. This file loads no web framework.
"""

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from engine.models import Coverage, DocumentView, Explanation, Location, Progress, Result, Status

if TYPE_CHECKING:
    from engine.api import Chip, SearchRequest, SearchResponse
    from engine.config import Config

Json = dict[str, Any]


def answer_search(
    search: "Callable[[SearchRequest], SearchResponse]",
    request: "SearchRequest",
    *,
    two_lists: bool = True,
) -> Json:
    """Search, and the answer as JSON; `two_lists` fills Sagasu's lists beside ours."""
    return write_answer(search(replace(request, two_lists=two_lists)))


def write_answer(response: "SearchResponse") -> Json:
    """The whole answer: Sagasu's fields, then ours."""
    by_word, by_meaning = response.by_words, response.by_meaning
    return {
        "query": response.query,
        "query_time_ms": round(response.query_time_ms),
        "non_semantic_results": [write_listed(one, rank) for rank, one in enumerate(by_word, 1)],
        "semantic_results": [write_listed(one, rank) for rank, one in enumerate(by_meaning, 1)],
        "total_non_semantic": response.total_keyword,
        "total_semantic": response.total_semantic,
        "suggestions": list(response.suggestions),
        "auto_fuzzy": response.auto_fuzzy,
        "total": response.total,
        "results": [write_result(one) for one in response.results],
        "mode": response.mode,
        "took_ms": response.query_time_ms,
        "nothing_relevant": response.nothing_relevant,
        "chips": [write_chip(chip) for chip in response.chips],
        "facets": {
            name: [{"value": value, "count": count} for value, count in rows]
            for name, rows in response.facets.items()
        },
        "semantic": write_semantic(response),
        "stages": dict(response.stages),
    }


def write_result(result: Result) -> Json:
    """One row of our list."""
    best = result.snippets[0] if result.snippets else None
    row: Json = {
        "rank": result.rank,
        "id": result.id,
        "path": result.path,
        "title": result.title,
        "score": finite(result.score),
        "keyword_score": finite(result.keyword_score),
        "semantic_score": finite(result.semantic_score),
        "snippet": best.text if best else "",
        "highlights": pairs(best.highlights) if best else [],
        "location": write_location(best.location if best else Location()),
        "chunk": best.chunk if best else 0,
        "kind": result.kind,
        "language": result.language,
        "size": result.size,
        "modified": result.modified,
        "matched": list(result.matched),
        "terms": list(result.terms),
        "title_highlights": pairs(result.title_highlights),
        "path_highlights": pairs(result.path_highlights),
        "freshness": result.freshness,
        "metadata": dict(result.metadata),
    }
    if len(result.snippets) > 1:
        row["more"] = [
            {
                "snippet": one.text,
                "highlights": pairs(one.highlights),
                "location": write_location(one.location),
                "chunk": one.chunk,
            }
            for one in result.snippets[1:]
        ]
    if result.why is not None:
        row["why"] = write_explanation(result.why)
    return row


def write_listed(result: Result, rank: int) -> Json:
    """One row of Sagasu's lists; `rank` counts within the list and the page."""
    best = result.snippets[0] if result.snippets else None
    content = best.text if best else ""
    marked = [content[start:end] for start, end in best.highlights] if best else []
    metadata = write_source(result.path, result.modified, result.size) | dict(result.metadata)
    return {
        "document": {
            "id": result.id,
            "title": result.title,
            "content": content,
            "metadata": metadata,
            "created_at": iso(result.created),
            "updated_at": iso(result.modified),
        },
        "score": finite(result.score),
        "keyword_score": finite(result.keyword_score),
        "semantic_score": finite(result.semantic_score),
        "rank": rank,
        "highlights": {"content": marked} if marked else {},
    }


def write_document(view: DocumentView) -> Json:
    """A whole document: Sagasu's fields, then what we know beside them."""
    metadata = write_source(view.path, view.modified, view.size) | dict(view.metadata)
    return {
        "id": view.id,
        "title": view.title,
        "content": view.content,
        "metadata": metadata,
        "created_at": iso(view.created),
        "updated_at": iso(view.modified),
        "path": view.path,
        "kind": view.format,
        "language": view.language,
        "author": view.author,
        "tags": list(view.tags),
        "size": view.size,
        "indexed_at": iso(view.indexed),
        "note": view.note,
        "passages": [
            {
                "chunk": one.chunk,
                "text": one.text,
                "location": write_location(one.location),
                "position": one.position,
            }
            for one in view.passages
        ],
    }


def write_source(path: str, modified: float, size: int) -> Json:
    """Sagasu's metadata of a file: everything as text, the date in nanoseconds."""
    if not path:
        return {}
    return {
        "source_path": path,
        "source_mtime": str(round(modified * 1_000_000_000)),
        "source_size": str(size),
    }


def write_location(location: Location) -> Json:
    """Where a passage stands."""
    return {
        "heading": location.heading,
        "trail": list(location.trail),
        "kind": location.kind,
        "page": location.page,
        "line": location.line,
    }


def write_explanation(why: Explanation) -> Json:
    """How a number came about, to any depth."""
    parts = [write_explanation(part) for part in why.parts]
    return {"value": finite(why.value), "what": why.what, "parts": parts}


def write_chip(chip: "Chip") -> Json:
    """A filter that was read from the question."""
    return dataclasses.asdict(chip)


def write_semantic(response: "SearchResponse") -> Json:
    """Whether meaning was searched, and why not."""
    return dataclasses.asdict(response.semantic)


def write_progress(progress: Progress | None) -> Json | None:
    """How far indexing is; None when nothing runs."""
    return None if progress is None else dataclasses.asdict(progress)


def write_status(status: Status, config: "Config", paths: Mapping[str, str]) -> Json:
    """Sagasu's numbers and settings, then ours; `paths` names the index's files."""
    return {
        "documents": status.documents,
        "chunks": status.chunks,
        "vector_index_size": status.vectors,
        "disk_usage_bytes": status.disk_usage_bytes,
        "config": {
            "vector_index_type": "usearch",
            "embedding_dimensions": config.embedding.dimensions,
            "chunk_size": config.search.chunk_size,
            "chunk_overlap": config.search.chunk_overlap,
            "ranking_enabled": True,
            **paths,
        },
        "version": status.version,
        "home": status.home,
        "waiting": status.waiting,
        "files": dict(status.files),
        "roots": [dataclasses.asdict(root) for root in status.roots],
        "semantic": status.semantic,
        "semantic_reason": status.semantic_reason,
        "provider": status.provider,
        "progress": write_progress(status.progress),
        "kept": status.kept,
        "paused": status.paused,
        "problems": list(status.problems),
    }


def write_coverage(coverage: Coverage) -> Json:
    """Counts by state and reason, and the files that were asked for."""
    return {
        "path": coverage.path,
        "total": coverage.total,
        "states": dict(coverage.states),
        "reasons": [
            {"state": state, "reason": reason, "count": count}
            for state, reason, count in coverage.reasons
        ],
        "files": [dataclasses.asdict(row) for row in coverage.files],
    }


def pairs(ranges: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Ranges as JSON has them."""
    return [[start, end] for start, end in ranges]


def finite(value: float) -> float:
    """JSON has no NaN and no infinity; neither may a score."""
    return float(value) if math.isfinite(value) else 0.0


def iso(seconds: float) -> str:
    """POSIX seconds as RFC 3339 in UTC."""
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        moment = datetime.fromtimestamp(0, UTC)
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")
