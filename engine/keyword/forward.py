"""What does the database know of each unit's terms? Reads the forward index in bulk.

Passages have two fields (trail, body), documents five (title, name, path, tags, author).
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from itertools import islice

import numpy as np

from engine.keyword.segment import Tokens, empty_tokens

PASSAGE_FIELDS = ("trail", "body")
DOCUMENT_FIELDS = ("title", "name", "path", "tags", "author")

_CHUNKS = "SELECT id, document_id, trail_length, tokens FROM chunks WHERE id > ? ORDER BY id"
_DOCUMENTS = "SELECT id, field_lengths, tokens FROM documents WHERE id > ? ORDER BY id"
_SOME = 500  # values in one IN (…): below SQLite's old limit of 999


def read_passages(connection: sqlite3.Connection, after: int) -> Tokens:
    """The forward index of every passage with a larger number than `after`."""
    return _passages(connection.execute(_CHUNKS, (after,)))


def read_some_passages(connection: sqlite3.Connection, ids: Sequence[int]) -> Tokens:
    """The forward index of these passages, in the order of their numbers."""
    rows: list[tuple[int, int, int, bytes]] = []
    rest = iter(sorted(ids))
    while batch := list(islice(rest, _SOME)):
        marks = ",".join("?" * len(batch))
        rows += connection.execute(
            f"SELECT id, document_id, trail_length, tokens FROM chunks WHERE id IN ({marks})"
            " ORDER BY id",
            batch,
        )
    return _passages(rows)


def _passages(rows: Iterable[tuple[int, int, int, bytes]]) -> Tokens:
    columns = list(zip(*rows, strict=True))
    if not columns:
        return empty_tokens(len(PASSAGE_FIELDS))
    ids, documents, trails, blobs = columns
    totals = np.fromiter(map(len, blobs), np.int64, len(blobs)) // 4
    trail = np.minimum(np.array(trails, np.int64), totals)
    return Tokens(
        np.array(ids, np.int64),
        np.array(documents, np.int64),
        np.frombuffer(b"".join(blobs), np.uint32),
        np.stack([trail, totals - trail]).astype(np.int32),
    )


def read_documents(connection: sqlite3.Connection, after: int) -> Tokens:
    """The fields of every document with a larger number than `after`."""
    return _documents(connection.execute(_DOCUMENTS, (after,)))


def read_some_documents(connection: sqlite3.Connection, ids: Sequence[int]) -> Tokens:
    """The fields of these documents, as far as they exist."""
    rows: list[tuple[int, str, bytes]] = []
    rest = iter(sorted(ids))
    while batch := list(islice(rest, _SOME)):
        marks = ",".join("?" * len(batch))
        rows += connection.execute(
            f"SELECT id, field_lengths, tokens FROM documents WHERE id IN ({marks}) ORDER BY id",
            batch,
        )
    return _documents(rows)


def _documents(rows: Iterable[tuple[int, str, bytes]]) -> Tokens:
    columns = list(zip(*rows, strict=True))
    if not columns:
        return empty_tokens(len(DOCUMENT_FIELDS))
    ids, lengths, blobs = columns
    numbers = np.array(ids, np.int64)
    return Tokens(
        numbers,
        numbers,
        np.frombuffer(b"".join(blobs), np.uint32),
        np.ascontiguousarray(np.array([json.loads(one) for one in lengths], np.int32).T),
    )
