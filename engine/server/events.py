"""What happens while nobody asks? Events for whoever listens: progress, and that the index changed.

The engine tells its progress from its own threads, many times a second. Listeners get at most a few
a second, always the last one, and a slow listener loses old events, never the newest.
"""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from engine.models import Progress

LEAST_SECONDS = 0.25  # between two events of progress
CHANGED_SECONDS = 2.0  # between two words that the index has changed, while it grows
KEEP_ALIVE_SECONDS = 15.0
WAITING_EVENTS = 32
MOST_LISTENERS = 32

Event = dict[str, Any]


class Events:
    """Hands events from the engine's threads to the listeners on the loop."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._queues: dict[asyncio.Queue[Event], asyncio.AbstractEventLoop] = {}
        self._told = self._changed = 0.0
        self._phase = ""
        self.describe: Callable[[Progress], Event] = lambda progress: {"phase": progress.phase}

    def progress(self, progress: Progress) -> None:
        """Told by the engine, from any thread."""
        now = time.monotonic()
        turned = progress.phase != self._phase
        self._phase = progress.phase
        if not self._queues:
            return
        if turned or now - self._told >= LEAST_SECONDS:
            self._told = now
            self.send({"type": "status", **self.describe(progress)})
        grows = (
            progress.phase in ("reading", "embedding") and now - self._changed >= CHANGED_SECONDS
        )
        if grows or (turned and progress.phase == "idle"):
            self.changed()

    def changed(self) -> None:
        """The index is another one than before."""
        self._changed = time.monotonic()
        self.send({"type": "changed"})

    def send(self, event: Event) -> None:
        """Give `event` to everyone who listens; from any thread."""
        with self._guard:
            listening = list(self._queues.items())
        for queue, loop in listening:
            if not loop.is_closed():
                loop.call_soon_threadsafe(_put, queue, event)

    @property
    def full(self) -> bool:
        """Whether no more listeners are taken."""
        return len(self._queues) >= MOST_LISTENERS

    async def listen(self, first: Event) -> AsyncIterator[str]:
        """`first`, then every event, as server-sent events, until the listener leaves."""
        queue: asyncio.Queue[Event] = asyncio.Queue(WAITING_EVENTS)
        with self._guard:
            self._queues[queue] = asyncio.get_running_loop()
        try:
            yield write_event(first)
            while True:
                try:
                    async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                        event = await queue.get()
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if event.get("type") == "stop":
                    return
                yield write_event(event)
        finally:
            with self._guard:
                self._queues.pop(queue, None)

    def close(self) -> None:
        """Send every listener away."""
        self.send({"type": "stop"})


def write_event(data: Any, name: str = "") -> str:
    """One server-sent event; JSON has no raw line breaks, so one data line holds it."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data)}\n\n"


def _put(queue: "asyncio.Queue[Event]", event: Event) -> None:
    if queue.full():
        queue.get_nowait()
    queue.put_nowait(event)
