"""Which written forms stand behind the terms? Reads them from the passages' own text.

The index holds stems: `invoic` for invoice and invoices. Whoever completes a word, looks for
`*tion` or mends a typo means the words as written, so the snapshot keeps them: each form that
occurs, folded, with the term it became. Only passages newer than the last snapshot are read.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator

from engine.text import LONGEST_TERM, analyse
from engine.text.cjk import is_unspaced
from engine.text.normalise import fold, to_nfkc
from engine.text.tokenise import ascii_pattern, unicode_pattern

LONGEST_FORM = LONGEST_TERM

_TEXTS = """
SELECT documents.language, chunks.text, chunks.trail FROM chunks
JOIN documents ON documents.id = chunks.document_id WHERE chunks.id > ? ORDER BY chunks.id
"""
_TITLES = "SELECT language, title, name FROM documents WHERE id > ?"


def read_forms(
    connection: sqlite3.Connection, after_passage: int, after_document: int
) -> Iterator[tuple[str, str, int]]:
    """(form, term, times) of the words in newer passages, trails, titles and names; a pair may
    come more than once."""
    tokens: dict[str, Counter[str]] = {}
    _count(connection.execute(_TEXTS, (after_passage,)), tokens)
    _count(connection.execute(_TITLES, (after_document,)), tokens)
    for language, counted in tokens.items():
        for token, times in counted.items():
            # Names such as node.js are their own terms, and what they are made of occurs elsewhere.
            if token.isalpha() and not is_unspaced(token[0]):
                terms = analyse(token, language)
                if len(terms) == 1:
                    yield fold(token)[:LONGEST_FORM], terms[0], times


def _count(rows: sqlite3.Cursor, tokens: dict[str, Counter[str]]) -> None:
    for language, *texts in rows:
        counter = tokens.setdefault(language, Counter())
        for text in texts:
            pattern = ascii_pattern() if text.isascii() else unicode_pattern()
            counter.update(pattern.findall(to_nfkc(text)))
