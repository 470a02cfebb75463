"""Which passages hold the question's words? Asks the keyword room for one side of the answer."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from engine.cancel import is_cancelled
from engine.config import RankingSettings
from engine.keyword import KeywordHits, KeywordIndex
from engine.query import Query
from engine.query.classify import Intent, classify
from engine.query.nodes import And, Node, Word, Words
from engine.rank.shortcut import find_winner
from engine.search.modes import BY_NAME, apply_mode
from engine.search.question import Question
from engine.text.detect import detect_language
from engine.text.stopwords import is_stopword, language_stopwords


def find_words(
    index: KeywordIndex, question: Question, limit: int, allowed: npt.NDArray[np.int64] | None
) -> KeywordHits:
    """The best passages of the best `limit` documents, of allowed ones only."""
    mode = BY_NAME[question.request.mode]
    if mode.name == "exact":
        text, languages = question.query.text, question.languages
        return index.search_exact(
            text, languages=languages, limit=limit, allowed=allowed, cancelled=is_cancelled
        )
    query = question.query
    if mode.name != "phrase":  # side by side means every word
        query = drop_stopwords(query, question.languages)
    query = apply_mode(mode, query)
    wider = add_learned(query, question.learned)
    hits = index.search(
        wider,
        languages=question.languages,
        limit=limit,
        scorer=mode.scorer,
        allowed=allowed,
        typing=question.request.typing,
        fuzzy=question.fuzzy,
        cancelled=is_cancelled,
    )
    return hits if wider is query else _forget_learned(hits, len(question.learned))


def add_learned(query: Query, learned: tuple[Word, ...]) -> Query:
    """The query with words that may occur as well."""
    if not learned or not isinstance(query.tree, Word | Words):
        return query
    typed = query.tree.parts if isinstance(query.tree, Words) else (query.tree,)
    return replace(query, tree=Words((*typed, *learned)))


def _forget_learned(hits: KeywordHits, learned: int) -> KeywordHits:
    """The hits as those of the typed words alone, but for their scores and their order."""
    typed = max(len(hits.words) - learned, 0)
    bits = np.uint64((1 << typed) - 1)
    return replace(
        hits,
        matched=hits.matched & bits,
        words=hits.words[:typed],
        terms=hits.terms[:typed],
    )


def drop_stopwords(query: Query, languages: tuple[str, ...]) -> Query:
    """Plain words without the stop words of their language; all of them if nothing else is left."""
    if not isinstance(query.tree, Words | And):
        return query
    spoken = detect_language(query.plain)
    if spoken not in languages:
        spoken = languages[0] if languages else spoken
    stopwords = language_stopwords(spoken)
    if isinstance(query.tree, Words):
        return replace(query, tree=_keep_telling(query.tree, stopwords))
    parts = tuple(
        _keep_telling(part, stopwords) if isinstance(part, Words) else part
        for part in query.tree.parts
    )
    return replace(query, tree=And(parts))


def _keep_telling(words: Words, stopwords: frozenset[str]) -> Node:
    kept = tuple(
        part
        for part in words.parts
        if not (isinstance(part, Word) and is_stopword(part.text, stopwords))
    )
    if not kept:
        return words
    return kept[0] if len(kept) == 1 else Words(kept)


def share_of_words(hits: KeywordHits) -> npt.NDArray[np.float32]:
    """For each passage the share of the question's words that it or its document holds."""
    asked = min(len(hits.words), 64) or 1
    return (np.bitwise_count(hits.matched) / asked).astype(np.float32)


def has_winner(question: Question, hits: KeywordHits, settings: RankingSettings) -> bool:
    """Whether words alone have found the file that the question names: meaning adds nothing."""
    if not settings.shortcut or not len(hits):
        return False
    if classify(question.query).intent is not Intent.NAVIGATIONAL:
        return False
    _, rows = np.unique(hits.documents, return_inverse=True)
    best = np.zeros(int(rows.max()) + 1)
    np.maximum.at(best, rows, hits.scores.astype(np.float64))
    whole = bool(share_of_words(hits)[int(np.argmax(hits.scores))] >= 1.0)
    return find_winner(best, complete=whole) is not None
