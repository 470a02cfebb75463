"""How are documents, sections and passages written, removed and read?

Everything here works inside the caller's transaction. Removing a passage needs its exact terms:
FTS5 without stored content can only forget what it is told again, so the terms are decoded from
the forward index. Vectors are shared by hash and outlive their last passage until `sweep_vectors`.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.models import DocumentId, Link
from engine.store.terms import TermIds, decode

FIELDS = ("title", "name", "path", "tags", "author")
TRAIL_JOINT = " › "


@dataclass(frozen=True, slots=True)
class SectionRow:
    """A section as it is stored; `parent` is an index into the document's sections."""

    title: str
    depth: int
    parent: int | None
    kind: str
    number: int | None
    line: int | None


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """A passage with its terms; `section` is an index into the document's sections."""

    text: str
    section: int
    start: int
    line: int | None
    trail: str
    trail_terms: str  # joined by blanks, as FTS5 takes them
    terms: str
    vector_hash: bytes


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A whole document, ready to be written; made in a worker, so it pickles."""

    uid: str
    path: str
    name: str
    title: str
    own_title: bool  # the document says it itself; otherwise the file's name served
    format: str
    language: str
    author: str
    description: str
    tags: tuple[str, ...]
    metadata: Mapping[str, Any]
    note: str
    created: float
    modified: float
    size: int
    content_hash: bytes
    field_terms: Mapping[str, str]  # by FIELDS, joined by blanks
    sections: tuple[SectionRow, ...]
    chunks: tuple[ChunkRow, ...]
    links: tuple[Link, ...] = ()
    aliases: tuple[str, ...] = ()
    priority: float = field(default=0.0)  # of its waiting vectors


def add_document(
    connection: sqlite3.Connection,
    terms: TermIds,
    row: DocumentRow,
    *,
    root_id: int | None,
    indexed: float,
) -> DocumentId:
    """Write one document with all that belongs to it; returns its number."""
    learned: set[str] = set()
    for chunk in row.chunks:
        learned.update(chunk.trail_terms.split(" "), chunk.terms.split(" "))
    fields = [row.field_terms.get(name, "") for name in FIELDS]
    learned.update(" ".join(fields).split(" "))
    learned.discard("")
    terms.learn(connection, learned)
    cursor = connection.execute(
        _INSERT_DOCUMENT,
        (
            row.uid,
            root_id,
            row.path,
            row.name,
            row.title,
            row.own_title,
            row.format,
            row.language,
            row.author,
            row.description,
            json.dumps(row.tags, ensure_ascii=False),
            json.dumps(dict(row.metadata), ensure_ascii=False),
            row.note,
            row.created,
            row.modified,
            row.size,
            row.content_hash,
            indexed,
            terms.encode(connection, " ".join(fields)),
            json.dumps([len(part.split()) for part in fields]),
        ),
    )
    document = DocumentId(int(cursor.lastrowid or 0))
    connection.execute(
        "INSERT INTO documents_fts (rowid, title, name, path, tags, author) VALUES (?,?,?,?,?,?)",
        (document, *fields),
    )
    sections = _add_sections(connection, document, row.sections)
    _add_chunks(connection, terms, document, sections, row)
    connection.executemany(
        "INSERT INTO links VALUES (?,?,?,?,?)",
        ((document, link.target, link.kind, link.text, link.heading) for link in row.links),
    )
    connection.executemany(
        "INSERT INTO aliases VALUES (?,?)", ((document, alias) for alias in row.aliases)
    )
    return document


def _add_sections(
    connection: sqlite3.Connection, document: DocumentId, sections: Sequence[SectionRow]
) -> list[int]:
    last = connection.execute("SELECT coalesce(max(id), 0) FROM sections").fetchone()[0]
    used = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'sections'").fetchone()
    first = max(int(last), int(used[0]) if used else 0) + 1
    ids = [first + position for position in range(len(sections))]
    connection.executemany(
        "INSERT INTO sections VALUES (?,?,?,?,?,?,?,?,?)",
        (
            (
                ids[position],
                document,
                None if one.parent is None else ids[one.parent],
                position,
                one.depth,
                one.title,
                one.kind,
                one.number,
                one.line,
            )
            for position, one in enumerate(sections)
        ),
    )
    return ids


def _add_chunks(
    connection: sqlite3.Connection,
    terms: TermIds,
    document: DocumentId,
    sections: Sequence[int],
    row: DocumentRow,
) -> None:
    vectors = _claim_vectors(connection, row)
    used = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'chunks'").fetchone()
    first = (int(used[0]) if used else 0) + 1
    connection.executemany(
        _INSERT_CHUNK,
        (
            (
                first + position,
                document,
                sections[one.section],
                position,
                one.text,
                one.start,
                one.line,
                one.trail,
                len(one.trail_terms.split()),
                terms.encode(connection, f"{one.trail_terms} {one.terms}"),
                vectors[one.vector_hash],
            )
            for position, one in enumerate(row.chunks)
        ),
    )
    connection.executemany(
        "INSERT INTO passages_fts (rowid, trail, body) VALUES (?,?,?)",
        ((first + position, one.trail_terms, one.terms) for position, one in enumerate(row.chunks)),
    )


def _claim_vectors(connection: sqlite3.Connection, row: DocumentRow) -> dict[bytes, int]:
    """The vector of each passage: one that is there already, or a place in the queue."""
    hashes = {chunk.vector_hash for chunk in row.chunks}
    connection.executemany(
        "INSERT INTO vectors (hash, priority) VALUES (?,?) "
        "ON CONFLICT (hash) DO UPDATE SET priority = max(priority, excluded.priority) "
        "WHERE vector IS NULL",
        ((one, row.priority) for one in sorted(hashes)),
    )
    found: dict[bytes, int] = {}
    for one in hashes:
        found[one] = connection.execute("SELECT id FROM vectors WHERE hash = ?", (one,)).fetchone()[
            0
        ]
    return found


def remove_document(connection: sqlite3.Connection, document: int) -> None:
    """Forget one document, its passages and their words."""
    row = connection.execute(
        "SELECT tokens, field_lengths FROM documents WHERE id = ?", (document,)
    ).fetchone()
    if row is None:
        return
    chunks = connection.execute(
        "SELECT id, tokens, trail_length FROM chunks WHERE document_id = ?", (document,)
    ).fetchall()
    for chunk, tokens, trail_length in chunks:
        names = decode(connection, tokens)
        connection.execute(
            "INSERT INTO passages_fts (passages_fts, rowid, trail, body) VALUES ('delete',?,?,?)",
            (chunk, " ".join(names[:trail_length]), " ".join(names[trail_length:])),
        )
    _forget_fields(connection, document, row)
    connection.executemany(
        "INSERT OR IGNORE INTO removals VALUES ('chunk', ?)", ((chunk[0],) for chunk in chunks)
    )
    connection.execute("INSERT OR IGNORE INTO removals VALUES ('document', ?)", (document,))
    connection.execute("DELETE FROM documents WHERE id = ?", (document,))


def _forget_fields(
    connection: sqlite3.Connection, document: int, row: tuple[bytes, str]
) -> dict[str, str]:
    """Take the document's own fields out of FTS5; returns what they were."""
    names = decode(connection, row[0])
    parts: list[str] = []
    for length in json.loads(row[1]):
        parts.append(" ".join(names[:length]))
        names = names[length:]
    connection.execute(
        "INSERT INTO documents_fts (documents_fts, rowid, title, name, path, tags, author) "
        "VALUES ('delete',?,?,?,?,?,?)",
        (document, *parts),
    )
    return dict(zip(FIELDS, parts, strict=True))


