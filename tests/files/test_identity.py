"""Ids, fingerprints and hashes.

1. One document has one uid, however its path is spelt (NFC, NFD, dots, ~).
2. Names that are not UTF-8 have an id and a storable form.
3. The fingerprint is what stat says; the content hash is 16 bytes.
"""

import hashlib
import os
import unicodedata
from pathlib import Path

from engine.files.identity import (
    comparable,
    content_hash,
    document_uid,
    fingerprint,
    storable,
)


def test_uid_is_the_hash_of_the_clean_path() -> None:
    expected = hashlib.sha256(b"/home/ann/a.txt").hexdigest()
    assert document_uid("/home/ann/./b/../a.txt") == f"file:{expected}"
    assert document_uid("~/a.txt") == document_uid(os.path.expanduser("~/a.txt"))


def test_composed_and_decomposed_names_are_one_document() -> None:
    composed = "/home/ann/Übung 日本.txt"
    decomposed = unicodedata.normalize("NFD", composed)
    assert composed != decomposed
    assert document_uid(composed) == document_uid(decomposed)
    assert comparable(decomposed) == composed


def test_names_that_are_not_utf8_have_id_and_storable_form() -> None:
    name = os.fsdecode(b"/home/ann/caf\xe9.txt")
    assert document_uid(name).startswith("file:")
    assert storable(name) == "/home/ann/caf\\xe9.txt"
    storable(name).encode("utf-8")


def test_fingerprint_and_content_hash(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"words")
    status = path.stat()
    assert fingerprint(status) == (5, status.st_mtime_ns, status.st_ino)
    assert len(content_hash(b"words")) == 16
    assert content_hash(b"words") != content_hash(b"word")
