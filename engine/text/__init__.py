"""Which terms is this text made of?

`analyse` gives them in order, `analyse_with_offsets` says where each stands.
"""

from engine.text.analysis import (
    ANALYSIS_VERSION,
    LONGEST_TERM,
    Token,
    analyse,
    analyse_with_offsets,
)

__all__ = ["ANALYSIS_VERSION", "LONGEST_TERM", "Token", "analyse", "analyse_with_offsets"]
