"""Which terms is this text made of?

`analyse` gives them in order, `analyse_with_offsets` says where each stands, `query_terms` what a
query's word may be indexed as, `detect_language` guesses the language.
"""

from engine.text.analysis import (
    ANALYSIS_VERSION,
    LONGEST_TERM,
    Token,
    analyse,
    analyse_with_offsets,
    find_terms,
)
from engine.text.detect import detect_language
from engine.text.wanted import (
    analyse_query_word,
    prefix_terms,
    query_alternatives,
    query_terms,
    short_run,
)

__all__ = [
    "ANALYSIS_VERSION",
    "LONGEST_TERM",
    "Token",
    "analyse",
    "analyse_query_word",
    "analyse_with_offsets",
    "detect_language",
    "find_terms",
    "prefix_terms",
    "query_alternatives",
    "query_terms",
    "short_run",
]
