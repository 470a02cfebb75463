"""Through what do rooms meet? Small Protocols, and the one way to be closed."""

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self, TypeAlias

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


class Closing:
    """Is closed by hand, or at the end of a `with` block."""

    def close(self) -> None:
        """Let go of everything."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
