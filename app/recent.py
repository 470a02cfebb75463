"""What was searched for lately? The last queries, newest first, each once.

A query that only grew while it was typed replaces its beginning: "ta", "tax", "tax return" leave
one entry.
"""

import json
import logging
from collections.abc import Sequence
from pathlib import Path

from app.frecency import stem_query
from app.preferences import replace_file

log = logging.getLogger(__name__)

LEAST_LENGTH = 2


def add_query(queries: Sequence[str], query: str, most: int) -> tuple[str, ...]:
    """The queries with this one in front, at most `most`."""
    shown = " ".join(query.split())
    stem = stem_query(shown)
    if len(stem) < LEAST_LENGTH or most <= 0:
        return tuple(queries[: max(0, most)])
    rest = [one for one in queries if stem_query(one) != stem]
    if rest and stem.startswith(stem_query(rest[0])):
        rest = rest[1:]
    return (shown, *rest)[:most]


class RecentSearches:
    """The last queries, kept in one JSON file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def queries(self) -> tuple[str, ...]:
        """Newest first."""
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return ()
        except (OSError, ValueError):
            log.warning("%s cannot be read: recent searches start anew", self._path)
            return ()
        return tuple(str(one) for one in kept) if isinstance(kept, list) else ()

    def add(self, query: str, most: int) -> None:
        """Remembers one more."""
        before = self.queries()
        after = add_query(before, query, most)
        if after != before:
            self._save(after)

    def forget(self, query: str = "") -> None:
        """Forgets one query, or all."""
        stem = stem_query(query)
        self._save([one for one in self.queries() if stem and stem_query(one) != stem])

    def _save(self, queries: Sequence[str]) -> None:
        replace_file(self._path, json.dumps(list(queries), ensure_ascii=False))
