"""How is a question asked and answered at the terminal? As Sagasu's document shows it, and more."""

import sys
from typing import Any

import click

from engine.cli.output import (
    BLUE,
    BOLD,
    DIM,
    GREEN,
    VIOLET,
    clean,
    link,
    mark,
    paint,
    remark,
    say,
    say_json,
)
from engine.errors import EmptyQueryError

Json = dict[str, Any]
OUTPUTS = ["text", "compact", "json", "csv", "md", "files"]
RULE = "─" * 57
FILTERS = ("in", "ext", "kind", "after", "before", "date", "size", "lang")


@click.command(
    epilog='Examples:  sagasu search "machine learning" --limit 20   ·   '
    "sagasu search budget --ext xlsx --after 2026-01   ·   "
    'sagasu search --keyword=false "how to rest"'
)
@click.argument("words", nargs=-1)
@click.option("--limit", "-n", type=int, help="Most results (default: search.default_limit).")
@click.option("--offset", type=int, default=0, help="Results to skip.")
@click.option("--mode", default="hybrid", show_default=True, help="How to search; see the README.")
@click.option("--keyword/--no-keyword", default=True, help="Search by words.  [default: on]")
@click.option("--semantic/--no-semantic", default=True, help="Search by meaning.  [default: on]")
@click.option("--fuzzy/--no-fuzzy", default=False, help="Forgive typos from the start.")
@click.option("--min-keyword-score", type=float, help="Least keyword score.")
@click.option("--min-semantic-score", type=float, help="Least semantic score.")
@click.option("--in", "in_", multiple=True, metavar="DIR", help="Only below this folder.")
@click.option("--ext", multiple=True, metavar="ENDING", help="Only files ending so.")
@click.option("--kind", multiple=True, help="Only this kind: pdf, image, code, mail …")
@click.option("--after", metavar="DATE", help='Only files changed since ("last week", 2026-03).')
@click.option("--before", metavar="DATE", help="Only files changed before.")
@click.option("--size", help="Only this size: >1mb, 10k..2mb.")
@click.option("--lang", help="Only this language.")
@click.option("--sort", default="relevance", help="relevance, date, name or size.")
@click.option("--snippets", type=int, default=1, help="Passages shown per document.")
@click.option("--explain", is_flag=True, help="Show how each score came about.")
@click.option(
    "--queries", "-Q", type=click.File(), help="One query a line from a file, - for stdin."
)
@click.option("--output", "-o", type=click.Choice(OUTPUTS), default="text", show_default=True)
def search(words: tuple[str, ...], queries: Any, output: str, **options: Any) -> None:
    """Find files by name, word and meaning. Words need no quotes; flags may stand anywhere."""
    from engine.cli.connect import open_reader

    asked = [" ".join(words)] if words else []
    if queries is not None:
        lines = (line.strip() for line in queries)
        asked += [line for line in lines if line and not line.startswith("#")]
    if not any(one.strip() for one in asked) and not any(
        options[f] for f in ("ext", "kind", "in_")
    ):
        raise EmptyQueryError()
    body = _body(options)
    with open_reader() as reader:
        answers = [reader.search({**body, "query": query}) for query in asked or [""]]
    if output == "json":
        say_json(answers[0] if queries is None else answers)
        return
    for answer in answers:
        WRITERS[output](answer)


def _body(options: Json) -> Json:
    """The request without its query: what was not said is left to the settings."""
    filters = {name: options.pop(f"{name}_" if name == "in" else name, None) for name in FILTERS}
    options["keyword_enabled"] = options.pop("keyword")
    options["semantic_enabled"] = options.pop("semantic")
    options["fuzzy_enabled"] = options.pop("fuzzy")
    body = {name: value for name, value in options.items() if value is not None}
    chosen = {name: list(v) if isinstance(v, tuple) else v for name, v in filters.items() if v}
    return {**body, "filters": chosen} if chosen else body


def _write_text(answer: Json) -> None:
    total = answer["total_non_semantic"] + answer["total_semantic"]
    say()
    say(
        f"Found {total} results in {answer['query_time_ms']}ms "
        f"({answer['total_non_semantic']} keyword-only, {answer['total_semantic']} semantic-only)"
    )
    say()
    _write_notices(answer)
    for row in answer["results"]:
        say(paint(RULE, DIM))
        _write_row(row)
    if not answer["results"]:
        remark("Nothing relevant. `sagasu coverage` shows which files can be found.")


