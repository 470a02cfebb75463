"""Postings: snapshot, delta, removals and the road over FTS5 agree.

1. A word is found from the snapshot, from the delta and from both, with the same scores.
2. What is removed is gone at once and does not count in the statistics.
3. A damaged, foreign or missing snapshot is not used; answers stay the same.
4. A reader with the old snapshot mapped goes on; it takes the new one up by itself.
5. FTS5's road gives the same scores on the same documents.
6. Blocks merged give the same postings as one block; the commonest terms have codes.
"""

from pathlib import Path

import numpy as np
import pytest

from engine.keyword import build_snapshot, postings, segment, words
from engine.keyword.index import KeywordIndex
from engine.keyword.segment import Tokens, build_segment
from engine.store.database import Database
from engine.store.migrations import migrate
from tests.keyword.conftest import Library, Page

PAGES = (
    Page("a.txt", ("red apples and green apples", "a pear tree")),
    Page("b.txt", ("one red rose",), title="Roses"),
    Page("c.txt", ("green grass grows", "green green hills", "blue sky")),
    Page("d.txt", ("nothing of note here",)),
)


def ask(index: KeywordIndex, *terms: str) -> dict[int, float]:
    hits = index.rank_words([index.word(term, [term]) for term in terms])
    return dict(zip(hits.chunks.tolist(), hits.scores.tolist(), strict=True))


def test_snapshot_delta_and_both_score_alike(library: Library) -> None:
    library.add(*PAGES)
    from_delta = ask(library.open(snapshot=False), "red", "green")
    assert len(from_delta) == 4
    from_snapshot = ask(library.open(), "red", "green")
    assert from_snapshot == pytest.approx(from_delta)


def test_what_is_added_after_the_snapshot_is_found_and_counted(library: Library) -> None:
    library.add(*PAGES[:2])
    index = library.open()
    library.add(*PAGES[2:])
    assert ask(index, "red", "green") == pytest.approx(ask(library.open(), "red", "green"))


def test_removed_documents_are_gone_and_do_not_count(library: Library) -> None:
    library.add(*PAGES)
    index = library.open()
    library.remove("c.txt")
    left = ask(index, "red", "green")
    assert len(left) == 2
    assert left == pytest.approx(ask(library.open(), "red", "green"))
    assert library.database.connection().execute("SELECT count(*) FROM removals").fetchone()[0] == 0


def test_a_document_with_a_title_only_is_found_by_it(library: Library) -> None:
    library.add(*PAGES, Page("empty.txt", (), title="Green notebook"))
    hits = (index := library.open()).rank_words([index.word("notebook", ["notebook"])])
    assert hits.chunks.tolist() == [0]
    assert library.names(hits.documents) == ["empty.txt"]


@pytest.mark.parametrize("damage", ["cut", "header", "foreign", "missing"])
def test_a_bad_snapshot_is_not_used(library: Library, damage: str, tmp_path: Path) -> None:
    library.add(*PAGES)
    wanted = ask(library.open(), "red", "green")
    content = bytearray(library.snapshot.read_bytes())
    if damage == "cut":
        library.snapshot.write_bytes(content[:-5])
    elif damage == "header":
        content[60] ^= 1
        library.snapshot.write_bytes(content)
    elif damage == "missing":
        library.snapshot.unlink()
    else:
        with Database(tmp_path / "other" / "sagasu.db", writable=True) as other:
            migrate(other)
            Library(other, library.snapshot).add(Page("x.txt", ("red red red",)))
            build_snapshot(other, library.snapshot)
    index = library.open(snapshot=False)
    assert index.postings.snapshot is None
    assert ask(index, "red", "green") == pytest.approx(wanted)


def test_a_reader_goes_on_while_the_snapshot_is_replaced(library: Library) -> None:
    library.add(*PAGES[:3])
    index = library.open()
    old = index.postings.view()
    library.add(PAGES[3])
    build_snapshot(library.database, library.snapshot)
    assert old is not None
    assert len(old.passages.postings(index.find_term("green"), (1, 1))[0]) == 3
    new = index.postings.view()
    assert new is not None
    assert len(new.passages.segments) == 1
    assert len(new.passages.ids) == 7


def test_fts5_scores_as_the_arrays_do(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    library.add(*PAGES)
    wanted = library.open(snapshot=False)
    words = ("red", "green", "rose", "nowher")
    arrays = wanted.rank_words([wanted.word(one, [one]) for one in words])
    monkeypatch.setattr(postings, "MEMORY_LIMIT", 2)
    index = library.open(snapshot=False)
    hits = index.rank_words([index.word(one, [one]) for one in words])
    assert hits.flags == {"fts5"}
    assert hits.chunks.tolist() == arrays.chunks.tolist()
    assert hits.scores.tolist() == pytest.approx(arrays.scores.tolist(), rel=1e-5)
    assert hits.total_documents == arrays.total_documents == 3


def test_the_first_snapshot_is_taken_up_though_nothing_has_changed(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.add(*PAGES)
    monkeypatch.setattr(postings, "MEMORY_LIMIT", 2)
    index = library.open(snapshot=False)
    assert index.postings.view() is None
    assert index.postings.needs_snapshot()
    build_snapshot(library.database, library.snapshot)
    assert index.postings.view() is not None
    assert "fts5" not in index.rank_words([index.word("red", ["red"])]).flags


def test_blocks_merged_equal_one_block(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(7)
    lengths = random.integers(0, 30, (2, 200)).astype(np.int32)
    tokens = random.integers(1, 50, int(lengths.sum())).astype(np.uint32)
    ids = np.arange(1, 201)
    forward = Tokens(ids, ids, tokens, lengths)
    whole = build_segment(forward)
    monkeypatch.setattr(segment, "BLOCK_TOKENS", 100)
    parts = build_segment(forward)
    for name in ("term_ids", "offsets", "ordinals", "counts"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name)), name
    place = whole.find(7)
    assert place is not None
    total = int(whole.counts[:, place].sum())
    assert total == int((tokens == 7).sum())


@pytest.mark.parametrize("many", [0, 1000])
def test_places_are_found_alike_by_mask_and_one_by_one(
    many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "MANY", many)
    chance = np.random.default_rng(3)
    for size in (0, 1, 20):
        places = np.unique(chance.integers(0, 60, size))
        wanted = chance.integers(0, 90, 30)
        assert words.contains(places, wanted).tolist() == np.isin(wanted, places).tolist()


def test_the_commonest_terms_have_codes_and_the_others_are_known_to_have_none() -> None:
    chance = np.random.default_rng(1)
    rare = [chance.choice(np.arange(100, 900), 3) for _ in range(500)]
    rows = [np.array([7, *some, 5], np.uint32) for some in rare]
    built = build_segment(
        Tokens(np.arange(500), np.arange(500), np.concatenate(rows), np.full((1, 500), 5, np.int32))
    )
    five, seven = built.codes_of([5, 7]) or (0, 0)
    assert built.codes[[0, 4]].tolist() == [seven, five]
    assert len(built.coded) == segment.MOST_CODED
    uncoded = set(built.term_ids.tolist()) - set(built.coded.tolist())
    assert built.codes_of([7, min(uncoded)]) is None
    assert built.codes_of([7, 5000]) == [seven, 0]
    frequencies = dict(zip(built.term_ids.tolist(), np.diff(built.offsets).tolist(), strict=True))
    assert min(frequencies[term] for term in built.coded.tolist()) >= max(
        frequencies[term] for term in uncoded
    )
