"""Which words sound alike? From the index's own words, the commonest first."""

from engine.keyword import KeywordIndex
from engine.text.normalise import fold, to_nfkc


def find_sounding(index: KeywordIndex, word: str, *, limit: int = 10) -> list[str]:
    """Other words of the index that sound like `word`."""
    own = fold(to_nfkc(word))
    found = index.vocabulary.expand_sound(word, limit * 4).found
    return list(dict.fromkeys(one.form for one in found if one.written and one.form != own))[:limit]
