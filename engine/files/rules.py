"""Is this file ours? Four layers of rules, and the words that say which one decided.

In order: the user's include patterns, the user's exclude patterns, secrets, folders that programs
fill, hidden names, names and endings that hold no text, chosen endings, .gitignore, size. The first
that has an opinion decides. What is inside the file is judged later, by its reader.
"""

import fnmatch
import os
import re
from dataclasses import dataclass
from enum import StrEnum

from engine.config import FileSettings, WatchSettings
from engine.files.ignore import IgnoreFiles, PatternList, compile_user_patterns
from engine.files.tables import read_table

MEGABYTE = 1024 * 1024
# Folders that are one document to a person; the reader opens them whole.
DOCUMENT_FOLDERS = (".rtfd", ".pages", ".key", ".numbers")


class Ruling(StrEnum):
    """What becomes of a file before it is read."""

    TAKE = "take"
    SKIP = "skip"
    EVICTED = "evicted"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A ruling, why (for the ledger), and the rule that decided (for `sagasu why`)."""

    ruling: Ruling
    reason: str = ""
    rule: str = ""


TAKE = Verdict(Ruling.TAKE, "", "no rule leaves it out")


class Rules:
    """The rules of one configuration; judging is by name, place and size alone."""

    def __init__(self, files: FileSettings, watch: WatchSettings) -> None:
        self.files = files
        self.recursive = watch.recursive
        self._include = compile_user_patterns(files.include, "files.include")
        self._exclude = compile_user_patterns(files.exclude, "files.exclude")
        self._include_parents = _parent_patterns(files.include)
        self._secrets = None if files.secrets else _Secrets()
        self._ignores = IgnoreFiles() if files.gitignore else None
        self._endings = tuple("." + e.lower().lstrip(".") for e in watch.extensions)
        self._max_bytes = files.max_size_mb * MEGABYTE
        self._by_name: dict[str, Verdict | None] = {}

    @classmethod
    def from_settings(cls, files: FileSettings, watch: WatchSettings) -> "Rules":
        """The rules that the settings describe."""
        return cls(files, watch)

    def judge(self, path: str, is_dir: bool, size: int = 0) -> Verdict:
        """What becomes of the entry at the absolute `path`; the folders above are not asked."""
        name = path[path.rfind("/") + 1 :]
        if self._include or self._exclude:
            verdict = self._judge_by_user(path, is_dir)
            if verdict is not None:
                return verdict
        verdict = self._judge_folder(name) if is_dir else self._judge_file(path, name)
        if verdict is None and self._ignores is not None:
            decision = self._ignores.decide(path, is_dir)
            if decision is not None and decision.excluded:
                rule = f"the pattern “{decision.pattern}” in {decision.source}"
                verdict = Verdict(Ruling.SKIP, "ignored by git", rule)
        if verdict is None and size > self._max_bytes and not is_dir:
            reason = f"too large: {size / MEGABYTE:,.0f} MB"
            limit = f"files.max_size_mb is {self.files.max_size_mb}"
            verdict = Verdict(Ruling.SKIP, reason, limit)
        return verdict or TAKE

    def judge_within(self, root: str, path: str, is_dir: bool, size: int = 0) -> Verdict:
        """What becomes of `path` under `root`: the folders between them are judged first."""
        if not path.startswith(root.rstrip("/") + "/"):
            return Verdict(Ruling.SKIP, "not in an indexed folder", f"{root} does not contain it")
        own = self.judge(path, is_dir, size)
        if self.is_included(path, is_dir):
            return own
        folder = root.rstrip("/")
        parts = path[len(folder) + 1 :].split("/")[:-1]
        for part in parts:
            folder = f"{folder}/{part}"
            verdict = self.judge(folder, True)
            if verdict.ruling is not Ruling.TAKE:
                reason = f"in the folder {part}: {verdict.reason}"
                return Verdict(verdict.ruling, reason, verdict.rule)
        if parts and not self.recursive:
            return Verdict(Ruling.SKIP, "in a folder inside the folder", "watch.recursive is off")
        return own

    def is_included(self, path: str, is_dir: bool) -> bool:
        """Whether one of the user's include patterns takes `path` in."""
        decision = self._include.decide(path, is_dir) if self._include else None
        return decision is not None and decision.excluded

    def may_hold_included(self, folder: str) -> bool:
        """Whether an include pattern points into `folder`: then it is visited even if pruned."""
        return any(pattern.search(folder) for pattern in self._include_parents)

    def forget(self, folder: str) -> None:
        """Reads .gitignore files at and below `folder` anew; called when one has changed."""
        if self._ignores is not None:
            self._ignores.forget(folder)

    def _judge_by_user(self, path: str, is_dir: bool) -> Verdict | None:
        for patterns, ruling, reason in (
            (self._include, Ruling.TAKE, ""),
            (self._exclude, Ruling.SKIP, "excluded by you"),
        ):
            decision = patterns.decide(path, is_dir) if patterns else None
            if decision is not None and decision.excluded:
                rule = f"your pattern “{_as_written(decision.pattern)}” in {decision.source}"
                return Verdict(ruling, reason, rule)
        return None

    def _judge_folder(self, name: str) -> Verdict | None:
        # With case: "cvs" may be a person's, "CVS" is a program's.
        if name in (folders := read_table("files/pruned_folders.txt")):
            rule = f"folders named {name} are left out"
            return Verdict(Ruling.SKIP, f"{folders[name]} ({name})", rule)
        ending = os.path.splitext(name)[1].lower()
        if ending and ending in (endings := read_table("files/pruned_endings.txt")):
            rule = f"folders ending in {ending} are left out"
            return Verdict(Ruling.SKIP, endings[ending], rule)
        return self._judge_hidden(name)

    def _judge_file(self, path: str, name: str) -> Verdict | None:
        if self._secrets is not None:
            secret = self._secrets.find(path, name)
            if secret is not None:
                return secret
        try:
            return self._by_name[name]
        except KeyError:
            verdict = self._judge_hidden(name) or self._judge_name(name)
        if len(self._by_name) < 100_000:
            self._by_name[name] = verdict
        return verdict

    def _judge_hidden(self, name: str) -> Verdict | None:
        if name.startswith(".") and not self.files.hidden:
            return Verdict(Ruling.SKIP, "hidden", "files.hidden is off")
        return None

    def _judge_name(self, name: str) -> Verdict | None:
        small = name.lower()
        names = read_table("files/skipped_names.txt")
        if small.rstrip("\r") in names:
            rule = f"files named {name.strip()} are left out"
            return Verdict(Ruling.SKIP, names[small.rstrip("\r")], rule)
        if small.startswith("~$") or small.endswith("~"):
            return Verdict(Ruling.SKIP, "temporary file", "an editor's temporary file, by its name")
        endings = read_table("files/skipped_endings.txt")
        dot = small.find(".", 1)
        while dot > 0:
            if small[dot:] in endings:
                rule = f"files ending in {small[dot:]} are left out"
                return Verdict(Ruling.SKIP, endings[small[dot:]], rule)
            dot = small.find(".", dot + 1)
        if self._endings and not small.endswith(self._endings):
            wanted = " ".join(self._endings)
            return Verdict(Ruling.SKIP, "not a chosen ending", f"watch.extensions is {wanted}")
        return None


