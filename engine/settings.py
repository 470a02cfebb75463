"""How is config.yaml read and changed? Checked on reading, with the line of what is wrong; what is
written keeps comments and order."""

import dataclasses
import os
import types
import typing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.config import Config, iter_settings
from engine.errors import ConfigError

if TYPE_CHECKING:
    import yaml


def load_config(path: Path) -> Config:
    """The settings in `path`; a missing file means the defaults."""
    if not path.exists():
        return Config()
    import yaml

    try:
        node = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except (yaml.YAMLError, UnicodeDecodeError, OSError) as exc:
        mark = getattr(exc, "problem_mark", None)
        line = mark.line + 1 if mark else 1
        problem = getattr(exc, "problem", None) or str(exc)
        raise _complain(
            path, line, "YAML", problem, "Check the indentation and the quotes."
        ) from exc
    if node is None:
        return Config()
    config: Config = _Reader(path).section(node, Config, "")
    return config


def parse_value(key: str, text: str) -> Any:
    """The value that `text` stands for as setting `key`; ConfigError when it cannot."""
    import yaml

    reader = _Reader(Path("command line"))
    parts = key.split(".")
    kind: Any = Config
    item = None
    for part in parts:
        known = (
            {f.name: f for f in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else {}
        )
        if part not in known:
            raise reader.unknown(1, key, [row.key for row in iter_settings(Config())])
        item = known[part]
        kind = typing.get_type_hints(kind)[part]
    if item is None or dataclasses.is_dataclass(kind):
        raise reader.unknown(1, key, [row.key for row in iter_settings(Config())])
    return reader.value(yaml.compose(text, Loader=yaml.SafeLoader), kind, item, key)


def write_setting(path: Path, key: str, value: Any) -> None:
    """Set `key` in the YAML file; comments and order stay. What cannot be read back is not kept."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    yaml = YAML()
    try:
        tree = (yaml.load(path.read_text(encoding="utf-8")) if path.exists() else None) or {}
    except (YAMLError, OSError, UnicodeDecodeError) as exc:
        raise _complain(path, 1, key, "the file cannot be read", "Correct it by hand.") from exc
    place = tree
    *sections, name = key.split(".")
    for section in sections:
        place = place.setdefault(section, {})
    place[name] = list(value) if isinstance(value, tuple) else value
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f"{path.name}.new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        yaml.dump(tree, file)
    load_config(fresh)
    fresh.rename(path)


def _complain(path: Path, line: int, key: str, problem: str, fix: str) -> ConfigError:
    return ConfigError(file=str(path), line=line, key=key, problem=problem, fix=fix)


class _Reader:
    """Turns YAML nodes into settings, remembering where each stands."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def unknown(self, line: int, key: str, known: list[str]) -> ConfigError:
        from difflib import get_close_matches

        near = get_close_matches(key, known, n=1)
        fix = f"Did you mean {near[0]}?" if near else f"Known here: {', '.join(known)}."
        return _complain(self.path, line, key, "there is no such setting", fix)

    def section(self, node: "yaml.Node", kind: type, prefix: str) -> Any:
        import yaml

        if not isinstance(node, yaml.MappingNode):
            line = node.start_mark.line + 1
            raise _complain(
                self.path, line, prefix or "file", "must be a mapping of names to values", ""
            )
        hints = typing.get_type_hints(kind)
        fields = {item.name: item for item in dataclasses.fields(kind)}
        values: dict[str, Any] = {}
        for name_node, value_node in node.value:
            name = str(name_node.value)
            key = f"{prefix}.{name}" if prefix else name
            if name not in fields:
                raise self.unknown(
                    name_node.start_mark.line + 1,
                    key,
                    [f"{prefix}.{known}" if prefix else known for known in fields],
                )
            if dataclasses.is_dataclass(hints[name]):
                values[name] = self.section(value_node, hints[name], key)
            else:
                values[name] = self.value(value_node, hints[name], fields[name], key)
        return kind(**values)

    def value(
        self, node: "yaml.Node | None", kind: Any, item: "dataclasses.Field[Any]", key: str
    ) -> Any:
        import yaml

        line = node.start_mark.line + 1 if node is not None else 1
        try:
            raw = yaml.constructor.SafeConstructor().construct_object(node, deep=True)
        except yaml.YAMLError as exc:
            raise _complain(self.path, line, key, "cannot be read", "") from exc
        value = self._typed(raw, kind, key, line)
        facts = item.metadata
        if facts["choices"] and value not in facts["choices"]:
            raise _complain(
                self.path,
                line,
                key,
                f"{value!r} is not possible",
                f"Choose one of: {', '.join(facts['choices'])}.",
            )
        if isinstance(value, int | float) and not isinstance(value, bool):
            low, high = facts["low"], facts["high"]
            if (low is not None and value < low) or (high is not None and value > high):
                limits = f"at least {low}" if high is None else f"from {low} to {high}"
                raise _complain(
                    self.path, line, key, f"{value} is out of range", f"Give a number {limits}."
                )
        return value

    def _typed(self, raw: Any, kind: Any, key: str, line: int) -> Any:
        origin = typing.get_origin(kind)
        if origin is tuple:
            if isinstance(raw, list) and all(isinstance(one, str) for one in raw):
                return tuple(raw)
            raise _complain(
                self.path, line, key, "must be a list of texts", 'Write it like ["a", "b"].'
            )
        if origin is types.UnionType:
            kind = typing.get_args(kind)[0]
        if kind is float and isinstance(raw, int) and not isinstance(raw, bool):
            return float(raw)
        if kind is str and raw is None:
            return ""
        if isinstance(raw, kind) and not (kind is int and isinstance(raw, bool)):
            return raw
        wanted = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
        raise _complain(
            self.path,
            line,
            key,
            f"{raw!r} is not {wanted.get(kind, kind)}",
            f"Write {wanted.get(kind, kind)}.",
        )
