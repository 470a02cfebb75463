"""What does a model say that reads question and passage together? Re-orders the first few hits.

The cross-encoder is any ONNX folder of the person's own, opened by the embed room; here it is a
function from pairs to logits. Its opinion is squashed to 0–1 and mixed with the score by place
(qmd): the old order counts 0.75 for places 1 to 3, 0.60 for 4 to 10, 0.40 beyond, for it is surest
at the top. Scores 0.9 and 0.8, logits -2 and 2 (0.119 and 0.881): 0.75 · 0.9 + 0.25 · 0.119 = 0.705
and 0.75 · 0.8 + 0.25 · 0.881 = 0.820: they change places.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

Judge = Callable[[str, Sequence[str]], npt.NDArray[np.float32]]  # question, passages, to logits

TRUST: tuple[tuple[int, float], ...] = ((3, 0.75), (10, 0.60))  # up to this place, the old score's
TRUST_BEYOND = 0.40


def rerank(
    question: str,
    passages: Sequence[str],
    scores: Sequence[float],
    judge: Judge,
    count: int = 20,
) -> tuple[list[int], list[float]]:
    """The new order of the first `count` hits (the rest follow as they were), and their scores.

    No hit rises above one it was not compared with: the rest keeps scores below the last judged.
    """
    judged = min(count, len(passages))
    if judged == 0:
        return list(range(len(passages))), list(scores)
    opinions = 1.0 / (1.0 + np.exp(-np.asarray(judge(question, passages[:judged]), np.float64)))
    mixed = [
        trust * score + (1.0 - trust) * float(opinion)
        for score, opinion, trust in zip(scores, opinions, map(_trust, range(judged)), strict=False)
    ]
    order = sorted(range(judged), key=lambda place: (-mixed[place], place))
    rest = range(judged, len(passages))
    floor = min(mixed)
    top = max(scores[judged], 1e-12) if judged < len(scores) else 1.0
    tail = [min(scores[place], floor * scores[place] / top) for place in rest]
    return [*order, *rest], [*(mixed[place] for place in order), *tail]


def _trust(place: int) -> float:
    return next((trust for last, trust in TRUST if place < last), TRUST_BEYOND)
