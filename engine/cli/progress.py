"""How far is it? A bar on a terminal, nothing elsewhere; always on standard error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from engine.models import Progress

if TYPE_CHECKING:
    from engine.api import Engine


@contextmanager
def show_progress(engine: "Engine", quiet: bool) -> Iterator[None]:
    """Show the engine's progress while the block runs."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks = {
            "reading": bar.add_task("Reading files", total=None, visible=False),
            "embedding": bar.add_task("Learning meaning", total=None, visible=False),
        }

        def show(progress: Progress) -> None:
            if progress.phase == "reading":
                bar.update(
                    tasks["reading"],
                    completed=progress.files_done,
                    total=progress.files_total,
                    visible=True,
                )
            elif progress.phase == "embedding":
                bar.update(
                    tasks["embedding"],
                    completed=progress.passages_done,
                    total=progress.passages_total,
                    visible=True,
                )

        engine.listen(show)
        try:
            yield
        finally:
            engine.unlisten(show)
