"""Quick open: the file that is meant comes first.

1. Beginnings beat word starts, word starts beat insides, insides beat scattered letters.
2. Capitals, digits and signs begin words; accents, case and Unicode form do not matter.
3. Several words in any order, in name or folders; all must be found.
4. A typo is forgiven only when nothing fits as typed.
5. New names are found at once, gone ones no longer; a foreign or damaged snapshot is rebuilt.
6. Filters never lose a name that a plain scan finds.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.keyword.letters import score_letters
from engine.keyword.name_rank import rank_names, split_words
from engine.keyword.name_table import build_table, fold_name
from engine.keyword.names import NameIndex, build_name_snapshot
from engine.models import State
from engine.store.database import Database
from engine.store.ledger import LedgerRow, delete_file, put_files
from engine.store.migrations import migrate
from tests.keyword.conftest import Library

PATHS = (
    "/home/ada/Documents/Budget 2026.xlsx",
    "/home/ada/Documents/old/my budget.txt",
    "/home/ada/Documents/RecordBudgetNotes.md",
    "/home/ada/Documents/underbudgeted.txt",
    "/home/ada/Pictures/Été à la mer.jpg",
    "/home/ada/Pictures/Cafe\u0301.png",
    "/home/ada/code/node_modules/index.js",
    "/home/ada/code/app/index.js",
    "/home/ada/code/app/ServerConfig2.py",
    "/home/ada/Letters/invoice acme.pdf",
    "/home/ada/Invoices/acme march.pdf",
)


def put(database: Database, *paths: str, changed: float = 1.0) -> None:
    with database.write() as connection:
        connection.execute("INSERT OR IGNORE INTO roots (id, path, added) VALUES (1, '/home', 0)")
        rows = [
            LedgerRow(one, 1, State.SKIPPED, "", "", 0, 0, 0, 0, None, changed) for one in paths
        ]
        put_files(connection, rows)


@pytest.fixture(params=["snapshot", "delta"])
def names(library: Library, tmp_path: Path, request: pytest.FixtureRequest) -> NameIndex:
    put(library.database, *PATHS)
    path = tmp_path / "names.snapshot"
    if request.param == "snapshot":
        build_name_snapshot(library.database, path)
    return NameIndex(library.database, path)


def found(names: NameIndex, text: str) -> list[str]:
    return [hit.path.rsplit("/", 1)[1] for hit in names.search(text).hits]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("budget", ["Budget 2026.xlsx", "my budget.txt", "RecordBudgetNotes.md"]),
        ("BUDGET 2026", ["Budget 2026.xlsx"]),
        ("rbn", ["RecordBudgetNotes.md"]),
        ("notes", ["RecordBudgetNotes.md"]),
        ("ete", ["Été à la mer.jpg"]),
        ("café", ["Cafe\u0301.png"]),
        ("config2", ["ServerConfig2.py"]),
        ("app index", ["index.js"]),
        ("acme invoice", ["invoice acme.pdf", "acme march.pdf"]),
        ("invoices/acme", ["acme march.pdf"]),
        ("index.js", ["index.js", "index.js"]),
        ("srvcfg", ["ServerConfig2.py"]),
    ],
)
def test_the_file_that_is_meant_comes_first(names: NameIndex, text: str, first: list[str]) -> None:
    assert found(names, text)[: len(first)] == first


def test_every_word_must_be_found(names: NameIndex) -> None:
    assert found(names, "budget elephant") == []


def test_the_shorter_path_wins_among_equals(names: NameIndex) -> None:
    paths = [hit.path for hit in names.search("index").hits]
    assert paths[0] == "/home/ada/code/app/index.js"


def test_a_typo_is_forgiven_when_nothing_fits(names: NameIndex) -> None:
    answer = names.search("budgte")
    assert answer.fuzzy
    assert answer.hits[0].path.endswith("Budget 2026.xlsx")
    assert not names.search("budget").fuzzy
    assert not names.search("qqqqqqqq").hits


def test_new_names_are_found_and_gone_ones_are_not(names: NameIndex, library: Library) -> None:
    assert found(names, "zebra") == []
    put(library.database, "/home/ada/zebra.txt", changed=2.0)
    assert found(names, "zebra") == ["zebra.txt"]
    with library.database.write() as connection:
        delete_file(connection, "/home/ada/zebra.txt")
        delete_file(connection, PATHS[0])
    assert found(names, "zebra") == []
    assert "Budget 2026.xlsx" not in found(names, "budget")


def test_a_bad_snapshot_is_not_used(library: Library, tmp_path: Path) -> None:
    put(library.database, *PATHS)
    path = tmp_path / "names.snapshot"
    path.write_bytes(b"nonsense")
    assert found(NameIndex(library.database, path), "rbn") == ["RecordBudgetNotes.md"]
    with Database(tmp_path / "other" / "sagasu.db", writable=True) as other:
        migrate(other)
        put(other, "/home/ada/foreign.txt")
        build_name_snapshot(other, path)
    assert found(NameIndex(library.database, path), "foreign") == []


def test_letters_at_word_starts_count_more() -> None:
    assert score_letters("RecordBudgetNotes.md", b"rbn") > score_letters("carbine.md", b"rbn")
    assert score_letters("index.js", b"xyz") == 0.0


ALPHABET = "abBC1_- .éß東"


@given(
    st.lists(st.text(ALPHABET, min_size=1, max_size=12), min_size=1, max_size=12, unique=True),
    st.text(ALPHABET.replace(" ", ""), min_size=2, max_size=4),
)
def test_no_name_that_holds_the_text_is_lost(names: list[str], word: str) -> None:
    table = build_table(f"/home/{name}" for name in names)
    words = split_words(word)
    ranked = {path for _, path in rank_names([table], words, 1000)}
    for name in names:
        if fold_name(word) in fold_name(name):
            assert f"/home/{name}" in ranked
