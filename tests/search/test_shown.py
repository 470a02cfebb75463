"""What is marked where: words are looked for wherever they may stand, and only there."""

import pytest

from engine.search.combine import Fused
from engine.search.results import Shown


@pytest.mark.parametrize(
    ("keyword", "by_meaning", "scored", "marked"),
    [
        (1.5, True, True, True),  # both found it
        (0.0, True, True, False),  # meaning alone, and the words were looked for
        (0.0, True, False, True),  # meaning alone, but FTS5 looked at some candidates only
        (0.0, False, True, True),  # a model scored the word at nought
        (-0.4, True, True, True),  # or below
    ],
)
def test_words_are_looked_for_where_they_may_stand(
    keyword: float, by_meaning: bool, scored: bool, marked: bool
) -> None:
    one = Fused(1, 0.5, keyword, 0.4, (7,), by_meaning)
    shown = Shown(frozenset({"harbour"}), ("harbour",), 1, scored)
    assert shown.terms_in(one) == (frozenset({"harbour"}) if marked else ())
