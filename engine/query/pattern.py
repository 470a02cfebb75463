"""Is a regular expression safe to run over a vocabulary?

Python's engine backtracks: a repeat inside a repeat takes exponential time on the wrong word. Such
patterns are refused before they run, with references and look-around; what is left is polynomial,
and words have at most forty letters.
"""

import re

LONGEST_PATTERN = 200
MOST_REPEATS = 4

_REPEAT = re.compile(r"[*+]|\{(\d*)(,?)(\d*)\}")
_SET = re.compile(r"\[\^?+\]?+(?:\\.|[^\]\\])*\]")
_STRANGE_SET = re.compile(r"\[|--|&&|~~|\|\|")


def find_fault(pattern: str) -> str | None:
    """What is wrong with a pattern, in words; None when it may be used."""
    if len(pattern) > LONGEST_PATTERN:
        return f"the pattern is longer than {LONGEST_PATTERN} characters"
    if fault := _find_risk(pattern):
        return fault
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as exc:
        return str(exc).partition(" at position")[0]
    return None


def _find_risk(pattern: str) -> str | None:
    groups: list[bool] = []  # for each open group: whether it holds a repeat or a choice
    repeats = place = 0
    while place < len(pattern):
        character = pattern[place]
        if character == "\\":
            if pattern[place + 1 : place + 2].isdigit():
                return "references to groups are not supported"
            place += 2
            continue
        if character == "[":
            found = _SET.match(pattern, place)
            if found is None:
                return "unterminated character set"
            if _STRANGE_SET.search(found[0], 1):
                return "the set in brackets is ambiguous"
            place = found.end()
            continue
        if character == "(":
            if pattern.startswith("(?", place) and not pattern.startswith("(?:", place):
                return "look-around and flags are not supported"
            groups.append(False)
            place += 3 if pattern.startswith("(?:", place) else 1
            continue
        after = place + 1
        if repeat := _REPEAT.match(pattern, place):
            after = repeat.end()
            repeats += _is_long(repeat)
            groups[:] = [True] * len(groups)
        elif character in "|?":
            groups[:] = [True] * len(groups)
        elif character == ")" and groups and groups.pop():
            repeat = _REPEAT.match(pattern, place + 1)
            if repeat and _is_long(repeat):
                return "a repeat around a repeat or a choice could take for ever"
        place = after
    return f"more than {MOST_REPEATS} open repeats" if repeats > MOST_REPEATS else None


def _is_long(repeat: "re.Match[str]") -> bool:
    if repeat[0] in "*+":
        return True
    least, comma, most = repeat[1], repeat[2], repeat[3]
    return bool(comma and not most) or int(most or least or 0) > 3
