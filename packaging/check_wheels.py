"""Does every dependency exist for the Macs that we build for? Asks the index, prints a table.

    python packaging/check_wheels.py                 arm64 must be complete, x86_64 is only shown
    python packaging/check_wheels.py --python 3.13

Follows the dependencies of dependencies as a Mac would (markers are read for darwin). Nothing is
installed. Exit code 1 when a wheel for macOS on Apple silicon is missing.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
OLDEST_MACOS = "14_0"
PLATFORMS = {"arm64": "arm64", "x86_64": "x86_64"}
# Published as source alone, pure Python: pip builds the same wheel on any machine.
PURE_SOURCES = {"rumps"}


@dataclass(frozen=True, slots=True)
class Found:
    """What the index has for one requirement on one platform."""

    version: str
    tag: str
    needs: tuple[str, ...]


def main() -> int:
    """Prints the table; 1 when something is missing for Apple silicon."""
    parser = argparse.ArgumentParser(description="Looks for macOS wheels of every dependency.")
    parser.add_argument("--python", default="3.12", help="version of Python in the bundle")
    python = parser.parse_args().python
    arm, intel = (find_all(machine, python) for machine in PLATFORMS)
    for line in draw_table(arm, intel):
        print(line)
    missing = sorted(name for name, found in arm.items() if found is None)
    print(
        f"\n{len(arm)} packages, {len(missing)} missing for arm64: {', '.join(missing) or 'none'}"
    )
    return 1 if missing else 0


def read_requirements() -> list[Requirement]:
    """What pyproject.toml asks for, the Mac's extra included."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = [*project["dependencies"], *project["optional-dependencies"]["mac"]]
    return [Requirement(one) for one in listed]


def find_all(machine: str, python: str) -> dict[str, Found | None]:
    """Every package that a Mac needs, by name; None when the index has no wheel for it."""
    found: dict[str, Found | None] = {}
    waiting = list(wanted(read_requirements(), machine, python))
    with ThreadPoolExecutor(4) as pool:
        while waiting:
            fresh = {canonicalize_name(one.name): one for one in waiting}
            fresh = {name: one for name, one in fresh.items() if name not in found}
            answers = pool.map(lambda one: ask_index(one, machine, python), fresh.values())
            found.update(zip(fresh, answers, strict=True))
            needs = [
                Requirement(one) for name in fresh if (hit := found[name]) for one in hit.needs
            ]
            waiting = list(wanted(needs, machine, python))
    return found


def wanted(
    requirements: list[Requirement], machine: str, python: str, extra: str = ""
) -> Iterator[Requirement]:
    """Those whose marker is true on such a Mac."""
    mac = {
        **default_environment(),
        "sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix",
        "platform_machine": machine, "python_version": python, "python_full_version": f"{python}.0",
        "extra": extra,
    }  # fmt: skip
    for one in requirements:
        if one.marker is None or one.marker.evaluate(
            {key: str(value) for key, value in mac.items()}
        ):
            yield one


def ask_index(requirement: Requirement, machine: str, python: str) -> Found | None:
    """The newest fitting wheel, or None."""
    name = canonicalize_name(requirement.name)
    if name in PURE_SOURCES:
        return Found("source", "pure Python", ())
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps",
            "--ignore-installed", "--target", folder, "--only-binary=:all:", "--report", "-",
            "--platform", f"macosx_{OLDEST_MACOS}_{machine}", "--python-version", python,
            f"{requirement.name}{requirement.specifier}",
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return None
    one = json.loads(done.stdout)["install"][0]
    file = one["download_info"]["url"].rpartition("/")[2].partition("#")[0]
    tag = file.removesuffix(".whl").split("-", 2)[2]
    return Found(one["metadata"]["version"], tag, tuple(one["metadata"].get("requires_dist") or ()))


def draw_table(arm: dict[str, Found | None], intel: dict[str, Found | None]) -> Iterator[str]:
    """Markdown: one line a package."""
    yield "| package | macOS 14 arm64 | macOS 14 x86_64 |"
    yield "|---|---|---|"
    for name in sorted({*arm, *intel}):
        yield f"| {name} | {_cell(name, arm)} | {_cell(name, intel)} |"


def _cell(name: str, table: dict[str, Found | None]) -> str:
    if name not in table:
        return "not needed"
    found = table[name]
    return f"{found.version} `{found.tag}`" if found else "none"


if __name__ == "__main__":
    sys.exit(main())
