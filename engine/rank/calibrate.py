"""How likely is it that a hit is what was asked for? A confidence from 0 to 1 that spreads.

Scores of a fused list only compare its own members: the best of nonsense scores as high as the
best of treasure. Confidence looks at two absolute facts, the cosine and the share of the
question's words that the document holds:

    confidence = 1 / (1 + exp(7 - 12 · cosine - 4.5 · coverage))

    or 1 / (1 + exp(6.5 - 14 · cosine)) if that is higher: a paraphrase shares no word at all

Fitted on 2,600 questions to seven judged sets, each asked of its own documents and of the six
other sets', where nothing is relevant: cosine 0.63 and 57 % of the words (the median relevant
first hit) give 0.97; cosine 0.20 and 20 % (the median irrelevant one) 0.02. The fitted first line
tells 99 of 100 pairs of the one and the other kind apart; the second was added for short
questions, by the golden set, and is not fitted. Without a usable cosine, words alone: 1 / (1 +
exp(3 - 8 · coverage)). A document with every word of the question is never below 0.5.

Nothing is relevant when the first ten are all below 0.06: of 853 judged questions to nine sets four
are refused wrongly (three of them short paraphrases and filters), of 720 made of another field's
words or of no words at all, 75 % rightly. At 0.03 it was 42 %; at 0.12 it would be 93 %, and one
short paraphrase in nine with them.
"""

import numpy as np

from engine.rank.fuse import Scores

COSINE_FACTOR, COVERAGE_FACTOR, OFFSET = 12.0, 4.5, 7.0
MEANING_FACTOR, MEANING_OFFSET = 14.0, 6.5
WORDS_FACTOR, WORDS_OFFSET = 8.0, 3.0
WHOLE = 0.5  # least confidence when every word is there


def score_confidence(cosines: Scores, coverage: Scores, reads: float = 1.0) -> Scores:
    """The confidence of each hit; `reads` is how far the model knows the language (0: not at all).

    NaN as a cosine means that there is none; NaN as coverage, that words were not counted. A hit of
    which neither is known cannot be doubted: 1.
    """
    held = np.nan_to_num(coverage, nan=0.0)
    close = np.nan_to_num(cosines, nan=0.0)
    joint = COSINE_FACTOR * close + COVERAGE_FACTOR * held - OFFSET
    both = _squash(np.maximum(joint, MEANING_FACTOR * close - MEANING_OFFSET))
    words = _squash(WORDS_FACTOR * held - WORDS_OFFSET)
    words = np.where(held > 0.0, words, 0.0)
    known = np.where(np.isnan(cosines), 0.0, reads)
    confidence = known * both + (1.0 - known) * words
    confidence = np.where(held >= 1.0, np.maximum(confidence, WHOLE), confidence)
    return np.where(np.isnan(cosines) & np.isnan(coverage), 1.0, confidence)


def calibrate(fused: Scores, confidence: Scores, leaders: int = 3) -> Scores:
    """The fused scores from 0 to 1 in their own order: the best gets the highest confidence among
    the first few, the others their share of it."""
    if len(fused) == 0:
        return fused
    best = float(fused.max())
    if best <= 0.0:
        return np.zeros_like(fused)
    first = np.argsort(-fused, kind="stable")[:leaders]
    return np.clip(fused / best, 0.0, 1.0) * float(confidence[first].max())


def is_nothing(confidence: Scores, least: float = 0.06) -> bool:
    """Whether no hit is likely enough to be shown as an answer."""
    return len(confidence) == 0 or float(confidence.max()) < least


def _squash(values: Scores) -> Scores:
    return np.asarray(1.0 / (1.0 + np.exp(-values)), dtype=np.float64)
