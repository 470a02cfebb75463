"""What is made of one file? Its text, its passages, their words: a DocumentRow, ready to write.

Pure work on one file, done in a worker process; nothing here touches the database. The file's name
is not part of what is embedded: a renamed file keeps its vectors.
"""

import os
import time
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.chunk import TRAIL_JOINT, Sizes, chunk, embedding_hash
from engine.chunk.outline import find_parents
from engine.errors import FileError, UnreadableFileError
from engine.extract import extract
from engine.extract.format import Limits
from engine.files.identity import content_hash, document_uid
from engine.models import Extracted, Passage, Section
from engine.ports import CountPieces
from engine.store.documents import ChunkRow, DocumentRow, SectionRow
from engine.text import analyse
from engine.text.detect import detect_language

SAMPLE = 2_000  # characters that decide the language


@dataclass(frozen=True, slots=True)
class Task:
    """One file to read, as the disk shows it."""

    path: str
    size: int
    mtime_ns: int
    inode: int
    device: int


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a worker must know; the same for all files of a run."""

    sizes: Sizes
    language: str  # a code, or auto
    max_file_bytes: int
    max_text_bytes: int
    secrets: bool  # private keys may be indexed too
    timeout_seconds: int
    memory_limit_mb: int
    tokenizer: str  # folder of the model's tokenizer; empty: passages are sized by words alone


def prepare_file(task: Task, recipe: Recipe, count: CountPieces) -> DocumentRow:
    """Read one file; raises FileError with the reason when there is nothing to index."""
    data = _read(task.path)
    document = extract(task.path, data, limits=limits_of(recipe))
    modified = task.mtime_ns / 1e9
    name = unicodedata.normalize("NFC", os.path.basename(task.path))
    row = prepare_document(
        document,
        recipe,
        count,
        uid=document_uid(task.path),
        path=task.path,
        name=name,
        content_hash=content_hash(data or b""),
    )
    return replace(
        row,
        size=task.size,
        modified=modified,
        created=document.created or modified,
        priority=modified,
        metadata={
            **row.metadata,
            "source_path": task.path,
            "source_mtime": str(task.mtime_ns),
            "source_size": str(task.size),
        },
    )


def limits_of(recipe: Recipe) -> Limits:
    """What the readers may read and make."""
    return Limits(
        max_file_bytes=recipe.max_file_bytes,
        max_text_bytes=recipe.max_text_bytes,
        secrets=recipe.secrets,
    )


def _read(path: str) -> bytes | None:
    if os.path.isdir(path):  # .rtfd and its like: a folder that is one document
        return None
    try:
        with open(path, "rb") as handle:
            return handle.read()
    except OSError as exc:
        raise UnreadableFileError(problem=exc.strerror or str(exc)) from exc


def prepare_text(
    title: str,
    content: str,
    recipe: Recipe,
    count: CountPieces,
    *,
    uid: str,
    metadata: Mapping[str, Any],
) -> DocumentRow:
    """A document that comes as text through a door."""
    document = Extracted("text", (Section(content, line=1),), title=title)
    digest = content_hash(content.encode("utf-8", "surrogatepass"))
    row = prepare_document(
        document, recipe, count, uid=uid, path="", name=title, content_hash=digest
    )
    now = time.time()
    return replace(
        row,
        size=len(content.encode()),
        modified=now,
        created=now,
        priority=now,
        metadata={**metadata},
    )


def prepare_document(
    document: Extracted,
    recipe: Recipe,
    count: CountPieces,
    *,
    uid: str,
    path: str,
    name: str,
    content_hash: bytes,
) -> DocumentRow:
    """Chunk and analyse what was read."""
    language = _choose_language(document, recipe)
    parents = find_parents(document.sections)
    title = document.title.strip() or title_from_name(name)
    return DocumentRow(
        uid=uid,
        path=path,
        name=name,
        title=title,
        own_title=bool(document.title.strip()),
        format=document.format,
        language=language,
        author=document.author,
        description=document.description,
        tags=document.tags,
        metadata=dict(document.metadata),
        note=document.note,
        created=document.created or 0.0,
        modified=document.modified or 0.0,
        size=0,
        content_hash=content_hash,
        field_terms=field_terms(
            language,
            path,
            title=title,
            name=name,
            author=document.author,
            tags=" ".join((*document.tags, *document.keywords, *document.aliases)),
        ),
        sections=tuple(
            SectionRow(one.title, one.depth, parent, one.kind, one.number, one.line)
            for one, parent in zip(document.sections, parents, strict=True)
        ),
        chunks=tuple(_prepare_chunks(chunk(document, recipe.sizes, count), language)),
        links=document.links,
        aliases=document.aliases,
    )


def _prepare_chunks(passages: Iterable[Passage], language: str) -> Iterator[ChunkRow]:
    trails: dict[tuple[str, ...], tuple[str, str]] = {}
    for passage in passages:
        if passage.trail not in trails:
            trail = TRAIL_JOINT.join(passage.trail)
            trails[passage.trail] = (trail, " ".join(analyse(trail, language)))
        trail, trail_terms = trails[passage.trail]
        yield ChunkRow(
            text=passage.text,
            section=passage.section,
            start=passage.start,
            line=passage.line,
            trail=trail,
            trail_terms=trail_terms,
            terms=" ".join(analyse(passage.text, language)),
            vector_hash=embedding_hash(trail, passage.text),
        )


def field_terms(language: str, path: str, **texts: str) -> dict[str, str]:
    """The words of the document's own fields, by which it is found as a whole."""
    texts["path"] = unicodedata.normalize("NFC", os.path.dirname(path)).replace("/", " ")
    return {one: " ".join(analyse(text, language)) for one, text in texts.items()}


def title_from_name(name: str) -> str:
    """A readable title from a file's name: without its ending, underscores as blanks."""
    stem = os.path.splitext(name)[0] or name
    return stem.replace("_", " ").strip() or name


def _choose_language(document: Extracted, recipe: Recipe) -> str:
    if document.language:
        return document.language
    if recipe.language != "auto":
        return recipe.language
    parts: list[str] = []
    length = 0
    for section in document.sections:
        parts.append(section.text[:SAMPLE])
        length += len(parts[-1])
        if length >= SAMPLE:
            break
    return detect_language("\n".join(parts)[:SAMPLE])


__all__ = ["FileError", "Recipe", "Task", "prepare_document", "prepare_file", "prepare_text"]
