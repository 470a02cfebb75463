"""What is in an old Office file? The streams of Microsoft's compound files (.doc, .ppt, .msg)."""

import io
from typing import Any

from engine.errors import DamagedFileError
from engine.extract.format import Limits

OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


class Compound:
    """An open compound file; damaged ones raise DamagedFileError, never anything else."""

    def __init__(self, data: bytes, format: str, limits: Limits) -> None:
        import olefile

        self._format = format
        self._limits = limits
        # What this library raises on broken files is not documented; these were all seen.
        self._errors = (
            OSError,
            ValueError,
            IndexError,
            KeyError,
            TypeError,
            AttributeError,
            RecursionError,
            OverflowError,
            MemoryError,
            AssertionError,
        )
        try:
            self._file: Any = olefile.OleFileIO(
                io.BytesIO(data), raise_defects=olefile.DEFECT_FATAL
            )
        except self._errors as exc:
            raise DamagedFileError(format=format) from exc

    def has(self, name: str) -> bool:
        """Whether there is a stream or folder `name`."""
        try:
            return bool(self._file.exists(name))
        except self._errors as exc:
            raise DamagedFileError(format=self._format) from exc

    def names(self) -> list[str]:
        """Every stream as folder/name."""
        try:
            found = self._file.listdir(streams=True, storages=False)
        except self._errors as exc:
            raise DamagedFileError(format=self._format) from exc
        return ["/".join(parts) for parts in found[: self._limits.max_members]]

    def read(self, name: str) -> bytes:
        """The bytes of stream `name`; empty when there is none."""
        try:
            if not self._file.exists(name):
                return b""
            with self._file.openstream(name) as stream:
                return bytes(stream.read(self._limits.max_unpacked_bytes))
        except self._errors as exc:
            raise DamagedFileError(format=self._format) from exc

    def properties(self) -> dict[str, Any]:
        """Title, author and dates of the summary; empty when it cannot be read."""
        try:
            facts = self._file.get_metadata()
        except self._errors:
            return {}
        names = ("title", "author", "subject", "keywords", "create_time", "last_saved_time")
        return {name: value for name in names if (value := getattr(facts, name, None))}


def container_kind(data: bytes, limits: Limits) -> str:
    """Which program's file it is: doc, xls, ppt, msg, encrypted; empty when unknown or broken."""
    try:
        compound = Compound(data, "Office", limits)
        names = {name.lower() for name in compound.names()}
    except DamagedFileError:
        return ""
    for mark, kind in (
        ("encryptedpackage", "encrypted"),
        ("worddocument", "doc"),
        ("workbook", "xls"),
        ("book", "xls"),
        ("powerpoint document", "ppt"),
        ("__properties_version1.0", "msg"),
    ):
        if mark in names:
            return kind
    return ""