def _write_notices(answer: Json) -> None:
    if answer["auto_fuzzy"]:
        say("No exact matches found. Showing fuzzy results instead.")
        say()
    if answer["suggestions"]:
        say(f"Did you mean: {', '.join(clean(one) for one in answer['suggestions'])}?")
        say()
    chips = [chip["label"] for chip in answer["chips"] if chip["text"]]
    if chips:
        remark(f"Understood as filters: {', '.join(chips)}")
    if not answer["semantic"]["on"]:
        remark(answer["semantic"]["reason"])
    elif answer["semantic"]["waiting"]:
        remark(f"Meaning is not complete yet: {answer['semantic']['waiting']:,} passages wait.")


def _write_row(row: Json) -> None:
    colours = {"name": GREEN, "word": BLUE, "meaning": VIOLET}
    why = " ".join(paint(one, colours.get(one, DIM)) for one in row["matched"])
    place = row["location"]
    where = [f"page {place['page']}"] if place["page"] else []
    if place["heading"]:
        where.append(clean(place["heading"]))
    if place["line"]:
        where.append(f"line {place['line']}")
    say(f"{row['rank']}. {paint(mark(row['title'], row['title_highlights']), BOLD)}  [{why}]")
    say(
        link(clean(row["path"]) or row["id"], row["path"])
        + (f"  ({', '.join(where)})" if where else "")
    )
    say(
        paint(
            f"Score: {row['score']:.4f} (Keyword: {row['keyword_score']:.4f}, "
            f"Semantic: {row['semantic_score']:.4f})  ID: {row['id']}",
            DIM,
        )
    )
    for one in [row, *row.get("more", ())]:
        if one["snippet"]:
            say(f"  {mark(one['snippet'], one['highlights'])}")
    if "why" in row:
        _write_why(row["why"], 1)


def _write_why(why: Json, depth: int) -> None:
    say(f"{'  ' * depth}{why['value']:.4f}  {why['what']}")
    for part in why["parts"]:
        _write_why(part, depth + 1)


def _write_compact(answer: Json) -> None:
    total = answer["total_non_semantic"] + answer["total_semantic"]
    say(f"Found {total} results in {answer['query_time_ms']}ms")
    _write_notices(answer)
    for row in answer["results"]:
        kind = "keyword" if {"word", "name"} & set(row["matched"]) else "semantic"
        name = clean(row["path"]) or clean(row["title"])
        say(f"[{kind}] #{row['rank']} {row['score']:.4f} | {name}")


def _write_files(answer: Json) -> None:
    for row in answer["results"]:
        say(clean(row["path"]) or row["id"])


def _write_csv(answer: Json) -> None:
    import csv

    writer = csv.writer(sys.stdout)
    writer.writerow(["query", "rank", "score", "path", "title", "page", "line", "snippet"])
    for row in answer["results"]:
        place = row["location"]
        writer.writerow(
            [
                answer["query"],
                row["rank"],
                f"{row['score']:.4f}",
                row["path"],
                row["title"],
                place["page"] or "",
                place["line"] or "",
                row["snippet"],
            ]
        )


def _write_markdown(answer: Json) -> None:
    say(f"## {clean(answer['query'])}")
    for row in answer["results"]:
        say(f"{row['rank']}. **{clean(row['title'])}** `{clean(row['path'])}` ({row['score']:.2f})")
        if row["snippet"]:
            say(f"   > {clean(row['snippet'])}")


WRITERS = {
    "text": _write_text,
    "compact": _write_compact,
    "files": _write_files,
    "csv": _write_csv,
    "md": _write_markdown,
}


@click.command()
@click.argument("query")
@click.argument("path")
def whynot(query: str, path: str) -> None:
    """Say in one line why a file is not in the answer to a query, or where it stands in it."""
    from engine.cli.connect import open_reader

    with open_reader() as reader:
        say(clean(reader.whynot(query, path)))


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--limit", "-n", default=8, show_default=True)
def complete(words: tuple[str, ...], limit: int) -> None:
    """Say how the last word may go on, from the words of your own files."""
    from engine.cli.connect import open_reader

    with open_reader() as reader:
        for one in reader.complete(" ".join(words), limit):
            say(clean(one))
