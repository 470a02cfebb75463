"""How is a folder made searchable from the terminal?"""

import signal
from types import FrameType
from typing import TYPE_CHECKING

import click

from engine.cli.output import remark, say, say_json
from engine.models import Progress

if TYPE_CHECKING:
    from engine.api import Engine, Report


@click.command(epilog="Examples:  sagasu index ~/Documents   ·   sagasu index report.pdf")
@click.argument("paths", nargs=-1, required=True)
@click.option("--watch", is_flag=True, help="Keep it fresh whenever the service runs.")
@click.option("--words-only", is_flag=True, help="Leave meaning for later.")
@click.option("--output", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
def index(paths: tuple[str, ...], watch: bool, words_only: bool, output: str, quiet: bool) -> int:
    """Make a file or folder searchable; what has not changed is not read again."""
    from engine.api import Engine
    from engine.cli.progress import show_progress

    code = 0
    with Engine.open(write=True) as engine:
        previous = signal.signal(signal.SIGTERM, _stop_on_signal(engine))
        try:
            for path in paths:
                with show_progress(engine, quiet or output == "json"):
                    report = _index(engine, path, watch, words_only)
                _tell(path, report, output)
                code = code or (130 if report.stopped else 0)
        finally:
            signal.signal(signal.SIGTERM, previous)
    return code


def _index(engine: "Engine", path: str, watch: bool, words_only: bool) -> "Report":
    try:
        return engine.index(path, watched=watch, embed=not words_only)
    except KeyboardInterrupt:
        engine.indexer().control.stop()
        remark("Stopped. What was indexed is kept; run it again to go on.")
        raise


def _stop_on_signal(engine: "Engine"):  # type: ignore[no-untyped-def]  # a signal handler
    def handle(number: int, frame: FrameType | None) -> None:
        engine.indexer().control.stop()

    return handle


def _tell(path: str, report: "Report", output: str) -> None:
    if output == "json":
        say_json(
            {
                "path": path,
                "indexed": report.read,
                "unchanged": report.unchanged,
                "moved": report.moved,
                "removed": report.removed,
                "skipped": report.skipped,
                "failed": report.failed,
                "missing": report.missing,
                "passages": report.passages,
                "embedded": report.embedded,
                "seconds": round(report.seconds, 3),
                "stopped": report.stopped,
                "semantic_off": report.semantic_off,
                "failures": [{"path": one, "reason": reason} for one, reason in report.failures],
            }
        )
        return
    parts = [f"Indexed {report.read:,} file(s) from {path} in {report.seconds:.1f} s"]
    for count, word in (
        (report.unchanged, "unchanged"),
        (report.moved, "moved"),
        (report.removed, "removed"),
        (report.skipped, "left out"),
        (report.failed, "failed"),
        (report.missing, "out of reach"),
    ):
        if count:
            parts.append(f"{count:,} {word}")
    say(", ".join(parts) + ".")
    for one, reason in report.failures[:5]:
        remark(f"  {one}: {reason}")
    if report.failed > 5:
        remark(f"  … and {report.failed - 5} more: sagasu coverage --state failed")
    if report.semantic_off:
        remark(report.semantic_off)


def describe(progress: Progress) -> str:
    """One line on how far it is."""
    if progress.phase == "reading":
        return f"Reading {progress.files_done:,} of {progress.files_total:,} files"
    if progress.phase == "embedding":
        return f"Meaning {progress.passages_done:,} of {progress.passages_total:,} passages"
    return {"scanning": f"Looking at {progress.path}", "idle": "Done"}.get(
        progress.phase, progress.phase
    )
