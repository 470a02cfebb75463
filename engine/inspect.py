"""What does the index hold? Status, coverage, documents and reasons, read for the doors.

Beside `api` on floor 7: reading only, but for the index key, which decides what is made anew.
"""

import json
import os
import sqlite3
from typing import TYPE_CHECKING

from engine import __version__
from engine.chunk import CHUNKING_VERSION
from engine.config import Config
from engine.files.places import Places
from engine.files.rules import Rules, Ruling
from engine.models import (
    Coverage,
    CoverageRow,
    DocumentView,
    Location,
    PassageView,
    Progress,
    RootView,
    State,
    Status,
)
from engine.query.kinds import kind_of
from engine.search.request import SemanticState
from engine.store import documents, ledger, vectors
from engine.store.database import Database
from engine.text import ANALYSIS_VERSION

if TYPE_CHECKING:
    from engine.embed.onnx import OnnxEmbedder
    from engine.watch.desk import KeeperState


def count_waiting(database: Database) -> int:
    """How many passages have no vector yet."""
    return vectors.count_waiting(database.connection())


def mark_vectors(connection: sqlite3.Connection) -> tuple[int, int]:
    """Changes whenever vectors are added: the last number given, and how many still wait."""
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'vectors'").fetchone()
    return int(row[0]) if row else 0, vectors.count_waiting(connection)


def read_status(
    database: Database,
    places: Places,
    semantic: SemanticState,
    progress: Progress | None,
    kept: "KeeperState | None" = None,
) -> Status:
    """The engine's numbers."""
    with database.read() as connection:
        states = dict(connection.execute("SELECT state, count(*) FROM files GROUP BY 1").fetchall())
        return Status(
            version=__version__,
            home=str(places.home),
            documents=_count(connection, "SELECT count(*) FROM documents"),
            chunks=_count(connection, "SELECT count(*) FROM chunks"),
            vectors=_count(connection, "SELECT count(*) FROM vectors WHERE vector IS NOT NULL"),
            waiting=semantic.waiting,
            files={state.value: states.get(state.value, 0) for state in State},
            roots=tuple(_view_root(connection, root) for root in ledger.list_roots(connection)),
            disk_usage_bytes=disk_usage(places),
            semantic=semantic.on,
            semantic_reason=semantic.reason,
            provider="CPU int8" if semantic.on else "",
            progress=progress,
            kept=kept is not None,
            paused=kept is not None and kept.paused,
            problems=list_problems(kept),
        )


def list_problems(kept: "KeeperState | None") -> tuple[str, ...]:
    """What a person should know about keeping fresh, one sentence each."""
    if kept is None:
        return ()
    waited_for = [f"{path} is not there now; what was indexed of it is kept." for path in kept.away]
    return tuple(one for one in (kept.problem, *kept.warnings, *waited_for) if one)


def _count(connection: sqlite3.Connection, query: str, *values: object) -> int:
    return int(connection.execute(query, values).fetchone()[0])


def _view_root(connection: sqlite3.Connection, root: ledger.Root) -> RootView:
    states = dict(
        connection.execute(
            "SELECT state, count(*) FROM files WHERE root_id = ? GROUP BY 1", (root.id,)
        ).fetchall()
    )
    total = sum(states.values())
    indexed = states.get(State.INDEXED.value, 0)
    return RootView(
        root.path,
        root.watched,
        root.paused,
        os.path.exists(root.path),
        indexed,
        total,
        total - indexed,
        root.scanned,
    )


def disk_usage(places: Places) -> int:
    """Bytes of the index's files."""
    total = 0
    for path in (places.database, places.vectors, places.postings):
        for near in path.parent.glob(path.name + "*"):
            total += near.stat().st_size if near.is_file() else 0
    return total


def read_coverage(
    database: Database, path: str, state: str, reason: str, limit: int, offset: int
) -> Coverage:
    """Counts by state and reason below `path`, and the files of one of them."""
    with database.read() as connection:
        groups = ledger.count_states(connection, path)
        states = {one.value: 0 for one in State}
        for name, _, count in groups:
            states[name] += count
        where, values = ["1"], list[object]()
        if path:
            where.append("(path = ? OR (path >= ? AND path < ?))")
            values += [path, *ledger.below(path)]
        if state:
            where.append("state = ?")
            values.append(state)
        if reason:
            where.append("reason = ?")
            values.append(reason)
        kinds = _count_kinds(connection, path) if offset == 0 else ()
        rows = connection.execute(
            "SELECT path, state, reason, rule, size, mtime_ns / 1e9 FROM files WHERE "
            f"{' AND '.join(where)} ORDER BY path LIMIT ? OFFSET ?",
            (*values, limit, offset),
        ).fetchall()
    files = tuple(CoverageRow(*row) for row in rows)
    return Coverage(path, sum(states.values()), states, tuple(groups), files, kinds)


