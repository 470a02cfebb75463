"""What passes between the rooms: frozen records, no behaviour.

A file becomes an Extracted (sections in reading order), then a list of Passages, then rows.
A question becomes Hits (one passage found by one mode), then Results (one document each).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NewType

ChunkId = NewType("ChunkId", int)
DocumentId = NewType("DocumentId", int)


class State(StrEnum):
    """What became of a file; every file seen is in exactly one state."""

    INDEXED = "indexed"
    SKIPPED = "skipped"  # a rule or its kind keeps it out
    FAILED = "failed"  # it should be in, and could not be read
    EVICTED = "evicted"  # a cloud placeholder: its text is not on this disk
    MISSING = "missing"  # its root cannot be reached; kept as it was


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a document in reading order; `depth` makes the tree (a section's parent is the
    nearest one before it that is less deep)."""

    text: str  # its own text, without that of deeper sections
    title: str = ""
    depth: int = 0  # 0: the document's own text before any heading
    kind: str = ""  # page, slide, sheet, heading, chapter, message, definition, cell …
    number: int | None = None  # of the page or slide, from 1
    line: int | None = None  # where `text` begins in the file, from 1, for text formats
    code: bool = False  # lines matter: split at lines, not at sentences


@dataclass(frozen=True, slots=True)
class Link:
    """A reference from one document to another."""

    target: str
    kind: str  # wikilink, transclusion, link
    text: str = ""
    heading: str = ""  # under which heading it stands


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a reader found in a file."""

    format: str
    sections: tuple[Section, ...]
    title: str = ""  # empty: the file's name serves
    author: str = ""
    language: str = ""  # declared by the document itself; empty: detect
    created: float | None = None  # POSIX seconds, as the document says
    modified: float | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    description: str = ""
    keywords: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    note: str = ""  # what could not be read, when the rest could ("3 attachments without a reader")
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of text that can stand alone and that the model reads whole."""

    text: str
    section: int  # index into Extracted.sections
    position: int  # from 0 within the document
    start: int = 0  # offset of `text` within its section's text
    line: int | None = None
    trail: tuple[str, ...] = ()  # titles of the sections above and of its own, outermost first


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a number came about: a value, its name, and the addends or factors below it."""

    value: float
    what: str
    parts: tuple["Explanation", ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """One passage found by one mode."""

    chunk: ChunkId
    score: float  # comparable within its mode only
    why: Explanation | None = None


@dataclass(frozen=True, slots=True)
class Location:
    """Where in its document a passage stands."""

    heading: str = ""
    trail: tuple[str, ...] = ()
    kind: str = ""
    page: int | None = None  # page, slide or sheet number
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Snippet:
    """A window of the original text, and what to mark in it."""

    text: str
    highlights: tuple[tuple[int, int], ...] = ()  # [start, end) in characters of `text`
    location: Location = Location()
    chunk: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """One document of the answer."""

    rank: int
    id: str
    path: str
    title: str
    score: float  # 0 to 1, over both sides
    keyword_score: float
    semantic_score: float
    snippets: tuple[Snippet, ...]
    kind: str = ""
    language: str = ""
    size: int = 0
    modified: float = 0.0
    created: float = 0.0
    matched: tuple[str, ...] = ()  # name, word, meaning: why it is here
    terms: tuple[str, ...] = ()  # the query's words found in it
    title_highlights: tuple[tuple[int, int], ...] = ()
    path_highlights: tuple[tuple[int, int], ...] = ()
    freshness: str = ""  # "updating" when the file has changed since
    metadata: Mapping[str, Any] = field(default_factory=dict)
    why: Explanation | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far indexing is; sent to whoever listens."""

    phase: str  # scanning, reading, embedding, paused, idle
    files_done: int = 0
    files_total: int = 0
    passages_done: int = 0
    passages_total: int = 0
    rate: float = 0.0  # files or passages per second in this phase
    seconds_left: float | None = None
    path: str = ""


@dataclass(frozen=True, slots=True)
class RootView:
    """A searched folder, with its numbers."""

    path: str
    watched: bool
    paused: bool
    reachable: bool
    documents: int
    files: int
    not_searchable: int
    scanned: float | None


@dataclass(frozen=True, slots=True)
class Status:
    """The engine's numbers."""

    version: str
    home: str
    documents: int
    chunks: int
    vectors: int
    waiting: int  # passages without a vector yet
    files: Mapping[str, int]  # by state
    roots: tuple[RootView, ...]
    disk_usage_bytes: int
    semantic: bool
    semantic_reason: str
    provider: str  # what embeds: CPU int8, CoreML …
    progress: Progress | None = None
    kept: bool = False  # a background thread keeps the folders fresh
    paused: bool = False
    problems: tuple[str, ...] = ()  # sentences for people: a full disk, a folder that is away


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """One file of the ledger, for people."""

    path: str
    state: str
    reason: str
    rule: str
    size: int
    modified: float


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a folder can be found, and why the rest cannot."""

    path: str
    total: int
    states: Mapping[str, int]
    reasons: tuple[tuple[str, str, int], ...]  # state, reason, how many
    files: tuple[CoverageRow, ...]
    kinds: tuple[tuple[str, int, int], ...] = ()  # kind, searchable, not; with the first page only


@dataclass(frozen=True, slots=True)
class PassageView:
    """A passage where it lives."""

    chunk: int
    text: str
    location: Location
    position: int


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A document as it was indexed."""

    id: str
    path: str
    title: str
    content: str
    format: str
    language: str
    author: str
    tags: tuple[str, ...]
    created: float
    modified: float
    size: int
    indexed: float
    note: str
    metadata: Mapping[str, Any]
    passages: tuple[PassageView, ...] = ()
