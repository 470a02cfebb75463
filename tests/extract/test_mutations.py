"""Broken documents of all formats.

1. Whatever is done to a document, its reader returns or raises a FileError, nothing else.
2. It does so within 10 seconds and 1 GB, in a process that survives.
3. Random bytes under any known ending do the same.

The work is done in a child process with hard limits: this file, run as a program.
"""

import contextlib
import io
import json
import os
import random
import resource
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[1] / "data"
PROJECT = Path(__file__).resolve().parents[2]
MOST_SECONDS = 10
MOST_MEGABYTES = 1024
TELLING = (b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff", b"<", b"]]>", b"&a;", b"{", b"\\")


def samples() -> list[Path]:
    return sorted(path for path in DATA.iterdir() if path.is_file())


def mutate(data: bytes, rng: random.Random, other: bytes) -> bytes:
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        if not data:
            return data
        at = rng.randrange(len(data))
        size = rng.choice((1, 2, 4, 32, 512))
        kind = rng.randrange(7)
        if kind == 0:
            data = data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + rng.randbytes(size) + data[at + size :]
        elif kind == 2:
            data = data[:at]
        elif kind == 3:
            data = data[:at] + data[at + size :]
        elif kind == 4:
            data = data[:at] + data[at : at + size] * rng.choice((2, 50)) + data[at + size :]
        elif kind == 5:
            data = data[:at] + rng.choice(TELLING) + data[at + 4 :]
        else:
            data = data[:at] + other[rng.randrange(len(other) + 1) :][: size * 8] + data[at:]
    return data


def mutate_inside(data: bytes, rng: random.Random, other: bytes) -> bytes:
    """Changes a member of a zip and packs it anew, so that no checksum gives it away."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        names = old.namelist()
        chosen = set(rng.sample(names, min(len(names), rng.choice((1, 2, 5)))))
        for name in names:
            content = old.read(name)
            new.writestr(name, mutate(content, rng, other) if name in chosen else content)
    return out.getvalue()


def make_case(seed: int) -> tuple[str, bytes]:
    rng = random.Random(seed)
    paths = samples()
    path = paths[seed % len(paths)]
    data, other = path.read_bytes(), rng.choice(paths).read_bytes()
    if seed % 11 == 10:
        return path.name, rng.randbytes(rng.choice((0, 1, 100, 5000)))
    if data[:2] == b"PK" and rng.random() < 0.7:
        return path.name, mutate_inside(data, rng, other)
    return path.name, mutate(data, rng, other)


def run_cases(first: int, count: int) -> None:
    """Runs in the child: one line per case; a signal ends it when one takes too long."""
    from engine.errors import FileError
    from engine.extract import extract

    resource.setrlimit(resource.RLIMIT_AS, (2048 << 20, 2048 << 20))
    for seed in range(first, first + count):
        name, data = make_case(seed)
        sys.stdout.write(f"{seed} {name}\n")
        sys.stdout.flush()
        signal.alarm(MOST_SECONDS)
        with contextlib.suppress(FileError):
            extract(name, data)
        signal.alarm(0)
    sys.stdout.write(json.dumps({"done": count, "megabytes": peak_megabytes()}) + "\n")


def peak_megabytes() -> int:
    """The most memory this process had; Linux's ru_maxrss would count that of its parent too."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(one for one in status.read_text().splitlines() if one.startswith("VmHWM"))
        return int(line.split()[1]) // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 * 1024)


def run_child(first: int, count: int) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, __file__, str(first), str(count)],
        capture_output=True,
        text=True,
        timeout=60 + count,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
    )
    last = done.stdout.strip().rsplit("\n", 1)[-1]
    assert done.returncode == 0, f"case {last}: exit {done.returncode}\n{done.stderr[-3000:]}"
    found: dict[str, Any] = json.loads(last)
    return found


def test_150_broken_documents_are_read_or_refused() -> None:
    found = run_child(0, 150)
    assert found["done"] == 150
    assert found["megabytes"] < MOST_MEGABYTES


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 5000, 500))
def test_5000_broken_documents_are_read_or_refused(first: int) -> None:
    found = run_child(1000 + first, 500)
    assert found["done"] == 500
    assert found["megabytes"] < MOST_MEGABYTES


if __name__ == "__main__":
    run_cases(int(sys.argv[1]), int(sys.argv[2]))
