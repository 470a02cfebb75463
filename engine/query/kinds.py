"""Which endings make a kind of file? One row a kind; a word may name it in the plural too."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """A sort of file as people name it."""

    name: str
    endings: frozenset[str]
    aliases: tuple[str, ...] = ()


def _kind(name: str, endings: str, *aliases: str) -> Kind:
    return Kind(name, frozenset(endings.split()), aliases)


_WORD = "doc docx docm dot dotx odt ott rtf pages wpd fodt"
_SHEET = "xls xlsx xlsm xlsb xlt xltx ods ots numbers csv tsv fods"
_SLIDES = "ppt pptx pptm pps ppsx odp otp key fodp"
_TEXT = "txt text log rst md markdown mdx org adoc asciidoc tex"
_IMAGE = "png jpg jpeg gif tif tiff bmp webp heic heif svg psd raw cr2 nef dng ico avif"
_CODE = (
    "py js mjs cjs ts tsx jsx c h cc cpp cxx hpp hh cs java kt kts go rs rb php swift m mm scala "
    "sh bash zsh fish ps1 pl pm lua r jl sql hs ml mli ex exs erl clj cljs dart vue svelte zig nim "
    "asm s f90 pas vb groovy gradle cmake make mk proto tf el lisp scm ipynb"
)

KINDS: tuple[Kind, ...] = (
    _kind("pdf", "pdf", "pdfs"),
    _kind("word", _WORD, "docs"),
    _kind("document", f"pdf epub {_WORD} {_TEXT}", "documents", "doc"),
    _kind("sheet", _SHEET, "sheets", "spreadsheet", "spreadsheets", "excel", "table", "workbook"),
    _kind("slides", _SLIDES, "slide", "presentation", "presentations", "powerpoint", "keynote",
          "slideshow", "deck", "decks"),
    _kind("markdown", "md markdown mdx", "md"),
    _kind("note", f"{_TEXT} enex", "notes"),
    _kind("text", _TEXT, "texts", "txt"),
    _kind("web", "html htm xhtml mhtml webarchive", "html", "webpage", "webpages"),
    _kind("mail", "eml emlx mbox msg", "mails", "email", "emails", "e-mail", "e-mails", "message",
          "messages"),
    _kind("ebook", "epub mobi azw azw3 fb2", "ebooks", "book", "books", "epub"),
    _kind("image", _IMAGE, "images", "photo", "photos", "picture", "pictures", "screenshot",
          "screenshots"),
    _kind("audio", "mp3 m4a wav flac ogg oga aac aiff aif wma opus", "music", "sound", "song",
          "songs", "recording", "recordings"),
    _kind("video", "mp4 mov m4v avi mkv webm wmv mpg mpeg flv", "videos", "movie", "movies", "film",
          "films"),
    _kind("archive", "zip tar gz tgz bz2 xz 7z rar dmg iso zst", "archives", "zip"),
    _kind("code", _CODE, "source", "script", "scripts"),
    _kind("data", "json jsonl ndjson xml yaml yml toml csv tsv parquet sqlite db ini conf plist",
          "config"),
    _kind("calendar", "ics ical", "event", "events"),
    _kind("contact", "vcf vcard", "contacts"),
)  # fmt: skip

# Those that name one sort each; "document" and "note" are made of others.
_PLAIN = [kind for kind in KINDS if kind.name not in ("document", "note")]
_BY_ENDING = {ending: kind.name for kind in reversed(_PLAIN) for ending in kind.endings}

_BY_NAME = {name: kind for kind in KINDS for name in (kind.name, *kind.aliases)}


def find_kind(name: str) -> Kind | None:
    """The kind of that name, singular or plural."""
    return _BY_NAME.get(name.lower())


def kind_of(ending: str) -> str:
    """The one kind that a file with this ending (in lower case, without the dot) is counted as."""
    return _BY_ENDING.get(ending, "other")
