"""Who writes? One thread: it compares, has files read, writes them, and embeds what waits.

Words first: a batch of files is committed as soon as its text is there. Meaning behind: passages
without a vector are a queue in the database, so a kill at any moment loses nothing but the batch
in hand, which the next run finds again by comparing disk and ledger.
"""

import logging
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from engine.chunk import embedding_text
from engine.files.rules import Rules
from engine.ingest.control import Control
from engine.ingest.pipeline import Recipe, Task
from engine.ingest.plan import Plan, plan_root
from engine.ingest.readers import Readers
from engine.ingest.report import Report
from engine.ingest.worker import Reply
from engine.ingest.write import move_file, remove_file, write_replies
from engine.models import DocumentId, Progress, State
from engine.ports import Listener
from engine.store import documents, ledger
from engine.store.database import Database
from engine.store.documents import DocumentRow
from engine.store.ledger import Root
from engine.store.terms import TermIds
from engine.store.vectors import (
    count_waiting,
    store_vectors,
    sweep_vectors,
    waiting_passages,
)

if TYPE_CHECKING:
    from engine.embed.onnx import OnnxEmbedder
    from engine.vector import VectorIndex

log = logging.getLogger(__name__)

BATCH_FILES = 400
BATCH_SECONDS = 1.0  # what was read is searchable after this time at the latest
EMBED_AT_ONCE = 512  # passages of one transaction
URGENT_WORKERS = 2
URGENT_SECONDS = 10.0  # what takes longer is no longer urgent: it is read with all the others


@dataclass(slots=True)
class _Batch:
    """Replies waiting for one transaction."""

    most: int
    replies: list[tuple[Task, Reply]] = field(default_factory=list)
    passages: int = 0
    since: float = 0.0

    def is_full(self) -> bool:
        return (
            len(self.replies) >= self.most
            or self.passages >= 10 * self.most
            or (bool(self.replies) and time.monotonic() - self.since >= BATCH_SECONDS)
        )


