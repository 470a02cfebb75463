"""What did this person open for this query? Openings lift a file, boundedly, and fade.

Each opening of a file for a query counts 1 and halves every 30 days. A pair's weight w gives a
boost of 0.15 · w / (w + 1) on the 0-to-1 score: one opening today +0.075, three +0.1125, never
0.15 or more. While typing, "inv" profits from openings for "invoice", by the share typed (3/7).

Everything learned can be shown and forgotten: by pair, by query, or all at once.
"""

import json
import logging
import threading
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

from app.preferences import replace_file
from engine.ports import Clock

log = logging.getLogger(__name__)

HALF_LIFE_DAYS = 30.0
MOST_BOOST = 0.15
LEAST_TYPED = 2  # characters before an unfinished query profits
MOST_PAIRS = 2_000
DAY = 86_400.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Opening:
    """How often a file was opened for a query: `weight` is the faded count as of `last`."""

    query: str
    path: str
    weight: float
    last: float  # POSIX seconds


class OpeningStore(Protocol):
    """Where openings are kept."""

    def load(self) -> tuple[Opening, ...]: ...

    def save(self, openings: Sequence[Opening]) -> None: ...


def stem_query(query: str) -> str:
    """The form under which a query is remembered: case, accents' form and spaces do not matter."""
    return " ".join(unicodedata.normalize("NFKC", query).casefold().split())


def fade(opening: Opening, now: float) -> float:
    """The weight now; a clock set back does not make it grow."""
    return float(opening.weight * 0.5 ** (max(0.0, now - opening.last) / (HALF_LIFE_DAYS * DAY)))


def add_opening(
    openings: Sequence[Opening], query: str, path: str, now: float
) -> tuple[Opening, ...]:
    """The openings with one more; the faintest pairs go when there are too many."""
    stem = stem_query(query)
    kept = [one for one in openings if (one.query, one.path) != (stem, path)]
    before = sum(fade(one, now) for one in openings if (one.query, one.path) == (stem, path))
    kept.append(Opening(stem, path, before + 1.0, now))
    kept.sort(key=lambda one: fade(one, now), reverse=True)
    return tuple(kept[:MOST_PAIRS])


def boosts_for(openings: Iterable[Opening], query: str, now: float) -> dict[str, float]:
    """By path, what is added to the score of a 0-to-1 result for `query`."""
    typed = stem_query(query)
    boosts: dict[str, float] = {}
    for one in openings:
        share = _share(typed, one.query)
        if share:
            weight = fade(one, now)
            boost = share * MOST_BOOST * weight / (weight + 1.0)
            boosts[one.path] = max(boost, boosts.get(one.path, 0.0))
    return boosts


def _share(typed: str, learned: str) -> float:
    if typed == learned:
        return 1.0 if typed else 0.0
    if len(typed) >= LEAST_TYPED and learned.startswith(typed):
        return len(typed) / len(learned)
    return 0.0


def reorder(
    results: Sequence[tuple[str, float, T]], boosts: Mapping[str, float]
) -> list[tuple[float, T]]:
    """(path, score, result) in their new order, each with its lift; equal scores keep theirs."""
    lifted = [(boosts.get(path, 0.0), score, result) for path, score, result in results]
    lifted.sort(key=lambda row: min(1.0, row[1] + row[0]), reverse=True)
    return [(lift, result) for lift, _, result in lifted]


def frequent_files(openings: Iterable[Opening], now: float, limit: int) -> list[tuple[str, float]]:
    """The files opened most and latest, over all queries, with their faded count."""
    totals: dict[str, float] = {}
    for one in openings:
        totals[one.path] = totals.get(one.path, 0.0) + fade(one, now)
    return sorted(totals.items(), key=lambda row: (-row[1], row[0]))[:limit]


class Openings:
    """What was learned, kept in a store and in memory; safe to use from any thread."""

    def __init__(self, store: OpeningStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._lock = threading.Lock()
        self._all: tuple[Opening, ...] | None = None

    def learn(self, query: str, path: str) -> None:
        """Counts one opening."""
        with self._lock:
            self._keep(add_opening(self._load(), query, path, self._clock.now()))

    def boosts(self, query: str) -> dict[str, float]:
        """What to add, by path, for `query`."""
        with self._lock:
            return boosts_for(self._load(), query, self._clock.now())

    def frequent(self, limit: int) -> list[tuple[str, float]]:
        """The files opened most and latest."""
        with self._lock:
            return frequent_files(self._load(), self._clock.now(), limit)

    def rows(self, limit: int) -> tuple[Opening, ...]:
        """Everything learned, strongest first, with weights as of now."""
        now = self._clock.now()
        with self._lock:
            faded = [replace(one, weight=fade(one, now), last=one.last) for one in self._load()]
        return tuple(sorted(faded, key=lambda one: one.weight, reverse=True)[:limit])

    def forget(self, query: str = "", path: str = "") -> int:
        """Forgets the pairs of this query and file (empty: any); how many there were."""
        stem = stem_query(query)
        with self._lock:
            before = self._load()
            kept = tuple(
                one for one in before if (stem and one.query != stem) or (path and one.path != path)
            )
            self._keep(kept)
            return len(before) - len(kept)

    def _load(self) -> tuple[Opening, ...]:
        if self._all is None:
            self._all = self._store.load()
        return self._all

    def _keep(self, openings: tuple[Opening, ...]) -> None:
        self._store.save(openings)
        self._all = openings


class JsonOpenings:
    """Openings in one small JSON file of the data folder, readable by nobody else."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> tuple[Opening, ...]:
        """All of them; none when the file is not there or cannot be read."""
        try:
            rows = json.loads(self._path.read_text(encoding="utf-8"))
            return tuple(Opening(str(q), str(p), float(w), float(t)) for q, p, w, t in rows)
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, TypeError):
            log.warning("%s cannot be read: learning starts anew", self._path)
            return ()

    def save(self, openings: Sequence[Opening]) -> None:
        """Replaces the file."""
        rows = [[one.query, one.path, one.weight, one.last] for one in openings]
        replace_file(self._path, json.dumps(rows, ensure_ascii=False))
