"""What do tables and data files say? csv and tsv by rows, JSON by key paths, YAML and TOML by key.

JSON becomes lines such as "address.city: Kyoto", one object a paragraph, however deep. YAML, TOML
and INI read well as they are: they are cut at their top keys, so that a hit says where it is, and
no anchor in them can ever be expanded.
"""

import csv
import json
import re
from collections.abc import Iterator
from typing import Any

from engine.extract.format import Format, Gather, Source
from engine.extract.sniff import decode
from engine.models import Extracted

_DELIMITERS = ",;\t|"
_YAML_KEY = re.compile(r"^([A-Za-z_\"'$][^\n#:]{0,80}):(?:[ \t]|$)", re.M)
_TABLE_HEAD = re.compile(r"^\[{1,2}([^\[\]\n]{1,200})\]{1,2}[ \t]*(?:[#;][^\n]*)?$", re.M)
_MAX_DEPTH = 200


def read_csv(source: Source) -> Extracted:
    """Every row as a line, cells parted by tabs."""
    text = decode(source.data)
    gather = Gather(source.limits)
    delimiter = "\t" if source.name.lower().endswith((".tsv", ".tab")) else _find_delimiter(text)
    if '"' not in text:
        # Most tables have no quotes: then the rows are the lines, at the speed of replace().
        rows = text.replace(delimiter, "\t") if delimiter != "\t" else text
    else:
        rows = "\n".join(_csv_rows(text, delimiter, gather.room))
    gather.add(rows.strip("\n"), line=1, code=True)
    return Extracted("csv", tuple(gather.sections), note=gather.note())


def _find_delimiter(text: str) -> str:
    lines = [line for line in text[:20_000].split("\n")[:20] if line.strip()]
    if lines and lines[0].lower().startswith("sep=") and len(lines[0]) >= 5:
        return lines[0][4]
    scores = {d: min((line.count(d) for line in lines), default=0) for d in _DELIMITERS}
    if not any(scores.values()):
        scores = {d: sum(line.count(d) for line in lines) for d in _DELIMITERS}
    return max(_DELIMITERS, key=lambda d: scores[d])


def _csv_rows(text: str, delimiter: str, most: int) -> Iterator[str]:
    csv.field_size_limit(max(most, 131_072))
    try:
        for row in csv.reader(text.split("\n"), delimiter=delimiter):
            yield "\t".join(cell.replace("\n", " ") for cell in row)
    except csv.Error:
        yield text  # quotes that are never closed: the raw rows still hold every word


def read_json(source: Source) -> Extracted:
    """Deep values with their key paths; text that is not quite JSON is kept as it is."""
    text = decode(source.data)
    gather = Gather(source.limits)
    try:
        value = json.loads(text) if text.strip() else None
        lines = flatten_value(value, gather.room)
        gather.add(lines, code=True)
    except (ValueError, RecursionError):
        gather.add(text, line=1, code=True)
        gather.notes.append("not valid JSON: read as text")
    return Extracted("json", tuple(gather.sections), note=gather.note())


def read_jsonl(source: Source) -> Extracted:
    """One record a line, each flattened to a paragraph."""
    gather = Gather(source.limits)
    room, broken = gather.room, 0
    parts: list[str] = []
    for line in decode(source.data).split("\n"):
        if not line.strip():
            continue
        try:
            part = flatten_value(json.loads(line), room)
        except (ValueError, RecursionError):
            part, broken = line, broken + 1
        parts.append(part)
        room -= len(part)
        if room <= 0:
            break
    gather.add("\n\n".join(parts), line=1, code=True)
    if broken:
        gather.notes.append(f"{broken} lines are not JSON: read as text")
    return Extracted("jsonl", tuple(gather.sections), note=gather.note())


def flatten_value(value: Any, room: int) -> str:
    """Nested lists and mappings as "path: value" lines, `room` characters at most."""
    return _Flattener(room).run(value)


class _Flattener:
    """Writes nested values as "path: value" lines until the room is used up."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._lines: list[str] = []

    def run(self, value: Any) -> str:
        """The lines of `value`."""
        self._visit("", value, 0)
        return "\n".join(self._lines)

    def _visit(self, path: str, value: Any, depth: int) -> None:
        if self._room <= 0 or depth > _MAX_DEPTH:
            return
        if isinstance(value, dict):
            prefix = f"{path}." if path else ""
            for key, inner in value.items():
                if isinstance(inner, str) and inner:
                    self._add(f"{prefix}{key}: {inner}")
                else:
                    self._visit(f"{prefix}{key}", inner, depth + 1)
        elif isinstance(value, list):
            self._visit_list(path, value, depth)
        elif value is not None and value != "" and not isinstance(value, bytes):
            shown = (
                {True: "true", False: "false"}.get(value, value)
                if isinstance(value, bool)
                else value
            )
            self._add(f"{path}: {shown}" if path else str(shown))

    def _visit_list(self, path: str, values: list[Any], depth: int) -> None:
        if not any(isinstance(one, dict | list) for one in values):
            shown = ", ".join(str(one) for one in values if one is not None)
            if shown:
                self._add(f"{path}: {shown}" if path else shown)
            return
        for inner in values:
            self._visit(path, inner, depth + 1)
            if isinstance(inner, dict):
                self._add("")

    def _add(self, line: str) -> None:
        self._lines.append(line)
        self._room -= len(line) + 1


def read_yaml(source: Source) -> Extracted:
    """The text cut at its top keys."""
    return _by_key(source, "yaml", _YAML_KEY)


def read_toml(source: Source) -> Extracted:
    """TOML, INI and the like, cut at their [tables]."""
    return _by_key(source, "toml", _TABLE_HEAD)


def _by_key(source: Source, name: str, key: re.Pattern[str]) -> Extracted:
    text = decode(source.data)
    gather = Gather(source.limits)
    start, title, line, counted = 0, "", 1, 0
    for match in key.finditer(text):
        if match.start() > start:
            line, counted = line + text.count("\n", counted, start), start
            _add_block(gather, text[start : match.start()], title, line)
        start, title = match.start(), match[1].strip().strip("\"'")
        if gather.full:
            break
    line += text.count("\n", counted, start)
    _add_block(gather, text[start:], title, line)
    return Extracted(name, tuple(gather.sections), note=gather.note())


def _add_block(gather: Gather, text: str, title: str, line: int) -> None:
    if text.strip():
        depth, kind = (1, "key") if title else (0, "")
        gather.add(text.rstrip(), title, depth=depth, kind=kind, line=line, code=True)


CSV = Format("csv", (".csv", ".tsv", ".tab", ".psv"), read_csv, mime=("text/csv",), text=True)
JSON = Format(
    "json",
    (".json", ".geojson", ".json5", ".jsonc", ".webmanifest", ".har", ".avsc"),
    read_json,
    mime=("application/json",),
    text=True,
    names=(".babelrc", ".eslintrc", ".prettierrc"),
)
JSONL = Format("jsonl", (".jsonl", ".ndjson", ".ldjson"), read_jsonl, text=True)
YAML = Format("yaml", (".yaml", ".yml", ".cff"), read_yaml, text=True)
TOML = Format(
    "toml",
    (
        ".toml",
        ".ini",
        ".cfg",
        ".conf",
        ".cnf",
        ".properties",
        ".desktop",
        ".service",
        ".editorconfig",
        ".reg",
        ".inf",
    ),
    read_toml,
    text=True,
    names=(".editorconfig", ".gitconfig", "pipfile"),
)
