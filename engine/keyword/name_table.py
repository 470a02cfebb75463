"""How are a million file names kept for quick open? As arrays, to be mapped from a file.

A folder is kept once, a file as its name and its folder's number. Over names and over folders:

    word starts    the first eight letters from each place where a word begins (after a sign, at a
                   capital or a digit), sorted: every name with a word that begins so, by range
    letter masks   one bit a letter: names that can hold the letters at all
    pair masks     one bit for each pair of neighbours, hashed: names that can hold a text

Names are folded: no case, no accents, one Unicode form.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.keyword.lexicon import Entry, Lexicon, build_lexicon, lexicon_from_arrays

Array = npt.NDArray[Any]
Places = npt.NDArray[np.intp]

KEY_BYTES = 8
_WORD = re.compile(r"[^\W\d_]{3,40}")
_SEPARATE, _LOWER, _UPPER, _DIGIT = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class Strings:
    """Texts end to end with the indexes over them; arrays may be mapped."""

    text: npt.NDArray[np.uint8]  # as written
    offsets: npt.NDArray[np.int64]
    folded: npt.NDArray[np.uint8]  # padded at the end, so that reading on is safe
    folded_offsets: npt.NDArray[np.int64]
    letters: npt.NDArray[np.uint64]
    pairs: npt.NDArray[np.uint64]
    keys: npt.NDArray[np.uint64]  # of word starts, ascending
    owners: npt.NDArray[np.int32]  # of each key
    starts: npt.NDArray[np.int32]  # of each key: where in the owner's folded text

    @property
    def size(self) -> int:
        """How many texts there are."""
        return len(self.offsets) - 1

    def written(self, place: int) -> str:
        """The text as it was given."""
        part = self.text[self.offsets[place] : self.offsets[place + 1]]
        return part.tobytes().decode("utf-8", "surrogateescape")

    def folded_bytes(self, place: int) -> bytes:
        """The text folded."""
        return self.folded[self.folded_offsets[place] : self.folded_offsets[place + 1]].tobytes()

    def count_starts(self, word: bytes) -> int:
        """In how many places a word begins so, by its first letters."""
        first, last = self._range(word)
        return last - first

    def _range(self, word: bytes) -> tuple[int, int]:
        low = int.from_bytes(word[:KEY_BYTES].ljust(KEY_BYTES, b"\x00"), "big")
        high = int.from_bytes(word[:KEY_BYTES].ljust(KEY_BYTES, b"\xff"), "big")
        first = int(self.keys.searchsorted(np.uint64(low)))
        return first, int(self.keys.searchsorted(np.uint64(high), "right"))

    def word_starts(self, word: bytes) -> tuple[Places, npt.NDArray[np.int32]]:
        """The texts in which a word begins so, and where; one for each place."""
        first, last = self._range(word)
        owners, starts = self.owners[first:last].astype(np.intp), self.starts[first:last]
        at = self.folded_offsets[owners] + starts + KEY_BYTES
        keep = np.ones(len(owners), bool)
        for step, byte in enumerate(word[KEY_BYTES:]):
            keep &= self.folded[np.minimum(at + step, len(self.folded) - 1)] == byte
        return owners[keep], starts[keep]

    def may_hold(self, word: bytes) -> Places:
        """The texts that could hold `word` as it is; a superset."""
        wanted = np.uint64(pair_mask(word))
        return np.flatnonzero((self.pairs & wanted) == wanted)

    def holds_pairs(self, word: bytes, places: Places) -> npt.NDArray[np.bool_]:
        """Which of these texts could hold `word` as it is."""
        wanted = np.uint64(pair_mask(word))
        fits: npt.NDArray[np.bool_] = (self.pairs[places] & wanted) == wanted
        return fits

    def may_scatter(self, word: bytes) -> Places:
        """The texts that hold all its letters, in whatever order."""
        wanted = np.uint64(byte_mask(word))
        return np.flatnonzero((self.letters & wanted) == wanted)

    def arrays(self, prefix: str) -> dict[str, Array]:
        """What a snapshot file keeps."""
        return {f"{prefix}.{name}": getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class NameTable:
    """Files: each name, and the number of its folder."""

    names: Strings
    folders: Strings
    folder_of: npt.NDArray[np.int32]
    words: Lexicon  # of all names and folders, for typos

    def path(self, place: int) -> str:
        """The whole path of a file."""
        folder = self.folders.written(int(self.folder_of[place]))
        return f"{folder}/{self.names.written(place)}" if folder != "/" else (
            f"/{self.names.written(place)}"
        )

    def arrays(self) -> dict[str, Array]:
        """What a snapshot file keeps."""
        own = {"folder_of": self.folder_of}
        texts = self.names.arrays("names") | self.folders.arrays("folders")
        return texts | self.words.arrays("words") | own


def table_from_arrays(arrays: Mapping[str, Array]) -> NameTable:
    """The table that `NameTable.arrays` was written from."""
    names, folders = (
        Strings(**{name: arrays[f"{prefix}.{name}"] for name in Strings.__dataclass_fields__})
        for prefix in ("names", "folders")
    )
    return NameTable(names, folders, arrays["folder_of"], lexicon_from_arrays(arrays, "words"))


def build_table(paths: Iterable[str]) -> NameTable:
    """File all paths."""
    numbers: dict[str, int] = {}
    names: list[str] = []
    folder_of: list[int] = []
    for path in paths:
        folder, _, name = path.rpartition("/")
        folder_of.append(numbers.setdefault(folder or "/", len(numbers)))
        names.append(name)
    counts: Counter[str] = Counter()
    for text in chain(names, numbers):
        counts.update(_WORD.findall(fold_name(text)))
    return NameTable(
        build_strings(names),
        build_strings(list(numbers)),
        np.array(folder_of, np.int32),
        build_lexicon(Entry(word, 0, times) for word, times in counts.items()),
    )


def fold_name(text: str) -> str:
    """No case, no accents, one Unicode form; letters keep their places where that is possible."""
    return strip_accents(text).lower()


def strip_accents(text: str) -> str:
    """The text without accents, in one Unicode form."""
    if text.isascii():
        return text
    whole = unicodedata.normalize("NFKD", text)
    bare = "".join(one for one in whole if not unicodedata.combining(one))
    return unicodedata.normalize("NFC", bare)


def build_strings(texts: Sequence[str]) -> Strings:
    """Texts with their indexes."""
    written, offsets = _join(texts)
    bare = [strip_accents(text) for text in texts]
    folded = [text.lower() for text in bare]
    # Where lower case is longer (İ), capitals no longer line up: its words are found by signs only.
    cased = [
        one if one.isascii() or len(_encode(one)) == len(_encode(low)) else low
        for one, low in zip(bare, folded, strict=True)
    ]
    low, low_offsets = _join(folded)
    mixed, _ = _join(cased)
    padded = np.concatenate([low, np.zeros(KEY_BYTES, np.uint8)])
    keys, owners, starts = _word_starts(mixed, padded, low_offsets)
    letters, pairs = _masks(low, low_offsets)
    return Strings(written, offsets, padded, low_offsets, letters, pairs, keys, owners, starts)


def _join(texts: Sequence[str]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    encoded = [_encode(text) for text in texts]
    sizes = np.fromiter(map(len, encoded), np.int64, len(encoded))
    return np.frombuffer(b"".join(encoded), np.uint8), np.concatenate(([0], np.cumsum(sizes)))


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _classes() -> npt.NDArray[np.uint8]:
    table = np.full(256, _LOWER, np.uint8)  # bytes above 127 belong to letters of other scripts
    for code in range(128):
        character = chr(code)
        if not character.isalnum():
            table[code] = _SEPARATE
        elif character.isdigit():
            table[code] = _DIGIT
        elif character.isupper():
            table[code] = _UPPER
    return table


def _word_starts(
    mixed: npt.NDArray[np.uint8], padded: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]
) -> tuple[Array, Array, Array]:
    """Sorted keys of all word starts, with their owners and places."""
    kinds = _classes()[mixed]
    before = np.concatenate(([_SEPARATE], kinds[:-1])).astype(np.uint8)
    begins = offsets[:-1][np.diff(offsets) > 0]
    before[begins] = _SEPARATE
    after = np.concatenate((kinds[1:], [_SEPARATE])).astype(np.uint8)
    new = (kinds != _SEPARATE) & (
        (before == _SEPARATE)
        | ((kinds == _UPPER) & ((before != _UPPER) | (after == _LOWER)))
        | ((kinds == _DIGIT) != (before == _DIGIT))
    )
    new[begins] = True  # a leading dot or sign begins the name as well
    at = np.flatnonzero(new)
    owners = offsets.searchsorted(at, "right") - 1
    keys = np.zeros(len(at), np.uint64)
    ends = offsets[owners + 1]
    for step in range(KEY_BYTES):
        byte = np.where(at + step < ends, padded[at + step], 0)
        keys = (keys << np.uint64(8)) | byte.astype(np.uint64)
    order = np.argsort(keys, kind="stable")
    starts = (at - offsets[owners]).astype(np.int32)
    return keys[order], owners[order].astype(np.int32), starts[order]


def _masks(
    low: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    size = len(offsets) - 1
    letters, pairs = np.zeros(size, np.uint64), np.zeros(size, np.uint64)
    filled = np.flatnonzero(np.diff(offsets) > 0)
    if not len(filled):
        return letters, pairs
    one = np.uint64(1)
    begins = offsets[:-1][filled]
    letters[filled] = np.bitwise_or.reduceat(one << (low & np.uint8(63)).astype(np.uint64), begins)
    following = np.concatenate((low[1:], [0])).astype(np.uint64)
    hashed = _hash_pairs(low.astype(np.uint64), following)
    # A pair that reaches into the next text sets one bit too many: harmless, it is only a filter.
    pairs[filled] = np.bitwise_or.reduceat(one << hashed, begins)
    return letters, pairs


def _hash_pairs(
    first: npt.NDArray[np.uint64], second: npt.NDArray[np.uint64]
) -> npt.NDArray[np.uint64]:
    mixed: npt.NDArray[np.uint64] = (first * np.uint64(31) + second * np.uint64(7)) % np.uint64(64)
    return mixed


def byte_mask(word: bytes) -> int:
    """One bit for each letter that occurs."""
    mask = 0
    for byte in word:
        mask |= 1 << (byte & 63)
    return mask


def pair_mask(word: bytes) -> int:
    """One bit for each pair of neighbours."""
    mask = 0
    for first, second in pairwise(word):
        mask |= 1 << ((first * 31 + second * 7) % 64)
    return mask
