"""Which of Apple's names do we use? Writes tests/app/contract/facts.json, from PyPI alone.

    python packaging/refresh_mac_facts.py

Every PyObjC source package carries the whole SDK as JSON (metadata/raw*/arm64-*.fwinfo): classes,
selectors, types, since, deprecated. Its wheels carry what PyObjC makes of it (_metadata.py): values
of constants, functions, and which arguments are blocks. Both are read as data on any system; of
them only what our files and rumps could mean by the identifiers in them is kept.
"""

import argparse
import ast
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "tests" / "app" / "contract" / "facts.json"
VERSION = "12.2.2"
PACKAGES = ("Cocoa", "WebKit", "Quartz", "ServiceManagement", "UserNotifications", "FSEvents")
MODULES = {
    "CoreFoundation": "Cocoa", "Foundation": "Cocoa", "AppKit": "Cocoa", "WebKit": "WebKit",
    "Quartz.QuickLookUI": "Quartz", "ServiceManagement": "ServiceManagement",
    "UserNotifications": "UserNotifications", "FSEvents": "FSEvents",
}  # fmt: skip
FRAMEWORKS = {"raw.Foundation", "raw.AppKit", "raw.CoreFoundation", "raw.wk", "raw.QuickLookUI"}
SOURCES = ("app/mac/*.py", "engine/watch/fsevents.py", "tests/app/contract/*.py")
HOTKEY_PACKAGE = "quickmachotkey==2025.7.28"

Facts = dict[str, Any]


