"""How much does meaning weigh against words, for this question? A share from 0 to 1.

Measured on eight judged English sets, one fixed share is never right: claims want 0.5, questions to
code 0.9. Three things move it, and each is known before fusing.

Clarity of the words. Their list says how sure it is: with scores s1 (best) and s10 (tenth),
clarity = (s1 - s10) / s1. A list that falls steeply has found something; a flat one guesses. But a
steep list of documents that hold one word of five has found little: clarity is multiplied by the
certainty, the share of the words that the best document holds, doubled and cut at 1 (and halved for
words that were found with typos only). The share moves by slope · (middle - clarity): at 0.79 (a
name that few documents hold) both count alike, at 0.30 meaning leads.

Length. With few words there is little for words to agree on: up to three content words add the
whole short bonus, six or more nothing.

Language. The model reads English: the more of the best word hits are in other languages, the less
its opinion counts (to `foreign` of its share when all are).

Share 0.5, slope 0.6, middle 0.45, bonus 0.3: clarity 0.3 and four words give 0.5 + 0.6 · 0.15 +
0.3 · 2/3 = 0.79. A question for a file, a fact or a number then multiplies the weight of words, as
ragdocs does (1.5, 1.5 and 4): what it names must be there. Its factor for exploring questions, 1.3
for meaning, is left out: SciFact -0.001, XQuAD -0.001, CoSQA +0.002.
"""

from dataclasses import dataclass

import numpy as np

from engine.rank.fuse import Scores

LOWEST, HIGHEST = 0.5, 0.88  # unless the share is set beyond them: no side is silenced
SHORT_WORDS, LONG_WORDS = 3, 6
CLEAR_PLACE = 10  # the place whose score tells how steep a list is

INTENTS: dict[str, tuple[float, float]] = {  # weight of words, of meaning
    "factual": (1.5, 1.0),
    "navigational": (1.5, 1.0),
    "numeric": (4.0, 1.0),
    "exploratory": (1.0, 1.0),
    "plain": (1.0, 1.0),
}


@dataclass(frozen=True, slots=True)
class Share:
    """The share of meaning, and what moved it, in the order it was applied."""

    meaning: float
    steps: tuple[tuple[str, float], ...]  # what, and the share after it


@dataclass(frozen=True, slots=True)
class Tuning:
    """The constants of the rule."""

    share: float = 0.5
    slope: float = 0.6
    middle: float = 0.45
    short: float = 0.3
    foreign: float = 0.3


def measure_clarity(scores: Scores, place: int = CLEAR_PLACE) -> float:
    """How far the scores have fallen at `place`, as a share of the best; 1 when there are fewer."""
    if len(scores) == 0:
        return 0.0
    best = float(scores.max())
    if best <= 0.0:
        return 0.0
    if len(scores) < place:
        return 1.0
    tenth = float(np.partition(scores, len(scores) - place)[len(scores) - place])
    return (best - max(tenth, 0.0)) / best


def measure_certainty(coverage: float, fuzzy: bool = False) -> float:
    """How far to believe the words, by the share of them that the best document holds."""
    return min(2.0 * coverage, 1.0) * (0.5 if fuzzy else 1.0)


def choose_share(
    keyword: Scores,
    *,
    words: int,
    certainty: float = 1.0,
    foreign: float = 0.0,
    intent: str = "plain",
    tuning: Tuning | None = None,
) -> Share:
    """The share of meaning: `keyword` are the best scores of documents, `words` counts the
    question's content words, `certainty` is how far to believe them, `foreign` the share of hits in
    languages that the model cannot read."""
    rule = tuning or Tuning()
    steps = [("set", rule.share)]
    clarity = measure_clarity(keyword) * certainty
    steps.append((f"words {clarity:.2f} clear", rule.share + rule.slope * (rule.middle - clarity)))
    lacking = min(max((LONG_WORDS - words) / (LONG_WORDS - SHORT_WORDS), 0.0), 1.0)
    if lacking:
        steps.append((f"{words} words", steps[-1][1] + rule.short * lacking))
    lowest, highest = min(rule.share, LOWEST), max(rule.share, HIGHEST)
    steps.append(("within bounds", min(max(steps[-1][1], lowest), highest)))
    for_words, for_meaning = INTENTS.get(intent, (1.0, 1.0))
    if for_words != for_meaning:
        share = steps[-1][1] * for_meaning
        steps.append((intent, share / (share + (1.0 - steps[-1][1]) * for_words)))
    if foreign > 0.0:
        steps.append(("language", steps[-1][1] * (1.0 - (1.0 - rule.foreign) * foreign)))
    return Share(steps[-1][1], tuple(steps))


def weigh_variance(
    scores: Scores, weight: float, threshold: float = 0.1, least: float = 0.5
) -> float:
    """ragdocs' rule: a side whose scores (0 to 1) hardly vary loses up to half its weight.

    Scores 0.9 and 0.5 have variance 0.04: weight 1 becomes max(0.5, 0.04 / 0.1) = 0.5.
    """
    if len(scores) == 0:
        return weight
    variance = float(np.var(scores))
    return weight if variance >= threshold else weight * max(least, variance / threshold)
