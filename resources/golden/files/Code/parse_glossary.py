"""Reads the glossary and warns about terms translated in two ways."""

import csv
from collections import defaultdict
from pathlib import Path


def load_terms(path: Path) -> dict[str, set[str]]:
    """German term to its English renderings."""
    terms: dict[str, set[str]] = defaultdict(set)
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            terms[row["german"]].add(row["english"])
    return terms


def find_conflicts(terms: dict[str, set[str]]) -> list[str]:
    """Terms with more than one rendering."""
    return sorted(term for term, found in terms.items() if len(found) > 1)