def main() -> None:
    """Downloads, picks and writes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--keep", type=Path, help="folder for the downloads, kept for next time")
    folder = parser.parse_args().keep
    with tempfile.TemporaryDirectory() as temporary:
        work = folder or Path(temporary)
        words = set(iter_words())
        sdk = read_sdk(work)
        wheels = read_wheels(work)
        facts = pick_facts(sdk, wheels, words)
    facts["carbon"] = wheels["carbon"]
    facts["helpers"] = wheels["helpers"]
    facts["source"] = f"PyObjC {VERSION} (source packages and wheels)"
    TARGET.write_text(json.dumps(facts, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    size = TARGET.stat().st_size // 1024
    print(f"{TARGET.name}: {len(facts['classes'])} classes, {size} kB, from {facts['source']}")


def iter_words() -> Iterator[str]:
    """Every identifier, and every text that could be a selector, in the files that touch AppKit."""
    files = [path for pattern in SOURCES for path in ROOT.glob(pattern)]
    found = importlib.util.find_spec("rumps")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("rumps is missing: pip install --no-deps rumps")
    files += Path(found.submodule_search_locations[0]).glob("*.py")
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            yield from _words(node)


def _words(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.FunctionDef(name=name):
            yield name
        case ast.alias(name=name):
            yield name
        case ast.Constant(value=str() | bytes() as value):
            text = value.decode("latin-1") if isinstance(value, bytes) else value
            if re.fullmatch(r"[A-Za-z]\w*:?(\w+:)*", text):
                yield text.replace(":", "_")


def read_sdk(work: Path) -> Facts:
    """All classes and protocols of the SDK, from the source packages."""
    sdk: Facts = {"classes": {}, "protocols": {}}
    for package in PACKAGES:
        folder = work / f"source-{package}"
        if not folder.exists():
            _fetch_source(f"pyobjc-framework-{package}=={VERSION}", folder)
        for path in sorted(folder.rglob("arm64-*.fwinfo")):
            if path.parent.name in FRAMEWORKS or path.parent.name == "raw":
                text = path.read_text(encoding="utf-8")
                _add_framework(sdk, json.loads(text[text.index("{") :])["definitions"])
    if "NSPanel" not in sdk["classes"]:
        raise SystemExit("the source packages hold no SDK description")
    return sdk


def _fetch_source(requirement: str, folder: Path) -> None:
    # Building fails off a Mac, after unpacking: --no-clean leaves what was unpacked behind.
    folder.mkdir(parents=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-clean",
               "--no-build-isolation", "--no-binary=:all:", "--dest", str(folder),
               requirement]  # fmt: skip
    environment = {**os.environ, "TMPDIR": str(folder)}
    subprocess.run(command, env=environment, capture_output=True, check=False)


def _add_framework(sdk: Facts, found: Facts) -> None:
    for name, one in found["classes"].items():
        entry = sdk["classes"].setdefault(name, {"super": None, "protocols": [], "methods": {}})
        entry["super"] = one.get("super") or entry["super"]
        entry["protocols"] += one.get("protocols", [])
        entry["methods"].update(_methods(one))
        for category in one.get("categories", []):
            if isinstance(category, dict):
                entry["methods"].update(_methods(category))
    for kind in ("formal_protocols", "informal_protocols"):
        for name, one in found[kind].items():
            entry = sdk["protocols"].setdefault(name, {"protocols": [], "methods": {}})
            entry["protocols"] += one.get("implements", [])
            entry["methods"].update(_methods(one))


def _methods(one: Facts) -> Iterator[tuple[str, Facts]]:
    for method in one.get("methods", []):
        sign = "+" if method["class_method"] else "-"
        facts: Facts = {
            "result": [method["retval"]["typestr"], method["retval"].get("type_name", "")],
            "arguments": [
                [("o" if "o" in a.get("type_modifier", "") else "") + a["typestr"], a["type_name"]]
                for a in method["args"]
            ],
        }
        for key, name in (("introduced", "since"), ("deprecated", "deprecated")):
            if key in method:
                facts[name] = method[key]
        yield sign + method["selector"], facts


def read_wheels(work: Path) -> Facts:
    """What PyObjC makes of the SDK: values, functions, blocks; and AppHelper's functions."""
    found: Facts = {"modules": {}, "blocks": set(), "typed": set(), "helpers": {}, "carbon": {}}
    archives = {
        package: _fetch_wheel(f"pyobjc-framework-{package}=={VERSION}", work)
        for package in PACKAGES
    }
    for module, package in MODULES.items():
        inside = f"{module.replace('.', '/')}/_metadata.py"
        with zipfile.ZipFile(archives[package]) as archive:
            spaces = _run_metadata(archive.read(inside).decode(), found)
        found["modules"][module] = spaces
    with zipfile.ZipFile(archives["Cocoa"]) as archive:
        source = archive.read("PyObjCTools/AppHelper.py").decode()
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef):
                found["helpers"][node.name] = ast.unparse(node.args)
    with zipfile.ZipFile(_fetch_wheel(HOTKEY_PACKAGE, work)) as archive:
        inside = "quickmachotkey/_MinimalHIToolbox/_metadata.py"
        carbon = _run_metadata(archive.read(inside).decode(), found)
        found["carbon"] = {"functions": carbon["functions"], "enums": carbon["enums"]}
    return found


def _fetch_wheel(requirement: str, work: Path) -> Path:
    folder = work / "wheels"
    name = requirement.partition("==")[0].replace("-", "_").lower()
    if not any(folder.glob(f"{name}-*.whl")):
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--platform",
                   "macosx_14_0_universal2", "--python-version", "3.12", "--only-binary=:all:",
                   "--dest", str(folder), requirement]  # fmt: skip
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return next(folder.glob(f"{name}-*.whl"))


class _Anything:
    """Stands for whatever a metadata file asks of objc while it is read."""

    arch = "arm64"

    def __getattr__(self, name: str) -> "_Anything":
        return self

    def __call__(self, *args: object, **more: object) -> "_Anything":
        return self


