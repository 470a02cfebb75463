"""How do graphs of fixed shape run? Passages are padded into the smallest one that holds them.

CoreML takes no dynamic shapes. There is one graph for each shape (16 passages of 64, 128 or 256
tokens), opened at its first use.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from engine.embed.batches import pad
from engine.embed.catalogue import ModelFacts, check_file
from engine.embed.session import count_cores, open_session, run_session

if TYPE_CHECKING:
    import onnxruntime

    from engine.ports import Vectors

_NAME = re.compile(r"model-coreml-(\d+)x(\d+)\.onnx")
Shape = tuple[int, int]  # passages, tokens


def find_shapes(facts: ModelFacts) -> tuple[Shape, ...]:
    """The fixed shapes this model has graphs for, shortest first; empty when none were built."""
    found = (_NAME.fullmatch(name) for name in facts.files)
    return tuple(sorted((int(one[1]), int(one[2])) for one in found if one))


def iter_shaped(
    lengths: Sequence[int], shapes: Sequence[Shape]
) -> Iterator[tuple[Shape | None, list[int]]]:
    """Places in `lengths` by the shape that takes them; None for what is longer than all."""
    left = sorted(range(len(lengths)), key=lengths.__getitem__)
    for shape in shapes:
        height, width = shape
        fitting = [place for place in left if lengths[place] <= width]
        left = left[len(fitting) :]
        for start in range(0, len(fitting), height):
            yield shape, fitting[start : start + height]
    if left:
        yield None, left


class StaticGraphs:
    """The sessions of one model's fixed shapes on one provider."""

    def __init__(self, facts: ModelFacts, providers: Sequence[Any]) -> None:
        self.shapes = find_shapes(facts)
        self._facts = facts
        self._providers = list(providers)
        self._sessions: dict[Shape, onnxruntime.InferenceSession] = {}
        self._opening = Lock()

    def run(self, shape: Shape, rows: Sequence[Sequence[int]], start: int, end: int) -> "Vectors":
        """The vectors of at most as many rows as the shape has passages."""
        ids, mask = pad(rows, start, end, shape)
        inputs: dict[str, Any] = {"input_ids": ids, "attention_mask": mask}
        return run_session(self._session(shape), inputs, self._path(shape))[: len(rows)]

    def _path(self, shape: Shape) -> Path:
        return self._facts.folder / "model-coreml-{}x{}.onnx".format(*shape)

    def _session(self, shape: Shape) -> "onnxruntime.InferenceSession":
        with self._opening:
            if shape not in self._sessions:
                path = self._path(shape)
                check_file(self._facts, path.name)
                self._sessions[shape] = open_session(path, count_cores(), self._providers)
            return self._sessions[shape]


def coreml_providers(cache: Path, facts: ModelFacts) -> list[Any]:
    """The provider list for CoreML; compiled models are kept in `cache`."""
    import onnxruntime

    # The provider neither notices a changed model nor clears $TMPDIR: both facts name the folder.
    folder = cache / f"{facts.fingerprint[:32]}-{onnxruntime.__version__}"
    folder.mkdir(parents=True, exist_ok=True)
    options = {
        "ModelFormat": "MLProgram",
        "MLComputeUnits": "ALL",
        "RequireStaticInputShapes": "1",
        "ModelCacheDirectory": str(folder),
    }
    return [("CoreMLExecutionProvider", options), "CPUExecutionProvider"]
