"""What must not be passed on? Keys, tokens, private keys, card and bank account numbers.

Numbers are masked only when their checksum holds, so that order numbers and dates stay readable:
Luhn for cards (4539 1488 0343 6467), the remainder of 97 for IBANs (DE89 3704 0044 0532 0130 00).
A mask has as many line breaks as what it covers, so that line numbers stay true.
"""

import re
from collections.abc import Callable

_PEM = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----.*?"
    r"(-----END [A-Z0-9 ]*PRIVATE KEY( BLOCK)?-----|\Z)",
    re.S,
)
# The middle of a key whose first line stands in another passage.
_KEY_LINES = re.compile(r"(?:^[A-Za-z0-9+/]{60,76}={0,2}[ \t]*\n?){3,}", re.M)
_KNOWN = re.compile(
    r"""\b(?:
    (?:AKIA|ASIA|AROA|AIDA)[0-9A-Z]{16}
    | gh[pousr]_[A-Za-z0-9]{30,} | github_pat_[A-Za-z0-9_]{40,}
    | glpat-[A-Za-z0-9_-]{20,}
    | xox[abeoprs]-[A-Za-z0-9-]{10,} | xapp-[A-Za-z0-9-]{20,}
    | (?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}
    | sk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20,}
    | AIza[0-9A-Za-z_-]{35} | ya29\.[0-9A-Za-z_-]{20,}
    | hf_[A-Za-z0-9]{30,} | npm_[A-Za-z0-9]{36} | pypi-[A-Za-z0-9_-]{50,}
    | SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}
    | dop_v1_[0-9a-f]{64} | shpat_[0-9a-fA-F]{32} | AGE-SECRET-KEY-1[0-9A-Z]{58}
    | eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}
    )""",
    re.X,
)
_ADDRESS = re.compile(
    r"(?P<keep>\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{1,100}:)(?P<hide>[^\s/@]{3,200})(?=@)"
)
_NAMED = re.compile(
    r"""(?ix)(?P<keep>\b[\w.-]{0,40}(?:passwor[dt]|passwd|passphrase|pwd|secret|api[_-]?key|access[_-]?key
    |private[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|client[_-]?secret|bearer|token)
    [\w-]{0,20}["']?\s*(?:[:=]|=>|:=)\s*)
    (?P<hide>"[^"\n]{6,200}"|'[^'\n]{6,200}'|[^\s"',;<>{}()\[\]]{6,200})"""
)
_BEARER = re.compile(
    r"(?i)(?P<keep>\bauthorization:\s*(?:bearer|basic|token)\s+)(?P<hide>[^\s\"']{8,})"
)
_CARD = re.compile(r"(?<![\w.-])[2-6]\d(?:[ -]?\d){11,17}(?![\w-])")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]){11,30}\b")


def mask_secrets(text: str) -> str:
    """`text` with every secret that we know replaced by its kind in brackets."""
    text = _PEM.sub(_cover("private key"), text)
    text = _KEY_LINES.sub(_cover("key material"), text)
    text = _KNOWN.sub(_cover("key"), text)
    text = _BEARER.sub(_cover_part("token"), text)
    text = _ADDRESS.sub(_cover_part("password"), text)
    text = _NAMED.sub(_cover_named, text)
    text = _IBAN.sub(_cover_iban, text)
    return _CARD.sub(_cover_card, text)


def is_card(digits: str) -> bool:
    """Luhn: every second digit from the right doubled, nines cast out, the sum ends in 0."""
    if not 13 <= len(digits) <= 19 or len(set(digits)) == 1:
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def is_iban(text: str) -> bool:
    """The first four characters to the end, letters as 10 to 35: the remainder of 97 is 1."""
    if not 15 <= len(text) <= 34:
        return False
    moved = text[4:] + text[:4]
    return int("".join(str(int(one, 36)) for one in moved)) % 97 == 1


def _write_mask(kind: str, covered: str) -> str:
    return f"[masked: {kind}]" + "\n" * covered.count("\n")


def _cover(kind: str) -> Callable[[re.Match[str]], str]:
    return lambda match: _write_mask(kind, match[0])


def _cover_part(kind: str) -> Callable[[re.Match[str]], str]:
    return lambda match: match["keep"] + _write_mask(kind, match["hide"])


def _cover_named(match: re.Match[str]) -> str:
    """A value named as a secret; prose after a colon and references to one are left alone."""
    value = match["hide"].strip("\"'")
    quoted = value != match["hide"]
    has_digit = any(one.isdigit() for one in value)
    is_reference = value.startswith(("$", "{{", "[masked", "os.environ", "process.env", "http"))
    if is_reference or " " in value or not (has_digit or quoted):
        return match[0]
    return match["keep"] + _write_mask("secret", match["hide"])


def _cover_card(match: re.Match[str]) -> str:
    digits = re.sub(r"\D", "", match[0])
    return _write_mask("card number", match[0]) if is_card(digits) else match[0]


def _cover_iban(match: re.Match[str]) -> str:
    """The longest beginning that is an IBAN: words in capitals may follow it."""
    found = match[0]
    for end in range(len(found), 14, -1):
        part = found[:end].replace(" ", "")
        whole = end == len(found) or found[end] == " "
        if whole and found[end - 1] != " " and is_iban(part):
            return _write_mask("bank account", found[:end]) + found[end:]
    return found
