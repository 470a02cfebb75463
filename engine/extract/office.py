"""What do Word, Excel and PowerPoint share? Properties of the document, and relations of parts."""

import posixpath
import re
from dataclasses import dataclass

from engine.extract.dates import parse_date
from engine.extract.format import Gather
from engine.extract.package import Package
from engine.models import Extracted


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

    def describe(self, format: str, gather: Gather) -> Extracted:
        """The document that has these properties and what was gathered of its text."""
        return Extracted(
            format,
            tuple(gather.sections),
            self.title,
            self.author,
            self.language,
            self.created,
            self.modified,
            description=self.description,
            keywords=self.keywords,
            note=gather.note(),
        )


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
        values.get("title", ""),
        values.get("creator", ""),
        values.get("language", ""),
        parse_date(values.get("created", "")),
        parse_date(values.get("modified", "")),
        values.get("description") or values.get("subject", ""),
        split_keywords(values.get("keywords", "")),
    )


def split_keywords(text: str) -> tuple[str, ...]:
    """Keywords parted by commas or semicolons."""
    return tuple(word.strip() for word in re.split(r"[,;]", text) if word.strip())


def relations(package: Package, part: str) -> dict[str, tuple[str, str]]:
    """What `part` refers to inside the package: by id, the last word of the type, and the part."""
    folder, name = posixpath.split(part)
    root = package.find_xml(f"{folder}/_rels/{name}.rels")
    found: dict[str, tuple[str, str]] = {}
    if root is None:
        return found
    for relation in root.iter("{*}Relationship"):
        if relation.get("TargetMode") == "External":
            continue
        target = str(relation.get("Target", ""))
        full = target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target)
        kind = str(relation.get("Type", "")).rsplit("/", 1)[-1]
        found[str(relation.get("Id", ""))] = (kind, posixpath.normpath(full))
    return found
