"""How is a folder made searchable from the terminal?"""

import os
import signal
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from engine.cli.output import clean, remark, say, say_json

if TYPE_CHECKING:
    from engine.api import Engine, Report
    from engine.cli.connect import Remote

Json = dict[str, Any]


@click.command(epilog="Examples:  sagasu index ~/Documents   ·   sagasu index report.pdf")
@click.argument("paths", nargs=-1, required=True)
@click.option("--watch", is_flag=True, help="Keep it fresh whenever the service runs.")
@click.option("--words-only", is_flag=True, help="Leave meaning for later.")
@click.option("--output", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
def index(paths: tuple[str, ...], watch: bool, words_only: bool, output: str, quiet: bool) -> int:
    """Make a file or folder searchable; what has not changed is not read again."""
    from engine.cli.connect import find_service

    service = find_service()
    if service is not None:
        for path in paths:
            _tell(path, _index_through(service, path), output)
        return 0
    return _index_here(paths, watch, words_only, output, quiet or output == "json")


def _index_through(service: "Remote", path: str) -> Json:
    """Have the running service do it; meaning follows in its background."""
    full = os.path.abspath(os.path.expanduser(path))
    while True:
        answer = service.ask("POST", "/api/v1/index", {"path": full})
        if answer["status"] == "indexed":
            return dict(answer["report"])
        remark("The service is reading …")


def _index_here(
    paths: tuple[str, ...], watch: bool, words_only: bool, output: str, quiet: bool
) -> int:
    from engine.api import Engine
    from engine.cli.progress import show_progress

    code = 0
    with Engine.open(write=True) as engine:
        previous = signal.signal(signal.SIGTERM, _stop_on_signal(engine))
        try:
            for path in paths:
                with show_progress(engine, quiet):
                    report = _index(engine, path, watch, words_only)
                _tell(path, report.to_json(), output)
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


def _tell(path: str, report: Json, output: str) -> None:
    if output == "json":
        say_json({"path": path, **report})
        return
    parts = [f"Indexed {report['indexed']:,} file(s) from {path} in {report['seconds']:.1f} s"]
    for name, word in (
        ("unchanged", "unchanged"),
        ("moved", "moved"),
        ("removed", "removed"),
        ("skipped", "left out"),
        ("failed", "failed"),
        ("missing", "out of reach"),
    ):
        if report[name]:
            parts.append(f"{report[name]:,} {word}")
    say(", ".join(parts) + ".")
    for one in report["failures"][:5]:
        remark(f"  {clean(one['path'])}: {clean(one['reason'])}")
    if report["failed"] > 5:
        remark(f"  … and {report['failed'] - 5} more: sagasu coverage --state failed")
    if report["semantic_off"]:
        remark(report["semantic_off"])
