"""Who reads the files? A process of its own: a hostile file may kill it, never the app.

Runs as `python -m engine.ingest.worker`, speaking msgpack over two pipes: parcels of tasks come
in; an empty message says ready, then one reply a file goes out. msgspec checks the types on the way
back, so a worker that was taken over can send wrong text, but nothing that runs.
"""

import contextlib
import logging
import os
import resource
import sys
import threading
import time
from multiprocessing.connection import Connection
from pathlib import Path

import msgspec

from engine.errors import EngineError, FileError, FileTimeoutError
from engine.ingest.pipeline import Recipe, Task, prepare_file
from engine.ports import CountPieces
from engine.store.documents import DocumentRow

log = logging.getLogger(__name__)

MEBIBYTE = 1024 * 1024
WATCH_SECONDS = 0.25


class Parcel(msgspec.Struct):
    """Some files to read, in order."""

    tasks: list[Task]


class Reply(msgspec.Struct):
    """What became of one file: its row, or the reason why there is none."""

    path: str
    row: DocumentRow | None = None
    error: str = ""
    reason: str = ""
    hint: str = ""


def main() -> None:
    """Read parcels until the pipe closes."""
    # The pipes are ours alone: a library that prints must not break the protocol.
    incoming = Connection(os.dup(0), writable=False)
    outgoing = Connection(os.dup(1), readable=False)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    recipe = msgspec.msgpack.decode(incoming.recv_bytes(), type=Recipe)
    limit_memory(recipe.memory_limit_mb)
    count = open_counter(recipe)
    encoder = msgspec.msgpack.Encoder()
    decoder = msgspec.msgpack.Decoder(Parcel)
    outgoing.send_bytes(b"")  # ready: what goes wrong from now on is a file's doing
    with contextlib.suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        while True:
            for task in decoder.decode(incoming.recv_bytes()).tasks:
                outgoing.send_bytes(encoder.encode(read_one(task, recipe, count)))


def read_one(task: Task, recipe: Recipe, count: CountPieces) -> Reply:
    """One file's reply; whatever goes wrong in a reader becomes a reason."""
    try:
        return Reply(task.path, prepare_file(task, recipe, count))
    except FileError as exc:
        return Reply(task.path, None, type(exc).__name__, str(exc), exc.advice)
    except MemoryError:
        error = FileTimeoutError(what=f"it needs more than {recipe.memory_limit_mb} MB of memory")
        return Reply(task.path, None, type(error).__name__, str(error), error.advice)
    except EngineError as exc:
        return Reply(task.path, None, type(exc).__name__, str(exc), exc.advice)
    except Exception as exc:
        # The edge of one file: a reader's bug is that file's reason, and the log has the rest.
        log.exception("A reader failed")
        return Reply(task.path, None, "DamagedFileError", f"cannot be read: {type(exc).__name__}")


def open_counter(recipe: Recipe) -> CountPieces:
    """Counts word pieces as the model does; without a model, words stand for pieces."""
    if not recipe.tokenizer:
        return lambda text: len(text.split()) * 2
    from engine.embed.wordpiece import PieceCounter

    return PieceCounter(Path(recipe.tokenizer)).count


def limit_memory(limit_mb: int) -> None:
    """Above it allocations fail; on macOS, which has no such limit, the process ends itself."""
    if sys.platform == "darwin":
        threading.Thread(target=_end_when_large, args=(limit_mb,), daemon=True).start()
        return
    # What is mapped already (libraries) does not count; ru_maxrss would also count our parent's.
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    ceiling = used + limit_mb * MEBIBYTE
    resource.setrlimit(resource.RLIMIT_AS, (ceiling, ceiling))


def _end_when_large(limit_mb: int) -> None:
    while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < limit_mb * MEBIBYTE:
        time.sleep(WATCH_SECONDS)
    os._exit(MEMORY_EXIT)


MEMORY_EXIT = 77

if __name__ == "__main__":
    main()
