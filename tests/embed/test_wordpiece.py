"""PieceCounter counts what the model's tokenizer makes, always and fast.

1. Equal to `tokenizers` on random Unicode, on mixtures of hard parts, and on real languages.
2. The memory may be cold, warm or full: the count stays the same.
3. Works without onnxruntime, in a fresh process.
4. Millions of pieces a second once warm.
"""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import engine.embed.wordpiece as wordpiece
from engine.embed.catalogue import bundled_folder
from engine.embed.wordpiece import PieceCounter, Tokenizer
from engine.errors import ModelDamagedError, ModelMissingError

COUNTER = PieceCounter(bundled_folder())
TOKENIZER = Tokenizer(bundled_folder())
PARTS = (
    "running", "Unbelievable", "café", "CAFÉ", "naïve", "ﬁle", "Straße", "İstanbul", "ΣΊΣΥΦΟΣ",
    "写真", "東京タワー", "ひらがな", "한국어", "Привет", "مرحبا", "नमस्ते", "ไทย", "🎉", "👩‍👩‍👧",
    "[CLS]", "[SEP]", "[UNK]", "[MASK", "]", "##ing", "a.b,c!d", "foo_bar", "getUserById", "—", "…",
    "\x0c", "\x0b", "\x1c", "\x85", "\u2028", "\u00a0", "\u200b", "\u3000", "\ufeff", "\x00",
    "\ufffd", "\u0301", "e\u0301", "x" * 100, "y" * 101, "z" * 300, "1234567890", "3.14",
    "$", "^", "`", "~",
    " ", "  ", "\n", "\t", "\r\n", "http://example.org/a?b=c#d", "\ud7ff", "\U0001f1e9\U0001f1ea",
)  # fmt: skip


def real_count(text: str) -> int:
    return len(TOKENIZER.encode([text])[0])


@settings(max_examples=600, deadline=None)
@given(st.text(max_size=200))
@example("a\x0cb")
@example("[CLS]x[SEP]")
@example("[CL\x0cS]")
def test_count_is_exact_on_random_text(text: str) -> None:
    assert COUNTER.count(text) == real_count(text)


@settings(max_examples=600, deadline=None)
@given(st.lists(st.sampled_from(PARTS), max_size=30).map("".join))
def test_count_is_exact_on_mixtures_of_hard_parts(text: str) -> None:
    assert COUNTER.count(text) == real_count(text)


@settings(max_examples=400, deadline=None)
@given(st.text(st.characters(max_codepoint=127), max_size=300))
def test_count_is_exact_on_random_ascii(text: str) -> None:
    assert COUNTER.count(text) == real_count(text)


def test_every_character_of_the_basic_plane_counts_the_same() -> None:
    texts = [f"a{chr(code)}b" for code in range(0x10000) if not 0xD800 <= code < 0xE000]
    wanted = [len(ids) for ids in TOKENIZER.encode(texts)]
    wrong = [t for t, count in zip(texts, wanted, strict=True) if COUNTER.count(t) != count]
    assert wrong == []


def test_full_memory_is_emptied_and_counts_stay_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordpiece, "MOST_REMEMBERED", 5)
    counter = PieceCounter(bundled_folder())
    text = " ".join(f"unremembered{number}" for number in range(50))
    assert counter.count(text) == counter.count(text) == real_count(text)


def test_fits_says_whether_the_limit_holds() -> None:
    text = "tokenization of passages"
    size = real_count(text)
    assert COUNTER.fits(text, size)
    assert not COUNTER.fits(text, size - 1)
    assert COUNTER.fits("", 0)


def test_counter_works_in_a_process_without_onnxruntime() -> None:
    code = (
        "import sys; sys.modules['onnxruntime'] = None\n"
        "from engine.embed.wordpiece import PieceCounter\n"
        "from engine.embed.catalogue import bundled_folder\n"
        "sys.exit(PieceCounter(bundled_folder()).count('Grüße aus München, 2024'))"
    )
    result = subprocess.run([sys.executable, "-c", code], check=False)
    assert result.returncode == real_count("Grüße aus München, 2024")


def test_warm_counter_is_fast() -> None:
    text = "The harbour was quiet, and two fishing boats (old ones) came in with the tide.\n" * 2000
    pieces = COUNTER.count(text)
    start = time.process_time()
    for _ in range(5):
        COUNTER.count(text)
    # Measured 10 to 16 million a second; the bound only catches a lost cache.
    assert 5 * pieces / (time.process_time() - start) > 2e6


def test_missing_and_damaged_tokenizers_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError):
        PieceCounter(tmp_path)
    (tmp_path / "tokenizer.json").write_text("[]")
    with pytest.raises(ModelDamagedError):
        PieceCounter(tmp_path)
    with pytest.raises(ModelDamagedError):
        Tokenizer(tmp_path)
