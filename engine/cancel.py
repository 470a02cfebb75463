"""How is a search ended before it has its answer? By its Cancel, from any thread.

    cancel = Cancel()
    engine.search(request, cancel)      # on one thread
    cancel.cancel()                     # on another: SearchCancelledError there, within moments

What the database is reading is interrupted; everything else asks between its steps. The Cancel of
the work in hand is known to all that runs on its thread, so nobody passes it on.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from engine.errors import SearchCancelledError

Value = TypeVar("Value")


class Cancel:
    """One search's right to go on; it is lost once and for all."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._interrupts: list[Callable[[], None]] = []
        self._lost = False

    def cancel(self) -> None:
        """End the search that has this, now or when it begins."""
        with self._lock:
            self._lost = True
            for interrupt in self._interrupts:
                interrupt()

    def run(self, work: Callable[[], Value]) -> Value:
        """What `work` returns; while it runs, this is the thread's Cancel."""
        before = _CURRENT.set(self)
        try:
            check_cancelled()
            return work()
        finally:
            _CURRENT.reset(before)

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Within the block, and never after it, `cancel` also calls `interrupt`."""
        with self._lock:
            if self._lost:
                raise SearchCancelledError
            self._interrupts.append(interrupt)
        try:
            yield
        finally:
            with self._lock:
                self._interrupts.remove(interrupt)


_CURRENT: ContextVar[Cancel | None] = ContextVar("cancel", default=None)


def current_cancel() -> Cancel | None:
    """The Cancel of what runs on this thread, if it has one."""
    return _CURRENT.get()


def is_cancelled() -> bool:
    """Whether what runs on this thread shall end."""
    cancel = _CURRENT.get()
    return cancel is not None and cancel._lost


def check_cancelled() -> None:
    """Between two steps of a search: end here if it is no longer wanted."""
    if is_cancelled():
        raise SearchCancelledError
