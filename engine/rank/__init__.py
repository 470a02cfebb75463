"""How good is each hit?

SIGNALS look at what fusion cannot see: the file's name, its folders, its text, its metadata. Their
weighted sum is multiplied by rarity, position, freshness and the quality of the match (Sagasu):

    final = (0.3 · filename + 0.5 · content + 0.1 · path + 0.1 · metadata) · multipliers

A file named by the query (1.0) whose text holds all of its words (0.6), in no telling folder:
0.3 + 0.3 = 0.6; first in the text (1.3) and changed today (1.2): 0.6 · 1.3 · 1.2 = 0.936.
Scores are cut at 1.
"""

from collections import Counter
from collections.abc import Sequence

from engine.config import RankingSettings
from engine.rank.content import QUALITY, boost_early, boost_rare, score_content
from engine.rank.filename import EXACT, score_filename
from engine.rank.metadata import score_metadata
from engine.rank.path import score_path
from engine.rank.recency import boost_curve, boost_recency
from engine.rank.signal import Asked, Breakdown, Candidate, Signal

__all__ = ["SIGNALS", "Asked", "Breakdown", "Candidate", "Signal", "rank", "score_candidate"]

SIGNALS: tuple[Signal, ...] = (
    Signal("filename", 0.3, lambda asked, hit: score_filename(hit.name, asked.text)),
    Signal(
        "content", 0.5, lambda asked, hit: score_content(hit.terms, asked.terms, hit.headings).score
    ),
    Signal("path", 0.1, lambda asked, hit: score_path(hit.folders, asked.text)),
    Signal(
        "metadata",
        0.1,
        lambda asked, hit: score_metadata(asked.text, hit.author, hit.tags, hit.others),
    ),
)


def score_candidate(asked: Asked, hit: Candidate, settings: RankingSettings) -> Breakdown:
    """The hit's score from 0 to 1, with every part of it."""
    weights = {
        "filename": settings.filename_weight,
        "content": settings.content_weight,
        "path": settings.path_weight,
        "metadata": settings.metadata_weight,
    }
    signals = {signal.name: signal.score(asked, hit) for signal in SIGNALS}
    base = sum(weights.get(signal.name, signal.weight) * signals[signal.name] for signal in SIGNALS)
    match = score_content(hit.terms, asked.terms, hit.headings).how
    multipliers = {
        "rarity": boost_rare(Counter(hit.terms), len(hit.terms), asked.idf, asked.terms),
        "position": boost_early(hit.terms, asked.terms),
        "quality": QUALITY.get(match, 1.0),
        "recency": _boost_age(asked.now - hit.modified, settings),
    }
    final = base
    for factor in multipliers.values():
        final *= factor
    named = signals["filename"] >= EXACT
    return Breakdown(min(final, 1.0), signals, multipliers, "exact" if named else match)


def _boost_age(age_seconds: float, settings: RankingSettings) -> float:
    if not settings.recency:
        return 1.0
    if settings.half_life_days > 0.0:
        return boost_curve(age_seconds, settings.half_life_days)
    return boost_recency(age_seconds)


def rank(
    asked: Asked,
    hits: Sequence[Candidate],
    scores: Sequence[float],
    settings: RankingSettings,
) -> list[tuple[int, float, Breakdown]]:
    """Places of the hits, best first: (1 - signals) · score + signals · what the signals say."""
    found: list[tuple[int, float, Breakdown]] = []
    for place, (hit, score) in enumerate(zip(hits, scores, strict=True)):
        breakdown = score_candidate(asked, hit, settings)
        mixed = (1.0 - settings.signals) * score + settings.signals * breakdown.final
        found.append((place, mixed, breakdown))
    return sorted(found, key=lambda one: (-one[1], one[0]))
