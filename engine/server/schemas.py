"""What may be sent, and what comes back? The shapes of requests and answers, for OpenAPI.

Requests are checked against these; answers are made by `wire` and only described here.
"""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Text = Annotated[str, StringConstraints(max_length=10_000)]
Path = Annotated[str, StringConstraints(max_length=4096)]


class Given(BaseModel):
    """A request body: no unknown fields, and a number is not a text."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SearchBody(Given):
    """A question with its options."""

    query: Text = Field(description="What to look for", examples=["machine learning"])
    limit: int = Field(0, description="Results per list; 0: the default; at most max_limit")
    offset: int = Field(0, ge=0, le=1_000_000, description="How many to skip in each list")
    keyword_enabled: bool | None = Field(None, description="Search by words (default: true)")
    semantic_enabled: bool | None = Field(None, description="Search by meaning (default: true)")
    fuzzy_enabled: bool = Field(False, description="Forgive typos from the start")
    min_score: float = Field(0.0, description="Least score for both lists, where theirs is 0")
    min_keyword_score: float = Field(0.0, description="Least keyword score; 0: the setting's")
    min_semantic_score: float = Field(0.0, description="Least semantic score; 0: the setting's")
    filters: dict[str, Any] | None = Field(None, description="kind, ext, in, after, before …")
    mode: str = Field("hybrid", max_length=40, description="How to search")
    typing: bool = Field(False, description="The last word may be unfinished")
    plain_filters: bool = Field(True, description="Read filters from plain words")
    ignore_chips: list[Text] = Field([], max_length=100, description="Filters put back as words")
    sort: str = Field("relevance", max_length=40, description="relevance, date, name or size")
    facets: bool = Field(False, description="Count the results by kind, folder, date")
    explain: bool = Field(False, description="Say how each score came about")
    hypothesis: str = Field(
        "", max_length=10_000, description="A made-up answer, searched by meaning"
    )
    snippets: int = Field(1, ge=1, le=20, description="Passages per document")
    two_lists: bool = Field(True, description="Fill Sagasu's two lists beside `results`")


class Place(BaseModel):
    """Where in its document a passage stands."""

    heading: str
    trail: list[str]
    kind: str
    page: int | None
    line: int | None


class Row(BaseModel):
    """One document of the ranked list."""

    rank: int
    id: str
    path: str
    title: str
    score: float
    keyword_score: float
    semantic_score: float
    snippet: str
    highlights: list[tuple[int, int]] = Field(description="[start, end) in the snippet")
    location: Place
    chunk: int
    kind: str
    language: str
    size: int
    modified: float
    matched: list[str]
    terms: list[str]
    title_highlights: list[tuple[int, int]]
    path_highlights: list[tuple[int, int]]
    freshness: str
    metadata: dict[str, Any]


class ListedDocument(BaseModel):
    """A document as Sagasu's lists carry it; `content` is its best passage."""

    id: str
    title: str
    content: str
    metadata: dict[str, Any]
    created_at: str
    updated_at: str


class ListedRow(BaseModel):
    """One row of Sagasu's lists."""

    document: ListedDocument
    score: float
    keyword_score: float
    semantic_score: float
    rank: int
    highlights: dict[str, list[str]]


class Meaning(BaseModel):
    """Whether meaning is searched, and why not."""

    on: bool
    reason: str
    waiting: int


class SearchAnswer(BaseModel):
    """Sagasu's two lists, and our one."""

    query: str
    query_time_ms: int
    non_semantic_results: list[ListedRow]
    semantic_results: list[ListedRow]
    total_non_semantic: int
    total_semantic: int
    suggestions: list[str]
    auto_fuzzy: bool
    total: int
    results: list[Row]
    mode: str
    took_ms: float
    nothing_relevant: bool
    chips: list[dict[str, Any]]
    facets: dict[str, list[dict[str, Any]]]
    semantic: Meaning
    stages: dict[str, int]


class DocumentBody(Given):
    """Text that becomes searchable like a file."""

    id: Annotated[str, StringConstraints(max_length=500)] = Field("", description="Empty: new")
    title: Text = ""
    content: str = Field(description="The text; Markdown headings make its sections")
    metadata: dict[str, Any] | None = None


class DocumentAdded(BaseModel):
    """The id under which it can be found."""

    id: str
    status: str


class Document(ListedDocument):
    """A whole document as it was indexed."""

    path: str
    kind: str
    language: str
    author: str
    tags: list[str]
    size: int
    indexed_at: str
    note: str
    passages: list[dict[str, Any]]


class Done(BaseModel):
    """It is done."""

    status: str


class FolderBody(Given):
    """A folder to watch."""

    path: Path = ""
    sync: bool = Field(True, description="Index what is there now, in the background")


class FolderDone(BaseModel):
    """The folder's full path, and what was done."""

    path: str
    status: str


class Folders(BaseModel):
    """The watched folders."""

    directories: list[str]


class Health(BaseModel):
    """The service answers."""

    status: str


class StatusAnswer(BaseModel):
    """Sagasu's numbers and settings, then ours."""

    documents: int
    chunks: int
    vector_index_size: int
    disk_usage_bytes: int
    config: dict[str, Any]
    version: str
    home: str
    waiting: int
    files: dict[str, int]
    roots: list[dict[str, Any]]
    semantic: bool
    semantic_reason: str
    provider: str
    progress: dict[str, Any] | None
    kept: bool = False
    paused: bool = False
    problems: list[str] = []


class Problem(BaseModel):
    """What is wrong, and what to do about it."""

    error: str
    hint: str = ""
    kind: str = ""


Answers = dict[int | str, dict[str, Any]]


_EVENT = {
    "type": "object",
    "properties": {"event": {"type": "string"}, "data": {"type": "string"}},
    "required": ["data"],
}
EVENT_STREAM: Answers = {
    200: {
        "description": "Server-sent events; the data of each is JSON",
        "content": {"text/event-stream": {"schema": _EVENT}},
    }
}


def problem(status: int, says: str) -> Answers:
    """An error that an address can answer, for OpenAPI."""
    return {status: {"model": Problem, "description": says}}
