"""What does an office document say of itself? docProps/core.xml of Word, Excel and PowerPoint."""

import re
from dataclasses import dataclass

from engine.extract.dates import parse_date
from engine.extract.package import Package


@dataclass(frozen=True, slots=True)
class Properties:
    """Title, author and the rest, empty where the document is silent."""

    title: str = ""
    author: str = ""
    language: str = ""
    created: float | None = None
    modified: float | None = None
    description: str = ""
    keywords: tuple[str, ...] = ()


def core_properties(package: Package) -> Properties:
    """The properties in docProps/core.xml; empty ones when there are none."""
    root = package.find_xml("docProps/core.xml")
    if root is None:
        return Properties()
    values: dict[str, str] = {}
    for element in root:
        if isinstance(element.tag, str) and element.text and element.text.strip():
            values.setdefault(element.tag.rsplit("}", 1)[-1], element.text.strip())
    return Properties(
        values.get("title", ""), values.get("creator", ""), values.get("language", ""),
        parse_date(values.get("created", "")), parse_date(values.get("modified", "")),
        values.get("description") or values.get("subject", ""),
        split_keywords(values.get("keywords", "")),
    )


def split_keywords(text: str) -> tuple[str, ...]:
    """Keywords parted by commas or semicolons."""
    return tuple(word.strip() for word in re.split(r"[,;]", text) if word.strip())
