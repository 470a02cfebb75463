"""Counts the words of a text, for invoices."""

import re
import sys


def count_words(text: str) -> int:
    """Words as clients count them: a hyphenated word is one."""
    return len(re.findall(r"[\w'-]+", text))


def price_of(words: int, rate: float = 0.12) -> float:
    """The price in euros, rounded to the cent."""
    return round(words * rate, 2)


if __name__ == "__main__":
    total = count_words(sys.stdin.read())
    sys.stdout.write(f"{total} words, {price_of(total):.2f} EUR\n")
