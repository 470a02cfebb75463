"""What does the keeper need of the engine, and what does it say of itself?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.errors import EngineError
from engine.ingest.report import Report
from engine.ports import Clock
from engine.watch.change import Bookmark
from engine.watch.roots import KeptRoot

RETRY_SECONDS = (2.0, 5.0, 15.0, 60.0)  # after a failed write: longer and longer
WARNING_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class Desk:
    """What the keeper has done by the engine, always on its own thread."""

    list_roots: Callable[[], Sequence[KeptRoot]]
    refresh: Callable[[str, Sequence[str], bool], Report]  # root, places, urgent
    embed: Callable[[], object]
    settle: Callable[[], None]
    rest: Callable[[], None]
    interrupt: Callable[[], None]
    remember: Callable[[str, Bookmark], None]
    tell: Callable[[str], None]  # a phase: paused, idle


@dataclass(frozen=True, slots=True)
class KeeperState:
    """How the keeper is, for status lines."""

    paused: bool
    quiet: bool
    problem: str  # why nothing is written just now; empty when all is well
    warnings: tuple[str, ...]
    away: tuple[str, ...]  # roots that are waited for


class Trouble:
    """What went wrong, in sentences, and when to try again. The keeper has the lock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failures = 0
        self._warnings: dict[str, float] = {}
        self.problem = ""
        self.retry_at = 0.0

    def stumble(self, error: EngineError) -> None:
        """Nothing is lost: what failed is on the list again, and is tried again later."""
        wait = RETRY_SECONDS[min(self._failures, len(RETRY_SECONDS) - 1)]
        self.problem = f"{error} {error.advice}".strip()
        self._failures += 1
        self.retry_at = self._clock.monotonic() + wait

    def recover(self) -> None:
        """Something was done: whatever was wrong is over."""
        self.problem, self._failures = "", 0

    def warn(self, text: str) -> None:
        """A sentence that people should see for a while."""
        self._warnings[text] = self._clock.monotonic() + WARNING_SECONDS

    def warnings(self) -> tuple[str, ...]:
        """The sentences of the last hour."""
        now = self._clock.monotonic()
        self._warnings = {text: end for text, end in self._warnings.items() if end > now}
        return tuple(self._warnings)
