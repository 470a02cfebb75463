"""What computes the vectors on this machine: CoreML or the CPU?

`RULES` is the whole decision: the first row that holds decides. CoreML must earn its place on each
Mac by a self-test: the same vectors as the CPU (cosine at least 0.999 on fixed sentences, every
value finite) and at least 1.3 times the speed. The outcome is remembered for one model, one macOS
and one onnxruntime.
"""

import json
import platform
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.embed.onnx import OnnxEmbedder
from engine.embed.static import StaticGraphs, coreml_providers, find_shapes
from engine.errors import ModelError

if TYPE_CHECKING:
    from engine.ports import Vectors

LEAST_COSINE = 0.999
LEAST_SPEEDUP = 1.3
TIMES = 16  # each sentence, when speed is measured
SENTENCES = (
    "The lease for the flat ends in September and must be cancelled in writing.",
    "Mitochondria turn nutrients into the energy a cell can use.",
    "Restart the service after changing the port in its configuration file.",
    "Grandmother's recipe for plum cake with almonds and cinnamon.",
    "Die Besprechung wurde auf Donnerstag verschoben.",
    "for name, value in sorted(table.items()): total += value",
    "Zebra",
    " ".join(["Minutes of the board meeting: the budget for the coming year was approved."] * 12),
)


@dataclass(frozen=True, slots=True)
class SelfTest:
    """How CoreML did beside the CPU, on this machine."""

    cosine: float  # the least over the sentences
    finite: bool
    speedup: float


@dataclass(frozen=True, slots=True)
class Machine:
    """The facts the decision rests on."""

    system: str
    processor: str
    has_coreml: bool  # onnxruntime was built with it
    has_graphs: bool  # graphs of fixed shape are in the model's folder
    self_test: SelfTest | None = None  # None: not yet run


@dataclass(frozen=True, slots=True)
class Decision:
    """What runs, and why in words a person reads in the status."""

    provider: str  # "coreml" or "cpu"
    reason: str
    test_first: bool = False


RULES: tuple[tuple[Callable[[Machine], bool], Decision], ...] = (
    (
        lambda m: m.system != "Darwin" or m.processor != "arm64",
        Decision("cpu", "CoreML is for Macs with Apple Silicon"),
    ),
    (lambda m: not m.has_coreml, Decision("cpu", "this onnxruntime has no CoreML")),
    (lambda m: not m.has_graphs, Decision("cpu", "the model has no graphs for CoreML")),
    (
        lambda m: m.self_test is None,
        Decision("cpu", "CoreML has not been tested on this Mac yet", test_first=True),
    ),
    (
        lambda m: m.self_test is not None and not m.self_test.finite,
        Decision("cpu", "CoreML gives vectors without a value on this Mac"),
    ),
    (
        lambda m: m.self_test is not None and not m.self_test.cosine >= LEAST_COSINE,
        Decision("cpu", "CoreML's vectors differ from the CPU's on this Mac"),
    ),
    (
        lambda m: m.self_test is not None and not m.self_test.speedup >= LEAST_SPEEDUP,
        Decision("cpu", "CoreML is not faster on this Mac"),
    ),
    (lambda m: True, Decision("coreml", "CoreML passed its self-test on this Mac")),
)


def choose_provider(machine: Machine) -> Decision:
    """The first rule that holds. Only for passages: a query always runs on the CPU."""
    return next(decision for holds, decision in RULES if holds(machine))


def accelerate(embedder: OnnxEmbedder, folder: Path) -> Decision:
    """Puts the embedder's passages on CoreML where that is earned; says what was decided.

    `folder` keeps the outcome of the self-test and CoreML's compiled models. The first call on a
    Mac takes seconds: call it from the indexing thread.
    """
    import onnxruntime

    memory = folder / "coreml.json"
    key = f"{embedder.fingerprint} {platform.mac_ver()[0]} {onnxruntime.__version__}"
    machine = Machine(
        system=platform.system(),
        processor=platform.machine(),
        has_coreml="CoreMLExecutionProvider" in onnxruntime.get_available_providers(),
        has_graphs=bool(find_shapes(embedder.facts)),
        self_test=recall_test(memory, key),
    )
    decision = choose_provider(machine)
    if decision.provider == "cpu" and not decision.test_first:
        return decision
    graphs = StaticGraphs(embedder.facts, coreml_providers(folder / "coreml", embedder.facts))
    if decision.test_first:
        outcome = run_self_test(embedder, graphs)
        remember_test(memory, key, outcome)
        decision = choose_provider(
            Machine(machine.system, machine.processor, True, True, self_test=outcome)
        )
    embedder.static = graphs if decision.provider == "coreml" else None
    return decision


def run_self_test(embedder: OnnxEmbedder, graphs: StaticGraphs) -> SelfTest:
    """Compares `graphs` with the same graphs on the CPU, and their speed with the embedder's."""
    before = embedder.static
    try:
        embedder.static = StaticGraphs(embedder.facts, ["CPUExecutionProvider"])
        wanted = embedder.embed(SENTENCES)
        embedder.static = None
        cpu_seconds = _time(embedder)
        embedder.static = graphs
        found = embedder.embed(SENTENCES)
        seconds = _time(embedder)
    except ModelError:
        # A provider that cannot run the sentences has failed the test, and that is the outcome.
        return SelfTest(cosine=0.0, finite=False, speedup=0.0)
    finally:
        embedder.static = before
    return SelfTest(_least_cosine(wanted, found), True, cpu_seconds / seconds)


def _least_cosine(wanted: "Vectors", found: "Vectors") -> float:
    return float(np.einsum("ij,ij->i", wanted, found).min())


def _time(embedder: OnnxEmbedder) -> float:
    """Seconds for a bulk of passages, the sessions being warm."""
    passages = SENTENCES * TIMES
    embedder.embed(passages)
    start = time.perf_counter()
    embedder.embed(passages)
    return time.perf_counter() - start


def recall_test(memory: Path, key: str) -> SelfTest | None:
    """The remembered outcome for `key`; None when there is none or it cannot be read."""
    try:
        return SelfTest(**json.loads(memory.read_text(encoding="utf-8"))[key])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def remember_test(memory: Path, key: str, outcome: SelfTest) -> None:
    """Keeps the outcome; earlier keys are of no more use."""
    memory.parent.mkdir(parents=True, exist_ok=True)
    fresh = memory.with_suffix(".tmp")
    fresh.write_text(json.dumps({key: asdict(outcome)}), encoding="utf-8")
    fresh.replace(memory)
