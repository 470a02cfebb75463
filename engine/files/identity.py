"""Which file is this? Ids from paths, fingerprints from stat, hashes from content.

A document's uid is "file:" and the SHA-256 of its cleaned absolute path in NFC, so that a name that
one program writes composed and another decomposed is one document. The real name is kept for
opening. Names that are not UTF-8 reach Python with surrogates and are hashed as their bytes.
"""

import hashlib
import os
import unicodedata
from typing import NamedTuple


class Fingerprint(NamedTuple):
    """What stat says about a file; as long as it is the same, the content is taken to be."""

    size: int
    mtime_ns: int
    inode: int


def clean_path(path: str) -> str:
    """`path` absolute, without "." and "..", "~" resolved; links are left as they are."""
    return os.path.abspath(os.path.expanduser(path))


def comparable(path: str) -> str:
    """`path` in the form in which two spellings of one name are equal (NFC)."""
    return path if path.isascii() else unicodedata.normalize("NFC", path)


def storable(path: str) -> str:
    r"""`path` as text that any database takes: bytes that are not UTF-8 are written as \xNN."""
    if path.isascii():
        return path
    raw = path.encode("utf-8", "surrogateescape")
    return raw.decode("utf-8", "backslashreplace")


def document_uid(path: str) -> str:
    """The id of the document at `path`; the same for every spelling of the path."""
    name = comparable(clean_path(path))
    return "file:" + hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()


def fingerprint(status: os.stat_result) -> Fingerprint:
    """The fingerprint in a stat result."""
    return Fingerprint(status.st_size, status.st_mtime_ns, status.st_ino)


def content_hash(data: bytes) -> bytes:
    """16 bytes that name this content (BLAKE2b): equal content is read and embedded once."""
    return hashlib.blake2b(data, digest_size=16).digest()