def move_document(
    connection: sqlite3.Connection,
    terms: TermIds,
    document: int,
    *,
    uid: str,
    path: str,
    name: str,
    title: str,
    root_id: int | None,
    field_terms: Mapping[str, str],
) -> None:
    """A renamed or moved file: its passages and vectors stay; the fields given here change."""
    row = connection.execute(
        "SELECT tokens, field_lengths FROM documents WHERE id = ?", (document,)
    ).fetchone()
    kept = _forget_fields(connection, document, row) | dict(field_terms)
    fields = [kept[one] for one in FIELDS]
    tokens = terms.encode(connection, " ".join(fields))
    lengths = json.dumps([len(part.split()) for part in fields])
    connection.execute(
        "UPDATE documents SET uid=?, path=?, name=?, title=?, root_id=?, tokens=?, field_lengths=? "
        "WHERE id=?",
        (uid, path, name, title, root_id, tokens, lengths, document),
    )
    connection.execute(
        "INSERT INTO documents_fts (rowid, title, name, path, tags, author) VALUES (?,?,?,?,?,?)",
        (document, *fields),
    )
    # The document-field snapshot holds the old words under this number.
    connection.execute("INSERT OR IGNORE INTO removals VALUES ('fields', ?)", (document,))


def sweep_vectors(connection: sqlite3.Connection) -> int:
    """Forget the vectors that no passage uses any more; returns how many."""
    gone = connection.execute(
        "SELECT id FROM vectors WHERE NOT EXISTS "
        "(SELECT 1 FROM chunks WHERE chunks.vector_id = vectors.id)"
    ).fetchall()
    connection.executemany("INSERT OR IGNORE INTO removals VALUES ('vector', ?)", gone)
    connection.executemany("DELETE FROM vectors WHERE id = ?", gone)
    return len(gone)


def waiting_passages(connection: sqlite3.Connection, limit: int) -> list[tuple[int, str, str]]:
    """The next passages without a vector: vector id, trail, text; those wanted first come first."""
    return connection.execute(_WAITING, (limit,)).fetchall()


def count_waiting(connection: sqlite3.Connection) -> int:
    """How many passages still wait for their vector."""
    row = connection.execute("SELECT count(*) FROM vectors WHERE vector IS NULL").fetchone()
    return int(row[0])


def store_vectors(
    connection: sqlite3.Connection, ids: Iterable[int], vectors: "np.ndarray[Any, Any]"
) -> None:
    """Keep vectors as float16: half the size, and the very numbers that the index searches."""
    halves = vectors.astype(np.float16)
    connection.executemany(
        "UPDATE vectors SET vector = ? WHERE id = ?",
        ((half.tobytes(), one) for half, one in zip(halves, ids, strict=True)),
    )


_INSERT_DOCUMENT = """
INSERT INTO documents (uid, root_id, path, name, title, own_title, format, language, author,
    description, tags, metadata, note, created, modified, size, content_hash, indexed, tokens,
    field_lengths)
VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
"""

_INSERT_CHUNK = """
INSERT INTO chunks (id, document_id, section_id, position, text, start, line, trail, trail_length,
    tokens, vector_id)
VALUES (?,?,?,?,?,?,?,?,?,?,?)
"""

_WAITING = """
SELECT waiting.id, chunks.trail, chunks.text
FROM (SELECT id FROM vectors WHERE vector IS NULL ORDER BY priority DESC, id LIMIT ?) AS waiting
JOIN chunks ON chunks.id = (SELECT min(id) FROM chunks WHERE vector_id = waiting.id)
"""
