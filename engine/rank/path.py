"""How well do a file's folders answer the query? Sagasu's table.

A folder named by the whole query 0.9; a word of the query in a folder's name 0.5; each further
folder with a word adds 0.1, up to 1. Folders Work, Tax Returns, 2026: "tax returns" 0.9; "tax" 0.5;
"tax 2026" 0.5 + 0.1 = 0.6.
"""

from collections.abc import Sequence

from engine.rank.filename import split_name

EXACT, PARTIAL, BONUS = 0.9, 0.5, 0.1


def score_path(folders: Sequence[str], query: str) -> float:
    """From 0 to 1, for the folders between the root and the file."""
    asked = split_name(query)
    if not asked:
        return 0.0
    named = [split_name(folder) for folder in folders]
    if any(words == asked for words in named):
        best = EXACT
        others = sum(bool(set(words) & set(asked)) for words in named) - 1
    else:
        best = PARTIAL
        others = sum(bool(set(words) & set(asked)) for words in named) - 1
    return min(best + BONUS * others, 1.0) if others >= 0 else 0.0
