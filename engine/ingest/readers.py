"""How are many files read at once? Worker processes, each with a parcel of files in hand.

A worker that dies or takes too long is replaced; the file it was reading gets the reason, the rest
of its parcel is read by another. The batch always goes on.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from multiprocessing.connection import Connection
from operator import length_hint
from queue import Empty, SimpleQueue

import msgspec

from engine.errors import FileTimeoutError, ReadersError
from engine.ingest.pipeline import Recipe, Task
from engine.ingest.worker import MEMORY_EXIT, Parcel, Reply
from engine.ports import Closing

PARCEL_FILES = 24
PARCEL_BYTES = 512 * 1024  # large files travel alone, so that small ones do not wait behind them
SHARES = 2  # of what is left, a worker gets its part in so many parcels
IN_HAND_FILES = 48  # enough to go on with while the writer writes a batch
IN_HAND_BYTES = 1024 * 1024
LOOK_SECONDS = 0.1  # urgent work waits no longer than this behind a slow file
MOST_FALSE_STARTS = 3  # workers in a row that ended before they could read anything


class Worker:
    """One reading process and the files it has been given.

    A thread takes its replies off the pipe: a pipe holds a few files' text only, and the worker
    shall not wait while the writer writes.
    """

    def __init__(self, recipe: Recipe, inbox: "Inbox") -> None:
        self.tasks: deque[Task] = deque()
        self.bytes_in_hand = 0
        self.ready = False  # it has started and can read
        self.since = time.monotonic()  # when it began with the file in hand
        self._arrived = 0  # replies that wait in the inbox
        self._process = subprocess.Popen(
            [sys.executable, "-m", "engine.ingest.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # a Ctrl-C is for us; the worker ends when its pipe closes
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._outgoing = Connection(os.dup(self._process.stdin.fileno()), readable=False)
        incoming = Connection(os.dup(self._process.stdout.fileno()), writable=False)
        self._process.stdin.close()
        self._process.stdout.close()
        threading.Thread(
            target=self._fetch, args=(incoming, inbox), name="sagasu-reader", daemon=True
        ).start()
        with contextlib.suppress(OSError):  # gone already: the thread says so
            self._outgoing.send_bytes(msgspec.msgpack.encode(recipe))

    def _fetch(self, incoming: Connection, inbox: "Inbox") -> None:
        with incoming:
            while True:
                try:
                    found = incoming.recv_bytes()
                except (EOFError, OSError):
                    inbox.put((self, None))
                    return
                self.since = time.monotonic()
                if self.ready:
                    self._arrived += 1
                    inbox.put((self, found))
                self.ready = True

    def has_room(self, parcel: int) -> bool:
        """Whether it can take another parcel of so many files."""
        few = len(self.tasks) <= IN_HAND_FILES - PARCEL_FILES if parcel > 1 else not self.tasks
        return few and self.bytes_in_hand < IN_HAND_BYTES

    def give(self, tasks: list[Task]) -> None:
        """Hand over a parcel."""
        if not self.tasks:
            self.since = time.monotonic()
        self.tasks.extend(tasks)
        self.bytes_in_hand += sum(task.size for task in tasks)
        with contextlib.suppress(OSError):  # gone: the thread says so, and who was being read
            self._outgoing.send_bytes(msgspec.msgpack.encode(Parcel(tasks)))

    def take(self, found: bytes) -> Reply:
        """The reply that came in."""
        reply = _DECODER.decode(found)
        self.bytes_in_hand -= self.tasks.popleft().size
        self._arrived -= 1
        return reply

    def is_late(self, seconds: float) -> bool:
        """Whether it has been reading one file for longer than that."""
        reading = bool(self.tasks) and not self._arrived
        return reading and time.monotonic() - self.since > seconds

    def end(self) -> int:
        """Stop it now; how it ended: an exit code, or minus a signal."""
        self._outgoing.close()
        if self._process.poll() is None:
            self._process.kill()
        return self._process.wait()

    def died(self) -> int:
        """Wait for a process whose pipe has closed; how it ended."""
        try:
            return self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return self.end()


Inbox = SimpleQueue[tuple[Worker, bytes | None]]
_DECODER = msgspec.msgpack.Decoder(Reply)


class Readers(Closing):
    """The pool; started with the first file, kept for the next batch."""

    def __init__(self, recipe: Recipe, count: int, parcel: int = PARCEL_FILES) -> None:
        self.recipe = recipe
        self.count = count
        self.parcel = parcel  # files at a time; 1: none ever waits behind a slow one
        self._workers: list[Worker] = []
        self._inbox: Inbox = SimpleQueue()
        self._false_starts = 0

    def read(
        self, tasks: Iterator[Task], proceed: Callable[[], bool]
    ) -> Generator[Reply | None, None, None]:
        """Every file's reply, in any order; None when none has come for a moment.

        `proceed` is asked between replies and may say stop.
        """
        waiting: deque[Task] = deque()
        try:
            while proceed():
                self._share_out(waiting, tasks)
                if not any(worker.tasks for worker in self._workers):
                    return
                yield self._next_reply(waiting)
        finally:
            if any(worker.tasks for worker in self._workers):  # ended in the middle
                self.close()

    def warm_up(self) -> None:
        """Start the workers before there is work."""
        while len(self._workers) < self.count:
            self._workers.append(Worker(self.recipe, self._inbox))

    def _share_out(self, waiting: deque[Task], rest: Iterator[Task]) -> None:
        self.warm_up()
        for worker in self._workers:
            if worker.has_room(self.parcel):
                left = len(waiting) + length_hint(rest)
                share = min(self.parcel, max(1, left // (SHARES * self.count)))
                parcel = _next_parcel(waiting, rest, share)
                if not parcel:
                    return
                worker.give(parcel)

    def _next_reply(self, waiting: deque[Task]) -> Reply | None:
        seconds = self.recipe.timeout_seconds
        for worker in self._workers:
            if worker.is_late(seconds):
                return self._bury(worker, waiting, f"it took longer than {seconds} seconds")
        try:
            worker, found = self._inbox.get(timeout=LOOK_SECONDS)
        except Empty:
            return None
        if worker not in self._workers:  # given up before
            return None
        if found is None:
            return self._bury(worker, waiting, _describe(worker.died()))
        try:
            reply = worker.take(found)
        except msgspec.MsgspecError:
            return self._bury(worker, waiting, "its reader sent nonsense")
        self._false_starts = 0
        return reply

    def _bury(self, worker: Worker, waiting: deque[Task], what: str) -> Reply | None:
        """Replace a worker; the file it was reading gets the reason, the others are read again."""
        self._workers.remove(worker)
        worker.end()
        if not worker.ready:  # no file's fault
            waiting.extendleft(reversed(worker.tasks))
            self._false_starts += 1
            if self._false_starts >= MOST_FALSE_STARTS:
                raise ReadersError(what=what)
            return None
        if not worker.tasks:
            return None
        culprit = worker.tasks.popleft()
        waiting.extendleft(reversed(worker.tasks))
        error = FileTimeoutError(what=what)
        return Reply(culprit.path, None, type(error).__name__, str(error), error.advice)

    def close(self) -> None:
        """End every worker."""
        for worker in self._workers:
            worker.end()
        self._workers.clear()


def _next_parcel(waiting: deque[Task], rest: Iterator[Task], share: int) -> list[Task]:
    """The next files for one worker; towards the end fewer, so that all end together."""
    parcel: list[Task] = []
    size = 0
    while len(parcel) < share and size < PARCEL_BYTES:
        task = waiting.popleft() if waiting else next(rest, None)
        if task is None:
            break
        parcel.append(task)
        size += task.size
    return parcel


def _describe(code: int) -> str:
    if code == MEMORY_EXIT:
        return "it needs too much memory"
    if code < 0:
        return f"its reader crashed ({signal.Signals(-code).name})"
    return f"its reader ended early (exit {code})"
