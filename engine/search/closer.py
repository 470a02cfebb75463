"""What in this passage answers the question? Its words marked, and the sentence that means it.

For a preview: the words as the index knows them (stems, no stop words, nothing negated), and of all
sentences the one whose vector lies nearest to the question's.
"""

import re
from typing import TYPE_CHECKING

from engine.query import parse
from engine.query.nodes import Word, iter_leaves, surface
from engine.search.snippet import Ranges, mark_terms
from engine.search.words import drop_stopwords
from engine.text import query_terms

if TYPE_CHECKING:
    from engine.embed.onnx import OnnxEmbedder

LEAST_COSINE = 0.25
MOST_SENTENCES = 40
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.!?。！？]+[\"'”’)\]]*|\n|$)")


def mark_question(text: str, language: str, question: str, languages: tuple[str, ...]) -> Ranges:
    """Where words of the question stand in `text`."""
    query = drop_stopwords(parse(question, lenient=True), languages)
    terms: set[str] = set()
    for leaf in iter_leaves(query.tree):
        for word in surface(leaf):
            known = languages if isinstance(leaf, Word) else (language,)
            terms.update(query_terms(word, known or (language,)))
    return mark_terms(text, language, terms)


def find_sentence(embedder: "OnnxEmbedder", text: str, question: str) -> tuple[int, int] | None:
    """The sentence that means what was asked, or None when none comes close."""
    plain = parse(question, lenient=True).plain.strip()
    spans = [match.span() for match in _SENTENCE.finditer(text) if len(match[0].strip()) > 8]
    spans = spans[:MOST_SENTENCES]
    if not plain or not spans:
        return None
    vectors = embedder.embed([text[start:end] for start, end in spans])
    cosines = vectors @ embedder.embed_query(plain)
    best = int(cosines.argmax())
    if cosines[best] < LEAST_COSINE:
        return None
    start, end = spans[best]
    sentence = text[start:end]
    lead = len(sentence) - len(sentence.lstrip())
    return start + lead, start + len(sentence.rstrip())
