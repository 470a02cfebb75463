"""How does slow work stay off the main thread? run(op, then, failed): op off it, the rest on it.

AppKit may only be touched on the main thread, and must never wait for disk or index. Work that has
a lane is newest-wins: a newer job in the lane cancels the older one, whose answer is dropped.

    bridge.run(lambda ticket: engine.search("ta"), show, tell, lane="search")
    bridge.run(lambda ticket: engine.search("tax"), show, tell, lane="search")   # cancels "ta"
"""

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from engine.errors import EngineError, InternalError

log = logging.getLogger(__name__)

T = TypeVar("T")
OnMain = Callable[[Callable[[], None]], None]  # puts a call into the main thread's queue


class Ticket:
    """One job's right to go on; work may ask it, or have something called when it is lost."""

    def __init__(self) -> None:
        self._lost = threading.Event()
        self._lock = threading.Lock()
        self._calls: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        """Has a newer job overtaken this one?"""
        return self._lost.is_set()

    def on_cancel(self, call: Callable[[], None]) -> None:
        """Calls `call` once when the job is cancelled; at once if it is already."""
        with self._lock:
            if not self._lost.is_set():
                self._calls.append(call)
                return
        call()

    def cancel(self) -> None:
        """Takes the right away."""
        with self._lock:
            if self._lost.is_set():
                return
            self._lost.set()
            calls, self._calls = self._calls, []
        for call in calls:
            call()


class Lanes:
    """Who is the newest in each lane? Whoever enters cancels the one before."""

    def __init__(self) -> None:
        self._tickets: dict[str, Ticket] = {}
        self._lock = threading.Lock()

    def enter(self, lane: str, ends: Sequence[str] = ()) -> Ticket:
        """The ticket of a job that begins in `lane` (empty: alone) and ends the others' too."""
        ticket = Ticket()
        with self._lock:
            older = [self._tickets.pop(one, None) for one in (lane, *ends)]
            if lane:
                self._tickets[lane] = ticket
        for one in older:
            if one is not None:
                one.cancel()
        return ticket

    def leave(self, lane: str, ticket: Ticket) -> None:
        """The job is done; nobody needs to be told of a newer one."""
        with self._lock:
            if self._tickets.get(lane) is ticket:
                del self._tickets[lane]

    def clear(self) -> None:
        """Cancels everybody."""
        with self._lock:
            tickets = list(self._tickets.values())
        for ticket in tickets:
            ticket.cancel()


class Bridge:
    """Runs work in a few threads and brings every answer to the main one."""

    def __init__(self, on_main: OnMain, workers: int = 4) -> None:
        self._on_main = on_main
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="bridge")
        self._lanes = Lanes()
        self._closed = False

    def run(
        self,
        op: Callable[[Ticket], T],
        then: Callable[[T], None],
        failed: Callable[[EngineError], None],
        *,
        lane: str = "",
        ends: Sequence[str] = (),
        dropped: Callable[[], None] | None = None,
    ) -> Ticket:
        """Does `op` off the main thread; on it, exactly one of: then(answer), failed(error), or
        dropped() when a newer job took the lane."""
        ticket = self._lanes.enter(lane, ends)

        def work() -> None:
            if ticket.cancelled:
                self._land(dropped)
                return
            try:
                answer = op(ticket)
            except EngineError as exc:
                error: EngineError = exc
                self._land(dropped if ticket.cancelled else lambda: failed(error))
            except Exception as exc:  # a worker's top: a defect must not vanish with its thread
                log.exception("background work failed")
                defect = InternalError()
                defect.__cause__ = exc
                self._land(dropped if ticket.cancelled else lambda: failed(defect))
            else:
                self._land(lambda: self._deliver(ticket, answer, then, dropped))

        self._pool.submit(work)
        return ticket

    def close(self, wait: bool = True) -> None:
        """Cancels what runs; nothing is delivered any more."""
        self._closed = True
        self._lanes.clear()
        self._pool.shutdown(wait=wait, cancel_futures=True)

    def _deliver(
        self,
        ticket: Ticket,
        answer: T,
        then: Callable[[T], None],
        dropped: Callable[[], None] | None,
    ) -> None:
        # Asked again here, on the main thread: a newer job may have come in since.
        if not ticket.cancelled:
            then(answer)
        elif dropped is not None:
            dropped()

    def _land(self, call: Callable[[], None] | None) -> None:
        if call is None or self._closed:
            return

        def safe() -> None:
            try:
                call()
            except Exception:  # a main-thread callback: nothing may cross into Objective-C
                log.exception("a callback on the main thread failed")

        self._on_main(safe)
