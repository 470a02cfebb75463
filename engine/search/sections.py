"""When do passages speak as one? Those of a section that matches as a whole stand together.

A document's matching passages are leaves of its tree of sections; rank/aggregate merges siblings
into their parent when enough of them match (ra). What was merged is listed in reading order, in
the place of its best part: a person reads the section, not its splinters.
"""

import sqlite3

from engine.rank.aggregate import Part, aggregate

_PASSAGES = "SELECT id, section_id, position FROM chunks WHERE document_id = ?"
_SECTIONS = "SELECT id, parent_id FROM sections WHERE document_id = ?"


def join_sections(
    connection: sqlite3.Connection, document: int, chunks: tuple[int, ...], threshold: float
) -> tuple[int, ...]:
    """The passages, best first, with those of one section side by side."""
    if len(chunks) < 2:
        return chunks
    rows = connection.execute(_PASSAGES, (document,)).fetchall()
    sections = connection.execute(_SECTIONS, (document,)).fetchall()
    position = {chunk: place for chunk, _, place in rows}
    tree = _build_tree([(chunk, section) for chunk, section, _ in rows], sections)
    falling = [(chunk, 1.0 / place) for place, chunk in enumerate(chunks, 1) if chunk in position]
    ordered: list[int] = []
    for hit in aggregate(falling, tree, threshold):
        ordered += sorted(hit.parts, key=position.__getitem__) if hit.parts else [hit.node]
    return (*ordered, *(chunk for chunk in chunks if chunk not in position))


def _build_tree(
    passages: list[tuple[int, int]], sections: list[tuple[int, int | None]]
) -> dict[int, Part]:
    """Nodes: passages by their numbers, sections by theirs made larger than any passage's."""
    offset = max((chunk for chunk, _ in passages), default=0) + 1
    children: dict[int | None, int] = {}
    for _, parent in sections:
        children[parent] = children.get(parent, 0) + 1
    held: dict[int, int] = {}
    for _, section in passages:
        held[section] = held.get(section, 0) + 1
    tree = {
        section + offset: Part(
            None if parent is None else parent + offset, children[parent] + held.get(parent or 0, 0)
        )
        for section, parent in sections
    }
    for chunk, section in passages:
        tree[chunk] = Part(section + offset, held[section] + children.get(section, 0))
    return tree
