"""How good and how fast is it? Measured from the terminal."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine.cli.output import BOLD, paint, remark, say, say_json
from engine.cli.status import OUTPUT

if TYPE_CHECKING:
    from engine.evaluate.compare import Comparison

SHOWN = ("ndcg@5", "ndcg@10", "mrr@10", "recall@10", "recall@100", "p@5", "p@10", "map@10")


@click.group("eval")
def evaluate() -> None:
    """Measure how good the answers are, through the ordinary index and search."""


@evaluate.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False))
@click.option("--modes", default="bm25,semantic,hybrid", show_default=True)
@click.option("--split", default="test", show_default=True, help="Which judgements to use.")
@click.option("--limit", type=int, help="Only so many questions.")
@OUTPUT
def beir(folders: tuple[str, ...], modes: str, split: str, limit: int | None, output: str) -> None:
    """Measure judged sets in BEIR layout (corpus.jsonl, queries.jsonl, qrels/)."""
    from engine.evaluate.compare import evaluate_folder

    chosen = [mode.strip() for mode in modes.split(",")]
    reports = []
    for folder in folders:
        found = evaluate_folder(Path(folder), split=split, modes=chosen, limit=limit)
        reports.append(found.to_json())
        if output == "text":
            _show(found)
    if output == "json":
        say_json(reports[0] if len(reports) == 1 else reports)


@evaluate.command()
@click.option("--modes", default="bm25,semantic,hybrid", show_default=True)
@OUTPUT
def golden(modes: str, output: str) -> None:
    """Measure Sagasu's own judged set: a person's folder and sixty graded questions."""
    from engine.evaluate.golden import evaluate_golden

    _tell(evaluate_golden(modes=[mode.strip() for mode in modes.split(",")]), output)


@evaluate.command()
@OUTPUT
def mine(output: str) -> None:
    """Measure on your own marks: the answers that you marked as the right ones."""
    from engine.api import Engine
    from engine.evaluate.mine import evaluate_mine

    with Engine.open() as engine:
        _tell(evaluate_mine(engine, engine.places.home), output)


def _tell(found: "Comparison", output: str) -> None:
    if output == "json":
        say_json(found.to_json())
    else:
        _show(found)


def _show(found: "Comparison") -> None:
    report: dict[str, Any] = found.to_json()
    title = f"{report['set']}: {report['documents']:,} documents, {report['queries']:,} questions"
    say(paint(title, BOLD))
    names = [name for name in SHOWN if name in next(iter(report["modes"].values()))]
    say(f"{'':<10}" + "".join(f"{name:>11}" for name in names))
    for mode, values in report["modes"].items():
        say(f"{mode:<10}" + "".join(f"{values[name]:>11.4f}" for name in names))
    for pair, facts in report["significance"].items():
        remark(f"  {pair}: {facts['difference']:+.4f} (p = {facts['p']})")
    for category, rows in report["categories"].items():
        say(
            f"  {category:<16}"
            + "  ".join(f"{mode} {values['ndcg@10']:.3f}" for mode, values in rows.items())
        )
    say("  ".join(f"{what} {seconds:.1f} s" for what, seconds in report["seconds"].items()))
    say()


@click.command()
@click.argument("parts", nargs=-1)
@click.option("--documents", default=0, help="Size of the collection; 0: the usual one.")
@OUTPUT
def bench(parts: tuple[str, ...], documents: int, output: str) -> None:
    """Measure how fast it is, beside the bare libraries in the same run."""
    from engine.evaluate.speed import run_benchmarks

    run_benchmarks(parts, documents, say_json if output == "json" else None, say)
