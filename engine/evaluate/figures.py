"""How is a measurement told? One line: what, how much, beside what, and the ratio of the two.

Figures of one machine say little about another; the ratio to something measured in the same run
carries over. 480 files a second beside Recoll's 400 is 1.20.
"""

import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured thing. `goal` is for the ratio if there is one, else for the value."""

    what: str
    value: float
    unit: str
    beside: str = ""
    other: float | None = None  # the same, measured on what stands beside
    goal: float | None = None
    at_most: bool = False  # smaller is better
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """This, as a multiple of what stands beside it."""
        return self.value / self.other if self.other else None

    @property
    def is_met(self) -> bool | None:
        """Whether the goal is reached; None when there is none."""
        if self.goal is None:
            return None
        reached = self.value if self.ratio is None else self.ratio
        return reached <= self.goal if self.at_most else reached >= self.goal

    def to_json(self) -> dict[str, Any]:
        """All of it, for a program."""
        return {**asdict(self), "ratio": self.ratio, "is_met": self.is_met}


def print_table(title: str, figures: list[Figure], say: Say) -> None:
    """One table; a missed goal is said."""
    say(title)
    width = max((len(one.what) for one in figures), default=0)
    for one in figures:
        say(f"  {one.what:<{width}}  {_number(one.value):>9} {one.unit:<9} {_beside(one)}".rstrip())
    say("")


def _beside(one: Figure) -> str:
    parts: list[str] = []
    if one.other is not None and one.ratio is not None:
        parts.append(f"beside {one.beside} {_number(one.other)}: ratio {one.ratio:.2f}")
    if one.goal is not None:
        bound = "at most" if one.at_most else "at least"
        parts.append(f"({bound} {_number(one.goal)}{'' if one.is_met else ': MISSED'})")
    return " ".join([*parts, one.note])


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.2f}"


def read_memory() -> tuple[float, float]:
    """Megabytes of this process: its own, and those mapped from files; (peak, 0) on a Mac."""
    status = Path("/proc/self/status")
    if not status.exists():
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6, 0.0
    rows = dict(line.split(":", 1) for line in status.read_text().splitlines())
    own, mapped = (int(rows[key].split()[0]) * 1024 / 1e6 for key in ("RssAnon", "RssFile"))
    return own, mapped
