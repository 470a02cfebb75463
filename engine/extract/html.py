"""What does a web page say? Its readable text by headings, its title, author and language.

selectolax (lexbor) builds the tree as a browser would and gives its text at C speed, but without
line breaks. So breaks are marked in the source before parsing: a form feed before every block tag
(white space to HTML, so no parser moves it), and two control characters around headings. Scripts,
styles and templates are dropped; navigation stays, since people search for it.
"""

import re
from collections.abc import Iterator
from html import unescape
from typing import TYPE_CHECKING

from engine.extract.format import Format, Gather, Source
from engine.extract.sniff import declared_encoding, decode
from engine.models import Extracted, Link

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_BREAK, _OPEN, _CLOSE = "\f", "\x01", "\x02"
_MARKS = str.maketrans({_BREAK: " ", _OPEN: " ", _CLOSE: " "})
_DROPPED = ["script", "style", "template", "noscript", "svg", "iframe", "object", "canvas"]
_BLOCKS = re.compile(
    r"<(?=/?(?:address|article|aside|blockquote|body|br|button|caption|center|dd|details|dialog|dir|div"
    r"|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|legend|li|main|menu|nav|ol"
    r"|option|p|pre|section|select|summary|table|tbody|tfoot|thead|tr|ul)\b)",
    re.I,
)
_CELLS = re.compile(r"<(?=t[dh]\b)", re.I)
_HEADING_OPEN = re.compile(r"<h([1-6])\b[^<>]*>", re.I)
_HEADING_CLOSE = re.compile(r"<(?=/h[1-6]\b)", re.I)
_PRE = re.compile(r"<(/?)pre\b", re.I)
_MAX_LINKS = 2000
# Lexbor needs 8 s for 60,000 nested elements; real pages stay below 300. Elements
# that may stay open (p, li, td …) do not nest by themselves and are not counted.
MAX_NESTING = 3000
_NESTING = re.compile(
    r"<(/?)(?!(?:br|img|hr|input|meta|link|p|li|dd|dt|td|th|tr|option|col|source|wbr)\b)[a-zA-Z]"
)
_SCRIPT = re.compile(r"<(/?)(?:script|style)\b", re.I)
_ANY_TAG = re.compile(r"<[^<>]{0,2000}>")


def read_html(source: Source) -> Extracted:
    """The page's text, one section a heading."""
    return parse_html(decode(source.data, declared_encoding(source.data)), source)


def parse_html(text: str, source: Source) -> Extracted:
    """The readable text of the HTML in `text`."""
    from selectolax.lexbor import LexborHTMLParser

    if _is_too_deep(text):
        return _read_flat(text, source)
    tree = LexborHTMLParser(_mark(text))
    title, facts, language = _describe_head(tree)
    links = _find_links(tree)
    tree.strip_tags(_DROPPED)
    for image in tree.css("img[alt]") if "alt" in text else ():
        image.replace_with(f" {image.attributes.get('alt') or ''} ")
    gather = Gather(source.limits)
    if tree.body is not None:
        _add_sections(tree.body.text(), gather)
    keywords = tuple(k.strip() for k in facts.get("keywords", "").split(",") if k.strip())
    return Extracted(
        "html",
        tuple(gather.sections),
        title,
        facts.get("author", ""),
        language,
        description=facts.get("description", ""),
        keywords=keywords,
        links=links,
        note=gather.note(),
    )


def _mark(text: str) -> str:
    """`text` with its block boundaries and headings marked."""
    if _BREAK in text or _OPEN in text or _CLOSE in text:
        text = text.translate(_MARKS)
    if "<pre" in text or "<PRE" in text:
        text = "".join(
            piece.replace("\n", _BREAK) if inside else piece for inside, piece in _parts(text, _PRE)
        )
    # Patterns that match one "<" and look ahead: a replacement without groups costs a third.
    text = _BLOCKS.sub(_BREAK + "<", text)
    text = _CELLS.sub("\t<", text)
    text = _HEADING_OPEN.sub(lambda m: f"{m[0]}{_OPEN}{m[1]}", text)
    return _HEADING_CLOSE.sub(_CLOSE + "<", text)


def _parts(text: str, tag: re.Pattern[str]) -> Iterator[tuple[bool, str]]:
    """`text` in pieces, each inside or outside of the elements whose tags `tag` finds.

    In one pass: an expression from opening to closing tag takes quadratic time where none closes.
    """
    start, inside = 0, False
    for match in tag.finditer(text):
        if inside == bool(match[1]):
            yield inside, text[start : match.start()]
            start, inside = match.start(), not inside
    yield inside, text[start:]


def _add_sections(text: str, gather: Gather) -> None:
    first, *others = text.split(_OPEN)
    gather.add(_tidy(first))
    for piece in others:
        title, _, body = piece[1:].partition(_CLOSE)
        depth = int(piece[:1]) if piece[:1].isdigit() else 1
        shown = " ".join(title.split())
        if not gather.add(_tidy(body), shown, depth=depth, kind="heading"):
            return


def _tidy(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.replace(_CLOSE, " ").split(_BREAK))
    return "\n".join(line for line in lines if line)


def _describe_head(tree: "LexborHTMLParser") -> tuple[str, dict[str, str], str]:
    """The page's title, its meta facts by name, and its language."""
    title, facts = "", dict[str, str]()
    for node in tree.head.iter() if tree.head is not None else ():
        if node.tag == "title":
            title = title or " ".join(node.text().split())
        elif node.tag == "meta":
            name, content = node.attributes.get("name"), node.attributes.get("content")
            if name and content:
                facts.setdefault(name.lower(), content.strip())
    root = tree.root
    language = (root.attributes.get("lang") or "") if root is not None else ""
    return title, facts, language


def _find_links(tree: "LexborHTMLParser") -> tuple[Link, ...]:
    found: list[Link] = []
    for node in tree.css("a[href]")[:_MAX_LINKS]:
        target = node.attributes.get("href")
        if target and not target.startswith(("#", "javascript:", "data:")):
            found.append(Link(target.strip(), "link", " ".join(node.text().split())))
    return tuple(found)


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
    outside = "".join(piece for inside, piece in _parts(text, _SCRIPT) if not inside)
    plain = unescape(_ANY_TAG.sub(_BREAK, outside))
    gather.add(_tidy(plain))
    gather.notes.append("nested too deeply: read without its structure")
    return Extracted("html", tuple(gather.sections), note=gather.note())


FORMAT = Format(
    "html",
    (".html", ".htm", ".xhtml", ".xht", ".shtml"),
    read_html,
    mime=("text/html", "application/xhtml+xml"),
    text=True,
)