def _run_metadata(source: str, found: Facts) -> Facts:
    class Recorder(_Anything):
        def registerMetaDataForSelector(self, kind: bytes, selector: bytes, data: Facts) -> None:  # noqa: N802  # PyObjC's name
            if kind == b"NSObject":  # how PyObjC types the methods of protocols
                found["typed"].add(selector.decode())
            for argument in data.get("arguments", {}).values():
                if "callable" in argument:
                    found["blocks"].add(selector.decode())

    space: Facts = {}
    before = sys.modules.get("objc")
    sys.modules["objc"] = Recorder()  # type: ignore[assignment]  # only while the file is read
    try:
        exec(compile(source, "_metadata.py", "exec"), space)
    finally:
        if before is None:
            del sys.modules["objc"]
        else:
            sys.modules["objc"] = before
    return {
        "enums": dict(_split(space.get("enums", ""), True)),
        "constants": [name for name, _ in _split(space.get("constants", ""), False)],
        "functions": {name: _text(value[0]) for name, value in space.get("functions", {}).items()},
        "aliases": space.get("aliases", {}),
        "values": {
            name: value
            for name, value in space.get("misc", {}).items()
            if isinstance(value, bool | int | float | str)
        },
    }


def _split(listed: str, valued: bool) -> Iterator[tuple[str, object]]:
    for one in filter(None, listed.split("$")):
        name, _, value = one.partition("@")
        yield name, (int(value) if valued and re.fullmatch(r"-?\d+", value) else value)


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)


def pick_facts(sdk: Facts, wheels: Facts, words: set[str]) -> Facts:
    """What could be meant by `words`, with the classes above and the classes of the results."""
    classes: Facts = {}
    protocols: Facts = {}
    waiting = [name for name in sdk["classes"] if name in words] + ["NSObject"]
    while waiting:
        name = waiting.pop()
        if name in classes or name not in sdk["classes"]:
            continue
        one = sdk["classes"][name]
        kept = _keep(one["methods"], words)
        classes[name] = {
            "super": one["super"],
            "protocols": sorted(set(one["protocols"])),
            "methods": kept,
        }
        waiting += [one["super"]] if one["super"] else []
        waiting += [found for method in kept.values() for found in _result_class(method)]
    for name, one in sdk["protocols"].items():
        kept = _keep(one["methods"], words)
        if kept:
            protocols[name] = {"protocols": sorted(set(one["protocols"])), "methods": kept}
    for one in classes.values():
        one["protocols"] = [name for name in one["protocols"] if name in protocols]
    used = {key[1:] for one in (*classes.values(), *protocols.values()) for key in one["methods"]}
    return {
        "classes": classes,
        "protocols": protocols,
        "modules": {
            name: _pick_module(one, words | set(_whole(name, one)))
            for name, one in wheels["modules"].items()
        },
        "blocks": sorted(wheels["blocks"] & used),
        "typed": sorted(wheels["typed"] & used),
    }


def _whole(module: str, one: Facts) -> Iterator[str]:
    """Names that are kept although no file uses them yet: file events, and run loops."""
    for table in ("enums", "constants", "functions", "values"):
        for name in one[table]:
            if module == "FSEvents" or re.match(r"k?CFRunLoop", name):
                yield name


def _keep(methods: Mapping[str, Facts], words: set[str]) -> Facts:
    return {key: one for key, one in methods.items() if key[1:].replace(":", "_") in words}


def _result_class(method: Facts) -> Iterable[str]:
    return re.findall(r"\b([A-Z][A-Za-z0-9]+)\s*(?:<[^>]*>)?\s*\*", method["result"][1])


def _pick_module(one: Facts, words: set[str]) -> Facts:
    aliases = {name: target for name, target in one["aliases"].items() if name in words}
    wanted = words | set(aliases.values())
    return {
        "enums": {name: value for name, value in one["enums"].items() if name in wanted},
        "constants": sorted(name for name in one["constants"] if name in wanted),
        "functions": {name: kind for name, kind in one["functions"].items() if name in wanted},
        "values": {name: value for name, value in one["values"].items() if name in wanted},
        "aliases": aliases,
    }


if __name__ == "__main__":
    main()