class Indexer:
    """Keeps the index level with the disk. Belongs to the one process that may write."""

    def __init__(
        self,
        database: Database,
        rules: Rules,
        recipe: Recipe,
        *,
        workers: int,
        listener: Listener | None = None,
    ) -> None:
        self.database = database
        self.rules = rules
        self.control = Control()
        self._readers = Readers(recipe, workers)
        # Their own, so that a changed file never queues; two, so that a slow one holds up none.
        self._urgent = Readers(recipe, URGENT_WORKERS, parcel=1)
        self._overtaken: set[str] = set()  # brought level by urgent work during the run in hand
        self._terms = TermIds()
        self._listen: Listener = listener or (lambda progress: None)
        self.changed: Callable[[], None] = lambda: None  # told after every commit
        self.batch_files = BATCH_FILES  # of one transaction: fewer, and urgent work waits less
        # Called often during a long run, on the writer's own thread: the place for urgent work.
        self.between: Callable[[], None] = lambda: None

    def close(self) -> None:
        """End the workers."""
        self._readers.close()
        self._urgent.close()

    def rest(self) -> None:
        """Nothing to do for a while: the workers of long runs give their memory back."""
        self._readers.close()

    def warm_up(self) -> None:
        """Start the worker for urgent files, so that the first one need not wait for it."""
        self._urgent.warm_up()

    def _may_go_on(self) -> bool:
        self.between()
        return self.control.proceed()

    def _may_hurry_on(self) -> bool:
        return not self.control.stopped

    # Comparing and reading

    def refresh(self, root: Root, within: Sequence[str] = (), *, urgent: bool = False) -> Report:
        """Bring `root`, or some paths in it, level with the disk; words only.

        `urgent` may be called from `between`, in the middle of another refresh: few paths.
        """
        started = time.monotonic()
        report = Report()
        if not urgent:
            self.control.begin()
            self._overtaken.clear()
            self._listen(Progress("scanning", path=within[0] if within else root.path))
        proceed = self._may_hurry_on if urgent else self._may_go_on
        connection = self.database.connection()
        plan = plan_root(connection, root, self.rules, time.time(), within, proceed)
        if plan.ended:
            report.stopped = True
            return report
        if urgent:
            self._overtaken.update(plan.tops)
        elif self._overtaken:
            plan.leave_out(self._is_overtaken)
        self._carry_out(root, plan, report, urgent)
        if root.path in plan.tops and not report.stopped and not report.missing:
            with self.database.write() as connection:
                connection.execute(
                    "UPDATE roots SET scanned = ? WHERE id = ?", (time.time(), root.id)
                )
        report.seconds = time.monotonic() - started
        return report

    def _carry_out(self, root: Root, plan: Plan, report: Report, urgent: bool) -> None:
        report.unchanged += plan.unchanged
        report.missing += len(plan.missing)
        with self._writing() as connection:
            for row in plan.gone:
                remove_file(connection, row)
            for old, task in plan.moved:
                move_file(connection, self._terms, root, old, task)
            ledger.put_files(
                connection,
                (
                    replace(row, document_id=None) if row.state is not State.INDEXED else row
                    for row in plan.rows
                ),
            )
            ledger.put_files(
                connection, (replace(row, state=State.MISSING) for row in plan.missing)
            )
        report.moved += len(plan.moved)
        report.removed += len(plan.gone)
        report.skipped += sum(row.state in (State.SKIPPED, State.EVICTED) for row in plan.rows)
        for row in plan.rows:
            if row.state is State.FAILED:
                report.add_failure(row.path, row.reason)
        self._read(root, plan.read, report, urgent)

    def _read(self, root: Root, tasks: Sequence[Task], report: Report, urgent: bool) -> None:
        if not tasks:
            return
        by_path = {task.path: task for task in tasks}
        newest = sorted(tasks, key=lambda task: -task.mtime_ns)  # touched last, wanted first
        batch = _Batch(self.batch_files)
        done, started = 0, time.monotonic()
        for reply in self._replies(newest, urgent):
            if reply is not None:
                if not batch.replies:
                    batch.since = time.monotonic()
                batch.replies.append((by_path.pop(reply.path), reply))
                batch.passages += len(reply.row.chunks) if reply.row else 0
                done += 1
            if batch.is_full():
                self._write(root, batch, report, urgent)
                batch = _Batch(self.batch_files)
                if not urgent:
                    self._tell("reading", done, len(tasks), started)
        self._write(root, batch, report, urgent)
        if not urgent:
            self._tell("reading", done, len(tasks), started)
        report.stopped = self.control.stopped if urgent else self.control.ended
        if urgent and done < len(tasks):
            report.unread = tuple(by_path)

    def _replies(self, tasks: Sequence[Task], urgent: bool) -> Iterator[Reply | None]:
        if urgent:
            end = time.monotonic() + URGENT_SECONDS
            return self._urgent.read(
                iter(tasks), lambda: self._may_hurry_on() and time.monotonic() < end
            )
        return self._readers.read(iter(tasks), self._may_go_on)

    def _is_overtaken(self, path: str) -> bool:
        """Whether urgent work has looked at `path` since this run did: its word is the newer."""
        while self._overtaken and len(path) > 1:
            if path in self._overtaken:
                return True
            path = path[: path.rfind("/")] or "/"
        return False

    def _tell(self, phase: str, done: int, total: int, started: float) -> None:
        rate = done / max(time.monotonic() - started, 1e-6)
        left = (total - done) / rate if rate else None
        if phase == "reading":
            self._listen(Progress(phase, done, total, rate=rate, seconds_left=left))
        else:
            self._listen(
                Progress(
                    phase, passages_done=done, passages_total=total, rate=rate, seconds_left=left
                )
            )

    # Writing

    def _write(self, root: Root, batch: _Batch, report: Report, urgent: bool) -> None:
        replies = batch.replies
        if not urgent and self._overtaken:
            replies = [one for one in replies if not self._is_overtaken(one[0].path)]
        if not replies:
            return
        with self._writing() as connection:
            write_replies(connection, self._terms, root, replies, report)

    def add(
        self, connection: sqlite3.Connection, row: DocumentRow, root_id: int | None
    ) -> DocumentId:
        """Write one document inside the caller's transaction."""
        return documents.add_document(
            connection, self._terms, row, root_id=root_id, indexed=time.time()
        )

    def put_document(self, row: DocumentRow) -> DocumentId:
        """A document that came through a door: replaces one of the same uid."""
        with self._writing() as connection:
            old = connection.execute(
                "SELECT id FROM documents WHERE uid = ?", (row.uid,)
            ).fetchone()
            if old is not None:
                documents.remove_document(connection, old[0])
            return self.add(connection, row, None)

    def delete_document(self, uid: str) -> bool:
        """Forget one document; its file, if there is one, stays out until it changes."""
        with self._writing() as connection:
            found = connection.execute(
                "SELECT id, path FROM documents WHERE uid = ?", (uid,)
            ).fetchone()
            if found is None:
                return False
            documents.remove_document(connection, found[0])
            connection.execute(
                "UPDATE files SET state = ?, reason = ?, document_id = NULL WHERE path = ?",
                (State.SKIPPED.value, "deleted from the index by you", found[1]),
            )
        return True

    def remove_root(self, root: Root) -> int:
        """Forget a root and everything indexed under it; how many documents that were."""
        count = 0
        while True:
            with self._writing() as connection:
                rows = connection.execute(
                    "SELECT id FROM documents WHERE root_id = ? LIMIT ?", (root.id, BATCH_FILES)
                ).fetchall()
                for (document,) in rows:
                    documents.remove_document(connection, document)
                count += len(rows)
                if not rows:
                    connection.execute("DELETE FROM files WHERE root_id = ?", (root.id,))
                    connection.execute("DELETE FROM roots WHERE id = ?", (root.id,))
                    return count

    def _writing(self) -> "_Writing":
        return _Writing(self)

    # Meaning

    def embed_waiting(
        self, embedder: "OnnxEmbedder", index: "VectorIndex", *, most: int | None = None
    ) -> int:
        """Embed the passages that wait, wanted first; how many were done."""
        connection = self.database.connection()
        self.control.begin()
        done, started = 0, time.monotonic()
        total = count_waiting(connection)
        while self._may_go_on() and (most is None or done < most):
            left = EMBED_AT_ONCE if most is None else min(EMBED_AT_ONCE, most - done)
            batch = waiting_passages(connection, left)
            if not batch:
                break
            done += self._embed_batch(embedder, index, batch)
            self._tell("embedding", done, max(total, done), started)
        return done

    def _embed_batch(
        self, embedder: "OnnxEmbedder", index: "VectorIndex", batch: Sequence[tuple[int, str, str]]
    ) -> int:
        texts = [embedding_text(trail, text) for _, trail, text in batch]
        ids = np.array([row[0] for row in batch], np.int64)
        vectors = np.zeros((len(texts), embedder.dimensions), np.float32)
        finished: list[int] = []
        for places, part in embedder.iter_embed(texts):
            vectors[places] = part
            finished += places
            if not self._may_go_on():
                break
        if finished:
            with self._writing() as connection:
                store_vectors(connection, ids[finished].tolist(), vectors[finished])
            index.add(ids[finished], vectors[finished])
        return len(finished)

    def sweep(self, index: "VectorIndex | None") -> int:
        """Forget vectors that no passage uses."""
        with self._writing() as connection:
            count = sweep_vectors(connection)
            gone = connection.execute("SELECT id FROM removals WHERE kind = 'vector'").fetchall()
            connection.execute("DELETE FROM removals WHERE kind = 'vector'")
        if index is not None and gone:
            index.remove(np.array([row[0] for row in gone], np.int64))
        return count


class _Writing:
    """A transaction of the indexer: a failed one also forgets the term numbers it made up."""

    def __init__(self, indexer: Indexer) -> None:
        self._indexer = indexer
        self._context = indexer.database.write()

    def __enter__(self) -> sqlite3.Connection:
        return self._context.__enter__()

    def __exit__(self, *error: object) -> bool | None:
        if error[0] is not None:
            self._indexer._terms.forget()
        try:
            return self._context.__exit__(*error)  # type: ignore[arg-type]  # the three of __exit__
        finally:
            if error[0] is None:
                self._indexer.changed()
