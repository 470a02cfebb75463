"""What would the answer look like? A made-up answer stands in for the question (HyDE).

The person or an assistant writes what the document should say; its vector is searched instead of
the question's, or mixed with it. Question (1, 0), hypothesis (0, 1), share 0.75: (0.25, 0.75) /
0.791 = (0.316, 0.949). With share 1, as ragdocs does, the hypothesis alone is searched. (Gao et
al. 2022.)
"""

import numpy as np
import numpy.typing as npt


def blend_hypothesis(
    question: npt.NDArray[np.float32] | None,
    hypothesis: npt.NDArray[np.float32],
    share: float = 1.0,
) -> npt.NDArray[np.float32]:
    """The unit vector to search for."""
    if question is None or share >= 1.0:
        return hypothesis
    mixed = (1.0 - share) * question + share * hypothesis
    return np.asarray(mixed / max(float(np.linalg.norm(mixed)), 1e-12), dtype=np.float32)
