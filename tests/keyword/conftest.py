"""A small library of documents, written through the store as indexing writes them."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine.keyword import KeywordIndex, build_snapshot, open_keyword_index
from engine.store.database import Database
from engine.store.documents import ChunkRow, DocumentRow, SectionRow, add_document, remove_document
from engine.store.migrations import migrate
from engine.store.terms import TermIds
from engine.text import analyse


@dataclass
class Page:
    """One document in few words."""

    name: str
    passages: tuple[str, ...]
    title: str = ""
    trail: str = ""
    tags: tuple[str, ...] = ()
    author: str = ""
    language: str = "en"
    folder: str = "/home/ada/Documents"
    format: str = "Text"
    size: int = 1000
    modified: float = 1_700_000_000.0


@dataclass
class Library:
    """A database under construction, with its word index."""

    database: Database
    snapshot: Path
    terms: TermIds = field(default_factory=TermIds)
    ids: dict[str, int] = field(default_factory=dict)

    def add(self, *pages: Page) -> None:
        with self.database.write() as connection:
            for page in pages:
                row = _row(page)
                self.ids[page.name] = add_document(
                    connection, self.terms, row, root_id=None, indexed=page.modified
                )

    def remove(self, name: str) -> None:
        with self.database.write() as connection:
            remove_document(connection, self.ids.pop(name))

    def open(self, *, snapshot: bool = True) -> KeywordIndex:
        if snapshot:
            build_snapshot(self.database, self.snapshot)
        return open_keyword_index(self.database, self.snapshot)

    def names(self, documents: object) -> list[str]:
        known = {number: name for name, number in self.ids.items()}
        return [known[int(one)] for one in documents]  # type: ignore[attr-defined]  # an array


def _row(page: Page) -> DocumentRow:
    path = f"{page.folder}/{page.name}"
    title = page.title or page.name.rsplit(".", 1)[0]
    chunks = tuple(
        ChunkRow(
            text, 0, 0, None, page.trail, " ".join(analyse(page.trail, page.language)),
            " ".join(analyse(text, page.language)), hashlib.sha256(text.encode()).digest(),
        )
        for text in page.passages
    )
    fields = {
        "title": title, "name": page.name, "path": page.folder, "tags": " ".join(page.tags),
        "author": page.author,
    }
    return DocumentRow(
        uid=f"file:{path}", path=path, name=page.name, title=title,
        own_title=bool(page.title), format=page.format, language=page.language,
        author=page.author, description="", tags=page.tags, metadata={},
        note="", created=page.modified, modified=page.modified, size=page.size,
        content_hash=hashlib.sha256(path.encode()).digest(),
        field_terms={
            name: " ".join(analyse(text, page.language)) for name, text in fields.items()
        },
        sections=(SectionRow("", 0, None, "", None, None),), chunks=chunks,
    )


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Database(tmp_path / "sagasu.db", writable=True) as database:
        migrate(database)
        yield Library(database, tmp_path / "words.snapshot")

