"""How do files enter the index, change their place in it, and leave it?

All inside the caller's transaction: documents and ledger always tell the same.
"""

import sqlite3
import time
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from engine.files.identity import document_uid
from engine.ingest.pipeline import Task, field_terms, title_from_name
from engine.ingest.report import Report
from engine.ingest.worker import Reply
from engine.models import State
from engine.store import documents, ledger
from engine.store.ledger import LedgerRow, Root
from engine.store.terms import TermIds

NOT_TEXT = ("UnsupportedFormatError", "NoTextError", "FileTooLargeError")


def write_replies(
    connection: sqlite3.Connection,
    terms: TermIds,
    root: Root,
    replies: Sequence[tuple[Task, Reply]],
    report: Report,
) -> None:
    """Files that were read: old versions out, new ones in, and each counted in `report`."""
    paths = [task.path for task, _ in replies]
    for document in documents.documents_at(connection, paths):
        documents.remove_document(connection, document)
    uids = [reply.row.uid for _, reply in replies if reply.row is not None]
    holders = documents.paths_of(connection, uids)
    fresh = []
    rows: list[LedgerRow] = []
    now = time.time()
    for task, reply in replies:
        row = _ledger_row(root, task, now)
        if reply.row is None:
            rows.append(_refuse(row, reply, report))
        elif reply.row.uid in holders:
            rows.append(_refuse_twin(row, holders[reply.row.uid], report))
        else:
            holders[reply.row.uid] = task.path
            fresh.append(reply.row)
            rows.append(replace(row, reason=reply.row.note))
    ids = documents.add_documents(connection, terms, fresh, root_id=root.id, indexed=now)
    numbers = {row.path: number for row, number in zip(fresh, ids, strict=True)}
    report.read += len(fresh)
    report.passages += sum(len(row.chunks) for row in fresh)
    for place, ledgered in enumerate(rows):
        if ledgered.state is State.INDEXED:
            rows[place] = replace(ledgered, document_id=numbers[ledgered.path])
    rows.sort(key=lambda row: row.path)  # the ledger is ordered by path: neighbours share pages
    ledger.put_files(connection, rows)


def _ledger_row(root: Root, task: Task, now: float) -> LedgerRow:
    return LedgerRow(
        task.path,
        root.id,
        State.INDEXED,
        "",
        "",
        task.size,
        task.mtime_ns,
        task.inode,
        task.device,
        None,
        now,
    )


def _refuse(row: LedgerRow, reply: Reply, report: Report) -> LedgerRow:
    """A file without text is skipped, one that cannot be read has failed."""
    if reply.error in NOT_TEXT:
        report.skipped += 1
        return replace(row, state=State.SKIPPED, reason=reply.reason)
    report.add_failure(row.path, reply.reason)
    return replace(row, state=State.FAILED, reason=reply.reason)


def _refuse_twin(row: LedgerRow, other: str, report: Report) -> LedgerRow:
    report.skipped += 1
    reason = f"its name is the same as {other} but for the form of its accents"
    return replace(row, state=State.SKIPPED, reason=reason)


def move_file(
    connection: sqlite3.Connection, terms: TermIds, root: Root, old: LedgerRow, task: Task
) -> None:
    """A file has another path now: its document, passages and vectors stay."""
    assert old.document_id is not None
    title, own_title, language = connection.execute(
        "SELECT title, own_title, language FROM documents WHERE id = ?", (old.document_id,)
    ).fetchone()
    there = ledger.find_file(connection, task.path)
    if there is not None and there.document_id is not None:  # it was moved over another file
        documents.remove_document(connection, there.document_id)
    name = unicodedata.normalize("NFC", task.path.rsplit("/", 1)[-1])
    changed = field_terms(language, task.path, name=name)
    if not own_title:
        title = title_from_name(name)
        changed |= field_terms(language, task.path, title=title)
    documents.move_document(
        connection,
        terms,
        old.document_id,
        uid=document_uid(task.path),
        path=task.path,
        name=name,
        title=title,
        root_id=root.id,
        field_terms=changed,
    )
    ledger.delete_file(connection, old.path)
    fresh = replace(
        old,
        path=task.path,
        state=State.INDEXED,
        root_id=root.id,
        inode=task.inode,
        device=task.device,
        changed=time.time(),
    )
    ledger.put_files(connection, [fresh])


def remove_file(connection: sqlite3.Connection, row: LedgerRow) -> None:
    """A file is no longer there: neither is its document."""
    if row.document_id is not None:
        documents.remove_document(connection, row.document_id)
    ledger.delete_file(connection, row.path)
