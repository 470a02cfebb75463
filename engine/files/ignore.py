"""Does a list of patterns leave this path out? .gitignore files and the user's own patterns.

Git's rules: the last pattern that matches decides, a deeper file decides before one above it, and
what lies in an ignored folder cannot come back (folders are pruned, so nobody asks). A folder with
its own .git starts afresh. `pathspec` knows the patterns; one joined expression answers the common
case, "nothing matches", in about a microsecond.
"""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

MAX_IGNORE_BYTES = 512 * 1024
_GROUP_NAME = re.compile(r"\(\?P<\w+>")


class Decision(NamedTuple):
    """A pattern that matched: whether it leaves the path out, and which it was."""

    excluded: bool
    pattern: str
    source: str


@dataclass(frozen=True, slots=True)
class PatternList:
    """The patterns of one file or setting, relative to `base` (ends with a slash)."""

    base: str
    source: str  # as a person knows it: "~/notes/.gitignore", "files.exclude"
    lines: tuple[str, ...]
    spec: "GitIgnoreSpec"
    anything: re.Pattern[str] | None

    def decide(self, path: str, is_dir: bool) -> Decision | None:
        """What the last matching pattern says on the absolute `path`; None when none matches."""
        inner = path[len(self.base) :] + ("/" if is_dir else "")
        if self.anything is None or not self.anything.match(inner):
            return None
        result = self.spec.check_file(inner)
        if result.include is None or result.index is None:
            return None
        return Decision(bool(result.include), self.lines[result.index], self.source)


def compile_patterns(lines: Iterable[str], base: str, source: str) -> PatternList | None:
    """The patterns in `lines`, None when there are none; broken lines are passed over."""
    from pathspec import GitIgnoreSpec

    kept: list[str] = []
    expressions: list[str] = []
    for line in lines:
        try:
            spec = GitIgnoreSpec.from_lines([line])
            found = [p.regex.pattern for p in spec.patterns if p.regex is not None]
        except ValueError:
            continue
        if found:
            kept.append(line)
            expressions += found
    if not kept:
        return None
    joined = "|".join(f"(?:{_GROUP_NAME.sub('(?:', one)})" for one in expressions)
    spec = GitIgnoreSpec.from_lines(kept)
    return PatternList(base, source, tuple(kept), spec, re.compile(joined))


def compile_user_patterns(lines: Iterable[str], source: str) -> PatternList | None:
    """The user's patterns: as in .gitignore, for any folder unless they begin with / or ~."""
    return compile_patterns([_anywhere(line) for line in lines], "/", source)


def _anywhere(line: str) -> str:
    mark, pattern = ("!", line[1:]) if line.startswith("!") else ("", line)
    if pattern.startswith("~"):
        pattern = os.path.expanduser(pattern)
    inner = pattern.rstrip("/")
    if "/" in inner and not inner.startswith(("/", "**/")):
        pattern = "**/" + pattern
    return mark + pattern


class IgnoreFiles:
    """The .gitignore files that count in each folder, read once."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[PatternList, ...]] = {}

    def forget(self, folder: str) -> None:
        """Reads the files at and below `folder` anew next time."""
        prefix = folder.rstrip("/") + "/"
        for known in [one for one in self._known if one == folder or one.startswith(prefix)]:
            del self._known[known]

    def lists(self, folder: str) -> tuple[PatternList, ...]:
        """The lists that count in `folder`, deepest first."""
        found = self._known.get(folder)
        if found is None:
            found = self._known[folder] = self._read(folder)
        return found

    def decide(self, path: str, is_dir: bool) -> Decision | None:
        """What .gitignore files say on `path`."""
        for patterns in self.lists(path[: path.rfind("/")] or "/"):
            decision = patterns.decide(path, is_dir)
            if decision is not None:
                return decision
        return None

    def _read(self, folder: str) -> tuple[PatternList, ...]:
        parent = os.path.dirname(folder)
        own = _read_patterns(os.path.join(folder, ".gitignore"), folder)
        if os.path.lexists(os.path.join(folder, ".git")):
            info = _read_patterns(os.path.join(folder, ".git", "info", "exclude"), folder)
            return own + info
        return own + (self.lists(parent) if parent != folder else ())


def _read_patterns(path: str, folder: str) -> tuple[PatternList, ...]:
    try:
        # Usually there is none: open fails at once and costs less than looking first.
        with open(path, "rb") as file:
            text = file.read(MAX_IGNORE_BYTES).decode("utf-8", "surrogateescape")
    except OSError:
        return ()
    patterns = compile_patterns(text.splitlines(), folder.rstrip("/") + "/", path)
    return (patterns,) if patterns else ()
