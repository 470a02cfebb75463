"""The small Protocols through which rooms meet."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from engine.models import Progress

if TYPE_CHECKING:  # doors import this file, and must start without NumPy
    import numpy as np
    import numpy.typing as npt

Vectors: TypeAlias = "npt.NDArray[np.float32]"
Listener = Callable[[Progress], None]
CountPieces = Callable[[str], int]


class Embedder(Protocol):
    """Turns passages into unit vectors, one row each."""

    dimensions: int
    fingerprint: str  # of the model's files: vectors of two fingerprints never mix

    def embed(self, passages: Sequence[str]) -> Vectors: ...


class Clock(Protocol):
    """Tells the time; tests move it by hand."""

    def now(self) -> float: ...

    def monotonic(self) -> float: ...
