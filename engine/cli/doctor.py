"""Is everything sound? Checks, repairs and tidies from the terminal."""

import click

from engine.cli.output import GREEN, YELLOW, paint, remark, say, say_json
from engine.cli.status import OUTPUT


@click.command()
@click.option("--repair", is_flag=True, help="Mend what can be mended.")
@OUTPUT
def doctor(repair: bool, output: str) -> int:
    """Check configuration, index, words, vectors, model, permissions, ports and sockets."""
    from engine.doctor import examine

    findings = list(examine(repair=repair))
    if output == "json":
        say_json(
            [{"what": f.what, "ok": f.ok, "detail": f.detail, "mended": f.mended} for f in findings]
        )
    else:
        for one in findings:
            sign = (
                paint("ok", GREEN) if one.ok else paint("mended" if one.mended else "wrong", YELLOW)
            )
            say(f"{one.what + ':':<18} {sign}  {one.detail}")
    left = [one for one in findings if not one.ok and not one.mended]
    if left and not repair:
        remark("Mend it with: sagasu doctor --repair")
    return 1 if left else 0


@click.command()
def sweep() -> None:
    """Tidy the index: forget unused vectors, give free pages back, write fresh snapshots."""
    from engine.api import Engine

    with Engine.open(write=True) as engine:
        before = engine.status().disk_usage_bytes
        engine.tidy()
        after = engine.status().disk_usage_bytes
    say(f"The index has {after:,} bytes now, {max(0, before - after):,} fewer than before.")
