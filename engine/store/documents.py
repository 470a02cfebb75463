"""How are documents, sections and passages written, removed and read?

Everything here works inside the caller's transaction. Removing a passage needs its exact terms:
FTS5 without stored content can only forget what it is told again, so the terms are decoded from
the forward index.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from engine.models import DocumentId, Link
from engine.store.rows import look_up, next_id
from engine.store.terms import BYTES_EACH, TermIds, decode
from engine.store.vectors import claim_vectors

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
    return add_documents(connection, terms, [row], root_id=root_id, indexed=indexed)[0]


def add_documents(
    connection: sqlite3.Connection,
    terms: TermIds,
    rows: Sequence[DocumentRow],
    *,
    root_id: int | None,
    indexed: float,
) -> list[DocumentId]:
    """Write documents with all that belongs to them, table by table; returns their numbers.

    One statement a table, run over all rows: the cost of a statement is paid once a batch.
    """
    first = next_id(connection, "documents")
    ids = [DocumentId(first + place) for place in range(len(rows))]
    words = _number_words(connection, terms, rows)
    connection.executemany(
        _INSERT_DOCUMENT,
        (
            _document_values(number, row, own, root_id, indexed)
            for number, row, own in zip(ids, rows, words, strict=True)
        ),
    )
    connection.executemany(
        "INSERT INTO documents_fts (rowid, title, name, path, tags, author) VALUES (?,?,?,?,?,?)",
        (
            (number, *(row.field_terms.get(name, "") for name in FIELDS))
            for number, row in zip(ids, rows, strict=True)
        ),
    )
    sections = _add_sections(connection, ids, rows)
    _add_chunks(connection, ids, sections, rows, words)
    pairs = list(zip(ids, rows, strict=True))
    connection.executemany(
        "INSERT INTO links VALUES (?,?,?,?,?)",
        (
            (number, link.target, link.kind, link.text, link.heading)
            for number, row in pairs
            for link in row.links
        ),
    )
    connection.executemany(
        "INSERT INTO aliases VALUES (?,?)",
        ((number, alias) for number, row in pairs for alias in row.aliases),
    )
    return ids


@dataclass(frozen=True, slots=True)
class _DocumentWords:
    """The term numbers of one document: of its fields, and of each passage with its trail."""

    fields: bytes
    field_lengths: list[int]
    chunks: list[bytes]
    trail_lengths: list[int]


def _number_words(
    connection: sqlite3.Connection, terms: TermIds, rows: Sequence[DocumentRow]
) -> list[_DocumentWords]:
    """Splits and numbers all words of a document at once: twice as fast as one by one."""
    parts = [_term_texts(row) for row in rows]
    texts = [" ".join(filter(None, own)) for own in parts]
    numbers = terms.encode_all(connection, texts)
    return [_part_words(own, blob) for own, blob in zip(parts, numbers, strict=True)]


def _term_texts(row: DocumentRow) -> list[str]:
    texts = [row.field_terms.get(name, "") for name in FIELDS]
    for chunk in row.chunks:
        texts += (chunk.trail_terms, chunk.terms)
    return texts


def _part_words(texts: Sequence[str], numbers: bytes) -> _DocumentWords:
    lengths = [text.count(" ") + 1 if text else 0 for text in texts]
    ends = [BYTES_EACH * end for end in accumulate(lengths, initial=0)]
    count = len(FIELDS)
    return _DocumentWords(
        numbers[: ends[count]],
        lengths[:count],
        [numbers[ends[at] : ends[at + 2]] for at in range(count, len(texts), 2)],
        lengths[count::2],
    )


def _document_values(
    number: DocumentId,
    row: DocumentRow,
    words: _DocumentWords,
    root_id: int | None,
    indexed: float,
) -> tuple[object, ...]:
    return (
        number,
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
        json.dumps(row.tags, ensure_ascii=False) if row.tags else "[]",
        json.dumps(dict(row.metadata), ensure_ascii=False),
        row.note,
        row.created,
        row.modified,
        row.size,
        row.content_hash,
        indexed,
        words.fields,
        json.dumps(words.field_lengths),
    )


def _add_sections(
    connection: sqlite3.Connection, ids: Sequence[DocumentId], rows: Sequence[DocumentRow]
) -> list[int]:
    """Writes the sections; the number of each document's first."""
    firsts: list[int] = []
    values: list[tuple[object, ...]] = []
    first = next_id(connection, "sections")
    for document, row in zip(ids, rows, strict=True):
        firsts.append(first)
        values += (
            (
                first + position,
                document,
                None if one.parent is None else first + one.parent,
                position,
                one.depth,
                one.title,
                one.kind,
                one.number,
                one.line,
            )
            for position, one in enumerate(row.sections)
        )
        first += len(row.sections)
    connection.executemany("INSERT INTO sections VALUES (?,?,?,?,?,?,?,?,?)", values)
    return firsts


