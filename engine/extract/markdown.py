"""What does a Markdown file say? Headings, front matter, links, tags and code blocks.

Regular expressions, 60 times as fast as a full parser: one pass finds headings and fences, and a
heading inside a fence is none. Links and tags inside code are none either.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from engine.extract.format import Format, Gather, Source
from engine.extract.frontmatter import split_front_matter
from engine.extract.sniff import decode
from engine.models import Extracted, Link

# Begins with a plain line feed, which the search finds at the speed of memory; the text gets one
# put in front.
_MARKS = re.compile(
    r"\n {0,3}(?:(?P<hashes>#{1,6})(?:[ \t]+(?P<title>[^\n]*))?(?=\n|\Z)"
    r"|(?P<fence>`{3,}|~{3,})(?P<info>[^\n]*)"
    r"|(?P<under>=+|-{2,})[ \t]*(?=\n|\Z))"
)
_CLOSING_HASHES = re.compile(r"(?:^|[ \t]+)#+[ \t]*$")
_WIKILINK = re.compile(r"\[\[([^\[\]\n|]{1,500})(?:\|([^\[\]\n]{0,500}))?\]\]")
_LINK = re.compile(r"\[([^\[\]\n]{0,500})\]\(\s*(?:<([^<>\n]{1,1000})>|([^()\s<>]{1,1000}))")
_TAG = re.compile(r"#([^\W\d_][\w/-]{0,99})")
_BACKTICKS = re.compile("`+")
_MAX_LINKS = 5000


@dataclass(slots=True)
class _Outline:
    """Where headings and fences stand, as offsets."""

    starts: list[int] = field(default_factory=list)  # of each section's heading
    bodies: list[int] = field(default_factory=list)  # where its text begins
    depths: list[int] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    fences: list[tuple[int, int]] = field(default_factory=list)

    def open(self, start: int, body: int, depth: int, title: str) -> None:
        """Begins a section."""
        self.starts.append(start)
        self.bodies.append(body)
        self.depths.append(depth)
        self.titles.append(title)


def read_markdown(source: Source) -> Extracted:
    """The document with its tree of headings."""
    text = decode(source.data)
    front, begin = split_front_matter(text)
    outline = _find_outline(text, begin)
    links, tags = _find_links(text, outline)
    gather = Gather(source.limits)
    if front.rest:
        gather.add(front.rest, kind="front matter", line=1)
    _add_sections(text, outline, gather)
    title = front.title or next(
        (t for t, d in zip(outline.titles, outline.depths, strict=True) if d == 1), ""
    )
    return Extracted(
        "markdown",
        tuple(gather.sections),
        title,
        front.author,
        front.language,
        front.created,
        front.modified,
        tuple(dict.fromkeys(front.tags + tags)),
        front.aliases,
        front.description,
        front.keywords,
        links,
        gather.note(),
        front.metadata,
    )


def _find_outline(text: str, begin: int) -> _Outline:
    outline = _Outline()
    outline.open(begin, begin, 0, "")
    fence, fence_start = "", 0
    for match in _MARKS.finditer("\n" + text, begin):
        # The line feed in front and the one put before the text cancel out: start() is the line's.
        start, end = match.start(), match.end() - 1
        mark = match["fence"]
        if fence:
            closes = mark and mark[0] == fence[0] and len(mark) >= len(fence)
            if closes and not match["info"].strip():
                outline.fences.append((fence_start, end))
                fence = ""
        elif mark:
            if mark[0] == "~" or "`" not in match["info"]:
                fence, fence_start = mark, start
        elif match["hashes"]:
            title = _CLOSING_HASHES.sub("", match["title"] or "").strip()
            outline.open(start, end, len(match["hashes"]), _plain(title))
        else:
            _open_setext(text, start, end, match["under"][0], outline)
    if fence:
        outline.fences.append((fence_start, len(text)))
    return outline


def _open_setext(text: str, at: int, after: int, mark: str, outline: _Outline) -> None:
    """A line of = or - (from `at` to `after`) under a line of text makes that line a heading."""
    end = at - 1
    start = text.rfind("\n", 0, max(end, 0)) + 1
    title = text[start:end].strip()
    if end <= 0 or not title or start < outline.bodies[-1] or title[0] in "|>-*+":
        return
    outline.open(start, after, 1 if mark == "=" else 2, _plain(title))


def _plain(title: str) -> str:
    """A heading without the marks of links, emphasis and code."""
    if "[" in title:
        title = re.sub(r"!?\[([^\[\]]*)\]\([^()]*\)", r"\1", title)
        title = re.sub(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]", r"\1", title)
    return (
        title.replace("**", "").replace("`", "").strip("*_ ")
        if "*" in title or "`" in title
        else title
    )


def _add_sections(text: str, outline: _Outline, gather: Gather) -> None:
    ends = [*outline.starts[1:], len(text)]
    line, counted = 1, 0
    for index, end in enumerate(ends):
        begin = outline.bodies[index]
        body = text[begin:end]
        inner = body.lstrip("\n")
        begin += len(body) - len(inner)
        line, counted = line + text.count("\n", counted, begin), begin
        depth = outline.depths[index]
        kind = "heading" if depth else ""
        if not gather.add(inner.rstrip(), outline.titles[index], depth=depth, kind=kind, line=line):
            return


def _find_links(text: str, outline: _Outline) -> tuple[tuple[Link, ...], tuple[str, ...]]:
    wiki = list(_WIKILINK.finditer(text)) if "[[" in text else []
    plain = list(_LINK.finditer(text)) if "](" in text else []
    marks = (
        [m for m in _TAG.finditer(text) if _stands_alone(text, m.start())] if "#" in text else []
    )
    if not (wiki or plain or marks):
        return (), ()
    inside = _Code(text, outline.fences)
    links: list[tuple[int, Link]] = []
    for match in wiki[:_MAX_LINKS]:
        if match.start() not in inside:
            kind = "transclusion" if text[match.start() - 1 : match.start()] == "!" else "wikilink"
            links.append((match.start(), _link(match[1], kind, match[2] or "", match, outline)))
    for match in plain[:_MAX_LINKS]:
        if match.start() not in inside:
            links.append(
                (match.start(), _link(match[2] or match[3], "link", match[1], match, outline))
            )
    links.sort(key=lambda pair: pair[0])
    tags = tuple(dict.fromkeys(m[1].rstrip("/-") for m in marks if m.start() not in inside))
    return tuple(link for _, link in links), tags


def _link(target: str, kind: str, text: str, at: re.Match[str], outline: _Outline) -> Link:
    section = bisect_right(outline.starts, at.start()) - 1
    return Link(target.strip(), kind, text.strip(), outline.titles[max(section, 0)])


def _stands_alone(text: str, at: int) -> bool:
    # "](#part)" is a link within the page.
    return at == 0 or (text[at - 1] in " \t\n([,;" and text[max(at - 2, 0) : at] != "](")


class _Code:
    """Tells whether an offset stands in a fence or in inline code."""

    def __init__(self, text: str, fences: list[tuple[int, int]]) -> None:
        self._text = text
        self._starts = [start for start, _ in fences]
        self._ends = [end for _, end in fences]
        self._inline = "`" in text

    def __contains__(self, at: int) -> bool:
        index = bisect_right(self._starts, at) - 1
        if index >= 0 and at < self._ends[index]:
            return True
        if not self._inline:
            return False
        # An odd number of backtick runs before it on its line: inside a code span.
        line = self._text.rfind("\n", 0, at) + 1
        if self._text.find("`", line, at) < 0:
            return False
        return len(_BACKTICKS.findall(self._text, max(line, at - 5000), at)) % 2 == 1


FORMAT = Format(
    "markdown",
    (".md", ".markdown", ".mdown", ".mkd", ".mdx", ".mdwn", ".qmd", ".rmd"),
    read_markdown,
    mime=("text/markdown",),
    text=True,
)
