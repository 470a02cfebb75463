"""What does a ranking signal look at? The question, a hit, and a small pure function of both."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Asked:
    """The question, as signals see it."""

    text: str
    terms: tuple[str, ...] = ()  # analysed, stop words dropped
    now: float = 0.0  # POSIX seconds
    idf: Mapping[str, float] = field(default_factory=dict)  # of the terms; empty: not known


@dataclass(frozen=True, slots=True)
class Candidate:
    """One hit, as signals see it; what is not known is empty."""

    name: str
    folders: tuple[str, ...] = ()  # between the root and the file
    headings: tuple[tuple[int, tuple[str, ...]], ...] = ()  # level from 1, analysed terms
    terms: Sequence[str] = ()  # of the text, analysed
    author: str = ""
    tags: tuple[str, ...] = ()
    others: tuple[str, ...] = ()  # further metadata
    modified: float = 0.0  # POSIX seconds


@dataclass(frozen=True, slots=True)
class Signal:
    """A named opinion on a hit, from 0 to 1."""

    name: str
    weight: float
    score: Callable[[Asked, Candidate], float]


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A hit's score and how it came about."""

    final: float
    signals: dict[str, float]
    multipliers: dict[str, float] = field(default_factory=dict)
    match: str = "none"  # none, partial, all_words, heading, phrase, exact