def _count_kinds(connection: sqlite3.Connection, path: str) -> tuple[tuple[str, int, int], ...]:
    """Kind, searchable, not: told by the endings of names, the largest first."""
    where, values = ("WHERE path >= ? AND path < ?", ledger.below(path)) if path else ("", ())
    counts: dict[str, list[int]] = {}
    for ending, indexed, count in connection.execute(_ENDINGS.format(where=where), values):
        counts.setdefault(kind_of(ending), [0, 0])[0 if indexed else 1] += count
    rows = ((kind, found, left) for kind, (found, left) in counts.items())
    return tuple(sorted(rows, key=lambda row: (-row[1] - row[2], row[0])))


def explain_file(database: Database, rules: Rules, path: str) -> str:
    """One line on what became of the file at `path`."""
    connection = database.connection()
    row = ledger.find_file(connection, path)
    if row is not None and row.state is State.INDEXED:
        count = _count(
            connection, "SELECT count(*) FROM chunks WHERE document_id = ?", row.document_id
        )
        note = f"; {row.reason}" if row.reason else ""
        return f"{path}: indexed, {count} passages{note}"
    if row is not None:
        rule = f" ({row.rule})" if row.rule else ""
        return f"{path}: {row.state.value}: {row.reason}{rule}"
    root = ledger.covering_root(connection, path)
    if root is None:
        return f"{path}: not in any indexed folder; add it with: sagasu index FOLDER"
    if not os.path.lexists(path):
        return f"{path}: there is no such file"
    verdict = rules.judge_within(root.path, path, os.path.isdir(path), 0)
    if verdict.ruling is not Ruling.TAKE:
        return f"{path}: {verdict.ruling.value}: {verdict.reason} ({verdict.rule})"
    return f"{path}: not seen yet; it is new since the last scan"


def find_number(database: Database, uid: str) -> int | None:
    """The number of the document with this id, or at this path."""
    row = database.connection().execute(_NUMBER, (uid, uid)).fetchone()
    return None if row is None else int(row[0])


def find_document(database: Database, uid: str) -> DocumentView | None:
    """The document with this id, or at this path."""
    with database.read() as connection:
        row = connection.execute(_DOCUMENT, (uid, uid)).fetchone()
        if row is None:
            return None
        number, *facts = row
        passages = tuple(
            PassageView(
                chunk,
                text,
                Location(
                    title,
                    tuple(trail.split(documents.TRAIL_JOINT)) if trail else (),
                    kind,
                    page,
                    line,
                ),
                position,
            )
            for chunk, text, title, trail, kind, page, line, position in connection.execute(
                _PASSAGES, (number,)
            )
        )
    (
        uid,
        path,
        title,
        format_,
        language,
        author,
        tags,
        created,
        modified,
        size,
        indexed,
        note,
        meta,
    ) = facts
    content = "\n\n".join(passage.text for passage in passages)
    return DocumentView(
        uid,
        path,
        title,
        content,
        format_,
        language,
        author,
        tuple(json.loads(tags)),
        created,
        modified,
        size,
        indexed,
        note,
        json.loads(meta),
        passages,
    )


def refresh_key(database: Database, config: Config, embedder: "OnnxEmbedder | None") -> None:
    """Compare what shaped the index with what would shape it now; mark what must be made anew."""
    wanted = f"{ANALYSIS_VERSION}/{CHUNKING_VERSION}/{config.index_key()}"
    connection = database.connection()
    if ledger.get_meta(connection, "index_key") != wanted:
        with database.write() as connection:
            # A date that no file has: the next comparison reads everything again.
            connection.execute("UPDATE files SET mtime_ns = -1 WHERE state = 'indexed'")
            connection.execute("UPDATE roots SET scanned = NULL")
            ledger.set_meta(connection, "index_key", wanted)
    if embedder is not None and ledger.get_meta(connection, "model") != embedder.fingerprint:
        with database.write() as connection:
            connection.execute("UPDATE vectors SET vector = NULL WHERE vector IS NOT NULL")
            ledger.set_meta(connection, "model", embedder.fingerprint)


_NUMBER = "SELECT id FROM documents WHERE uid = ? OR (path = ? AND path != '') LIMIT 1"

# What stands behind the last dot of the path; a slash in it means that the name has none.
_ENDINGS = """
SELECT CASE WHEN instr(ending, '/') THEN '' ELSE lower(ending) END, state = 'indexed', sum(count)
FROM (
    SELECT substr(path, length(rtrim(path, replace(path, '.', ''))) + 1) AS ending, state,
        count(*) AS count
    FROM files {where} GROUP BY 1, 2
) GROUP BY 1, 2
"""

_DOCUMENT = """
SELECT id, uid, path, title, format, language, author, tags, created, modified, size, indexed, note,
    metadata
FROM documents WHERE uid = ? OR (path = ? AND path != '') LIMIT 1
"""

_PASSAGES = """
SELECT chunks.id, chunks.text, sections.title, chunks.trail, sections.kind, sections.number,
    chunks.line, chunks.position
FROM chunks JOIN sections ON sections.id = chunks.section_id
WHERE chunks.document_id = ? ORDER BY chunks.position
"""