class _Secrets:
    """Recognises files that hold passwords and keys."""

    def __init__(self) -> None:
        table = read_table("files/secret_patterns.txt")
        harmless = [entry[1:] for entry in table if entry.startswith("!")]
        self._patterns = [entry for entry in table if not entry.startswith("!")]
        names = [entry for entry in self._patterns if "/" not in entry]
        places = ["*/" + entry for entry in self._patterns if "/" in entry]
        self._harmless = _any_of(harmless)
        self._names = _any_of(names)
        self._places = _any_of(places)
        self._place_hint = re.compile(r"/(?:\.(?:aws|docker|kube|config|gnupg|ssh|pass)|keychains)")
        self._known: dict[str, bool] = {}
        self._near: dict[str, bool] = {}  # folders: whether a place of secrets may be in the path

    def find(self, path: str, name: str) -> Verdict | None:
        """A verdict when the file holds secrets; None when not."""
        secret = self._known.get(name)
        if secret is None:
            small = name.lower()
            secret = bool(self._names.match(small)) and not self._harmless.match(small)
            if len(self._known) < 100_000:
                self._known[name] = secret
        if not secret and not self._is_secret_place(path, len(path) - len(name)):
            return None
        return self._verdict(path.lower(), name.lower())

    def _is_secret_place(self, path: str, end: int) -> bool:
        folder = path[:end]
        near = self._near.get(folder)
        if near is None:
            if len(self._near) > 100_000:
                self._near.clear()
            near = self._near[folder] = bool(self._place_hint.search(folder.lower()))
        return near and bool(self._places.match(path.lower()))

    def _verdict(self, path: str, name: str) -> Verdict:
        table = read_table("files/secret_patterns.txt")
        for entry in self._patterns:
            text, pattern = (path, f"*/{entry.lower()}") if "/" in entry else (name, entry.lower())
            if fnmatch.fnmatchcase(text, pattern):
                rule = f"secrets are left out ({entry}); files.secrets is off"
                return Verdict(Ruling.SKIP, f"secret: {table[entry]}", rule)
        return Verdict(Ruling.SKIP, "secret", "files.secrets is off")


def _any_of(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(fnmatch.translate(one.lower()) for one in patterns))


def _as_written(pattern: str) -> str:
    return pattern.removeprefix("**/")


def _parent_patterns(include: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """For each include pattern with folders in it, what matches those folders: "a/b/*.txt" gives
    "…/a" and "…/a/b"."""
    found: list[re.Pattern[str]] = []
    for line in include:
        anchored = line.startswith(("/", "~"))
        folders = os.path.expanduser(line).strip("/").split("/")[:-1]
        for count in range(1, len(folders) + 1):
            steps = "/".join(fnmatch.translate(f)[4:-3] for f in folders[:count] if f != "**")
            if steps:
                found.append(re.compile(("^/" if anchored else "/") + steps + "$"))
    return tuple(found)


__all__ = ["DOCUMENT_FOLDERS", "TAKE", "PatternList", "Rules", "Ruling", "Verdict"]
