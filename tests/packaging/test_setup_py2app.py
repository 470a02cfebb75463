"""The bundle, as far as it can be checked off a Mac: 1 py2app takes our options and writes the
Info.plist that we mean; 2 every file, package and module that is named exists; 3 every resource
that the engine opens is inside, at its place; 4 the module graph from the start script is complete:
nothing of ours, and nothing that our files import, is missing; 5 the modules that are left out are
not needed; 6 every dependency is in the bundle.
"""

import ast
import importlib
import importlib.metadata
import importlib.util
import os
import plistlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
NATIVE = {
    "objc", "AppKit", "Foundation", "CoreFoundation", "WebKit", "Quartz", "FSEvents",
    "ServiceManagement", "UserNotifications", "PyObjCTools", "rumps",
}  # fmt: skip


@pytest.fixture(scope="module")
def setup_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("setup_py2app", ROOT / "setup_py2app.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An alias build: all of py2app's work but the copying of Mac libraries."""
    if importlib.util.find_spec("py2app") is None:
        pytest.skip("py2app is not installed")
    work = tmp_path_factory.mktemp("bundle")
    tool = work / "codesign"
    tool.write_text("#!/bin/sh\nexit 0\n")
    tool.chmod(0o755)
    command = [
        sys.executable, "-W", "ignore", "setup_py2app.py", "--quiet", "py2app", "--alias",
        "--dist-dir", str(work / "dist"), "--bdist-base", str(work / "build"),
    ]  # fmt: skip
    environment = {**os.environ, "PATH": f"{work}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return work / "dist" / "Sagasu.app"


def test_info_plist_is_what_we_mean(bundle: Path) -> None:
    info = plistlib.loads((bundle / "Contents" / "Info.plist").read_bytes())
    assert info["CFBundleIdentifier"] == "org.sagasu.Sagasu"
    assert info["CFBundleExecutable"] == "Sagasu"
    assert info["LSUIElement"] is True
    assert info["LSMinimumSystemVersion"] == "14.0"
    assert info["CFBundleURLTypes"][0]["CFBundleURLSchemes"] == ["sagasu"]
    assert info["CFBundleIconFile"] == "Sagasu.icns"
    assert not info["NSMainNibFile"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", info["CFBundleShortVersionString"])


def test_every_folder_that_macos_guards_has_a_reason(setup_script: ModuleType) -> None:
    reasons = [key for key in setup_script.PLIST if key.endswith("UsageDescription")]
    assert {"NSDocumentsFolderUsageDescription", "NSDesktopFolderUsageDescription",
            "NSDownloadsFolderUsageDescription"} <= set(reasons)  # fmt: skip
    assert all(len(setup_script.PLIST[key]) > 20 for key in reasons)


def test_resources_lie_where_the_engine_looks(bundle: Path) -> None:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    beside = bundle / "Contents" / "Resources" / "lib" / version / "resources"
    for name in ("panel/index.html", "panel/panel.js", "icons/menubarTemplate.png"):
        assert (beside / name).exists(), name
    assert (beside / "stopwords" / "en.txt").exists()


def test_every_named_file_exists(setup_script: ModuleType) -> None:
    assert (ROOT / setup_script.SCRIPT).is_file()
    assert (ROOT / setup_script.OPTIONS["iconfile"]).is_file()
    for _, files in setup_script.data_files():
        assert all((ROOT / file).is_file() for file in files)


def test_every_folder_of_resources_is_decided_about(setup_script: ModuleType) -> None:
    there = {path.name for path in (ROOT / "resources").iterdir() if path.is_dir()}
    there -= {"__pycache__", "golden"}
    assert there <= set(setup_script.RESOURCES)


def test_every_package_and_module_exists(setup_script: ModuleType) -> None:
    for name in [*setup_script.PACKAGES, *setup_script.INCLUDES]:
        top = name.partition(".")[0]
        if top not in NATIVE:
            assert importlib.util.find_spec(name) is not None, name


def test_mac_modules_are_those_that_are_imported(setup_script: ModuleType) -> None:
    used = {top for path in (ROOT / "app" / "mac").glob("*.py") for top in imported(path)}
    named = {name.partition(".")[0] for name in [*setup_script.INCLUDES, *setup_script.PACKAGES]}
    assert used & NATIVE <= named


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def test_every_dependency_is_in_the_bundle(setup_script: ModuleType) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    modules = importlib.metadata.packages_distributions()
    named = {name.partition(".")[0] for name in [*setup_script.PACKAGES, *setup_script.INCLUDES]}
    used = {top for path in own_files() for top in imported(path)}
    for listed in project["dependencies"]:
        if "linux" in listed:
            continue
        wanted = re.split(r"[^\w.-]", listed)[0].replace("-", "_").lower()
        tops = {
            top
            for top, owners in modules.items()
            if wanted in {owner.replace("-", "_").lower() for owner in owners}
        }
        needed = tops & used
        missing = {top for top in needed if is_late(top)} - named
        assert not missing, f"{listed}: {missing}"


def own_files() -> list[Path]:
    return [path for top in ("app", "engine") for path in (ROOT / top).rglob("*.py")]


def is_late(top: str) -> bool:
    """Is there a compiled or data-bearing package of this name? Pure modules go into the zip."""
    spec = importlib.util.find_spec(top)
    if spec is None or not spec.submodule_search_locations:
        return False
    folder = Path(next(iter(spec.submodule_search_locations)))
    return any(folder.rglob("*.so"))


def test_nothing_that_is_needed_is_left_out(setup_script: ModuleType) -> None:
    used = {top for path in own_files() for top in imported(path)}
    evaluating = {
        top for path in (ROOT / "engine/evaluate").rglob("*.py") for top in imported(path)
    }
    assert not (used - evaluating) & set(setup_script.EXCLUDES)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # modulegraph itself is old
def test_module_graph_is_complete(setup_script: ModuleType) -> None:
    modulegraph = pytest.importorskip("modulegraph.modulegraph")
    graph = modulegraph.ModuleGraph([str(ROOT), *sys.path], excludes=setup_script.EXCLUDES)
    graph.run_script(str(ROOT / setup_script.SCRIPT))
    ours = [f"{'.'.join(path.relative_to(ROOT).with_suffix('').parts)}" for path in own_files()]
    for name in ours:
        graph.import_hook(name.removesuffix(".__init__"))
    missing = {
        node.identifier
        for node in graph.nodes()
        if isinstance(node, modulegraph.MissingModule | modulegraph.BadModule)
        and any(
            str(one.identifier).split(".")[0] in ("app", "engine") for one in referers(graph, node)
        )
    }
    assert not {name for name in missing if is_missing(name.lstrip("."))}


def is_missing(name: str) -> bool:
    """modulegraph takes a class for a module when it cannot look inside: ask Python itself."""
    parent, _, last = name.rpartition(".")
    if name.partition(".")[0] in NATIVE:
        return False
    try:
        if importlib.util.find_spec(name) is not None:
            return False
        return not hasattr(importlib.import_module(parent), last) if parent else True
    except ModuleNotFoundError:  # the parent is a module without parts
        return not (parent and is_in(parent, last))


def is_in(parent: str, name: str) -> bool:
    return importlib.util.find_spec(parent) is not None and hasattr(
        importlib.import_module(parent), name
    )


def referers(graph: Any, node: Any) -> list[Any]:
    found = graph.getReferers(node)
    return [one for one in found if one is not None]
