"""Which tools find text? Passages by question or by a made-up answer, and packs of them."""

from collections.abc import Iterable

from engine.api import Cited, Engine, PassageRequest, SearchRequest, plain_words
from engine.mcp.present import Names, one_line, write_answer
from engine.mcp.scope import find_document, search_folders
from engine.mcp.tool import Arguments, Parameter, Seen, Tool

QUERY = Parameter(
    "query", "text", "What to look for, in plain words or Sagasu's query language", required=True
)
TOP_N = Parameter("top_n", "whole", "How many passages", 5, low=1, high=100)
MIN_SCORE = Parameter("min_score", "number", "Leave out weaker passages", 0.3, low=0, high=1)
LIKENESS = Parameter(
    "similarity_threshold",
    "number",
    "Show passages more alike than this once",
    0.85,
    low=0.5,
    high=1,
)
STATS = Parameter("show_stats", "flag", "Say how many passages were left out", False)
EXCLUDED = Parameter("excluded_files", "texts", "Names or paths of files to leave out", [])
FOLDER = Parameter("folder", "text", "Search in this folder only", "")
SEARCHING = (QUERY, TOP_N, MIN_SCORE, LIKENESS, STATS, EXCLUDED, FOLDER)
SEVERAL = 3  # passages of one document, at most


def query_documents(engine: Engine, given: Arguments) -> Seen:
    """The best passages; several of one document are possible."""
    return _answer(engine, given, per_document=SEVERAL, stats=given["show_stats"])


def query_unique_documents(engine: Engine, given: Arguments) -> Seen:
    """The best passage of each of the best documents."""
    return _answer(engine, given, per_document=1, stats=given["show_stats"])


def query_documents_compressed(engine: Engine, given: Arguments) -> Seen:
    """The same, and always with the numbers of what was left out."""
    return _answer(engine, given, per_document=SEVERAL, stats=True)


def search_with_hypothesis(engine: Engine, given: Arguments) -> Seen:
    """Passages that mean the same as a made-up answer."""
    search = SearchRequest(
        plain_words(given["hypothesis"]),
        mode="semantic",
        plain_filters=False,
        scopes=search_folders(engine, given["folder"]),
        hypothesis=given["hypothesis"],
    )
    ask = PassageRequest(search, given["top_n"], SEVERAL, excluded=tuple(given["excluded_files"]))
    found = engine.find_passages(ask)
    return Seen(write_answer(found, Names(engine)), _shown(found.found))


def context_pack(engine: Engine, given: Arguments) -> Seen:
    """The best passages that fit a budget, each with path, heading and line."""
    search = SearchRequest(given["query"], scopes=search_folders(engine, given["folder"]))
    ask = PassageRequest(
        search, given["top_n"], SEVERAL, least_score=given["min_score"],
        excluded=tuple(given["excluded_files"]),
    )  # fmt: skip
    pack = engine.context_pack(ask, given["token_budget"], name=Names(engine).shorten)
    if not pack.cited:
        reason = "the budget is too small" if pack.left_out else "nothing was found"
        return Seen(f"No passages: {reason}.")
    head = f"# {len(pack.cited)} passages, about {pack.tokens} tokens"
    tail = f"\n{pack.left_out} more did not fit the budget." if pack.left_out else ""
    return Seen(f"{head}\n\n{pack.markdown}{tail}", _shown(pack.cited))


def similar_documents(engine: Engine, given: Arguments) -> Seen:
    """Documents close in meaning to a given one."""
    view = find_document(engine, given["path"])
    names = Names(engine)
    results = engine.similar(view.id, given["top_n"], scopes=search_folders(engine, "")).results
    rows = [
        f"[{number}] {names.shorten(one.path) if one.path else one.id} ({one.score:.2f})"
        f" {one_line(one.title)}"
        for number, one in enumerate(results, 1)
    ]
    head = f"# Similar to {one_line(names.shorten(view.path) or view.title)}"
    text = "\n".join([head, "", *rows] if rows else [head, "", "Nothing similar was found."])
    return Seen(text, tuple((one.id, one.path) for one in results))


def _answer(engine: Engine, given: Arguments, *, per_document: int, stats: bool) -> Seen:
    search = SearchRequest(given["query"], scopes=search_folders(engine, given["folder"]))
    ask = PassageRequest(
        search, given["top_n"], per_document, given["min_score"], given["similarity_threshold"],
        tuple(given["excluded_files"]),
    )  # fmt: skip
    found = engine.find_passages(ask)
    return Seen(write_answer(found, Names(engine), stats=stats), _shown(found.found))


def _shown(found: Iterable[Cited]) -> tuple[tuple[str, str], ...]:
    return tuple(dict.fromkeys((one.id, one.path) for one in found))


TOOLS = (
    Tool(
        "query_documents",
        "Search the person's own files: the best passages, each with its source. Start here.",
        SEARCHING,
        query_documents,
    ),
    Tool(
        "query_unique_documents",
        "Like query_documents, with at most one passage per file: for an overview.",
        SEARCHING,
        query_unique_documents,
    ),
    Tool(
        "query_documents_compressed",
        "Like query_documents, and says how many weak or repeated passages were left out.",
        tuple(one for one in SEARCHING if one is not STATS),
        query_documents_compressed,
    ),
    Tool(
        "search_with_hypothesis",
        "Write what the answer might look like, and get the passages that mean the same. "
        "For vague questions whose words are not in the files.",
        (
            Parameter(
                "hypothesis", "text", "A made-up answer, one to three sentences", required=True
            ),
            TOP_N,
            EXCLUDED,
            FOLDER,
        ),
        search_with_hypothesis,
    ),
    Tool(
        "similar_documents",
        "Files that are close in meaning to a given file.",
        (
            Parameter("path", "text", "Path or id, as a search result shows it", required=True),
            TOP_N,
        ),
        similar_documents,
    ),
    Tool(
        "context_pack",
        "The best passages for a question within a token budget, without repetition, each cited by "
        "path, heading and line: ready to be quoted.",
        (
            QUERY,
            Parameter(
                "token_budget", "whole", "How many tokens at most", 2000, low=100, high=100_000
            ),
            Parameter("top_n", "whole", "How many passages at most", 20, low=1, high=100),
            Parameter("min_score", "number", "Leave out weaker passages", 0.2, low=0, high=1),
            EXCLUDED,
            FOLDER,
        ),
        context_pack,
    ),
)
