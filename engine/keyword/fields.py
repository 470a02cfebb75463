"""Where may a word stand? Query fields as weights over the two layers' fields.

Passages have trail and body; documents have title, name, path, tags and author. A weight of 0
means: does not count there.
"""

from dataclasses import dataclass

from engine.keyword.forward import DOCUMENT_FIELDS, PASSAGE_FIELDS


@dataclass(frozen=True, slots=True)
class Scope:
    """The fields of both layers that a part of a query looks at."""

    passage: tuple[bool, ...]
    document: tuple[bool, ...]

    def passage_columns(self) -> tuple[str, ...]:
        """Names of the FTS5 columns, passages."""
        return tuple(n for n, on in zip(PASSAGE_FIELDS, self.passage, strict=True) if on)

    def document_columns(self) -> tuple[str, ...]:
        """Names of the FTS5 columns, documents."""
        return tuple(n for n, on in zip(DOCUMENT_FIELDS, self.document, strict=True) if on)


def _scope(passage: str, document: str) -> Scope:
    return Scope(
        tuple(name in passage.split() for name in PASSAGE_FIELDS),
        tuple(name in document.split() for name in DOCUMENT_FIELDS),
    )


ANYWHERE = _scope("trail body", "title name path tags author")
SCOPES = {
    "title": _scope("trail", "title"),
    "heading": _scope("trail", ""),
    "body": _scope("body", ""),
    "path": _scope("", "name path"),
    "name": _scope("", "name"),
    "tag": _scope("", "tags"),
    "author": _scope("", "author"),
}


def narrow(outer: Scope, inner: Scope) -> Scope:
    """What both allow: a field within a field."""
    return Scope(
        tuple(a and b for a, b in zip(outer.passage, inner.passage, strict=True)),
        tuple(a and b for a, b in zip(outer.document, inner.document, strict=True)),
    )
