"""How do arrays live on disk? One file: a checked header, then arrays to be memory-mapped.

A snapshot is derived from the database and may be thrown away at any time. It is written under a
temporary name, synced and renamed, so a reader meets the old file or the new one, never half of
one; whoever has the old one mapped keeps it until letting go. The layout:

    magic (8 bytes) · length of the header (4) · SHA-256 of the header (32) · header (JSON) · arrays

Every array begins at a multiple of 64 bytes. A file with another format version, another kind, a
damaged header or a wrong size is not opened: None is the answer, and the caller builds it anew.
"""

import contextlib
import hashlib
import json
import os
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.store.database import translated

MAGIC = b"SAGASU\x00\x01"
FORMAT_VERSION = 4
ALIGNMENT = 64
_PREFIX = struct.Struct("<8sI32s")

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An opened file: what its header says, its arrays, and which file it is."""

    facts: Mapping[str, Any]
    arrays: Mapping[str, Array]
    identity: tuple[int, int, int]


def write_snapshot(
    path: Path, kind: str, facts: Mapping[str, Any], arrays: Mapping[str, Array]
) -> None:
    """Replace the file at `path` in one step."""
    header = _header(kind, facts, arrays)
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with translated(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(_PREFIX.pack(MAGIC, len(header), hashlib.sha256(header).digest()))
                file.write(header)
                for array in arrays.values():
                    file.write(b"\x00" * (-file.tell() % ALIGNMENT))
                    file.write(_bytes(array))
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                temporary.unlink()
            raise
        _sync_folder(path.parent)


def _header(kind: str, facts: Mapping[str, Any], arrays: Mapping[str, Array]) -> bytes:
    table = [
        {
            "name": name,
            "type": array.dtype.str,
            "shape": list(array.shape),
            "crc": zlib.crc32(_bytes(array)),
        }
        for name, array in arrays.items()
    ]
    content = {"version": FORMAT_VERSION, "kind": kind, "facts": dict(facts), "arrays": table}
    return json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def _bytes(array: Array) -> memoryview:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8).data


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def file_identity(path: Path) -> tuple[int, int, int] | None:
    """Which file stands at `path` now; two answers differ when it was replaced."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def open_snapshot(path: Path, kind: str, *, verify: bool = False) -> Snapshot | None:
    """The arrays at `path`, mapped; None when there is none of this kind that can be trusted.

    `verify` reads every array and compares its checksum; without it only the header is checked.
    """
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            content = _read_header(file.read(_PREFIX.size), file)
            if content is None or content["kind"] != kind:
                return None
            body = np.memmap(file, dtype=np.uint8, mode="r")
        arrays = _map_arrays(body, content)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if arrays is None or (verify and not _sound(arrays, content)):
        return None
    identity = (status.st_ino, status.st_size, status.st_mtime_ns)
    return Snapshot(content["facts"], arrays, identity)


def _read_header(prefix: bytes, file: Any) -> dict[str, Any] | None:
    if len(prefix) < _PREFIX.size:
        return None
    magic, length, digest = _PREFIX.unpack(prefix)
    if magic != MAGIC:
        return None
    header = file.read(length)
    if hashlib.sha256(header).digest() != digest:
        return None
    content: dict[str, Any] = json.loads(header)
    if content["version"] != FORMAT_VERSION:
        return None
    content["end"] = _PREFIX.size + length
    return content


def _map_arrays(body: Array, content: dict[str, Any]) -> dict[str, Array] | None:
    arrays: dict[str, Array] = {}
    position = int(content["end"])
    for row in content["arrays"]:
        position += -position % ALIGNMENT
        kind = np.dtype(row["type"])
        size = int(np.prod(row["shape"], dtype=np.int64)) * kind.itemsize
        if position + size > body.size:
            return None
        # A plain view: every operation on np.memmap itself costs microseconds of bookkeeping.
        part = np.asarray(body)[position : position + size]
        arrays[row["name"]] = part.view(kind).reshape(row["shape"])
        position += size
    return arrays if position == body.size else None


def _sound(arrays: Mapping[str, Array], content: dict[str, Any]) -> bool:
    return all(
        zlib.crc32(_bytes(arrays[row["name"]])) == row["crc"]
        for row in content["arrays"]
    )
