"""The real model, through open_embedder().

1. Passages are found by meaning, by queries that share no word with them.
2. Rows are unit vectors, in the order of the passages, the same on every run.
3. A text has the same vector alone, in a batch and as a query.
4. A passage longer than the model reads is embedded whole, by windows.
5. Any text has a vector: empty, odd, in any script.
6. A caller may stop after any batch; a query does not wait behind one.
"""

import re
import threading

import numpy as np
import pytest

from engine.config import EmbeddingSettings
from engine.embed import open_embedder
from engine.embed.catalogue import bundled_folder
from engine.embed.onnx import OnnxEmbedder
from engine.embed.wordpiece import PieceCounter

PAIRS = (
    (
        "how to look after a kitten",
        "Young cats need warmth, vaccination and several small meals a day.",
    ),
    (
        "cancel my apartment rental",
        "The tenant may end the lease by giving three months' written notice.",
    ),
    (
        "car will not start",
        "If the engine stays silent, check whether the vehicle's battery is flat.",
    ),
    (
        "lose weight",
        "Eating fewer calories and regular exercise reduce body fat over time.",
    ),
    (
        "who pays for sick employees",
        "Wages continue during illness; the company covers the first six weeks.",
    ),
    (
        "undo a git commit",
        "Revert your last change in version control with a soft reset.",
    ),
    (
        "holiday by the sea",
        "We spent our vacation at the beach, swimming in the ocean every morning.",
    ),
    (
        "why is the sky blue",
        "Air molecules scatter short wavelengths of sunlight more strongly.",
    ),
    (
        "money owed to the government",
        "Your tax return is due on 31 July; late filing costs a penalty.",
    ),
    (
        "doctor appointment",
        "The physician can see patients on Tuesday at nine, at the clinic.",
    ),
)
DISTRACTORS = (
    "Knead the dough for ten minutes and let it rise under a damp cloth.",
    "The orchestra rehearsed the second movement until late.",
    "Tighten the bolts crosswise with a torque wrench.",
    "The parliament passed the amendment with a narrow majority.",
    "Tomatoes want full sun and plenty of water at the root.",
    "A binary tree is balanced when both halves have about the same depth.",
    "The glacier has retreated by forty metres since last summer.",
    "Our printer is out of toner again.",
)


@pytest.fixture(scope="module")
def embedder() -> OnnxEmbedder:
    return open_embedder(EmbeddingSettings())


@pytest.mark.parametrize("query", [query for query, _ in PAIRS])
def test_query_without_a_shared_word_finds_its_passage(embedder: OnnxEmbedder, query: str) -> None:
    passages = [passage for _, passage in PAIRS] + list(DISTRACTORS)
    wanted = dict(PAIRS)[query]
    short = {"to", "the", "a", "by", "for", "is", "my", "will", "not", "who", "why", "how", "after"}
    words = set(re.findall(r"\w+", query)) - short
    assert not words & set(re.findall(r"\w+", wanted.lower()))
    scores = embedder.embed(passages) @ embedder.embed_query(query)
    assert passages[int(scores.argmax())] == wanted


def test_rows_are_unit_vectors_in_the_order_of_the_passages(embedder: OnnxEmbedder) -> None:
    passages = ["a long walk " * 30, "tea", "the harbour in winter " * 9, "tea"]
    rows = embedder.embed(passages)
    assert rows.shape == (4, 384)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert np.allclose(rows[1], rows[3], atol=1e-6)
    for place, passage in enumerate(passages):
        assert rows[place] @ embedder.embed([passage])[0] > 0.9999


def test_vectors_are_the_same_on_every_run(embedder: OnnxEmbedder) -> None:
    passages = [passage for _, passage in PAIRS]
    again = open_embedder(EmbeddingSettings())
    assert np.array_equal(embedder.embed(passages), embedder.embed(passages))
    assert np.array_equal(embedder.embed(passages), again.embed(passages))
    assert again.fingerprint == embedder.fingerprint


