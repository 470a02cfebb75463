"""What does a page or an image look like? A small JPEG for the preview, drawn in another process.

Files come from anywhere: one that crashes or hangs MuPDF ends that process, never the app. The
process starts with the first picture, has bounded time and memory, and is kept for the next one.
"""

import base64
import logging
import multiprocessing
import threading
from collections import OrderedDict
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

log = logging.getLogger(__name__)

WIDTH = 900  # pixels: the preview on a Retina screen
SECONDS = 8.0
MEMORY_BYTES = 1 << 30
KEPT = 24
MOST_BYTES = 200 << 20
PAGED = {".pdf", ".epub", ".xps", ".cbz"}
IMAGES = {".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tiff", ".tif", ".webp", ".svg"}


class Pictures:
    """Draws one picture at a time; remembers the last ones."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, int, float], str] = OrderedDict()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def draw(self, path: Path, page: int | None) -> str:
        """A data: address of the page (from 1) or image; empty when there is no picture of it."""
        kind = path.suffix.lower()
        if kind not in PAGED | IMAGES or (kind in PAGED and page is None):
            return ""
        try:
            facts = path.stat()
        except OSError:
            return ""
        if facts.st_size > MOST_BYTES:
            return ""
        number = 1 if page is None else page
        key = (str(path), number, facts.st_mtime)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = self._ask(str(path), number)
                while len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            return self._kept[key]

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._end()

    def _ask(self, path: str, page: int) -> str:
        pipe = self._pipe if self._process is not None and self._process.is_alive() else None
        try:
            pipe = pipe or self._begin()
            pipe.send((path, page))
            if pipe.poll(self._seconds):
                body = pipe.recv_bytes()
                return f"data:image/jpeg;base64,{base64.b64encode(body).decode()}" if body else ""
            log.warning("drawing a preview took too long")
        except (EOFError, OSError):
            log.warning("the process that draws previews ended")
        self._end()
        return ""

    def _begin(self) -> Connection:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs,), name="pictures", daemon=True)
        self._process.start()
        theirs.close()
        return self._pipe

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join(1.0)
            self._process.close()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None


def serve(pipe: Connection) -> None:
    """The other process: draws what it is asked for until nobody asks any more."""
    import resource
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the app's own Ctrl-C is not ours
    resource.setrlimit(resource.RLIMIT_CPU, (600, 600))
    try:
        resource.setrlimit(resource.RLIMIT_AS, (4 * MEMORY_BYTES, 4 * MEMORY_BYTES))
    except (ValueError, OSError):
        log.debug("this system does not limit memory")  # macOS refuses RLIMIT_AS
    while True:
        try:
            path, page = pipe.recv()
        except EOFError:
            return
        pipe.send_bytes(draw_page(path, page))


def draw_page(path: str, page: int) -> bytes:
    """The page as a JPEG, WIDTH wide; nothing when it cannot be drawn."""
    import pymupdf

    try:
        with pymupdf.open(path) as document:  # type: ignore[no-untyped-call]  # has no types
            if document.needs_pass or not 1 <= page <= document.page_count:
                return b""
            sheet = document[page - 1]
            zoom = min(4.0, WIDTH / max(1.0, sheet.rect.width))
            drawn = sheet.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), alpha=False)  # type: ignore[no-untyped-call]  # has no types
            return bytes(drawn.tobytes("jpeg", jpg_quality=82))
    except (RuntimeError, ValueError, OSError, MemoryError):  # what MuPDF raises for bad files
        return b""
