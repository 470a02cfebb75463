"""Which names may stand before a colon? FIELDS look in a part of the text, FILTERS choose files."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Name:
    """One name with its other spellings and a line of help."""

    name: str
    help: str
    aliases: tuple[str, ...] = ()


FIELDS: tuple[Name, ...] = (
    Name("title", "the document's title and its headings", ("hierarchy", "caption", "subject")),
    Name("heading", "headings only", ("headings", "section")),
    Name("body", "the text itself", ("content", "text")),
    Name("path", "folders and file name"),
    Name("name", "the file's name", ("filename", "file")),
    Name("tag", "tags and keywords", ("tags", "keyword", "keywords")),
    Name("author", "who wrote it", ("from", "creator")),
)

FILTERS: tuple[Name, ...] = (
    Name("kind", "sort of file: pdf, image, code …", ("type", "rclcat")),
    Name("ext", "ending of the file's name", ("extension",)),
    Name("in", "folder it lies in", ("dir", "folder", "under")),
    Name("tree", "name of an indexed folder", ("root",)),
    Name("before", "changed before this day", ("until",)),
    Name("after", "changed on this day or later", ("since",)),
    Name("date", "day, month, year or range it was changed", ("modified", "mtime")),
    Name("created", "day, month, year or range it was made"),
    Name("size", "size or range of sizes"),
    Name("lang", "language of the text", ("language",)),
    Name("is", "recent, large, tagged, untagged, or a kind"),
)

SOUNDS = "sounds"

COMPARABLE = frozenset({"date", "created", "size"})  # may be followed by < > instead of a colon

_KNOWN_FIELDS = {known: row.name for row in FIELDS for known in (row.name, *row.aliases)}
_KNOWN_FILTERS = {known: row.name for row in FILTERS for known in (row.name, *row.aliases)}


def find_field(typed: str) -> str | None:
    """The field that `typed` names, in any of its spellings."""
    return _KNOWN_FIELDS.get(typed.lower())


def find_filter(typed: str) -> str | None:
    """The filter that `typed` names, in any of its spellings."""
    return _KNOWN_FILTERS.get(typed.lower())


def known_names() -> tuple[str, ...]:
    """Every name, for hints."""
    return (*(row.name for row in FIELDS), *(row.name for row in FILTERS), SOUNDS)
