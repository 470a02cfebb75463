"""Shortcuts: 1 all spellings of one are one; 2 they are written as a Mac writes them; 3 writing and
reading agree for every key and modifier; 4 what cannot be a global shortcut is refused with the
reason; 5 conflicts with macOS are named; 6 codes are those of Carbon.
"""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.hotkeys import (
    COMMAND,
    CONTROL,
    KEY_CODES,
    OPTION,
    SHIFT,
    SYSTEM_SHORTCUTS,
    Hotkey,
    find_conflict,
    find_problem,
    parse_hotkey,
)
from engine.errors import InvalidValueError


@pytest.mark.parametrize(
    "text", ["⌥Space", "alt+space", "Option-Space", " ⌥ space ", "opt+SPACE", "Alt+Space"]
)
def test_all_spellings_of_one(text: str) -> None:
    assert parse_hotkey(text) == Hotkey("Space", OPTION)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("cmd+shift+k", "⇧⌘K"),
        ("Meta+Control+Alt+KeyF", "⌃⌥⌘F"),
        ("ctrl+Digit1", "⌃1"),
        ("⌘⇧ArrowUp", "⇧⌘Up"),
        ("F13", "F13"),
        ("⌃⌥⌘-", "⌃⌥⌘-"),
        ("ctrl+alt+minus", "⌃⌥-"),
        ("cmd+alt+comma", "⌥⌘,"),
        ("⌘+⌥+,", "⌥⌘,"),
    ],
)
def test_written_as_a_mac_writes(text: str, shown: str) -> None:
    assert str(parse_hotkey(text)) == shown


@given(
    st.sampled_from(sorted(KEY_CODES)),
    st.sets(st.sampled_from([COMMAND, SHIFT, OPTION, CONTROL])).map(sum),
)
def test_writing_and_reading_agree(key: str, modifiers: int) -> None:
    hotkey = Hotkey(key, modifiers)
    if find_problem(hotkey):
        with pytest.raises(InvalidValueError):
            parse_hotkey(str(hotkey))
    else:
        assert parse_hotkey(str(hotkey)) == hotkey


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Space", "needs ⌘, ⌥ or ⌃"),
        ("⇧A", "needs ⌘, ⌥ or ⌃"),
        ("⌘C", "Copy in every application"),
        ("⌘Blah", "no key Blah"),
        ("hyper+k", "hyper is not a modifier"),
        ("⌘⌥", "a key is missing"),
        ("", "a key is missing"),
    ],
)
def test_refused_with_the_reason(text: str, problem: str) -> None:
    with pytest.raises(InvalidValueError, match=problem):
        parse_hotkey(text)


@given(st.text(max_size=30))
def test_any_text_is_a_shortcut_or_refused(text: str) -> None:
    with suppress(InvalidValueError):
        assert parse_hotkey(text).code >= 0


def test_conflicts_are_named() -> None:
    assert find_conflict(parse_hotkey("⌘Space")) == "macOS uses ⌘Space for Spotlight."
    assert find_conflict(parse_hotkey("⌥Space")) == ""
    assert all(find_conflict(hotkey) for hotkey in SYSTEM_SHORTCUTS)


def test_codes_are_carbons_and_unique() -> None:
    assert (KEY_CODES["Space"], KEY_CODES["A"], KEY_CODES["Return"], KEY_CODES["F1"]) == (
        49,
        0,
        36,
        122,
    )
    assert len(set(KEY_CODES.values())) == len(KEY_CODES)
