"""How is an answer put for an assistant? Compact: a line with the source, then the passage.

[1] docs/auth.md § Configuration > Authentication (0.92)
Tokens are checked in constant time …
"""

import os
from collections import Counter
from collections.abc import Iterable, Sequence

from engine.api import Cited, Engine, Passages
from engine.models import Location


class Names:
    """Short names of files: from their root's own name on, when no other root has that name."""

    def __init__(self, engine: Engine) -> None:
        self._roots = sorted((root.path for root in engine.roots()), key=len, reverse=True)
        self._counts = Counter(os.path.basename(root) for root in self._roots)

    def shorten(self, path: str) -> str:
        """`Documents/taxes/2024.md` for `/Users/ada/Documents/taxes/2024.md`."""
        for root in self._roots:
            name = os.path.basename(root)
            if (path == root or path.startswith(root + "/")) and self._counts[name] == 1:
                return os.path.relpath(path, os.path.dirname(root))
        return path

    def candidates(self, given: str) -> Iterable[str]:
        """The full paths that `given` may stand for."""
        if os.path.isabs(given) or given.startswith("~"):
            yield os.path.abspath(os.path.expanduser(given))
            return
        for root in self._roots:
            yield os.path.abspath(os.path.join(os.path.dirname(root), given))
            yield os.path.abspath(os.path.join(root, given))


def write_passages(found: Sequence[Cited], names: Names) -> str:
    """Every passage with its source and score."""
    parts = []
    for number, one in enumerate(found, 1):
        source = names.shorten(one.path) if one.path else one.title or one.id
        head = f"[{number}] {one_line(source)}{write_place(one.location)} ({one.score:.2f})"
        parts.append(f"{head}\n{one.text.strip()}")
    return "\n\n".join(parts)


def write_place(place: Location) -> str:
    """` § Configuration > Authentication`, with the page where there are pages."""
    steps = [one_line(step) for step in place.trail if step] or [one_line(place.heading)]
    named = " > ".join(step for step in steps if step)
    page = f", {place.kind or 'page'} {place.page}" if place.page is not None else ""
    return (f" § {named}" if named else "") + page


def write_answer(passages: Passages, names: Names, *, stats: bool = False) -> str:
    """The whole answer to a search, with what the assistant should know about it."""
    parts = ["# Search Results"]
    response = passages.response
    if passages.found:
        parts.append(write_passages(passages.found, names))
    else:
        parts.append(f"Nothing found for “{one_line(response.query)[:200]}”.")
    if response.suggestions:
        parts.append(f"Did you mean: {', '.join(response.suggestions)}?")
    if response.auto_fuzzy:
        parts.append("No exact match: these are matches with typos allowed.")
    if not response.semantic.on:
        parts.append(f"Only words were searched. {response.semantic.reason}")
    elif response.semantic.waiting:
        parts.append(f"{response.semantic.waiting} passages are not searchable by meaning yet.")
    if stats:
        parts.append(
            "# Compression Stats\n"
            f"passages found: {passages.candidates}\n"
            f"after the score filter: {passages.scored}\n"
            f"after leaving out repetitions: {passages.distinct}\n"
            f"shown: {len(passages.found)}"
        )
    return "\n\n".join(parts)


def one_line(text: str) -> str:
    """`text` without line breaks: a file name must not look like a result of its own."""
    return " ".join(text.split())
