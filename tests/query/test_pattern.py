"""Proves of regular expressions: harmless ones pass, those that could run for ever are refused with
a reason, and whatever passes is quick on the worst words of an index.
"""

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.query.pattern import find_fault


@pytest.mark.parametrize(
    "pattern",
    ["ab+c", "[a-z]{2}", "colou?r", "(?:foo|bar)baz", "a.*b.*c", r"\d+\.\d+", "(ab)?c", "x|y"],
)
def test_harmless_pattern_passes(pattern: str) -> None:
    assert find_fault(pattern) is None


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+", "(a|aa)+", "((a*)b?)*", "(a?){9}", r"(a)\1", "(?=a)b", "(?i)a", "[a", "(a", "a**",
     "[[a]", ".*" * 9, "a" * 500, "(a{2,}){2,}", "*a"],
)  # fmt: skip
def test_risky_or_broken_pattern_is_refused(pattern: str) -> None:
    assert find_fault(pattern)


@settings(max_examples=300, deadline=None)
@given(st.text("ab()*+?|{}[]^$.\\,12", max_size=12))
def test_what_passes_is_quick(pattern: str) -> None:
    if find_fault(pattern) is None:
        start = time.perf_counter()
        for word in ("a" * 40, "ab" * 20, "a" * 39 + "!"):
            re.fullmatch(pattern, word)
        assert time.perf_counter() - start < 1.0
