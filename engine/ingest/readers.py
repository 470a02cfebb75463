"""How are many files read at once? Worker processes, each with a parcel of files in hand.

A worker that dies or takes too long is replaced; the file it was reading gets the reason, the rest
of its parcel is read by another. The batch always goes on.
"""

import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Self

import msgspec

from engine.errors import FileTimeoutError
from engine.ingest.pipeline import Recipe, Task
from engine.ingest.worker import MEMORY_EXIT, Parcel, Reply

PARCEL_FILES = 24
PARCEL_BYTES = 512 * 1024  # large files travel alone, so that small ones do not wait behind them
LOOK_SECONDS = 0.1  # urgent work waits no longer than this behind a slow file


class Worker:
    """One reading process and the files it has been given."""

    def __init__(self, recipe: Recipe) -> None:
        self.tasks: deque[Task] = deque()
        self.since = time.monotonic()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "engine.ingest.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # a Ctrl-C is for us; the worker ends when its pipe closes
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._outgoing = Connection(os.dup(self._process.stdin.fileno()), readable=False)
        self.incoming = Connection(os.dup(self._process.stdout.fileno()), writable=False)
        self._process.stdin.close()
        self._process.stdout.close()
        self._outgoing.send_bytes(msgspec.msgpack.encode(recipe))

    def give(self, tasks: list[Task]) -> None:
        """Hand over a parcel."""
        if not self.tasks:
            self.since = time.monotonic()
        self.tasks.extend(tasks)
        self._outgoing.send_bytes(msgspec.msgpack.encode(Parcel(tasks)))

    def take(self) -> Reply:
        """The next reply; EOFError when the process is gone."""
        reply = _DECODER.decode(self.incoming.recv_bytes())
        self.tasks.popleft()
        self.since = time.monotonic()
        return reply

    def end(self) -> int:
        """Stop it now; how it ended: an exit code, or minus a signal."""
        self._outgoing.close()
        self.incoming.close()
        if self._process.poll() is None:
            self._process.kill()
        return self._process.wait()

    def died(self) -> int:
        """Wait for a process whose pipe has closed; how it ended."""
        try:
            return self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return self.end()


_DECODER = msgspec.msgpack.Decoder(Reply)


class Readers:
    """The pool; started with the first file, kept for the next batch."""

    def __init__(self, recipe: Recipe, count: int) -> None:
        self.recipe = recipe
        self.count = count
        self._workers: list[Worker] = []

    def read(self, tasks: Iterator[Task], proceed: Callable[[], bool]) -> Iterator[Reply]:
        """Every file's reply, in any order; `proceed` is asked between replies and may say stop."""
        waiting: deque[Task] = deque()
        rest: Iterator[Task] | None = tasks
        while proceed():
            for worker in self._idle():
                parcel = _next_parcel(waiting, rest)
                if not parcel:
                    rest = None
                    break
                self._give(worker, parcel, waiting)
            busy = [worker for worker in self._workers if worker.tasks]
            if not busy:
                if rest is None and not waiting:
                    return
                continue
            ready = wait([worker.incoming for worker in busy], timeout=LOOK_SECONDS)
            for worker in busy:
                if worker.incoming in ready:
                    yield from self._take(worker, waiting)
                elif time.monotonic() - worker.since > self.recipe.timeout_seconds:
                    yield self._give_up(worker, waiting)
        self.close()

    def warm_up(self) -> None:
        """Start the workers before there is work."""
        self._idle()

    def _idle(self) -> list[Worker]:
        while len(self._workers) < self.count:
            self._workers.append(Worker(self.recipe))
        return [worker for worker in self._workers if len(worker.tasks) < PARCEL_FILES // 2]

    def _give(self, worker: Worker, parcel: list[Task], waiting: deque[Task]) -> None:
        try:
            worker.give(parcel)
        except OSError:
            waiting.extend(parcel)  # it died before; its own files are dealt with when read
            self._workers.remove(worker)
            waiting.extend(worker.tasks)
            worker.end()

    def _take(self, worker: Worker, waiting: deque[Task]) -> Iterator[Reply]:
        try:
            yield worker.take()
            while worker.tasks and worker.incoming.poll():
                yield worker.take()
        except (EOFError, OSError, msgspec.MsgspecError):
            yield self._bury(worker, waiting, _describe(worker.died()))

    def _give_up(self, worker: Worker, waiting: deque[Task]) -> Reply:
        seconds = self.recipe.timeout_seconds
        worker.end()
        return self._bury(worker, waiting, f"it took longer than {seconds} seconds")

    def _bury(self, worker: Worker, waiting: deque[Task], what: str) -> Reply:
        culprit = worker.tasks.popleft()
        waiting.extendleft(reversed(worker.tasks))
        self._workers.remove(worker)
        worker.end()
        error = FileTimeoutError(what=what)
        return Reply(culprit.path, None, type(error).__name__, str(error), error.advice)

    def close(self) -> None:
        """End every worker."""
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _next_parcel(waiting: deque[Task], rest: Iterator[Task] | None) -> list[Task]:
    parcel: list[Task] = []
    size = 0
    while len(parcel) < PARCEL_FILES and size < PARCEL_BYTES:
        if waiting:
            task = waiting.popleft()
        else:
            found = next(rest, None) if rest is not None else None
            if found is None:
                break
            task = found
        parcel.append(task)
        size += task.size
    return parcel


def _describe(code: int) -> str:
    if code == MEMORY_EXIT:
        return "it needs too much memory"
    if code < 0:
        return f"its reader crashed ({signal.Signals(-code).name})"
    return f"its reader ended early (exit {code})"
