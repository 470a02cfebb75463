"""On which thread does the engine work? Never on the one that listens.

Questions have a few threads, each with its own connection to the database. Long changes (a new
folder) have one, so that they come one after the other; short ones (a document) share the
questions' threads, and the database itself lets one writer in at a time. When nobody waits for the
answer any more (its time is up, the client left), a search in hand is ended.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from engine.cancel import Cancel
from engine.errors import EngineError

log = logging.getLogger(__name__)

ASKING_THREADS = 8
Value = TypeVar("Value")


class Calls:
    """The threads of one server."""

    def __init__(self) -> None:
        self._asking = ThreadPoolExecutor(ASKING_THREADS, "ask")
        self._changing = ThreadPoolExecutor(1, "change")

    async def ask(self, call: Callable[[], Value]) -> Value:
        """What `call` returns, worked out on another thread."""
        cancel = Cancel()
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._asking, cancel.run, call
            )
        except asyncio.CancelledError:
            cancel.cancel()
            raise

    def later(self, call: Callable[[], object]) -> "Future[None]":
        """Have `call` done after the long changes before it; failures go to the log."""
        return self._changing.submit(_logged, call)

    def close(self) -> None:
        """Start nothing new, and wait for what runs."""
        self._asking.shutdown(wait=True, cancel_futures=True)
        self._changing.shutdown(wait=True, cancel_futures=True)


def _logged(call: Callable[[], object]) -> None:
    try:
        call()
    except EngineError as exc:
        log.error("%s %s", exc, exc.advice)
    except Exception:  # a worker's top: the next change must still be done
        log.exception("a change failed")
