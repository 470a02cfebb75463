"""Which tools read and tell? One document by lines or section, the folders, and how it goes."""

from collections.abc import Sequence

from engine.api import Engine, count_tokens
from engine.errors import InvalidValueError, NotFoundError
from engine.mcp.present import Names, one_line, write_place
from engine.mcp.scope import find_document, shown_folders
from engine.mcp.tool import Arguments, Parameter, Seen, Tool
from engine.models import DocumentView, PassageView


def get_document(engine: Engine, given: Arguments) -> Seen:
    """A document's text: all of it, some lines, or one section."""
    view = find_document(engine, given["path"])
    if given["section"]:
        body = _read_section(view, given["section"])
    elif given["start_line"] is not None or given["end_line"] is not None:
        body = _read_lines(view, given["start_line"] or 1, given["end_line"] or 10_000_000)
    else:
        body = _write_passages(view.passages)
    name = Names(engine).shorten(view.path) if view.path else view.id
    facts = [view.format, view.language, f"by {view.author}" if view.author else "", view.note]
    head = f"# {one_line(view.title)}\n{one_line(name)} ({', '.join(one for one in facts if one)})"
    return Seen(f"{head}\n\n{_cut(body, given['max_tokens'])}", ((view.id, view.path),))


def list_roots(engine: Engine, given: Arguments) -> Seen:
    """The searched folders with their numbers."""
    shown = shown_folders(engine)
    rows = []
    for root in engine.status().roots:
        if shown and not any(_overlap(root.path, one) for one in shown):
            continue
        notes = [f"{root.documents} documents", f"{root.not_searchable} files not searchable"]
        notes += ["watched"] if root.watched else []
        notes += ["paused"] if root.paused else []
        notes += [] if root.reachable else ["cannot be reached now"]
        rows.append(f"- {one_line(root.path)}: {', '.join(notes)}")
    return Seen(
        "\n".join(["# Searched folders", "", *rows] if rows else ["No folder is indexed yet."])
    )


def index_status(engine: Engine, given: Arguments) -> Seen:
    """How much is searchable, and whether meaning is on."""
    status = engine.status()
    rows = [
        f"documents: {status.documents}",
        f"passages: {status.chunks}",
        f"passages waiting for their vectors: {status.waiting}",
        *(f"files {state}: {count}" for state, count in status.files.items()),
        f"search by meaning: {'on, ' + status.provider if status.semantic else 'off'}",
    ]
    if status.semantic_reason:
        rows.append(f"reason: {status.semantic_reason}")
    if status.progress is not None and status.progress.phase != "idle":
        now = status.progress
        rows.append(f"now: {now.phase}, {now.files_done} of {now.files_total} files")
    return Seen("\n".join(["# Index", "", *rows]))


def _read_section(view: DocumentView, wanted: str) -> str:
    asked = wanted.casefold().strip()
    for fits in (_is_named, _is_within):
        found = [one for one in view.passages if fits(one, asked)]
        if found:
            return _write_passages(found)
    known = list(dict.fromkeys(write_place(one.location).strip(" §,") for one in view.passages))
    raise NotFoundError(
        what=f"section {wanted}", fix=f"Sections: {'; '.join(one for one in known if one)[:1000]}."
    )


def _is_named(passage: PassageView, asked: str) -> bool:
    """Whether the passage stands in the section of that name, or in one below it."""
    place = passage.location
    names = [step.casefold() for step in place.trail]
    path = " > ".join(names)
    numbered = f"{place.kind} {place.page}" if place.page is not None else ""
    return asked in (*names, path, place.heading.casefold(), numbered)


def _is_within(passage: PassageView, asked: str) -> bool:
    return asked in " > ".join(passage.location.trail).casefold()


def _read_lines(view: DocumentView, first: int, last: int) -> str:
    if last < first:
        raise InvalidValueError(
            name="end_line",
            problem=f"{last} is before start_line {first}",
            fix="Give a later line.",
        )
    lines: dict[int, str] = {}
    for passage in view.passages:
        start = passage.location.line
        if start is not None:
            for number, text in enumerate(passage.text.splitlines(), start):
                lines.setdefault(number, text)
    if not lines:
        raise InvalidValueError(
            name="start_line",
            problem=f"{view.format or 'this'} has no lines",
            fix="Ask for a section, or leave start_line and end_line out.",
        )
    chosen = [f"{number}: {lines[number]}" for number in sorted(lines) if first <= number <= last]
    return (
        "\n".join(chosen) or f"No text in these lines; it has lines {min(lines)} to {max(lines)}."
    )


def _write_passages(passages: Sequence[PassageView]) -> str:
    parts: list[str] = []
    before = ""
    for one in passages:
        place = write_place(one.location)
        line = f" (line {one.location.line})" if one.location.line is not None else ""
        if place and place != before:
            parts.append(f"{place.strip()}{line}")
        before = place
        parts.append(one.text.strip())
    return "\n\n".join(parts)


def _cut(text: str, budget: int) -> str:
    if count_tokens(text) <= budget:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count_tokens(text[:middle]) <= budget else (low, middle - 1)
    return (
        f"{text[:low]}\n\n… cut after {budget} tokens: ask for a section, for lines, or for more."
    )


def _overlap(path: str, other: str) -> bool:
    one, two = path.rstrip("/") + "/", other.rstrip("/") + "/"
    return one.startswith(two) or two.startswith(one)


TOOLS = (
    Tool(
        "get_document",
        "Read a file's indexed text: all of it, some lines, or one section.",
        (
            Parameter("path", "text", "Path or id, as a search result shows it", required=True),
            Parameter("start_line", "whole", "First line", low=1, high=10_000_000),
            Parameter("end_line", "whole", "Last line", low=1, high=10_000_000),
            Parameter("section", "text", "A heading, or a page such as “page 3”", ""),
            Parameter("max_tokens", "whole", "Cut after so many", 4000, low=100, high=100_000),
        ),
        get_document,
    ),
    Tool("list_roots", "The folders that are searched, with their numbers.", (), list_roots),
    Tool(
        "index_status", "How much is searchable, and what is still being indexed.", (), index_status
    ),
)