def _add_chunks(
    connection: sqlite3.Connection,
    ids: Sequence[DocumentId],
    sections: Sequence[int],
    rows: Sequence[DocumentRow],
    words: Sequence[_DocumentWords],
) -> None:
    vectors = claim_vectors(connection, _wanted_vectors(rows))
    first = next_id(connection, "chunks")
    connection.executemany(
        _INSERT_CHUNK,
        (
            (
                number,
                document,
                section + one.section,
                position,
                one.text,
                one.start,
                one.line,
                one.trail,
                own.trail_lengths[position],
                own.chunks[position],
                vectors[one.vector_hash],
            )
            for number, (document, section, own, position, one) in enumerate(
                (
                    (document, section, own, position, one)
                    for document, section, own, row in zip(ids, sections, words, rows, strict=True)
                    for position, one in enumerate(row.chunks)
                ),
                first,
            )
        ),
    )
    connection.executemany(
        "INSERT INTO passages_fts (rowid, trail, body) VALUES (?,?,?)",
        (
            (number, one.trail_terms, one.terms)
            for number, one in enumerate((one for row in rows for one in row.chunks), first)
        ),
    )


def _wanted_vectors(rows: Sequence[DocumentRow]) -> dict[bytes, float]:
    """The hash of every passage, with the priority of the document that wants it most."""
    wanted: dict[bytes, float] = {}
    for row in rows:
        for chunk in row.chunks:
            wanted[chunk.vector_hash] = max(row.priority, wanted.get(chunk.vector_hash, 0.0))
    return wanted


def documents_at(connection: sqlite3.Connection, paths: Iterable[str]) -> list[int]:
    """The numbers of the documents that the ledger has for these paths."""
    query = "SELECT document_id FROM files WHERE path IN ({}) AND document_id IS NOT NULL"
    return [number for (number,) in look_up(connection, query, paths)]


def paths_of(connection: sqlite3.Connection, uids: Iterable[str]) -> dict[str, str]:
    """Which of these documents are there, and the path of each."""
    return dict(look_up(connection, "SELECT uid, path FROM documents WHERE uid IN ({})", uids))


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
        "UPDATE documents SET uid=?, path=?, name=?, title=?, root_id=?, tokens=?, "
        "field_lengths=?, metadata = json_replace(metadata, '$.source_path', ?) WHERE id=?",
        (uid, path, name, title, root_id, tokens, lengths, path, document),
    )
    connection.execute(
        "INSERT INTO documents_fts (rowid, title, name, path, tags, author) VALUES (?,?,?,?,?,?)",
        (document, *fields),
    )
    # The document-field snapshot holds the old words under this number.
    connection.execute("INSERT OR IGNORE INTO removals VALUES ('fields', ?)", (document,))


_INSERT_DOCUMENT = """
INSERT INTO documents (id, uid, root_id, path, name, title, own_title, format, language, author,
    description, tags, metadata, note, created, modified, size, content_hash, indexed, tokens,
    field_lengths)
VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
"""

_INSERT_CHUNK = """
INSERT INTO chunks (id, document_id, section_id, position, text, start, line, trail, trail_length,
    tokens, vector_id)
VALUES (?,?,?,?,?,?,?,?,?,?,?)
"""
