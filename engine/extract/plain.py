"""What does a text file say? txt and log whole; rst, adoc, org and tex by their headings."""

import re
from collections.abc import Iterable, Iterator

from engine.extract.format import Format, Gather, Source
from engine.extract.sniff import decode
from engine.models import Extracted

Heading = tuple[int, int, int, str]  # start of the heading, start of its text, depth, title

_RST = re.compile(
    r"^(?:([!-/:-@\[-`{-~])\1{2,}[ \t]*\n)?[ \t]*(\S[^\n]*)\n([!-/:-@\[-`{-~])\3{2,}[ \t]*$", re.M
)
_ADOC = re.compile(r"^(={1,6}|#{1,6})[ \t]+(\S[^\n]*)$", re.M)
_ORG = re.compile(r"^(\*{1,8})[ \t]+(?:(?:TODO|DONE)[ \t]+)?(\S[^\n]*)$", re.M)
_TEX = re.compile(
    r"^[ \t]*\\(part|chapter|section|subsection|subsubsection|paragraph)\*?"
    r"(?:\[[^\]\n]*\])?\{([^\n]*)\}",
    re.M,
)
_TEX_DEPTH = {"part": 1, "chapter": 2, "section": 3, "subsection": 4, "subsubsection": 5}
_TEX_TITLE = re.compile(r"\\title\{([^{}]*)\}")
_TEX_AUTHOR = re.compile(r"\\author\{([^{}]*)\}")
_ORG_KEY = re.compile(r"^#\+(title|author|language|filetags):[ \t]*([^\n]*)$", re.M | re.I)
_ADOC_TITLE = re.compile(r"\A(?:\s*//[^\n]*\n)*=[ \t]+([^\n]+)\n")


def read_plain(source: Source) -> Extracted:
    """The whole text as one section."""
    gather = Gather(source.limits)
    gather.add(decode(source.data), line=1)
    return Extracted("text", tuple(gather.sections), note=gather.note())


def read_rst(source: Source) -> Extracted:
    """reStructuredText by underlined headings; the order of underlines is the depth."""
    text = decode(source.data)
    found = list(_rst_headings(text))
    return _by_heading(source, "rst", text, found, found[0][3] if found else "")


def read_adoc(source: Source) -> Extracted:
    """AsciiDoc by headings."""
    text = decode(source.data)
    title = _ADOC_TITLE.match(text)
    found = ((m.start(), m.end(), len(m[1]), m[2].strip()) for m in _ADOC.finditer(text))
    return _by_heading(source, "adoc", text, found, title[1].strip() if title else "")


def read_org(source: Source) -> Extracted:
    """Org mode by headings, with its #+title and friends."""
    text = decode(source.data)
    keys = {m[1].lower(): m[2].strip() for m in _ORG_KEY.finditer(text[:8192])}
    found = ((m.start(), m.end(), len(m[1]), m[2].strip()) for m in _ORG.finditer(text))
    tags = tuple(tag for tag in keys.get("filetags", "").split(":") if tag.strip())
    return _by_heading(
        source,
        "org",
        text,
        found,
        keys.get("title", ""),
        author=keys.get("author", ""),
        language=keys.get("language", ""),
        tags=tags,
    )


def read_tex(source: Source) -> Extracted:
    """TeX by sections; commands stay, because people search for them too."""
    text = decode(source.data)
    title, author = _TEX_TITLE.search(text), _TEX_AUTHOR.search(text)
    found = ((m.start(), m.end(), _TEX_DEPTH.get(m[1], 6), m[2]) for m in _TEX.finditer(text))
    return _by_heading(
        source, "tex", text, found, title[1] if title else "", author=author[1] if author else ""
    )


def _rst_headings(text: str) -> Iterator[Heading]:
    styles: list[str] = []
    for match in _RST.finditer(text):
        over, title, under = match[1], match[2].rstrip(), match[3]
        line = match[0].rstrip().rsplit("\n", 1)[1]
        # A table's rule or a lone row of dots looks alike; an underline is as long as its title.
        if len(line) < len(title) or (not title[0].isalnum() and title[0] in "=-+|."):
            continue
        style = (over or "") + under
        if style not in styles:
            styles.append(style)
        yield match.start(), match.end(), styles.index(style) + 1, title


def _by_heading(
    source: Source,
    format: str,
    text: str,
    headings: Iterable[Heading],
    title: str,
    *,
    author: str = "",
    language: str = "",
    tags: tuple[str, ...] = (),
) -> Extracted:
    gather = Gather(source.limits)
    name, depth, start, kind = "", 0, 0, ""
    line, counted = 1, 0
    for begin, end, deeper, heading in (*headings, (len(text), len(text), 0, "")):
        while start < begin and text[start] == "\n":
            start += 1
        line, counted = line + text.count("\n", counted, start), start
        gather.add(text[start:begin].rstrip("\n"), name, depth=depth, kind=kind, line=line)
        name, depth, start, kind = heading, deeper, min(end + 1, len(text)), "heading"
    return Extracted(
        format, tuple(gather.sections), title, author, language, tags=tags, note=gather.note()
    )


TEXT = Format(
    "text",
    (".txt", ".text", ".log", ".me", ".1st", ".nfo", ".asc", ".man"),
    read_plain,
    mime=("text/plain",),
    text=True,
    names=(
        "readme",
        "license",
        "licence",
        "copying",
        "authors",
        "contributors",
        "changelog",
        "changes",
        "news",
        "todo",
        "notice",
        "install",
        "thanks",
        "maintainers",
        "version",
    ),
)
RST = Format("rst", (".rst", ".rest"), read_rst, text=True)
ADOC = Format("adoc", (".adoc", ".asciidoc"), read_adoc, text=True)
ORG = Format("org", (".org",), read_org, text=True)
TEX = Format("tex", (".tex", ".ltx", ".sty", ".cls"), read_tex, text=True)
