"""Which of the collection's own words mean what was asked? The question is widened by the nearest.

Their vectors are made once; rank/concepts has the rules (ragdocs).
Making them costs about a second, at the first question after a snapshot with new words; the words
are the written forms, not the index's stems, which the model cannot read.
"""

import threading
from typing import TYPE_CHECKING

import numpy as np

from engine.keyword.vocabulary import Vocabulary
from engine.rank.concepts import MOST_TERMS, choose_concepts, expand_query
from engine.text.stopwords import language_stopwords

if TYPE_CHECKING:
    from engine.embed.onnx import OnnxEmbedder
    from engine.keyword.lexicon import Lexicon
    from engine.ports import Vectors


class Concepts:
    """The vocabulary with vectors; safe to ask from several threads."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._guard = threading.Lock()
        self._read: list[Lexicon] = []
        self._known: tuple[str, ...] = ()
        self._vectors: Vectors = np.zeros((0, 1), np.float32)

    def embed(self, embedder: "OnnxEmbedder", text: str) -> "Vectors":
        """The vector of the question and the nearest of the collection's words."""
        plain = embedder.embed_query(text)
        with self._guard:
            self._make(embedder)
            asked = frozenset(text.lower().split())
            more = expand_query(plain, self._known, self._vectors, asked)
        if not more:
            return plain
        return embedder.embed_query(" ".join((text, *(term for term, _ in more))))

    def _make(self, embedder: "OnnxEmbedder") -> None:
        lexicons = list(self._vocabulary.lexicons())
        if list(map(id, lexicons)) == list(map(id, self._read)):
            return
        self._read = lexicons
        counted = self._vocabulary.complete("", MOST_TERMS * 2)
        terms = choose_concepts(dict(counted), language_stopwords("en"))
        if terms != self._known:
            self._known, self._vectors = terms, embedder.embed(terms)
