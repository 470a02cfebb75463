"""Which section stands in which? Depths in reading order become a tree.

Depths 0 1 2 2 1 give parents – 0 1 1 0: a section's parent is the nearest one before it that is
less deep (ra's stack algorithm; names play no part).
"""

from collections.abc import Sequence

from engine.models import Section


def find_parents(sections: Sequence[Section]) -> list[int | None]:
    """For each section the index of its parent, or None for the outermost."""
    parents: list[int | None] = []
    open_sections: list[int] = []
    for position, section in enumerate(sections):
        while open_sections and sections[open_sections[-1]].depth >= section.depth:
            open_sections.pop()
        parents.append(open_sections[-1] if open_sections else None)
        open_sections.append(position)
    return parents


def build_trails(
    sections: Sequence[Section], parents: Sequence[int | None], title: str
) -> list[tuple[str, ...]]:
    """For each section the titles above it and its own; the document's title first, said once."""
    trails: list[tuple[str, ...]] = []
    start = (title,) if title else ()
    for section, parent in zip(sections, parents, strict=True):
        above = trails[parent] if parent is not None else start
        own = section.title.strip()
        trails.append(above if not own or (above and above[-1] == own) else (*above, own))
    return trails
