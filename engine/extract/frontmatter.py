"""What does the head of a note say? YAML (---) or TOML (+++) front matter into fields."""

import re
from dataclasses import dataclass, field
from typing import Any

from engine.extract.dates import parse_date

_FENCED = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.*?)^(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)
_TEXT = r"""(?:"([^"\\\n]*)"|'([^'\n]*)'|([\w(/.][^\n:#"']*(?:(?::(?=\S)|["'])[^\n:#"']*)*?))"""
_PAIR_LINE = re.compile(
    r"([A-Za-z_][\w-]*):(?:[ \t]+(?:" + _TEXT + r"|\[([^\[\]{}\"'\n:&*]*)\]))?[ \t]*$"
)
_ITEM_LINE = re.compile(r"[ \t]*-[ \t]+" + _TEXT + r"[ \t]*$")
MAX_FRONT_CHARS = 64 * 1024
_KNOWN = {
    "title",
    "author",
    "authors",
    "tags",
    "tag",
    "aliases",
    "alias",
    "description",
    "summary",
    "keywords",
    "lang",
    "language",
    "date",
    "created",
    "modified",
    "updated",
    "lastmod",
}


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The fields that the search knows, and the rest as readable lines."""

    title: str = ""
    author: str = ""
    language: str = ""
    created: float | None = None
    modified: float | None = None
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    description: str = ""
    keywords: tuple[str, ...] = ()
    metadata: dict[str, str] = field(default_factory=dict)
    rest: str = ""


def split_front_matter(text: str) -> tuple[FrontMatter, int]:
    """The front matter of `text` and where the body begins; empty and 0 when there is none."""
    if not text.startswith(("---", "+++")):
        return FrontMatter(), 0
    found = _FENCED.match(text[:MAX_FRONT_CHARS])
    if not found:
        return FrontMatter(), 0
    values = _parse(found[1], found[2])
    if values is None:
        return FrontMatter(), 0  # a rule and prose under it: no front matter, but text
    return _describe(values), found.end()


def _parse(mark: str, block: str) -> dict[str, Any] | None:
    if mark == "+++":
        import tomllib

        try:
            return tomllib.loads(block)
        except (tomllib.TOMLDecodeError, RecursionError):
            return None
    simple = _parse_simple(block)
    if simple is not None:
        return simple
    import yaml

    try:
        # Aliases in YAML can multiply a line into gigabytes; front matter has no use for them.
        if re.search(r"(?:^|[\s\[,])[&*]\w", block) and any(
            isinstance(event, yaml.AliasEvent) for event in yaml.parse(block, yaml.CSafeLoader)
        ):
            return None
        loaded = yaml.load(block, yaml.CSafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError):
        return _parse_lines(block)
    if loaded is None:
        return {}
    return (
        {str(key).lower(): value for key, value in loaded.items()}
        if isinstance(loaded, dict)
        else None
    )


def _parse_simple(block: str) -> dict[str, Any] | None:
    """The block when it is plain keys, texts and lists, ten times as fast; None: ask YAML."""
    values: dict[str, Any] = {}
    items: list[str] | None = None
    for line in block.split("\n"):
        item = _ITEM_LINE.match(line)
        if item and items is not None:
            items.append(item[1] or item[2] or item[3])
            continue
        pair = _PAIR_LINE.match(line)
        if not pair:
            if line.strip():
                return None
            continue
        key = pair[1].lower()
        items = None
        if pair[5] is not None:
            values[key] = [one.strip() for one in pair[5].split(",") if one.strip()]
        else:
            value = pair[2] or pair[3] or pair[4] or ""
            values[key] = None if value in ("null", "~") and pair[4] else value
            if not value and pair[2] is None and pair[3] is None:
                values[key] = items = []
    return values


def _parse_lines(block: str) -> dict[str, Any] | None:
    """Broken YAML is common in notes (a colon in a title): read what lines say, key and value."""
    pairs = re.findall(r"^([A-Za-z][\w -]{0,40}):[ \t]*([^\n]*)$", block, re.M)
    return {key.strip().lower(): value.strip().strip("\"'") for key, value in pairs} or None


def _describe(values: dict[str, Any]) -> FrontMatter:
    rest = {key: flatten(value) for key, value in values.items() if key not in _KNOWN}
    author = flatten(values.get("author") or values.get("authors") or "")
    tags = _words(values.get("tags")) + _words(values.get("tag"))
    return FrontMatter(
        title=flatten(values.get("title") or ""),
        author=author,
        language=flatten(values.get("lang") or values.get("language") or ""),
        created=_date(values, "created", "date"),
        modified=_date(values, "modified", "updated", "lastmod"),
        tags=tuple(tag.lstrip("#") for tag in tags),
        aliases=_words(values.get("aliases"), spaces=False)
        + _words(values.get("alias"), spaces=False),
        description=flatten(values.get("description") or values.get("summary") or ""),
        keywords=_words(values.get("keywords"), spaces=False),
        metadata={key: value for key, value in rest.items() if value},
        rest="\n".join(f"{key}: {value}" for key, value in rest.items() if value),
    )


def _date(values: dict[str, Any], *keys: str) -> float | None:
    return next((parse_date(values[key]) for key in keys if values.get(key)), None)


def flatten(value: Any, depth: int = 0) -> str:
    """Any YAML value as one readable line."""
    if isinstance(value, dict) and depth < 8:
        return ", ".join(f"{key} {flatten(inner, depth + 1)}" for key, inner in value.items())
    if isinstance(value, list | tuple) and depth < 8:
        return ", ".join(flatten(inner, depth + 1) for inner in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).strip() if value is not None else ""


def _words(value: Any, spaces: bool = True) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, list | tuple):
        return tuple(word for word in (flatten(one) for one in value) if word)
    text = flatten(value)
    parts = text.split(",") if "," in text or not spaces else text.split()
    return tuple(part.strip() for part in parts if part.strip())
