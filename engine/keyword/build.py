"""How is the word snapshot made? One read of the forward index, one file, then the removals go.

Order matters for whoever reads meanwhile: the file is in its place before the removals it makes
superfluous are deleted, so at no instant does a removed passage come back.
"""

import logging
import time
from pathlib import Path

from engine.keyword.forward import read_documents, read_passages
from engine.keyword.postings import KIND, database_identity
from engine.keyword.segment import build_segment
from engine.keyword.snapshot import write_snapshot
from engine.store.database import Database

log = logging.getLogger(__name__)

KINDS = ("chunk", "document", "fields")


def build_snapshot(database: Database, path: Path) -> int:
    """Write the snapshot of everything that is in `database` now; returns its passages."""
    began = time.perf_counter()
    with database.read() as connection:
        passages = build_segment(read_passages(connection, 0))
        documents = build_segment(read_documents(connection, 0))
        removed = connection.execute(
            "SELECT kind, id FROM removals WHERE kind IN (?, ?, ?)", KINDS
        ).fetchall()
        sequence = dict(connection.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
        facts = {
            "database": database_identity(connection),
            "last_passage": int(sequence.get("chunks", 0)),
            "last_document": int(sequence.get("documents", 0)),
        }
    arrays = passages.arrays("passages") | documents.arrays("documents")
    write_snapshot(path, KIND, facts, arrays)
    if database.writable and removed:
        with database.write() as connection:
            connection.executemany("DELETE FROM removals WHERE kind = ? AND id = ?", removed)
    log.info("word snapshot: %d passages, %.1f s", passages.size, time.perf_counter() - began)
    return passages.size
