"""Which small sections belong together? Neighbours under one heading, until half a passage is full.

A heading with ten words below it says little alone, and every passage costs a vector. Sections of
30, 40 and 80 pieces under one parent with room for 254 become one passage of 30 + 40 and one of 80:
a group takes in what keeps it at or below half the room. Pages, slides and sheets stay apart, since
people look for them by number.
"""

from collections.abc import Iterator, Sequence

from engine.models import Section
from engine.ports import CountPieces

UNCOUNTED = 1_000_000_000  # stands for the size of a section that is too large to be counted
TOGETHER = ("", "heading", "definition", "chapter")


def group_sections(
    sections: Sequence[Section], room: int, count: CountPieces
) -> Iterator[tuple[list[int], int | None]]:
    """Indexes of sections whose texts make one passage together; alone when they are large.

    With each group the most pieces that its text can have, or None when it was not counted.
    """
    group: list[int] = []
    filled = 0
    for index, section in enumerate(sections):
        if not section.text.strip() and (not section.title.strip() or _has_child(sections, index)):
            continue  # a bare heading lives on in the trail of what stands below it
        # Far more characters than pieces fit: too large without counting.
        large = len(section.text) > room * 6
        size = UNCOUNTED if large else count(section.text) + count(section.title)
        if group and (filled + size > room // 2 or not _belong(sections, group[0], index)):
            yield group, None if filled >= UNCOUNTED else filled
            group, filled = [], 0
        group.append(index)
        filled += size
    if group:
        yield group, None if filled >= UNCOUNTED else filled


def _has_child(sections: Sequence[Section], index: int) -> bool:
    following = index + 1
    return following < len(sections) and sections[following].depth > sections[index].depth


def _belong(sections: Sequence[Section], first: int, index: int) -> bool:
    """Whether `index` is a sibling of the group's first section, or below one."""
    head, one = sections[first], sections[index]
    if head.kind not in TOGETHER or one.kind not in TOGETHER or head.code != one.code:
        return False
    if head.depth == 0 and head.title == "":  # the text before the first heading stands alone
        return False
    return one.depth >= head.depth


def join_group(sections: Sequence[Section], group: Sequence[int]) -> str:
    """The group's text: headings of all but the first stand where they stood."""
    parts = [sections[group[0]].text.strip()]
    for index in group[1:]:
        section = sections[index]
        parts.append(
            "\n".join(part for part in (section.title.strip(), section.text.strip()) if part)
        )
    return "\n\n".join(part for part in parts if part)
