"""CoreML is used only where it has earned it, and its graphs are fit for it.

1. The decision table, row by row; every row of RULES can be reached.
2. The self-test tells equal vectors from different and from missing ones.
3. Graphs of fixed shape give the vectors of the dynamic one, whatever the lengths; on any machine
   they run on the CPU too.
4. onnxruntime's own checker puts each of them into one CoreML partition.
5. The outcome is remembered for one model, macOS and onnxruntime.
"""

import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import pytest

from engine.config import EmbeddingSettings
from engine.embed import open_embedder, providers
from engine.embed.onnx import OnnxEmbedder
from engine.embed.providers import (
    RULES,
    Decision,
    Machine,
    SelfTest,
    accelerate,
    choose_provider,
    recall_test,
    remember_test,
    run_self_test,
)
from engine.embed.static import Shape, StaticGraphs, find_shapes, iter_shaped
from engine.errors import ModelDamagedError
from engine.ports import Vectors

GOOD = SelfTest(cosine=0.9999, finite=True, speedup=2.0)
TABLE = (
    ("Linux", Machine("Linux", "x86_64", True, True, GOOD), "cpu"),
    ("Intel Mac", Machine("Darwin", "x86_64", True, True, GOOD), "cpu"),
    ("ARM Linux", Machine("Linux", "arm64", True, True, GOOD), "cpu"),
    ("no CoreML", Machine("Darwin", "arm64", False, True, GOOD), "cpu"),
    ("no graphs", Machine("Darwin", "arm64", True, False, GOOD), "cpu"),
    ("untested", Machine("Darwin", "arm64", True, True, None), "cpu"),
    ("no value", Machine("Darwin", "arm64", True, True, SelfTest(0.9999, False, 2.0)), "cpu"),
    ("differs", Machine("Darwin", "arm64", True, True, SelfTest(0.9989, True, 2.0)), "cpu"),
    ("nan cosine", Machine("Darwin", "arm64", True, True, SelfTest(np.nan, True, 2.0)), "cpu"),
    ("slow", Machine("Darwin", "arm64", True, True, SelfTest(0.9999, True, 1.29)), "cpu"),
    ("earned", Machine("Darwin", "arm64", True, True, SelfTest(0.999, True, 1.3)), "coreml"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with graphs of fixed shape, built from the weights as on a Mac."""
    out = tmp_path_factory.mktemp("built") / "model"
    script = Path(__file__).resolve().parents[2] / "packaging" / "build_model.py"
    command = [sys.executable, str(script), "--coreml", "--out", str(out)]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    if "cannot be fetched" in result.stderr:
        pytest.skip("the weights are not kept, and cannot be fetched here")
    assert result.returncode == 0, result.stderr
    return out


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speed is not what is tested here, and there is no CoreML to be fast."""
    monkeypatch.setattr(providers, "TIMES", 1)


@pytest.fixture
def embedder(folder: Path) -> OnnxEmbedder:
    return open_embedder(EmbeddingSettings(), folder)


@pytest.mark.parametrize(
    ("machine", "provider"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_decision_follows_the_table(machine: Machine, provider: str) -> None:
    decision = choose_provider(machine)
    assert decision.provider == provider
    assert decision.reason
    assert decision.test_first == (machine == TABLE[5][1])


def test_every_rule_is_reached_and_has_its_own_reason() -> None:
    reached = {choose_provider(machine) for _, machine, _ in TABLE}
    assert reached == {decision for _, decision in RULES}
    assert len({decision.reason for decision in reached}) == len(RULES)


def test_shapes_take_what_fits_and_leave_the_rest() -> None:
    shapes: tuple[Shape, ...] = ((2, 10), (2, 20))
    plan = list(iter_shaped([5, 30, 10, 11, 3], shapes))
    assert plan == [((2, 10), [4, 0]), ((2, 10), [2]), ((2, 20), [3]), (None, [1])]


def test_fixed_shapes_give_the_vectors_of_the_dynamic_graph(embedder: OnnxEmbedder) -> None:
    texts = ["tea"] + [f"the harbour in winter number {n} " * n for n in range(1, 30)]
    wanted = embedder.embed(texts)
    embedder.static = StaticGraphs(embedder.facts, ["CPUExecutionProvider"])
    found = embedder.embed(texts)
    # int8 beside fp32: close, not equal
    assert np.einsum("ij,ij->i", wanted, found).min() > 0.98
    assert embedder.embed_query("tea") @ wanted[0] > 0.9999


def test_self_test_passes_for_equal_vectors(embedder: OnnxEmbedder) -> None:
    outcome = run_self_test(embedder, StaticGraphs(embedder.facts, ["CPUExecutionProvider"]))
    assert outcome.finite
    assert outcome.cosine > 0.9999
    assert outcome.speedup > 0
    assert embedder.static is None


class Wrong(StaticGraphs):
    """Graphs on a provider that computes wrongly, as CoreML has been seen to."""

    factor = np.nan

    def run(self, shape: Shape, rows: Sequence[Sequence[int]], start: int, end: int) -> Vectors:
        vectors = super().run(shape, rows, start, end)
        vectors[:, ::2] *= self.factor
        return vectors


def test_self_test_fails_for_missing_and_for_other_vectors(embedder: OnnxEmbedder) -> None:
    wrong = Wrong(embedder.facts, ["CPUExecutionProvider"])
    assert not run_self_test(embedder, wrong).finite
    wrong.factor = 0.5
    outcome = run_self_test(embedder, wrong)
    assert outcome.finite
    assert outcome.cosine < 0.999


def test_damaged_graph_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    for path in folder.iterdir():
        (tmp_path / "m" / path.name).symlink_to(path)
    broken = tmp_path / "m" / "model-coreml-16x64.onnx"
    broken.unlink()
    broken.write_bytes(b"broken")
    embedder = open_embedder(EmbeddingSettings(), tmp_path / "m")
    embedder.static = StaticGraphs(embedder.facts, ["CPUExecutionProvider"])
    with pytest.raises(ModelDamagedError, match="checksum"):
        embedder.embed(["tea"])


@pytest.mark.skipif(platform.system() == "Darwin", reason="on a Mac CoreML itself may be chosen")
def test_elsewhere_the_cpu_is_chosen_and_said(embedder: OnnxEmbedder, tmp_path: Path) -> None:
    decision = accelerate(embedder, tmp_path)
    assert decision == Decision("cpu", "CoreML is for Macs with Apple Silicon")
    assert embedder.static is None


def test_outcome_is_remembered_for_its_key_only(tmp_path: Path) -> None:
    memory = tmp_path / "deep" / "coreml.json"
    assert recall_test(memory, "a") is None
    remember_test(memory, "a", GOOD)
    assert recall_test(memory, "a") == GOOD
    assert recall_test(memory, "b") is None
    memory.write_text("{")
    assert recall_test(memory, "a") is None


def test_each_graph_is_one_coreml_partition(folder: Path) -> None:
    from onnxruntime.tools.mobile_helpers.usability_checker import check_coreml_partitions

    for path in sorted(folder.glob("model-coreml-*.onnx")):
        model = onnx.shape_inference.infer_shapes(onnx.load(path))
        info = check_coreml_partitions(model, True, "coreml_supported_mlprogram_ops.md")
        assert info.num_partitions == 1
        # The checker's list lacks Gather, which the provider has.
        assert set(info.unsupported_ops) <= {"ai.onnx:Gather"}
        assert info.num_nodes - info.num_supported_nodes <= 1


def test_shapes_come_from_the_names_of_the_files(embedder: OnnxEmbedder) -> None:
    assert find_shapes(embedder.facts) == ((16, 64), (16, 128), (16, 256))
