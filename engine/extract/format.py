"""What is a format? The record that each reader fills in, and what a reader is given."""

from collections.abc import Callable
from dataclasses import dataclass, field

from engine.errors import UnsupportedFormatError
from engine.models import Extracted, Section

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a reader may read and make; what is beyond is left out and said, or refused."""

    max_file_bytes: int = 50 * MEGABYTE
    max_text_bytes: int = 20 * MEGABYTE  # of text taken from one file
    max_members: int = 20_000  # files in a package (docx, epub …)
    max_unpacked_bytes: int = 400 * MEGABYTE  # of all that is unpacked from one file
    max_xml_bytes: int = 60 * MEGABYTE  # of one XML part read as a tree
    max_attachments: int = 50  # of one mail
    max_depth: int = 1  # mail in mail: how many levels of attachments
    secrets: bool = False  # read private keys too (files.secrets)


Inner = Callable[[str, bytes], Extracted]  # name and bytes of an attachment


def _no_inner(name: str, data: bytes) -> Extracted:
    raise UnsupportedFormatError(format=f"attachment {name}")


@dataclass(frozen=True, slots=True)
class Source:
    """What a reader reads."""

    path: str
    data: bytes
    limits: Limits = field(default_factory=Limits)
    read_inner: Inner = _no_inner  # reads an attachment with the reader that fits it

    @property
    def name(self) -> str:
        """The file's name without its folders."""
        return self.path[self.path.rfind("/") + 1 :]


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file: its name for people, how to know it, and its reader."""

    name: str
    suffixes: tuple[str, ...]  # lower case, with the dot
    read: Callable[[Source], Extracted]
    names: tuple[str, ...] = ()  # whole names, lower case: makefile, license
    mime: tuple[str, ...] = ()
    text: bool = False  # plain text inside: an empty file is a fine one
    binary_too: bool = False  # a text format with a binary form that its reader knows
    refuses_text: bool = False  # text under this name is not ours to read (keys named .key)
    folders: bool = False  # a folder may be one document of this format


class Gather:
    """Collects sections until the limit on text is reached, and remembers that it was."""

    def __init__(self, limits: Limits) -> None:
        self.sections: list[Section] = []
        self.full = False
        self.notes: list[str] = []
        self._room = limits.max_text_bytes

    @property
    def room(self) -> int:
        """How many more characters fit."""
        return self._room

    def add(
        self,
        text: str,
        title: str = "",
        *,
        depth: int = 0,
        kind: str = "",
        number: int | None = None,
        line: int | None = None,
        code: bool = False,
    ) -> bool:
        """Adds a section unless it is empty; False when nothing more fits."""
        if self.full:
            return False
        if len(text) > self._room:
            text = text[: self._room]
            self.full = True
        self._room -= len(text) + len(title) + 16
        if self._room <= 0:
            self.full = True
        if text.strip() or title:
            self.sections.append(Section(text, title, depth, kind, number, line, code))
        return not self.full

    def note(self) -> str:
        """What was left out, in words; empty when nothing was."""
        words = list(self.notes)
        if self.full:
            words.insert(0, "the text beyond the size limit was left out")
        return "; ".join(words)
