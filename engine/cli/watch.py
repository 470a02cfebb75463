"""Which folders are searched, and what is left out? Kept by command."""

import click

from engine.cli.connect import config_path, open_reader, open_writer
from engine.cli.output import clean, remark, say
from engine.cli.settings import change_list
from engine.settings import load_config


@click.group()
def watch() -> None:
    """Manage the folders that are kept fresh."""


@watch.command("add")
@click.argument("path")
@click.option("--sync/--no-sync", default=True, help="Index what is there now.  [default: on]")
def watch_add(path: str, sync: bool) -> None:
    """Search a folder and keep it fresh."""
    with open_writer() as writer:
        added = writer.watch(path, sync)
    say(f"Added: {clean(added)}")


@watch.command("remove")
@click.argument("path")
def watch_remove(path: str) -> None:
    """Stop searching a folder and forget what was indexed in it; the files stay."""
    with open_writer() as writer:
        removed = writer.unwatch(path)
    say(f"Removed: {clean(removed)}")


@watch.command("list")
def watch_list() -> None:
    """List the searched folders, one a line."""
    with open_reader() as reader:
        for root in reader.status()["roots"]:
            say(clean(root["path"]))


def _patterns(name: str, verb: str) -> click.Group:
    @click.group(name, help=f"Manage the patterns that {verb} (as in .gitignore).")
    def group() -> None:
        return

    @group.command("add", help="Add a pattern; it holds from the next scan on.")
    @click.argument("pattern")
    def add(pattern: str) -> None:
        change_list(f"files.{name}", add=pattern)
        say(f"Added: {pattern}")
        remark("It holds from the next scan on: sagasu index FOLDER")

    @group.command("remove", help="Remove a pattern.")
    @click.argument("pattern")
    def remove(pattern: str) -> None:
        change_list(f"files.{name}", remove=pattern)
        say(f"Removed: {pattern}")

    @group.command("list", help="List the patterns, one a line.")
    def show() -> None:
        for pattern in getattr(load_config(config_path()).files, name):
            say(pattern)

    return group


exclude = _patterns("exclude", "leave files out")
include = _patterns("include", "take files in although a rule leaves them out")
