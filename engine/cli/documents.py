"""How does one get at single documents from the terminal? Read, list, open, forget, find alike."""

import os
import subprocess
import sys
from contextlib import suppress

import click

from engine.cli.connect import open_reader, open_writer
from engine.cli.output import clean, remark, say, say_json
from engine.cli.status import OUTPUT
from engine.errors import FolderMissingError, RequestError, ServiceError, StoreError


@click.command()
@click.argument("document")
@click.option("--lines", metavar="FROM:COUNT", help="Only these lines of the text, from 1.")
@OUTPUT
def get(document: str, lines: str | None, output: str) -> None:
    """Print the text that was indexed of a document, by its ID or path."""
    with open_reader() as reader:
        found = reader.document(_as_path(document))
    if output == "json":
        say_json(found)
        return
    text = found["content"].splitlines()
    if lines:
        first, _, count = lines.partition(":")
        start = max(1, int(first or 1)) - 1
        text = text[start : start + int(count)] if count else text[start:]
    for line in text:
        say(line)


@click.command()
@click.argument("document")
def delete(document: str) -> None:
    """Forget one document by its ID; its file is not touched."""
    with open_writer() as writer:
        writer.delete(_as_path(document))
    say(f"Document deleted: {document}")


@click.command()
@click.argument("document")
@click.option("--limit", "-n", default=10, show_default=True)
@OUTPUT
def similar(document: str, limit: int, output: str) -> None:
    """Find documents that are alike in meaning, by a document's ID or path."""
    with open_reader() as reader:
        answer = reader.similar(_as_path(document), limit)
    if output == "json":
        say_json(answer)
        return
    for row in answer["results"]:
        say(f"{row['rank']:>3}. {row['score']:.4f}  {clean(row['path']) or clean(row['title'])}")
    if not answer["results"]:
        remark("Nothing alike was found.")


@click.command()
@click.argument("folder", default="")
@click.option("--limit", "-n", default=1000, show_default=True)
@OUTPUT
def ls(folder: str, limit: int, output: str) -> None:
    """List the indexed files, all of them or those in a folder."""
    with open_reader() as reader:
        rows = reader.coverage(folder, state="indexed", limit=limit)["files"]
    if output == "json":
        say_json(rows)
        return
    for row in rows:
        say(clean(row["path"]))


@click.command("open")
@click.argument("path")
def open_file(path: str) -> None:
    """Open a file in its own app."""
    full = _launch(path, reveal=False)
    # Whether there is an index, or it is busy, is of no matter to whoever opens a file.
    with suppress(RequestError, StoreError, ServiceError):
        _note_opening(full)


@click.command()
@click.argument("path")
def reveal(path: str) -> None:
    """Show a file in the Finder (or the desktop's file manager)."""
    _launch(path, reveal=True)


def _launch(path: str, *, reveal: bool) -> str:
    full = os.path.abspath(os.path.expanduser(path))
    if not os.path.exists(full):
        raise FolderMissingError(path=full)
    if sys.platform == "darwin":
        command = ["open", "-R", full] if reveal else ["open", full]
    else:
        command = ["xdg-open", os.path.dirname(full) if reveal else full]
    try:
        subprocess.run(command, check=True)
    except (OSError, subprocess.CalledProcessError) as exc:
        raise click.ClickException(f"{command[0]} could not open {clean(full)}: {exc}") from exc
    return full


def _note_opening(path: str) -> None:
    with open_reader() as reader:
        known = reader.coverage(path, limit=1)["states"]["indexed"]
    if known:
        with open_writer() as writer:
            writer.opened(path)


def _as_path(document: str) -> str:
    """An ID as it is; anything that names a file in full."""
    is_file = os.path.exists(os.path.expanduser(document))
    return os.path.abspath(os.path.expanduser(document)) if is_file else document
