"""What did a run do? Counted while it runs, told at the end."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Report:
    """One run over one or more roots."""

    read: int = 0  # files read and written
    unchanged: int = 0
    moved: int = 0
    removed: int = 0
    skipped: int = 0
    failed: int = 0
    missing: int = 0
    passages: int = 0
    embedded: int = 0
    seconds: float = 0.0
    stopped: bool = False
    unread: tuple[str, ...] = ()  # urgent files that took too long: the next comparison reads them
    failures: list[tuple[str, str]] = field(default_factory=list)  # the first few: path, reason
    semantic_off: str = ""  # why nothing was embedded, in words

    def add_failure(self, path: str, reason: str) -> None:
        """Count a file that could not be read; the ledger has them all."""
        self.failed += 1
        if len(self.failures) < 20:
            self.failures.append((path, reason))

    def to_json(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "indexed": self.read,
            "unchanged": self.unchanged,
            "moved": self.moved,
            "removed": self.removed,
            "skipped": self.skipped,
            "failed": self.failed,
            "missing": self.missing,
            "passages": self.passages,
            "embedded": self.embedded,
            "seconds": round(self.seconds, 3),
            "stopped": self.stopped,
            "semantic_off": self.semantic_off,
            "failures": [{"path": path, "reason": reason} for path, reason in self.failures],
        }
