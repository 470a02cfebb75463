"""How much is a value worth that is far from the best one? Decay curves and value factors.

Every curve is 1 within `offset` of `origin` and `decay` at `scale` beyond it. With origin 0, scale
10, decay 0.5, at distance 5: linear 1 - 5·0.5/10 = 0.75, exp 0.5^(5/10) = 0.707, gauss
0.5^((5/10)²) = 0.841. Linear reaches 0 at distance 20; the others never do.

A value factor turns a field into a number: factor 1.2, modifier ln1p, value 9 gives
ln(1 + 1.2 · 9) = 2.468.
"""

import math
from collections.abc import Callable

CURVES: dict[str, Callable[[float, float], float]] = {  # distance in scales, decay at one scale
    "gauss": lambda distance, decay: decay ** (distance * distance),
    "exp": lambda distance, decay: decay**distance,
    "linear": lambda distance, decay: max(0.0, 1.0 - distance * (1.0 - decay)),
}

MODIFIERS: dict[str, Callable[[float], float]] = {
    "none": lambda value: value,
    "log1p": lambda value: math.log10(1.0 + max(value, 0.0)),
    "ln1p": lambda value: math.log1p(max(value, 0.0)),
    "sqrt": lambda value: math.sqrt(max(value, 0.0)),
    "square": lambda value: value * value,
    "reciprocal": lambda value: 1.0 / value if value else 0.0,
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


def score_value(
    value: float | None, *, factor: float = 1.0, modifier: str = "none", missing: float = 1.0
) -> float:
    """The factor that a field's value gives; `missing` when a document lacks the field."""
    return missing if value is None else MODIFIERS[modifier](factor * value)
