"""Real documents of every format: what stands in them is found, or the ledger says why not.

The documents lie beside the project; where they do not exist this is skipped.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from engine.api import Engine, SearchRequest
from engine.models import State
from engine.store import ledger

DOCUMENTS = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "docs-dev"
LEAST_FOUND = 0.97

pytestmark = pytest.mark.skipif(not DOCUMENTS.exists(), reason="the real documents are not here")


@pytest.fixture(scope="module")
def manifest() -> list[dict[str, Any]]:
    lines = (DOCUMENTS / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with Engine.open(tmp_path_factory.mktemp("documents") / "home", write=True) as opened:
        opened.index(str(DOCUMENTS / "files"), embed=False)
        yield opened


def is_found(engine: Engine, phrase: str, path: Path) -> bool:
    """Whether the phrase, or else all of its words, lead to the file."""
    quoted = '"' + phrase.replace('"', " ") + '"'
    for query, mode in ((quoted, "bm25"), (phrase, "exact"), (phrase, "boolean")):
        request = SearchRequest(
            query, mode=mode, limit=1, scopes=(str(path),), plain_filters=False, typing=True
        )
        if engine.search(request).results:
            return True
    return False


def test_every_phrase_is_found_in_its_file(engine: Engine, manifest: list[dict[str, Any]]) -> None:
    missed: list[str] = []
    total = 0
    for row in manifest:
        if row.get("needs_ocr") or row.get("optional"):
            continue
        for phrase in row.get("expect", ()):
            total += 1
            if not is_found(engine, phrase, DOCUMENTS / row["file"]):
                missed.append(f"{row['file']}: {phrase}")
    assert total > 300
    assert len(missed) <= total * (1 - LEAST_FOUND), missed


def test_what_cannot_be_read_is_ledgered_with_a_reason(
    engine: Engine, manifest: list[dict[str, Any]]
) -> None:
    connection = engine.database.connection()
    for row in manifest:
        if row.get("expect_error"):
            found = ledger.find_file(connection, str(DOCUMENTS / row["file"]))
            assert found is not None, row["file"]
            assert found.state in (State.FAILED, State.SKIPPED), row["file"]
            assert found.reason, row["file"]


def test_nothing_that_must_be_absent_is_found(
    engine: Engine, manifest: list[dict[str, Any]]
) -> None:
    for row in manifest:
        for phrase in row.get("absent", ()):
            path = DOCUMENTS / row["file"]
            request = SearchRequest(
                phrase, mode="exact", limit=1, scopes=(str(path),), plain_filters=False
            )
            assert not engine.search(request).results, (row["file"], phrase)
