"""What is there to do, and what comes first? The keeper's list, without a thread of its own.

1. calls of the doors (a folder is removed), 2. changed paths, 3. folders to compare, 4. meaning,
5. tidying up. Everything here is in memory only: after a kill the comparison at start finds it all
again. Not thread-safe: the keeper has the lock.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.ingest.report import Report
from engine.ports import Clock
from engine.watch.debounce import Debounce, Due, gather

if TYPE_CHECKING:
    from concurrent.futures import Future

URGENT_MOST = 64  # more changed paths than this are read by all workers, as a comparison


@dataclass(slots=True)
class Scan:
    """A root to compare: all of it, or some places in it."""

    whole: bool = False
    places: dict[str, None] = field(default_factory=dict)
    waiting: "list[Future[Report]]" = field(default_factory=list)

    def within(self) -> tuple[str, ...]:
        """The places to compare; none means everything."""
        return () if self.whole else tuple(self.places)

    def join(self, other: "Scan") -> None:
        """Take over what `other` wanted."""
        self.whole = self.whole or other.whole
        self.places.update(other.places)
        self.waiting += other.waiting


@dataclass(frozen=True, slots=True)
class Call:
    """Something a door wants done on the writer's thread."""

    work: Callable[[], object]
    done: "Future[object]"


class Agenda:
    """Everything that waits."""

    def __init__(self, clock: Clock, quiet_ms: int) -> None:
        self.debounce = Debounce(clock, quiet_ms)
        self.calls: deque[Call] = deque()
        self.scans: dict[str, Scan] = {}
        self.embed = False
        self.dirty = False  # something was written since the last tidying up
        self._hot: dict[str, None] = {}

    def add_hot(self, paths: Iterable[str]) -> None:
        """Paths that a question has found to be stale: looked at without waiting."""
        self._hot.update(dict.fromkeys(paths))

    def add_scan(
        self, root: str, within: Sequence[str] = (), waiting: "Future[Report] | None" = None
    ) -> None:
        """Compare `root`, or some places in it."""
        wanted = Scan(not within, dict.fromkeys(within), [waiting] if waiting else [])
        self.put_back(root, wanted)

    def put_back(self, root: str, scan: Scan) -> None:
        """A scan that is to be done, or done again."""
        if root in self.scans:
            self.scans[root].join(scan)
        else:
            self.scans[root] = scan

    def take_scan(self) -> tuple[str, Scan] | None:
        """The next root to compare; places before whole roots, else in the order they came."""
        for root, scan in self.scans.items():
            if not scan.whole:
                return root, self.scans.pop(root)
        root_first = next(iter(self.scans), None)
        return None if root_first is None else (root_first, self.scans.pop(root_first))

    def take_due(self) -> Due:
        """Changed paths and folders that are due now."""
        hot, self._hot = tuple(self._hot), {}
        due = self.debounce.take()
        return gather((*hot, *due.paths), due.folders) if hot else due

    def forget_root(self, root: str) -> None:
        """Nothing of `root` is wanted any more."""
        self.debounce.drop_below(root)
        scan = self.scans.pop(root, None)
        for future in scan.waiting if scan else ():
            future.set_result(Report(stopped=True))

    def is_due(self) -> bool:
        """Whether changed paths can be taken now."""
        return bool(self._hot) or self.debounce.wait_seconds() == 0.0

    def is_empty(self) -> bool:
        """Whether nothing waits but tidying up."""
        waiting = self.calls or self.scans or self._hot or len(self.debounce)
        return not waiting and not self.embed
