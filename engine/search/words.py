"""Which passages hold the question's words? Asks the keyword room for one side of the answer."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from engine.keyword import KeywordHits, KeywordIndex
from engine.query import Query
from engine.query.nodes import And, Node, Word, Words
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
        return index.search_exact(text, languages=languages, limit=limit, allowed=allowed)
    query = question.query
    if mode.name != "phrase":  # side by side means every word
        query = drop_stopwords(query, question.languages)
    query = apply_mode(mode, query)
    return index.search(
        query,
        languages=question.languages,
        limit=limit,
        scorer=mode.scorer,
        allowed=allowed,
        typing=question.request.typing,
        fuzzy=question.fuzzy,
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
