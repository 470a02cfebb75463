"""What is found in a Markdown file.

1. Front matter becomes fields; what else it says is kept readable; broken YAML is read by lines.
2. Headings make the tree, ATX and setext; headings inside fences are none.
3. Wikilinks, transclusions, links and #tags are found with their heading; not inside code.
4. Lines are counted from the top of the file.
5. Anchors in front matter are never expanded.
6. The simple reader of front matter agrees with YAML.
"""

from pathlib import Path

import pytest

from engine.extract import extract
from engine.extract.frontmatter import split_front_matter
from engine.models import Extracted, Link

DATA = Path(__file__).resolve().parents[1] / "data"


def read(text: str) -> Extracted:
    return extract("/x/note.md", text.encode())


def test_sample_has_every_field() -> None:
    found = extract(str(DATA / "sample.md"))
    assert found.tags == ("garden", "budget", "planning")
    assert found.aliases == ("Flower plan",)
    assert found.description == "What the garden costs"
    assert found.keywords == ("soil", "seeds")
    assert found.links == (
        Link("Seeds", "wikilink", "the seeds"),
        Link("Plan", "transclusion"),
        Link("list.md", "link", "the list", "Costs"),
    )
    assert [(s.title, s.depth, s.line) for s in found.sections] == [
        ("", 0, 10),
        ("Budget", 1, 14),
        ("Costs", 2, 24),
    ]


def test_headings_inside_fences_are_text() -> None:
    found = read(
        "# One\n\n~~~\n# no\n```\n# no\n~~~\n\n## Two ##\n````\n```\n# no\n````\n# Three\n"
    )
    assert [s.title for s in found.sections] == ["One", "Two", "Three"]


def test_unclosed_fence_reaches_to_the_end() -> None:
    assert [s.title for s in read("# One\n```\n# no\n").sections] == ["One"]


def test_setext_headings_but_not_rules_and_tables() -> None:
    found = read("Top\n===\n\ntext\n\n---\n\n| a |\n--|\n\nSub\n---\nmore\n")
    assert [(s.title, s.depth) for s in found.sections] == [("Top", 1), ("Sub", 2)]


def test_title_is_the_first_top_heading_without_marks() -> None:
    assert read("## Sub\n# The **big** [plan](x.md)\n").title == "The big plan"


def test_tags_stand_alone_and_outside_code() -> None:
    found = read("#one and (#two/three) a#b `#four` [x](#five) #6\n\n```\n#seven\n```\n")
    assert found.tags == ("one", "two/three")


def test_links_in_code_are_none() -> None:
    assert read("`[[a]]` and [b](c.md) and ``[[d]]``\n").links == (Link("c.md", "link", "b"),)


def test_lines_count_from_the_top_of_the_file() -> None:
    found = read("---\ntitle: x\n---\n\nintro\n\n# A\n\n\nbody\n")
    assert [(s.text, s.line) for s in found.sections] == [("intro", 5), ("body", 10)]


@pytest.mark.parametrize(
    "head",
    [
        "---\ntitle: Plan: the second\nauthor: Ann\n---\n",
        '---\ntitle: "Plan: the second"\nauthor: Ann\n---\n',
        '+++\ntitle = "Plan: the second"\nauthor = "Ann"\n+++\n',
        "---\r\ntitle: 'Plan: the second'\r\nauthor: Ann\r\n---\r\n",
    ],
)
def test_front_matter_in_all_its_forms(head: str) -> None:
    found = read(head + "text")
    assert (found.title, found.author) == ("Plan: the second", "Ann")


def test_other_fields_stay_searchable() -> None:
    found = read("---\ntitle: x\nproject:\n  name: Kestrel\n  phase: 2\n---\nbody\n")
    assert found.metadata == {"project": "name Kestrel, phase 2"}
    assert "Kestrel" in found.sections[0].text


def test_rule_at_the_top_is_no_front_matter() -> None:
    found = read("---\nJust prose under a rule.\n---\nmore\n")
    assert "Just prose" in "".join(s.title + s.text for s in found.sections)


def test_anchors_are_never_expanded() -> None:
    rows = "".join(f"b{i}: &b{i} [*a, *a, *a, *a, *a, *a, *a, *a]\n" for i in range(1))
    layers = "a: &a [x, x, x, x]\n" + rows
    layers += "".join(f"c{i}: &c{i} [*{'b0' if i == 0 else f'c{i - 1}'}, *b0]\n" for i in range(40))
    found = read(f"---\n{layers}---\nbody\n")
    assert sum(len(s.text) for s in found.sections) < 3000


@pytest.mark.parametrize(
    "block",
    [
        "title: Simple\ntags:\n  - a\n  - b c\ndate: 2024-01-31\ndraft: true\n",
        "title: 'Quoted # text'\nkeywords: [a, b]\nweight: 60\n\n",
        'title: It\'s "fine"\ndescription: null\naliases: []\nauthor: ~\n',
    ],
)
def test_simple_front_matter_agrees_with_yaml(block: str) -> None:
    plain, _ = split_front_matter(f"---\n{block}---\n")
    # A flow mapping is beyond the simple reader, so this one goes through YAML.
    full, _ = split_front_matter(f"---\n{block}zz: {{}}\n---\n")
    assert plain == full
