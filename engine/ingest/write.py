"""How do files that were read enter the index? A batch in one transaction: old versions out, new
ones in, and the ledger told what became of each."""

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import replace

from engine.ingest.pipeline import Task
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
    """Write a batch inside the caller's transaction and count it in `report`."""
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
