"""How is a run paused, resumed and ended from another thread?"""

import threading


class Control:
    """Pause, resume and stop a run from another thread."""

    def __init__(self) -> None:
        self._go = threading.Event()
        self._go.set()
        self._stop = threading.Event()
        self._interrupt = threading.Event()

    def pause(self) -> None:
        """Stop taking new work; what is in hand is finished."""
        self._go.clear()

    def resume(self) -> None:
        """Go on."""
        self._go.set()

    def stop(self) -> None:
        """End the run at the next step."""
        self._stop.set()
        self._go.set()

    def interrupt(self) -> None:
        """End the run in hand at its next step; the next one is not touched."""
        self._interrupt.set()

    def begin(self) -> None:
        """A new run: what was said to the last one no longer counts."""
        self._interrupt.clear()

    @property
    def ended(self) -> bool:
        """Whether the run in hand shall end."""
        return self._stop.is_set() or self._interrupt.is_set()

    @property
    def paused(self) -> bool:
        return not self._go.is_set()

    @property
    def stopped(self) -> bool:
        return self._stop.is_set()

    def proceed(self) -> bool:
        """Wait while paused; False when the run shall end."""
        self._go.wait()
        return not self.ended
