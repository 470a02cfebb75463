"""What does an answer look like on the page? The engine's records as the JSON that the page reads.

Pure functions; resources/panel/messages.js checks the same shapes on the other side.
"""

from collections.abc import Sequence
from pathlib import PurePath

from app.frecency import Opening
from app.state import AppState, Folder, Phase
from app.wire import Json
from engine.api import SearchResponse
from engine.models import Coverage, Explanation, Location, Result


def show_answer(
    answer: SearchResponse, rows: Sequence[tuple[float, Result]], sequence: int
) -> dict[str, Json]:
    """A search's answer; `rows` are its results in the order learned, each with its lift."""
    return {
        "query": answer.query,
        "sequence": sequence,
        "query_time_ms": answer.query_time_ms,
        "total": answer.total,
        "results": [
            show_result(one, rank, lift) for rank, (lift, one) in enumerate(rows, start=1)
        ],
        "chips": [
            {"id": f"{one.name}:{one.value}", "kind": one.name, "label": one.label,
             "text": one.text}
            for one in answer.chips
        ],
        "suggestions": list(answer.suggestions),
        "auto_fuzzy": answer.auto_fuzzy,
        "nothing_relevant": answer.nothing_relevant,
        "semantic": {"on": answer.semantic.on, "reason": answer.semantic.reason},
    }  # fmt: skip


def show_result(one: Result, rank: int, lift: float = 0.0) -> dict[str, Json]:
    """One row of the list."""
    best = one.snippets[0] if one.snippets else None
    return {
        "rank": rank,
        "id": one.id,
        "path": one.path,
        "title": one.title,
        "score": one.score,
        "keyword_score": one.keyword_score,
        "semantic_score": one.semantic_score,
        "snippet": best.text if best else "",
        "highlights": _ranges(best.highlights) if best else [],
        "location": show_location(best.location if best else Location()),
        "chunk": best.chunk if best else 0,
        "kind": one.kind,
        "modified": one.modified,
        "size": one.size,
        "matched": list(one.matched),
        "terms": list(one.terms),
        "title_highlights": _ranges(one.title_highlights),
        "path_highlights": _ranges(one.path_highlights),
        "freshness": one.freshness,
        "pinned": bool(one.metadata.get("pinned")),
        "opened": f"opened before for this search (+{lift:.2f})" if lift else "",
    }


def show_location(place: Location) -> dict[str, Json]:
    """Where in its document a passage stands."""
    return {
        "heading": place.heading,
        "trail": list(place.trail),
        "kind": place.kind,
        "page": place.page,
        "line": place.line,
    }


def show_explanation(why: Explanation) -> dict[str, Json]:
    """How a score came about, as a tree."""
    return {
        "value": why.value,
        "what": why.what,
        "parts": [show_explanation(part) for part in why.parts],
    }


def show_state(state: AppState) -> dict[str, Json]:
    """The status line: what is happening and how much is searchable."""
    progress = state.progress
    return {
        "state": state.phase.value,
        "phase": progress.phase if progress else "",
        "files_done": progress.files_done if progress else 0,
        "files_total": progress.files_total if progress else 0,
        "passages_done": progress.passages_done if progress else 0,
        "passages_total": progress.passages_total if progress else 0,
        "documents": state.files,
        "not_searchable": state.left_out,
        "semantic": {"on": not state.meaning_off, "reason": state.meaning_off},
        "folders": [folder.path for folder in state.folders],
        "problem": state.problem if state.phase is Phase.PROBLEM else "",
        "hint": state.hint,
        "remedy": state.remedy,
        "problems": list(state.problems),
    }


def show_folders(folders: Sequence[Folder]) -> dict[str, Json]:
    """The searched folders with state and counts."""
    return {
        "roots": [
            {"path": one.path, "files": one.files, "left_out": one.left_out,
             "waiting": one.waiting, "paused": one.paused, "problem": one.problem}
            for one in folders
        ]
    }  # fmt: skip


def show_coverage(found: Coverage, folders: Sequence[Folder]) -> dict[str, Json]:
    """The ledger: counts by state and reason, by folder, and the files asked for."""
    return {
        "tallies": [
            {"state": state, "reason": reason, "count": count}
            for state, reason, count in found.reasons
        ],
        "files": [
            {"path": one.path, "state": one.state, "reason": one.reason, "hint": one.rule,
             "kind": PurePath(one.path).suffix.lstrip("."), "size": one.size,
             "modified": one.modified}
            for one in found.files
        ],
        "total": found.total,
        "kinds": [
            {"name": kind, "indexed": indexed, "left_out": left_out}
            for kind, indexed, left_out in found.kinds
        ],
        "folders": [
            {"name": one.path, "indexed": one.files, "left_out": one.left_out} for one in folders
        ],
    }  # fmt: skip


def show_learned(rows: Sequence[Opening]) -> dict[str, Json]:
    """What openings have taught, strongest first."""
    return {
        "rows": [
            {"query": one.query, "title": PurePath(one.path).name, "path": one.path,
             "times": round(one.weight, 2)}
            for one in rows
        ]
    }  # fmt: skip


def show_opened_file(path: str, weight: float, rank: int) -> dict[str, Json]:
    """A file of the empty field's list, as a row."""
    return {
        "rank": rank, "id": path, "path": path, "title": PurePath(path).name,
        "kind": PurePath(path).suffix.lstrip("."), "score": round(weight, 3),
        "opened": "opened often",
    }  # fmt: skip


def _ranges(pairs: Sequence[tuple[int, int]]) -> list[Json]:
    return [[start, end] for start, end in pairs]
