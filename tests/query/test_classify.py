"""Proves of the kinds of questions: each of the table has this intent and this shape."""

import pytest

from engine.query import parse
from engine.query.classify import classify

QUESTIONS = [
    ("", "plain", "empty"),
    ("tax", "plain", "single_word"),
    ("budget plan", "plain", "multi_word"),
    ("report_final.pdf", "navigational", "single_word"),
    ("open readme", "navigational", "multi_word"),
    ("src/main/app", "navigational", "single_word"),
    ("getUserById", "factual", "single_word"),
    ("parse_json error", "factual", "multi_word"),
    ("v1.2.3 release", "factual", "multi_word"),
    ('"exact words"', "factual", "phrase"),
    ("4711 2026-03", "numeric", "multi_word"),
    ("how does rate limiting work", "exploratory", "multi_word"),
    ("cats vs dogs", "exploratory", "multi_word"),
    ("budget* plan", "plain", "wildcard"),
    ("a OR b", "plain", "boolean"),
    ("a -b", "plain", "boolean"),
    ("a AND b", "plain", "boolean"),
]


@pytest.mark.parametrize(("text", "intent", "shape"), QUESTIONS, ids=[row[0] for row in QUESTIONS])
def test_question_is_of_this_kind(text: str, intent: str, shape: str) -> None:
    found = classify(parse(text))
    assert (found.intent, found.shape) == (intent, shape)