def test_text_has_the_same_vector_alone_and_in_a_batch(embedder: OnnxEmbedder) -> None:
    passages = [passage for _, passage in PAIRS] + list(DISTRACTORS) + ["word " * 240, "!", ""]
    together = embedder.embed(passages)
    alone = np.concatenate([embedder.embed([passage]) for passage in passages])
    queries = np.stack([embedder.embed_query(passage) for passage in passages])
    assert np.einsum("ij,ij->i", together, alone).min() > 0.999
    assert np.einsum("ij,ij->i", together, queries).min() > 0.999


def test_long_passage_is_embedded_whole_and_not_cut(embedder: OnnxEmbedder) -> None:
    start = "The recipe needs flour, butter, sugar and two eggs. " * 30
    end = "The rocket reached orbit after the second stage separated. " * 30
    assert PieceCounter(bundled_folder()).count(start + end) > 600
    whole, first, second = embedder.embed([start + end, start, end])
    assert whole @ first > 0.6
    assert whole @ second > 0.6
    assert np.isclose(np.linalg.norm(whole), 1, atol=1e-5)
    assert embedder.embed_query(start + end) @ whole > 0.999


def test_windows_are_averaged_by_length(embedder: OnnxEmbedder) -> None:
    small = open_embedder(EmbeddingSettings(max_tokens=32))
    words = [f"{word} " for word in ("river", "copper", "violin", "harvest")]
    text = "".join(word * 15 for word in words)  # 60 pieces: two windows of 30
    first, second = small.embed([words[0] * 15 + words[1] * 15, words[2] * 15 + words[3] * 15])
    mean = (first + second) / np.linalg.norm(first + second)
    assert small.embed([text])[0] @ mean > 0.9999


@pytest.mark.parametrize(
    "text",
    ["", " ", "\n\t", "\x00", "🎉" * 400, "写真" * 300, "مرحبا", "a" * 5000, "\ufffd", "[PAD]"],
    ids=["empty", "space", "lines", "nul", "emoji", "cjk", "arabic", "one word", "bad", "special"],
)
def test_any_text_has_a_unit_vector(embedder: OnnxEmbedder, text: str) -> None:
    row = embedder.embed([text])[0]
    assert np.isclose(np.linalg.norm(row), 1, atol=1e-5)


def test_no_passages_give_no_rows(embedder: OnnxEmbedder) -> None:
    assert embedder.embed([]).shape == (0, 384)


def test_caller_may_stop_after_any_batch(embedder: OnnxEmbedder) -> None:
    passages = [f"note {number} about the garden " * 10 for number in range(60)]
    places, rows = next(embedder.iter_embed(passages))
    assert 0 < len(places) < 60
    assert rows.shape == (len(places), 384)
    seen = [place for batch, _ in embedder.iter_embed(passages) for place in batch]
    assert sorted(seen) == list(range(60))


def test_gentle_embedding_gives_the_same_vectors() -> None:
    embedder = open_embedder(EmbeddingSettings(threads=2))
    usual = embedder.embed(DISTRACTORS)
    embedder.gentle = True
    assert np.allclose(embedder.embed(DISTRACTORS), usual, atol=1e-5)


def test_queries_are_remembered_up_to_the_cache_size() -> None:
    embedder = open_embedder(EmbeddingSettings(cache_size=2))
    first = embedder.embed_query("one")
    assert embedder.embed_query("one") is first
    embedder.embed_query("two")
    embedder.embed_query("three")
    assert embedder.embed_query("one") is not first
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 0.0


def test_queries_are_answered_while_a_batch_runs(embedder: OnnxEmbedder) -> None:
    passages = ["the harbour in winter " * 50] * 64
    rows: list[int] = []
    batch = threading.Thread(target=lambda: rows.append(len(embedder.embed(passages))))
    batch.start()
    answered = [embedder.embed_query(f"winter {number}") for number in range(20)]
    still_running = batch.is_alive()
    batch.join()
    assert still_running
    assert len(answered) == 20
    assert rows == [64]
