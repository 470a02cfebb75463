"""What does a source file define? Functions, classes and the like, each a section with its lines.

One expression a language (resources/extract/definitions.txt) finds where definitions begin; a
definition reaches to the next one. Comments and decorators that stand right above it belong to it.
"""

import functools
import re
from collections.abc import Iterator

from engine.extract.format import Format, Gather, Source
from engine.extract.sniff import decode
from engine.files.tables import read_table
from engine.models import Extracted

ENDINGS = "extract/code_endings.txt"
NAMES = "extract/code_names.txt"
DEFINITIONS = "extract/definitions.txt"
_ABOVE = ("#", "//", "/*", "*", "@", "--", ";", "%", '"""', "'''", "[", "<!--")
_MAX_ABOVE = 60
_TAB = 4


def read_code(source: Source) -> Extracted:
    """The file by definition; whole when its language has none."""
    text = decode(source.data)
    language = _language(source.name.lower())
    gather = Gather(source.limits)
    title, depth, start, line, counted = "", 0, 0, 1, 0
    for begin, name, deeper in _definitions(text, language):
        begin = max(_with_comments(text, begin), start)
        line, counted = line + text.count("\n", counted, start), start
        kind = "definition" if title else ""
        gather.add(text[start:begin].rstrip(), title, depth=depth, kind=kind, line=line, code=True)
        title, depth, start = name, deeper, begin
        if gather.full:
            break
    line += text.count("\n", counted, start)
    kind = "definition" if title else ""
    gather.add(text[start:].rstrip(), title, depth=depth, kind=kind, line=line, code=True)
    facts = {"programming_language": language} if language != "none" else {}
    return Extracted("code", tuple(gather.sections), note=gather.note(), metadata=facts)


def _language(name: str) -> str:
    names = read_table(NAMES)
    if name in names:
        return names[name]
    endings = read_table(ENDINGS)
    dot = name.find(".")
    while dot >= 0:
        if name[dot:] in endings:
            return endings[name[dot:]]
        dot = name.find(".", dot + 1)
    return "none"


@functools.cache
def _pattern(language: str) -> re.Pattern[str] | None:
    expression = read_table(DEFINITIONS).get(language)
    return re.compile(expression, re.M) if expression else None


def _definitions(text: str, language: str) -> Iterator[tuple[int, str, int]]:
    """Where each definition begins, its name, and how deep it is nested, by indentation."""
    pattern = _pattern(language)
    if pattern is None:
        return
    levels: list[int] = []
    for match in pattern.finditer(text):
        groups = match.groupdict()
        name = next((v for k, v in groups.items() if k != "indent" and v), "")
        if not name:
            continue
        indent = len(groups["indent"].expandtabs(_TAB))
        while levels and levels[-1] >= indent:
            levels.pop()
        levels.append(indent)
        yield match.start(), name.strip(), len(levels)


def _with_comments(text: str, begin: int) -> int:
    """Where the comments and decorators above `begin` start."""
    for _ in range(_MAX_ABOVE):
        previous = text.rfind("\n", 0, max(begin - 1, 0)) + 1
        if previous >= begin or not text[previous:begin].lstrip().startswith(_ABOVE):
            break
        begin = previous
    return begin


FORMAT = Format("code", tuple(read_table(ENDINGS)), read_code, tuple(read_table(NAMES)), text=True)
