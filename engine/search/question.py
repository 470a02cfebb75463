"""What exactly is asked? The request, read: tree, filters, chips, and the documents allowed."""

import os
from dataclasses import dataclass
from datetime import date

import numpy as np
import numpy.typing as npt

from engine.errors import InvalidValueError
from engine.query import Query, parse
from engine.query.filters import find_fault, resolve
from engine.query.nodes import Filter, Word
from engine.query.plain_filters import split_filters
from engine.search.filters import filter_documents
from engine.search.request import Chip, SearchRequest
from engine.store.database import Database
from engine.store.ledger import below, list_roots

Integers = npt.NDArray[np.int64]

# Modes in which the query's own operators would be read against the person's wish.
LITERAL_MODES = ("exact", "names", "phrase")


@dataclass(frozen=True, slots=True)
class Question:
    """One request, ready to be answered."""

    request: SearchRequest
    query: Query
    chips: tuple[Chip, ...]
    allowed: Integers | None  # numbers of the documents that the filters leave; None: all
    languages: tuple[str, ...]
    fuzzy: bool
    learned: tuple[Word, ...] = ()  # words that the first hits taught; they only add to scores

    def has_plain_chips(self) -> bool:
        """Whether plain language was read as filters."""
        return any(chip.text for chip in self.chips)

    def can_be_fuzzy(self) -> bool:
        """Whether trying again with typos makes sense."""
        return not self.fuzzy and bool(self.query.words) and self.request.keyword_enabled


def read_question(
    request: SearchRequest, database: Database, languages: tuple[str, ...]
) -> Question:
    """The request as a question; QuerySyntaxError when it cannot be read."""
    today = date.today()
    text, chips, found = request.query, tuple[Chip, ...](), tuple[Filter, ...]()
    if request.plain_filters and request.mode not in LITERAL_MODES:
        plain = split_filters(
            request.query,
            today,
            ignore=frozenset(request.ignore_chips),
            folders=_folder_names(database),
        )
        text, found = plain.rest, tuple(one.filter for one in plain.chips)
        chips = tuple(
            Chip(
                one.filter.name, one.filter.value, _label(one.filter), one.text, one.start, one.end
            )
            for one in plain.chips
        )
    query = parse(text, lenient=request.typing)
    filters = (*query.filters, *found, *_request_filters(request))
    chips = (*chips, *_own_chips(query.filters))
    allowed = filter_documents(database, resolve(filters, today)) if filters else None
    if request.scopes:
        allowed = _within_scopes(database, request.scopes, allowed)
    return Question(request, query, chips, allowed, languages, request.fuzzy_enabled)


def _label(item: Filter) -> str:
    """The filter as a person would type it."""
    op = "" if item.op == ":" else item.op
    return f"{'-' if item.negated else ''}{item.name}:{op}{item.value}"


def _own_chips(filters: tuple[Filter, ...]) -> list[Chip]:
    """Filters written as filters are shown as chips too."""
    return [Chip(one.name, one.value, _label(one), "", one.start, one.end) for one in filters]


def _request_filters(request: SearchRequest) -> list[Filter]:
    """Filters given beside the query: {"ext": "pdf", "after": "2026-01"} or lists of values."""
    found: list[Filter] = []
    for name, value in request.filters.items():
        values = value if isinstance(value, list | tuple) else [value]
        for one in values:
            item = Filter(name, str(one))
            fault = find_fault(item)
            if fault is not None:
                raise InvalidValueError(name=name, problem=fault.problem, fix=fault.fix)
            found.append(item)
    return found


def _within_scopes(
    database: Database, scopes: tuple[str, ...], allowed: Integers | None
) -> Integers:
    """Of the allowed documents those below one of the folders."""
    inside: list[int] = []
    for folder in scopes:
        low, high = below(folder)
        rows = database.connection().execute(
            "SELECT id FROM documents WHERE path = ? OR (path >= ? AND path < ?)",
            (folder, low, high),
        )
        inside += [row[0] for row in rows]
    ids = np.unique(np.array(inside, np.int64))
    return ids if allowed is None else np.intersect1d(ids, allowed)


def _folder_names(database: Database) -> list[str]:
    """Names of the searched folders: what may follow `in` beside the usual ones."""
    return [os.path.basename(root.path).lower() for root in list_roots(database.connection())]


def read_languages(database: Database) -> tuple[str, ...]:
    """The languages of the indexed documents, most frequent first."""
    rows = database.connection().execute(
        "SELECT language FROM documents GROUP BY language ORDER BY count(*) DESC"
    )
    return tuple(row[0] for row in rows)
