"""Which passages hold these words?"""

from pathlib import Path

from engine.keyword.build import build_snapshot
from engine.keyword.hits import KeywordHits
from engine.keyword.index import KeywordIndex
from engine.store.database import Database

__all__ = ["KeywordHits", "KeywordIndex", "build_snapshot", "open_keyword_index"]


def open_keyword_index(database: Database, path: Path) -> KeywordIndex:
    """The words of `database`, with the snapshot at `path` if there is one that can be used."""
    return KeywordIndex(database, path)
