"""A preview's passage.

1. Words of the question are marked as the index knows them; stop words and negated ones are not.
2. The sentence that means what was asked is found without a shared word, and none when none does.
"""

from engine.api import Engine

TEXT = (
    "The boats lie in the harbour. Every spring their hulls are painted again. "
    "Dinner is served at eight in the old boathouse."
)


def test_words_are_marked_by_their_stems(engine: Engine) -> None:
    ranges = engine.mark_words(TEXT, "en", "the painting of a boat -harbour")
    marked = [TEXT[start:end] for start, end in ranges]
    assert marked == ["boats", "painted"]


def test_the_sentence_that_means_it_is_found(engine: Engine) -> None:
    found = engine.find_sentence(TEXT, "when do we eat in the evening")
    assert found is not None
    assert TEXT[found[0] : found[1]] == "Dinner is served at eight in the old boathouse."


def test_no_sentence_is_found_when_none_means_it(engine: Engine) -> None:
    assert engine.find_sentence(TEXT, "quantum chromodynamics on a lattice") is None
    assert engine.find_sentence("", "boats") is None
