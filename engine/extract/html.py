"""What does a web page say? Its readable text by headings, its title, author and language.

selectolax (lexbor) builds the tree as a browser would; one walk over it in document order collects
the text. Scripts, styles and templates are dropped; navigation stays, since people search for it.
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import TYPE_CHECKING

from engine.extract.format import Format, Gather, Source
from engine.extract.sniff import declared_encoding, decode
from engine.models import Extracted, Link

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# fmt: off
_DROPPED = frozenset({
    "script", "style", "template", "noscript", "svg", "math", "head", "iframe", "object",
    "canvas", "datalist", "-comment",
})
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "br", "button", "caption", "center",
    "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure",
    "footer", "form", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html",
    "legend", "li", "main", "menu", "nav", "ol", "option", "p", "pre", "search", "section",
    "select", "summary", "table", "tbody", "tfoot", "thead", "tr", "ul",
})
# fmt: on
_CELLS = frozenset({"td", "th"})
_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_SPACES = re.compile(r"[ \t\r\f\v\n\u00a0]+")
_MANY_LINES = re.compile(r"\s*\n\s*")
_MAX_LINKS = 2000
# Lexbor needs 8 s for 60,000 nested elements; real pages stay below 300. Elements
# that may stay open (p, li, td …) do not nest by themselves and are not counted.
MAX_NESTING = 3000
_NESTING = re.compile(
    r"<(/?)(?!(?:br|img|hr|input|meta|link|p|li|dd|dt|td|th|tr|option|col|source|wbr)\b)[a-zA-Z]"
)
_SCRIPTS = re.compile(r"<(script|style)\b.*?</\1", re.S | re.I)
_ANY_TAG = re.compile(r"<[^<>]{0,2000}>")


def read_html(source: Source) -> Extracted:
    """The page's text, one section a heading."""
    return parse_html(decode(source.data, declared_encoding(source.data)), source)


def parse_html(text: str, source: Source) -> Extracted:
    """The readable text of the HTML in `text`."""
    from selectolax.lexbor import LexborHTMLParser

    if _is_too_deep(text):
        return _read_flat(text, source)
    tree = LexborHTMLParser(text)
    gather = Gather(source.limits)
    links: list[Link] = []
    if tree.root is not None:
        _collect(tree.root, gather, links)
    facts = _meta(tree)
    title_node = tree.css_first("title")
    title = _SPACES.sub(" ", title_node.text()).strip() if title_node is not None else ""
    root = tree.css_first("html")
    language = (root.attributes.get("lang") or "") if root is not None else ""
    keywords = tuple(k.strip() for k in facts.get("keywords", "").split(",") if k.strip())
    return Extracted(
        "html",
        tuple(gather.sections),
        title,
        facts.get("author", ""),
        language,
        description=facts.get("description", ""),
        keywords=keywords,
        links=tuple(links),
        note=gather.note(),
    )


def _is_too_deep(text: str) -> bool:
    """Whether elements are nested so deep that building the tree takes time without bound."""
    if text.count("<") < MAX_NESTING:
        return False
    depth = 0
    for match in _NESTING.finditer(text):
        depth = max(depth - 1, 0) if match[1] else depth + 1
        if depth > MAX_NESTING:
            return True
    return False


def _read_flat(text: str, source: Source) -> Extracted:
    gather = Gather(source.limits)
    gather.add(_tidy([unescape(_ANY_TAG.sub("\n", _SCRIPTS.sub("", text)))]))
    gather.notes.append("nested too deeply: read without its structure")
    return Extracted("html", tuple(gather.sections), note=gather.note())


def _meta(tree: object) -> dict[str, str]:
    facts: dict[str, str] = {}
    for node in tree.css("meta[name]"):  # type: ignore[attr-defined]  # LexborHTMLParser, loaded late
        name, content = node.attributes.get("name"), node.attributes.get("content")
        if name and content:
            facts.setdefault(name.lower(), content.strip())
    return facts


def _collect(root: "LexborNode", gather: Gather, links: list[Link]) -> None:
    parts: list[str] = []
    title, depth, heading_from = "", 0, -1
    for event, tag, value in _walk(root):
        if event == "text":
            parts.append(value)
        elif event == "link":
            if len(links) < _MAX_LINKS:
                links.append(Link(value, "link", heading=title))
        elif event == "open" and tag in _HEADINGS:
            gather.add(_tidy(parts), title, depth=depth, kind="heading" if depth else "")
            parts, depth, heading_from = [], _HEADINGS[tag], 0
        elif event == "close" and tag in _HEADINGS and heading_from == 0:
            title, parts, heading_from = _tidy(parts).replace("\n", " "), [], -1
        if gather.full:
            return
    if heading_from == 0:
        title, parts = _tidy(parts).replace("\n", " "), []
    gather.add(_tidy(parts), title, depth=depth, kind="heading" if depth else "")


def _walk(root: "LexborNode") -> Iterator[tuple[str, str, str]]:
    """Events in document order, without recursion: pages may be nested 60,000 deep."""
    node: LexborNode | None = root
    pre = 0
    while node is not None:
        tag = node.tag or ""
        enter = False
        if tag == "-text":
            text = node.text_content or ""
            yield "text", tag, text if pre else _SPACES.sub(" ", text)
        elif tag not in _DROPPED:
            enter = True
            pre += tag == "pre"
            yield from _opening(node, tag)
        below = node.child if enter else None
        if below is not None:
            node = below
            continue
        if enter:
            pre -= tag == "pre"
            yield from _closing(tag)
        while node is not None and node.next is None:
            node = node.parent
            if node is None or node.mem_id == root.mem_id:
                return
            closed = node.tag or ""
            pre -= closed == "pre"
            yield from _closing(closed)
        node = node.next if node is not None else None


def _opening(node: "LexborNode", tag: str) -> Iterator[tuple[str, str, str]]:
    if tag in _BLOCKS:
        yield "text", tag, "\n"
    if tag == "a":
        target = node.attributes.get("href")
        if target and not target.startswith(("#", "javascript:", "data:")):
            yield "link", tag, target
    elif tag == "img":
        label = node.attributes.get("alt")
        if label:
            yield "text", tag, f" {label} "
    yield "open", tag, ""


def _closing(tag: str) -> Iterator[tuple[str, str, str]]:
    yield "close", tag, ""
    if tag in _BLOCKS:
        yield "text", tag, "\n"
    elif tag in _CELLS:
        yield "text", tag, "\t"


def _tidy(parts: list[str]) -> str:
    text = "".join(parts)
    return _MANY_LINES.sub("\n", text).strip()


FORMAT = Format(
    "html",
    (".html", ".htm", ".xhtml", ".xht", ".shtml"),
    read_html,
    mime=("text/html", "application/xhtml+xml"),
    text=True,
)
