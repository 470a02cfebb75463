"""Which word pieces is this text made of, and how many?

`Tokenizer` gives the model its token ids. `PieceCounter` only counts, for the packing of passages:
it runs over every word that is indexed, so it remembers the count of each run between spaces and
asks WordPiece itself for new words only. Both give the same number for every text; a test compares
them on random text.
"""

import json
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.embed.catalogue import TOKENIZER_NAME
from engine.errors import ModelDamagedError, ModelMissingError

if TYPE_CHECKING:
    import tokenizers

LONGEST_WORD = 100  # WordPiece calls anything longer one unknown piece
MOST_REMEMBERED = 400_000  # about 50 MB
LONGEST_REMEMBERED = 48
# str.split() parts words at these, the model's tokenizer drops them and joins what they part.
ODD_SPACES = "\x0b\x0c\x1c\x1d\x1e\x1f\x85"
_SPACE = re.compile(r"[ \t\n\r\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_PLAIN = re.compile(r"[!-~]+")
_WORD_OR_SIGN = re.compile(r"[a-z0-9]+|[!-~]")
# Common letters and signs: for runs of these the tokenizer's normalising is followed here, four
# times as fast as asking it (a capital sigma is asked: its small form depends on its place).
_SIGNS = (
    r"\u2010-\u2027\u2039\u203a\u3001-\u3003\u3008-\u3011"
    r"\uff01-\uff03\uff08-\uff0a\uff0c-\uff0f\uff1a\uff1b\uff1f"
)
_CHINESE = r"\u3400-\u4dbf\u4e00-\u9fff"
_LETTERS = (
    r"\u00c0-\u024f\u0300-\u034e\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a4-\u03ff\u0400-\u045f"
    r"\u1e00-\u1eff\u3041-\u3096\u30a1-\u30fa\u30fc\uac00-\ud7a3"
)
_FAMILIAR = re.compile(f"[!-~{_LETTERS}{_SIGNS}{_CHINESE}]+")
_PART = re.compile(rf"[!-/:-@\[-`{{-~{_SIGNS}{_CHINESE}]|[^!-/:-@\[-`{{-~{_SIGNS}{_CHINESE}]+")
_MARKS = re.compile(r"[\u0300-\u036f\u3099\u309a]")


class Tokenizer:
    """Texts to token ids, [CLS] and [SEP] left out."""

    def __init__(self, folder: Path) -> None:
        self._tokenizer = load_tokenizer(folder)
        self.start, self.end = (self._find_id(name, folder) for name in ("[CLS]", "[SEP]"))

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of each text, in full: nothing is cut off."""
        encoded = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [one.ids for one in encoded]

    def _find_id(self, name: str, folder: Path) -> int:
        found = self._tokenizer.token_to_id(name)
        if found is None:
            raise ModelDamagedError(path=folder / TOKENIZER_NAME, problem=f"it has no {name}")
        return int(found)


def load_tokenizer(folder: Path) -> "tokenizers.Tokenizer":
    """The tokenizer in `folder`, without cutting and without padding."""
    import tokenizers

    path = folder / TOKENIZER_NAME
    if not path.exists():
        raise ModelMissingError(path=path)
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(path))
    except Exception as exc:  # the library raises bare Exception
        raise ModelDamagedError(path=path, problem=exc) from exc
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


class _Counts(dict[str, int]):
    """Piece counts by run of characters; computes what it does not know yet."""

    def __init__(self, counter: "PieceCounter") -> None:
        super().__init__()
        self._counter = counter

    def __missing__(self, run: str) -> int:
        count = self._counter.count_run(run)
        if len(run) <= LONGEST_REMEMBERED:
            if len(self) >= MOST_REMEMBERED:
                self.clear()
            self[run] = count
        return count


class PieceCounter:
    """Counts word pieces exactly as the model's tokenizer makes them.

    Needs `tokenizer.json` only: reading processes use it without onnxruntime.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._vocabulary, self._special = _read_vocabulary(folder)
        self._tokenizer: tokenizers.Tokenizer | None = None
        self._words: dict[str, int] = {}
        self._runs = _Counts(self)

    def count(self, text: str) -> int:
        """How many pieces `text` has, [CLS] and [SEP] not counted."""
        for odd in ODD_SPACES:
            if odd in text:
                return sum(map(self._runs.__getitem__, filter(None, _SPACE.split(text))))
        return sum(map(self._runs.__getitem__, text.split()))

    __call__ = count

    def fits(self, text: str, limit: int) -> bool:
        """Whether `text` has at most `limit` pieces."""
        # A piece is at least one character, so short texts need no counting.
        return len(text) <= limit or self.count(text) <= limit

    def count_run(self, run: str) -> int:
        """The pieces of one run without spaces, not remembered."""
        if "[" in run and any(one in run for one in self._special):
            return self._ask_tokenizer(run)
        if _PLAIN.fullmatch(run):
            return sum(map(self._count_word, _WORD_OR_SIGN.findall(run.lower())))
        if not _FAMILIAR.fullmatch(run):
            return self._ask_tokenizer(run)
        bare = _MARKS.sub("", unicodedata.normalize("NFD", run)).lower()
        return sum(map(self._count_word, _PART.findall(bare)))

    def _count_word(self, word: str) -> int:
        known = self._words.get(word)
        if known is None:
            known = _count_pieces(word, self._vocabulary)
            if len(self._words) >= MOST_REMEMBERED:
                self._words.clear()
            self._words[word] = known
        return known

    def _ask_tokenizer(self, run: str) -> int:
        if self._tokenizer is None:
            self._tokenizer = load_tokenizer(self._folder)
        return len(self._tokenizer.encode(run, add_special_tokens=False))


def _count_pieces(word: str, vocabulary: frozenset[str]) -> int:
    """WordPiece: the longest known start, then the longest known continuation, and so on."""
    if len(word) > LONGEST_WORD:
        return 1
    start = count = 0
    while start < len(word):
        prefix = "##" if start else ""
        end = len(word)
        while end > start and prefix + word[start:end] not in vocabulary:
            end -= 1
        if end == start:
            return 1  # one part is unknown: the whole word becomes a single [UNK]
        start = end
        count += 1
    return count


def _read_vocabulary(folder: Path) -> tuple[frozenset[str], tuple[str, ...]]:
    path = folder / TOKENIZER_NAME
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        special = tuple(token["content"] for token in raw["added_tokens"])
        return frozenset(raw["model"]["vocab"]), special
    except (FileNotFoundError, NotADirectoryError) as exc:
        raise ModelMissingError(path=path) from exc
    except (OSError, ValueError, KeyError, TypeError) as exc:
        raise ModelDamagedError(path=path, problem="it is no tokenizer") from exc
