"""What is in this zip-and-XML file? Opens it within limits: members counted and sized before
reading, XML without entities, network or giant trees."""

import io
import zipfile
import zlib
from typing import IO, Any

from engine.errors import DamagedFileError, EncryptedFileError, FileTooLargeError
from engine.extract.format import MEGABYTE, Limits
from engine.ports import Closing

PIECE = 256 * 1024
_ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    OSError,
    EOFError,
    ValueError,
    NotImplementedError,
    RuntimeError,
    KeyError,
    IndexError,
    OverflowError,
)  # all seen from damaged archives


def parse_xml(data: bytes, format: str) -> Any:
    """The root element of `data`; entities are not resolved, whatever the document asks for."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
        recover=True,
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as exc:
        raise DamagedFileError(format=format) from exc
    if root is None:
        raise DamagedFileError(format=format)
    return root


class Package(Closing):
    """An open archive whose reading is counted against the limits."""

    def __init__(self, data: bytes, limits: Limits, format: str) -> None:
        self.format = format
        self._limits = limits
        self._left = limits.max_unpacked_bytes
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _ZIP_ERRORS as exc:
            raise DamagedFileError(format=format) from exc
        if len(self._zip.filelist) > limits.max_members:
            raise FileTooLargeError(what=f"more than {limits.max_members:,} parts")
        self._members = {info.filename.lower().lstrip("/"): info for info in self._zip.filelist}
        if any(info.flag_bits & 1 for info in self._zip.filelist):
            raise EncryptedFileError()

    def close(self) -> None:
        """Let go of the archive."""
        self._zip.close()

    @property
    def names(self) -> list[str]:
        """The members' names as written, in the archive's order."""
        return [info.filename for info in self._zip.filelist]

    def has(self, name: str) -> bool:
        """Whether there is a member `name` (without case)."""
        return name.lower().lstrip("/") in self._members

    def read(self, name: str, most: int | None = None) -> bytes:
        """The bytes of member `name`; DamagedFileError when it is missing or broken."""
        limit = min(self._left, most if most is not None else self._left)
        info = self._members.get(name.lower().lstrip("/"))
        if info is None:
            raise DamagedFileError(format=self.format)
        # Headers may lie about the size: the limit holds for what really comes out.
        if info.file_size > limit:
            raise self._too_large(info.file_size)
        try:
            with self._zip.open(info) as file:
                data = file.read(limit + 1)
        except _ZIP_ERRORS as exc:
            raise DamagedFileError(format=self.format) from exc
        if len(data) > limit:
            raise self._too_large(len(data))
        self._left -= len(data)
        return data

    def open(self, name: str) -> IO[bytes]:
        """Member `name` as a stream, for parts that are read piece by piece."""
        info = self._members.get(name.lower().lstrip("/"))
        if info is None:
            raise DamagedFileError(format=self.format)
        if info.file_size > self._left:
            raise self._too_large(info.file_size)
        try:
            return self._zip.open(info)
        except _ZIP_ERRORS as exc:
            raise DamagedFileError(format=self.format) from exc

    def xml(self, name: str) -> Any:
        """The root element of XML member `name`."""
        return parse_xml(self.read(name, self._limits.max_xml_bytes), self.format)

    def find_xml(self, name: str) -> Any | None:
        """As xml(), but None when there is no such member or it is beyond repair."""
        if not self.has(name):
            return None
        try:
            return self.xml(name)
        except DamagedFileError:
            return None

    def _too_large(self, size: int) -> FileTooLargeError:
        return FileTooLargeError(what=f"unpacks to more than {size // MEGABYTE:,} MB")
