"""How is a graph opened and run? The one place that calls onnxruntime.

Its errors share no ancestor but Exception; here they become ModelDamagedError with their first
line.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import ModelDamagedError

if TYPE_CHECKING:
    import onnxruntime

    from engine.ports import Vectors

# onnxruntime's fused kernel takes about seven times as long as Add and LayerNormalization apart.
SLOW_FUSIONS = ["SkipLayerNormFusion"]
CPU = ("CPUExecutionProvider",)


def count_cores() -> int:
    """How many cores this process may use; a container's share, not the machine's."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def open_session(
    graph: Path, threads: int, providers: Sequence[Any] = CPU
) -> "onnxruntime.InferenceSession":
    """A session on `graph`; ModelDamagedError when onnxruntime refuses the file."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(
            graph, options, providers=list(providers), disabled_optimizers=SLOW_FUSIONS
        )
    except Exception as exc:
        raise ModelDamagedError(path=graph, problem=_first_line(exc)) from exc


def run_session(
    session: "onnxruntime.InferenceSession", inputs: dict[str, Any], graph: Path
) -> "Vectors":
    """The first output of one run; `graph` names the file should it fail."""
    try:
        output: Vectors = session.run(None, inputs)[0]
    except Exception as exc:
        raise ModelDamagedError(path=graph, problem=_first_line(exc)) from exc
    return output


def _first_line(exc: Exception) -> str:
    return (str(exc).splitlines() or [type(exc).__name__])[0][:200]
