"""What is indexed, what is not, and why? Status, coverage, why and version."""

import time

import click

from engine import __version__
from engine.cli.output import clean, paint, remark, say, say_json

OUTPUT = click.option(
    "--output", type=click.Choice(["text", "json"]), default="text", show_default=True
)


@click.command()
def version() -> None:
    """Print the version."""
    say(f"sagasu version {__version__}")


@click.command()
@OUTPUT
def status(output: str) -> None:
    """Show what is indexed and how far meaning is."""
    from engine.cli.connect import open_reader

    with open_reader() as reader:
        facts = reader.status()
    if output == "json":
        say_json(facts)
        return
    say(f"documents:          {facts['documents']:,}   # count of indexed documents")
    say(f"chunks:             {facts['chunks']:,}   # passages")
    say(f"vector_index_size:  {facts['vector_index_size']:,}   # passages with a vector")
    say(f"disk_usage_bytes:   {facts['disk_usage_bytes']:,}")
    say()
    say("# files")
    for state, count in facts["files"].items():
        if count:
            say(f"{state + ':':<20}{count:,}")
    say()
    say("# folders")
    for root in facts["roots"]:
        away = "" if root["reachable"] else "  (not there now)"
        watched = "watched" if root["watched"] else "indexed by hand"
        say(f"{clean(root['path'])}  {root['documents']:,} documents, {watched}{away}")
    say()
    if facts["semantic"]:
        waiting = facts["waiting"]
        say("meaning:            on" + (f", {waiting:,} passages still waiting" if waiting else ""))
    else:
        say(f"meaning:            off: {facts['semantic_reason']}")
    say(f"data folder:        {facts['home']}")
    for problem in facts.get("problems", ()):
        remark(clean(problem))


@click.command()
@click.argument("path", default="")
@click.option("--state", default="", help="List the files in this state: failed, skipped …")
@click.option("--reason", default="", help="List the files with this reason.")
@click.option("--limit", default=20, show_default=True, help="Files to list.")
@OUTPUT
def coverage(path: str, state: str, reason: str, limit: int, output: str) -> None:
    """Show which files can be found, and why the others cannot."""
    from engine.cli.connect import open_reader

    with open_reader() as reader:
        facts = reader.coverage(path, state=state, reason=reason, limit=limit)
    if output == "json":
        say_json(facts)
        return
    indexed = facts["states"].get("indexed", 0)
    say(f"{indexed:,} of {facts['total']:,} files can be found by their content.")
    for row in facts["reasons"]:
        name, why_not, count = row["state"], row["reason"], row["count"]
        if name != "indexed":
            say(f"  {count:>7,}  {paint(name, '1'):<9} {clean(why_not)}")
    if state or reason or path:
        say()
        for row in facts["files"]:
            say(
                f"{row['state']:<8} {clean(row['path'])}"
                + (f": {clean(row['reason'])}" if row["reason"] else "")
            )
    elif facts["total"] > indexed:
        remark("List them with: sagasu coverage --state skipped   (or failed, evicted, missing)")


@click.command()
@click.argument("path")
def why(path: str) -> None:
    """Say in one line what became of a file, and which rule decided it."""
    from engine.cli.connect import open_reader

    with open_reader() as reader:
        say(clean(reader.why(path)))


def when(moment: float) -> str:
    """A date for people."""
    return time.strftime("%Y-%m-%d", time.localtime(moment))
