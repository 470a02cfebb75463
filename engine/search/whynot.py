"""Why is this file not in the answer? Its rank if it has one, else what it lacks.

The question is asked twice: as it is, deep down the list, and of this one file alone, which gives
the scores it has and the words it holds.
"""

from dataclasses import replace

from engine.models import Result
from engine.search.request import SearchRequest
from engine.search.run import Searcher

DEEP = 1000


def explain_absence(searcher: Searcher, request: SearchRequest, path: str) -> str:
    """One line on where `path` stands in the answer to `request`, and why."""
    deep = searcher.search(replace(request, limit=DEEP, offset=0, verify=False))
    for result in deep.results:
        if result.path == path:
            return (
                f"{path}: rank {result.rank} of {deep.total} for “{request.query}”{_scores(result)}"
            )
    alone = searcher.search(replace(request, limit=1, scopes=(path,), verify=False))
    if not alone.results:
        words = ", ".join(f"“{word}”" for word in request.query.split())
        return f"{path}: it holds none of {words}, and its meaning is too far away"
    last = deep.results[-1].score if deep.results else 0.0
    one = alone.results[0]
    missing = _missing(request.query, one)
    lacks = f"; it lacks {', '.join(missing)}" if missing else ""
    return (
        f"{path}: below the last of {len(deep.results)} results ({last:.3f}){_scores(one)}{lacks}"
    )


def _scores(result: Result) -> str:
    found = f", words {', '.join(result.terms)}" if result.terms else ", no word of the question"
    return f" (keyword {result.keyword_score:.2f}, cosine {result.semantic_score:.2f}{found})"


def _missing(query: str, result: Result) -> list[str]:
    held = " ".join(result.terms)
    return [f"“{word}”" for word in query.split() if word.lower()[:4] not in held]
