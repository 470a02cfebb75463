"""How much is a value worth that is far from the best one? Decay curves.

Every curve is 1 within `offset` of `origin` and `decay` at `scale` beyond it. With origin 0, scale
10, decay 0.5, at distance 5: linear 1 - 5·0.5/10 = 0.75, exp 0.5^(5/10) = 0.707, gauss
0.5^((5/10)²) = 0.841. Linear reaches 0 at distance 20; the others never do.
"""

from collections.abc import Callable

CURVES: dict[str, Callable[[float, float], float]] = {  # distance in scales, decay at one scale
    "gauss": lambda distance, decay: decay ** (distance * distance),
    "exp": lambda distance, decay: decay**distance,
    "linear": lambda distance, decay: max(0.0, 1.0 - distance * (1.0 - decay)),
}


def score_decay(
    value: float,
    *,
    origin: float,
    scale: float,
    offset: float = 0.0,
    decay: float = 0.5,
    curve: str = "gauss",
) -> float:
    """What `value` is worth, from 1 at the origin downwards."""
    distance = max(0.0, abs(value - origin) - offset) / scale
    return CURVES[curve](distance, decay)
