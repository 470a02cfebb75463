"""How is the word snapshot made? One read of the forward index, one file, then the removals go.

Order matters for whoever reads meanwhile: the file is in its place before the removals it makes
superfluous are deleted, so at no instant does a removed passage come back.
"""

import logging
import sqlite3
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import numpy as np

from engine.keyword.forms import read_forms
from engine.keyword.forward import read_documents, read_passages
from engine.keyword.lexicon import Entry, Lexicon, build_lexicon, lexicon_from_arrays
from engine.keyword.postings import KIND, database_identity
from engine.keyword.segment import Segment, build_segment
from engine.keyword.snapshot import open_snapshot, write_snapshot
from engine.store.database import Database
from engine.text.phonetic import sound_codes

log = logging.getLogger(__name__)

KINDS = ("chunk", "document", "fields")
# Of a term's written forms, the rarest are another language's accident (Swedish stems notion to
# not): following them would find every passage with the term.
LEAST_SHARE = 0.02

Form = tuple[str, str, int]


def build_snapshot(database: Database, path: Path) -> int:
    """Write the snapshot of everything that is in `database` now; returns its passages."""
    began = time.perf_counter()
    with database.read() as connection:
        passages = build_segment(read_passages(connection, 0))
        documents = build_segment(read_documents(connection, 0))
        words, last_term = _build_words(connection, path, passages, documents)
        removed = connection.execute(
            "SELECT kind, id FROM removals WHERE kind IN (?, ?, ?)", KINDS
        ).fetchall()
        sequence = dict(connection.execute("SELECT name, seq FROM sqlite_sequence").fetchall())
        facts = {
            "database": database_identity(connection),
            "last_passage": int(sequence.get("chunks", 0)),
            "last_document": int(sequence.get("documents", 0)),
            "last_term": last_term,
        }
    arrays = passages.arrays("passages") | documents.arrays("documents") | words.arrays("words")
    write_snapshot(path, KIND, facts, arrays)
    if database.writable and removed:
        with database.write() as connection:
            connection.executemany("DELETE FROM removals WHERE kind = ? AND id = ?", removed)
    log.info("word snapshot: %d passages, %.1f s", passages.size, time.perf_counter() - began)
    return passages.size


def _build_words(
    connection: sqlite3.Connection, path: Path, passages: Segment, documents: Segment
) -> tuple[Lexicon, int]:
    """The lexicon, with the written forms that an earlier snapshot of this database knows."""
    frequencies: dict[int, int] = {}
    for segment in (passages, documents):
        sizes = np.diff(segment.offsets).tolist()
        for term_id, size in zip(segment.term_ids.tolist(), sizes, strict=True):
            frequencies[term_id] = frequencies.get(term_id, 0) + size
    earlier = open_snapshot(path, KIND)
    if earlier is None or earlier.facts.get("database") != database_identity(connection):
        return _file_words(connection, read_forms(connection, 0, 0), frequencies)
    known = lexicon_from_arrays(earlier.arrays, "words")
    fresh = read_forms(
        connection, int(earlier.facts["last_passage"]), int(earlier.facts["last_document"])
    )
    return _file_words(connection, chain(_known_forms(connection, known), fresh), frequencies)


def _known_forms(connection: sqlite3.Connection, known: Lexicon) -> Iterator[Form]:
    names = dict(connection.execute("SELECT id, term FROM vocabulary").fetchall())
    places = np.flatnonzero(known.written)
    numbers, times = known.term_ids[places].tolist(), known.frequencies[places].tolist()
    for form, number, count in zip(known.forms(places), numbers, times, strict=True):
        if number in names:
            yield form, names[number], count


def _file_words(
    connection: sqlite3.Connection, forms: Iterable[Form], frequencies: dict[int, int]
) -> tuple[Lexicon, int]:
    """The lexicon of all living terms with their written forms, and the last term's number."""
    ids = dict(connection.execute("SELECT term, id FROM vocabulary").fetchall())
    counts: Counter[tuple[str, int]] = Counter()
    totals: Counter[int] = Counter()
    for form, term, times in forms:
        number = ids.get(term, 0)
        if number in frequencies:
            counts[form, number] += times
            totals[number] += times
    entries = [
        Entry(form, number, times, True, sound_codes(form))
        for (form, number), times in counts.items()
        if times >= LEAST_SHARE * totals[number]
    ]
    entries += [
        Entry(term, number, frequencies[number], False, sound_codes(term))
        for term, number in ids.items()
        if number in frequencies and (term, number) not in counts
    ]
    return build_lexicon(entries), max(ids.values(), default=0)
