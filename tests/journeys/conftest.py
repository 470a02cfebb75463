"""A folder of files, a data folder of its own, and the real command line."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]

FILES: Mapping[str, str] = {
    "notes/sourdough.md": "# Baking\n\n## Sourdough\n\nFeed the starter twice a day. "
    "Let the dough rise overnight in the cold.\n",
    "notes/bicycle.md": "# Bicycle\n\nThe chain slips on the smallest cog when climbing. "
    "Replace cassette and chain together.\n",
    "letters/landlord.txt": "Dear Mr Okafor,\n\nthe heating in our flat has been broken since "
    "Monday and nobody came to repair it.\n",
    "work/meeting.txt": "Minutes of the quarterly meeting. Revenue grew by nine percent, "
    "the new office opens in June.\n",
    "work/budget.csv": "item,amount\nprinter paper,120\ncoffee beans,340\n",
    "health/sleep.txt": "The doctor advised me to go to bed earlier and to avoid screens "
    "in the evening.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "Documents"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def sagasu(home: Path) -> Run:
    def run(
        *arguments: str, code: int | None = 0, **more: str
    ) -> "subprocess.CompletedProcess[str]":
        done = subprocess.run(
            [sys.executable, "-m", "engine.cli.main", *arguments],
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "SAGASU_HOME": str(home), **more},
            cwd=Path(__file__).resolve().parents[2],
        )
        assert code is None or done.returncode == code, done.stderr + done.stdout
        return done

    return run
