"""What is a tool? A name, its parameters with their ranges, and a function that answers in text."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.api import Engine
from engine.errors import InvalidValueError

Arguments = Mapping[str, Any]
LONGEST_TEXT = 10_000
MOST_TEXTS = 100


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a tool; without a default it is required."""

    name: str
    kind: str  # text, whole, number, flag, texts
    help: str
    default: Any = None
    required: bool = False
    low: float | None = None
    high: float | None = None

    def schema(self) -> dict[str, Any]:
        """Its JSON schema."""
        kinds: dict[str, dict[str, Any]] = {
            "text": {"type": "string", "maxLength": LONGEST_TEXT},
            "whole": {"type": "integer"},
            "number": {"type": "number"},
            "flag": {"type": "boolean"},
            "texts": {"type": "array", "items": {"type": "string"}, "maxItems": MOST_TEXTS},
        }
        shape = kinds[self.kind] | {"description": self.help}
        if self.low is not None:
            shape["minimum"] = self.low
        if self.high is not None:
            shape["maximum"] = self.high
        if self.default is not None:
            shape["default"] = self.default
        return shape

    def read(self, given: Any) -> Any:
        """The checked value; an error names the parameter and its range."""
        if self.kind == "whole" and isinstance(given, float) and given.is_integer():
            given = int(given)  # some assistants write 5.0
        fits: dict[str, bool] = {
            "text": isinstance(given, str),
            "whole": isinstance(given, int) and not isinstance(given, bool),
            "number": isinstance(given, int | float)
            and not isinstance(given, bool)
            and math.isfinite(given),
            "flag": isinstance(given, bool),
            "texts": isinstance(given, list) and all(isinstance(one, str) for one in given),
        }
        if not fits[self.kind]:
            raise self._complain(f"{given!r:.60} is not {_WANTED[self.kind]}")
        if self.kind in ("whole", "number") and not self._in_range(given):
            raise self._complain(f"{given} is out of range")
        if self.kind == "text" and len(given) > LONGEST_TEXT:
            raise self._complain(f"longer than {LONGEST_TEXT} characters")
        if self.kind == "text" and self.required and not given.strip():
            raise self._complain("is empty")
        if self.kind == "texts" and len(given) > MOST_TEXTS:
            raise self._complain(f"more than {MOST_TEXTS} entries")
        return given

    def _in_range(self, value: float) -> bool:
        low = self.low if self.low is not None else -math.inf
        high = self.high if self.high is not None else math.inf
        return low <= value <= high

    def _complain(self, problem: str) -> InvalidValueError:
        limits = f" from {self.low:g} to {self.high:g}" if self.high is not None else ""
        fix = f"{self.name} takes {_WANTED[self.kind]}{limits}."
        return InvalidValueError(name=self.name, problem=problem, fix=fix)


_WANTED = {
    "text": "a text",
    "whole": "a whole number",
    "number": "a number",
    "flag": "true or false",
    "texts": "a list of texts",
}


@dataclass(frozen=True, slots=True)
class Seen:
    """What a tool answers: the text, and the documents it shows, as id and path."""

    text: str
    documents: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Tool:
    """Something an assistant can call."""

    name: str
    help: str
    parameters: tuple[Parameter, ...]
    run: Callable[[Engine, Arguments], Seen]

    def schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        return {
            "type": "object",
            "properties": {one.name: one.schema() for one in self.parameters},
            "required": [one.name for one in self.parameters if one.required],
            "additionalProperties": False,
        }

    def read(self, given: Arguments) -> dict[str, Any]:
        """Checked arguments, all of them; what was left out has its default."""
        known = {one.name for one in self.parameters}
        for name in given:
            if name not in known:
                raise InvalidValueError(
                    name=name,
                    problem="there is no such parameter",
                    fix=f"{self.name} takes: {', '.join(sorted(known)) or 'none'}.",
                )
        values: dict[str, Any] = {}
        for one in self.parameters:
            if given.get(one.name) is not None:
                values[one.name] = one.read(given[one.name])
            elif one.required:
                raise InvalidValueError(
                    name=one.name, problem="is missing", fix=f"{self.name} needs it: {one.help}."
                )
            else:
                values[one.name] = one.default
        return values
