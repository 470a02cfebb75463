"""The real launch as a process of its own, but for the two edges that would leave it.

Engine, model, desk and HTTP door are those of the app. What the desktop and the window are told is
written to acts.jsonl in the data folder, one call a line. Prints [address, token] when it listens.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]


class Edge:
    """Desktop and window: every call is noted, nothing is opened."""

    def __init__(self, log: Path) -> None:
        self._log = log

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def act(*facts: object) -> Any:
            shown = [list(map(str, one)) if isinstance(one, list) else str(one) for one in facts]
            with self._log.open("a", encoding="utf-8") as file:
                file.write(json.dumps([name, *shown]) + "\n")
            return ("Preview",) if name == "applications" else None

        return act


def main(home: Path) -> None:
    from app.launch import serve

    (home / "config.yaml").write_text("server:\n  port: 0\n")
    edge: Any = Edge(home / "acts.jsonl")

    def ready(address: str, token: str) -> None:
        sys.stdout.write(json.dumps([address, token]) + "\n")
        sys.stdout.flush()

    serve(home, edge, edge, ready)


if __name__ == "__main__":
    sys.path.insert(0, str(PROJECT))
    main(Path(sys.argv[1]))
