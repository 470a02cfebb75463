"""How does JSON from the page become a message, and an answer become JSON?

    {"name": "search", "query": "tax"}   →  Search(query="tax")
    an answer                            →  {"ok": true, "value": {…}}
    an EngineError                       →  {"ok": false, "error": {"kind", "say", "hint", …}}
    a search that a newer one overtook   →  {"ok": false, "superseded": true}

An unknown name, an unknown field, a missing one, a value of another kind or out of its range
raises InvalidValueError.
"""

import dataclasses
import json
import types
import typing
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from app.messages import BY_NAME, Hide, Message
from engine.errors import EngineError, InvalidValueError, QuerySyntaxError

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

MAX_TEXT = 10_000
MAX_ITEMS = 200
MAX_MESSAGE = 262_144

SUPERSEDED = json.dumps({"ok": False, "superseded": True})

# Least and most of every whole number, by field name; what is not here may be any number.
RANGES: Mapping[str, tuple[int, int]] = {
    "limit": (1, 500),
    "offset": (0, 10_000_000),
    "sequence": (0, 2**53),
    "chunk": (0, 2**63 - 1),
    "height": (40, 4000),
}


def parse_message(raw: object) -> Message:
    """The message that `raw` (decoded JSON) stands for."""
    if not isinstance(raw, Mapping):
        raise _complain("message", "must be an object", 'Send {"name": …}.')
    kind = BY_NAME.get(str(raw.get("name")))
    if kind is None:
        known = ", ".join(sorted(BY_NAME))
        raise _complain("name", f"there is no message {raw.get('name')!r}", f"Known: {known}.")
    fields = {item.name: item for item in dataclasses.fields(kind)}
    for given in raw:
        if given != "name" and given not in fields:
            raise _complain(f"{kind.name}.{given}", "there is no such field", _known(fields))
    hints = typing.get_type_hints(kind)
    values: dict[str, object] = {}
    for name, item in fields.items():
        if name in raw:
            values[name] = _typed(raw[name], hints[name], f"{kind.name}.{name}")
        elif item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING:
            raise _complain(f"{kind.name}.{name}", "is missing", _known(fields))
    return kind(**values)


def parse_text(text: str) -> Message:
    """The message in a JSON text."""
    if len(text) > MAX_MESSAGE:
        raise _complain("message", "is too long", f"At most {MAX_MESSAGE} characters.")
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as exc:
        raise _complain("message", "is not JSON", "Send one JSON object.") from exc
    return parse_message(raw)


def is_hide(text: str) -> bool:
    """Does this message only put its window away?"""
    try:
        return parse_text(text) == Hide()
    except InvalidValueError:
        return False


def answer_text(value: Json) -> str:
    """The JSON text of an answer."""
    return json.dumps({"ok": True, "value": value}, ensure_ascii=False, default=to_json)


def refusal_text(error: EngineError) -> str:
    """The JSON text of an error: its kind, its sentence, and what to do."""
    words: dict[str, Json] = {"kind": type(error).__name__, "say": str(error)}
    words["hint"] = error.advice
    if isinstance(error, QuerySyntaxError):
        words["position"] = error.position
    return json.dumps({"ok": False, "error": words}, ensure_ascii=False)


def to_json(value: object) -> Json:
    """Frozen records as objects, by their field names; everything else that JSON does not know
    as its text."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {item.name: getattr(value, item.name) for item in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    return str(value)


def _known(fields: Mapping[str, object]) -> str:
    return f"Fields: {', '.join(fields) or 'none'}."


def _typed(raw: object, kind: object, where: str) -> object:
    origin = typing.get_origin(kind)
    if origin is types.UnionType:
        return _one_of(raw, typing.get_args(kind), where)
    if origin is tuple:
        return _several(raw, typing.get_args(kind)[0], where)
    if origin is not None and issubclass(origin, Mapping):
        return _facets(raw, where)
    if (kind is bool and isinstance(raw, bool)) or (kind is type(None) and raw is None):
        return raw
    if kind is int and isinstance(raw, int) and not isinstance(raw, bool):
        return _in_range(raw, where)
    if kind is float and isinstance(raw, int | float) and not isinstance(raw, bool):
        return float(raw)
    if kind is str and isinstance(raw, str):
        return _short(raw, where)
    wanted = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    named = wanted[kind] if isinstance(kind, type) and kind in wanted else "something else"
    raise _complain(where, f"must be {named}", "")


def _one_of(raw: object, kinds: tuple[object, ...], where: str) -> object:
    # bool stands first in the union, because True is an int too.
    for kind in kinds:
        try:
            return _typed(raw, kind, where)
        except InvalidValueError:
            continue
    raise _complain(where, "is of the wrong kind", "")


def _several(raw: object, kind: object, where: str) -> tuple[object, ...]:
    if not isinstance(raw, list | tuple):
        raise _complain(where, "must be a list", "")
    if len(raw) > MAX_ITEMS:
        raise _complain(where, f"has more than {MAX_ITEMS} entries", "")
    return tuple(_typed(one, kind, where) for one in raw)


def _facets(raw: object, where: str) -> dict[str, str]:
    if not isinstance(raw, Mapping) or len(raw) > MAX_ITEMS:
        raise _complain(where, "must be an object of texts", "")
    for key, value in raw.items():
        if not isinstance(key, str) or not isinstance(value, str):
            raise _complain(where, "must be an object of texts", "")
    return {_short(key, where): _short(value, where) for key, value in raw.items()}


def _in_range(value: int, where: str) -> int:
    low, high = RANGES.get(where.rpartition(".")[2], (-(2**63), 2**63 - 1))
    if not low <= value <= high:
        raise _complain(where, f"{value} is out of range", f"From {low} to {high}.")
    return value


def _short(text: str, where: str) -> str:
    if len(text) > MAX_TEXT:
        raise _complain(where, "is too long", f"At most {MAX_TEXT} characters.")
    if "\0" in text:
        raise _complain(where, "holds a NUL character", "")
    return text


def _complain(name: str, problem: str, fix: str) -> InvalidValueError:
    return InvalidValueError(name=name, problem=problem, fix=fix)
