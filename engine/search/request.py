"""What may be asked, and what is answered? The question with its options, and the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.errors import EmptyQueryError, InvalidValueError, UnknownModeError
from engine.models import Result
from engine.search.modes import BY_NAME

SORTS = ("relevance", "date", "name", "size")
LONGEST_QUERY = 10_000


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One question."""

    query: str
    limit: int = 10
    offset: int = 0
    mode: str = "hybrid"
    keyword_enabled: bool = True
    semantic_enabled: bool = True
    fuzzy_enabled: bool = False
    min_keyword_score: float = 0.0
    min_semantic_score: float = 0.0
    typing: bool = False  # the last word is a beginning, and the query may be incomplete
    plain_filters: bool = True  # "pdf from last week" becomes filters
    ignore_chips: tuple[str, ...] = ()  # chips that the person put back as words
    filters: Mapping[str, Any] = field(
        default_factory=dict
    )  # ext, in, after … beside the query's own
    scopes: tuple[str, ...] = ()  # only below these folders; empty: everywhere
    sort: str = "relevance"
    facets: bool = False
    explain: bool = False
    snippets: int = 1  # per document, at most
    verify: bool = True  # look at the disk before showing a hit
    hypothesis: str = ""  # a made-up answer: its meaning is searched instead of the question's
    two_lists: bool = False  # Sagasu's lists too: by words, and by meaning only

    def check(self, max_limit: int) -> "SearchRequest":
        """Itself, when it can be answered; RequestError with the reason otherwise."""
        if not self.query.strip() and not self.filters:
            raise EmptyQueryError()
        if max(len(self.query), len(self.hypothesis)) > LONGEST_QUERY:
            raise InvalidValueError(
                name="query", problem=f"longer than {LONGEST_QUERY} characters", fix="Shorten it."
            )
        if self.mode not in BY_NAME:
            raise UnknownModeError(mode=self.mode, known=", ".join(BY_NAME))
        if self.sort not in SORTS:
            raise InvalidValueError(
                name="sort", problem=f"“{self.sort}” is unknown", fix=f"One of: {', '.join(SORTS)}."
            )
        _check_range("limit", self.limit, 1, max_limit)
        _check_range("offset", self.offset, 0, 1_000_000)
        _check_range("snippets", self.snippets, 1, 20)
        return self


def _check_range(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise InvalidValueError(
            name=name,
            problem=f"{value} is out of range",
            fix=f"Give a number from {low} to {high}.",
        )


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that the question was understood to have."""

    name: str
    value: str
    label: str
    text: str = ""  # the words it came from; empty: written as a filter
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class SemanticState:
    """Whether meaning is searched, and why not."""

    on: bool
    reason: str = ""
    waiting: int = 0  # passages that have no vector yet


@dataclass(frozen=True, slots=True)
class SearchResponse:
    """The answer: one ranked list, and the facts around it."""

    query: str
    query_time_ms: float
    total: int  # documents that match, before offset and limit
    results: tuple[Result, ...]
    mode: str = "hybrid"
    total_keyword: int = 0
    total_semantic: int = 0
    suggestions: tuple[str, ...] = ()
    auto_fuzzy: bool = False
    nothing_relevant: bool = False
    chips: tuple[Chip, ...] = ()
    facets: Mapping[str, Sequence[tuple[str, int]]] = field(default_factory=dict)
    semantic: SemanticState = SemanticState(True)
    by_words: tuple[Result, ...] = ()  # with two_lists: a page of what words found, by their score
    by_meaning: tuple[Result, ...] = ()  # and of what meaning alone found
    stages: Mapping[str, int] = field(default_factory=dict)  # how many were left after each stage
