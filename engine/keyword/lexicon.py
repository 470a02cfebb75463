"""Which written forms are there? A sorted list with the indexes that patterns need.

An entry is a form (folded, as people write it: `invoices`), the term it is found as (`invoic`), and
how often it was met. Over the entries, in arrays that can be mapped from a file:

    sorted bytes        beginnings by binary search
    letter masks        one bit a letter: a word k edits away differs in at most 2k bits
    trigrams of bytes   every form with `nvo` in it, or beginning (·in) or ending (es·) so
    sound codes         Double Metaphone, eight letters in a number

Python looks only at the few entries that these leave over.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Places = npt.NDArray[np.intp]

EDGE = 1  # the byte that stands before and behind each form
_LAST = b"\xff"


@dataclass(frozen=True, slots=True)
class Entry:
    """A form before it is filed."""

    form: str
    term_id: int
    frequency: int  # how often it was met; of a mere term, how many units hold it
    written: bool = True  # met in a text; False: only the index's own term
    sounds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Entries in the order of their forms' bytes; arrays may be mapped."""

    text: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.uint8]  # characters
    masks: npt.NDArray[np.uint64]
    term_ids: npt.NDArray[np.uint32]
    frequencies: npt.NDArray[np.uint32]
    written: npt.NDArray[np.bool_]
    sounds: npt.NDArray[np.uint64]  # two rows: first and second code
    grams: npt.NDArray[np.uint32]
    gram_offsets: npt.NDArray[np.int64]
    gram_entries: npt.NDArray[np.int32]

    @property
    def size(self) -> int:
        """How many entries there are."""
        return len(self.term_ids)

    def form_bytes(self, place: int) -> bytes:
        """The form of an entry, as UTF-8."""
        return self.text[self.offsets[place] : self.offsets[place + 1]].tobytes()

    def form(self, place: int) -> str:
        """The form of an entry."""
        return self.form_bytes(place).decode()

    def forms(self, places: Places) -> list[str]:
        """The forms of many entries."""
        starts = self.offsets[places].tolist()
        ends = self.offsets[places + 1].tolist()
        text = self.text
        return [
            text[start:end].tobytes().decode() for start, end in zip(starts, ends, strict=True)
        ]

    def find_prefix(self, prefix: str) -> Places:
        """Every entry that begins so."""
        key = prefix.encode()
        rows = _Rows(self)
        return np.arange(bisect_left(rows, key), bisect_left(rows, key + _LAST), dtype=np.intp)

    def find_exact(self, form: str) -> Places:
        """Every entry with exactly this form (it may stand for several terms)."""
        key = form.encode()
        rows = _Rows(self)
        return np.arange(bisect_left(rows, key), bisect_left(rows, key + b"\x00"), dtype=np.intp)

    def find_pieces(self, pieces: Sequence[bytes]) -> Places:
        """Every entry that holds all pieces, edges included; a superset, to be verified."""
        found: Places | None = None
        for piece in sorted(pieces, key=len, reverse=True):
            for gram in _grams_of(piece):
                part = self._with_gram(gram)
                found = part if found is None else np.intersect1d(found, part, assume_unique=True)
                if not len(found):
                    return found
        return np.arange(self.size, dtype=np.intp) if found is None else found

    def _with_gram(self, gram: bytes) -> Places:
        """Entries with these one to three bytes in a row."""
        low = int.from_bytes(gram.ljust(3, b"\x00"), "big")
        high = int.from_bytes(gram.ljust(3, b"\xff"), "big")
        first = int(self.grams.searchsorted(low))
        last = int(self.grams.searchsorted(high, "right"))
        entries = self.gram_entries[self.gram_offsets[first] : self.gram_offsets[last]]
        if last - first == 1:
            return entries.astype(np.intp)
        hit = np.zeros(self.size, bool)
        hit[entries] = True
        return np.flatnonzero(hit)

    def find_near(self, word: str, edits: int) -> Places:
        """Every entry that could be at most `edits` away, by its length and letters."""
        length = len(word)
        low, high = max(length - edits, 0), min(length + edits, 255)
        fits = (self.lengths >= low) & (self.lengths <= high)
        different = np.bitwise_count(self.masks ^ np.uint64(letter_mask(word)))
        return np.flatnonzero(fits & (different <= 2 * edits))

    def find_sound(self, codes: Iterable[str]) -> Places:
        """Every entry with one of these codes."""
        wanted = np.array([pack_code(code) for code in codes if code], np.uint64)
        return np.flatnonzero(np.isin(self.sounds, wanted).any(axis=0))

    def most_frequent(self, places: Places, limit: int) -> Places:
        """The entries with the most passages, in falling order."""
        frequency = self.frequencies[places].astype(np.int64)
        if len(places) > limit:
            chosen = np.argpartition(-frequency, limit)[:limit]
            places, frequency = places[chosen], frequency[chosen]
        return places[np.lexsort((places, -frequency))]

    def arrays(self, prefix: str) -> dict[str, Array]:
        """What a snapshot file keeps."""
        return {f"{prefix}.{name}": getattr(self, name) for name in self.__dataclass_fields__}


class _Rows(Sequence[bytes]):
    """The forms as a sequence, for bisect."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def __len__(self) -> int:
        return self._lexicon.size

    def __getitem__(self, place: Any) -> Any:
        return self._lexicon.form_bytes(place)


def lexicon_from_arrays(arrays: Mapping[str, Array], prefix: str) -> Lexicon:
    """The lexicon that `Lexicon.arrays` was written from."""
    return Lexicon(**{name: arrays[f"{prefix}.{name}"] for name in Lexicon.__dataclass_fields__})


def build_lexicon(entries: Iterable[Entry]) -> Lexicon:
    """File the entries; forms of more than 255 characters are cut short by the analysis already."""
    rows = sorted(((one.form.encode(), one) for one in entries if one.form), key=_by_form)
    forms = [row[0] for row in rows]
    sizes = np.fromiter(map(len, forms), np.int64, len(forms))
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    text = np.frombuffer(b"".join(forms), np.uint8)
    lengths, masks = _measure([row[1].form for row in rows])
    grams, gram_offsets, gram_entries = _build_grams(forms, sizes)
    first = [pack_code(row[1].sounds[0]) if row[1].sounds else 0 for row in rows]
    second = [pack_code(row[1].sounds[1]) if len(row[1].sounds) > 1 else 0 for row in rows]
    return Lexicon(
        text,
        offsets,
        lengths,
        masks,
        np.array([row[1].term_id for row in rows], np.uint32),
        np.array([row[1].frequency for row in rows], np.uint32),
        np.array([row[1].written for row in rows], bool),
        np.array([first, second], np.uint64).reshape(2, len(rows)),
        grams,
        gram_offsets,
        gram_entries,
    )


def _by_form(row: tuple[bytes, Entry]) -> tuple[bytes, int]:
    return row[0], row[1].term_id


def _measure(forms: Sequence[str]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint64]]:
    """Characters and letters of each form."""
    if not forms:
        return np.zeros(0, np.uint8), np.zeros(0, np.uint64)
    counts = np.fromiter(map(len, forms), np.int64, len(forms))
    codes = np.frombuffer("".join(forms).encode("utf-32-le"), np.uint32)
    bits = np.uint64(1) << (codes & np.uint32(63)).astype(np.uint64)
    starts = np.concatenate(([0], np.cumsum(counts)[:-1]))
    masks: npt.NDArray[np.uint64] = np.bitwise_or.reduceat(bits, starts)
    return np.minimum(counts, 255).astype(np.uint8), masks


def letter_mask(word: str) -> int:
    """One bit for each letter that occurs (letters 64 code points apart share one)."""
    mask = 0
    for character in word:
        mask |= 1 << (ord(character) & 63)
    return mask


def _build_grams(
    forms: Sequence[bytes], sizes: npt.NDArray[np.int64]
) -> tuple[Array, Array, Array]:
    """Every three bytes in a row, edges included, with the entries that hold them."""
    edge = bytes([EDGE])
    stream = np.frombuffer(edge + edge.join(forms) + edge * 2, np.uint8).astype(np.uint32)
    if not forms:
        return np.zeros(0, np.uint32), np.zeros(1, np.int64), np.zeros(0, np.int32)
    keys = (stream[:-2] << 16) | (stream[1:-1] << 8) | stream[2:]
    owners = np.repeat(np.arange(len(forms)), sizes + 1)
    # A gram that begins at a form's last byte must not reach into the next form.
    keys[stream[1:-1] == EDGE] &= np.uint32(0xFFFF00)
    pairs = (keys.astype(np.uint64) << 32) | owners.astype(np.uint64)
    pairs.sort()
    pairs = pairs[np.concatenate(([True], pairs[1:] != pairs[:-1]))]
    keys = (pairs >> 32).astype(np.uint32)
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    entries = (pairs & 0xFFFFFFFF).astype(np.int32)
    return keys[starts], np.append(starts, len(pairs)).astype(np.int64), entries


def _grams_of(piece: bytes) -> list[bytes]:
    if len(piece) <= 3:
        return [piece] if piece else []
    return [piece[start : start + 3] for start in range(len(piece) - 2)]


def pack_code(code: str) -> int:
    """The first eight letters of a sound code as a number."""
    return int.from_bytes(code.encode("ascii", "replace")[:8].ljust(8, b"\x00"), "big")


def wildcard_pieces(pattern: str) -> list[bytes]:
    """The fixed parts of `wild?card*`, with an edge where the pattern has one."""
    edge = bytes([EDGE])
    parts = [part.encode() for part in re.split(r"[*?]+", pattern)]
    parts[0] = edge + parts[0] if parts[0] else b""
    parts[-1] = parts[-1] + edge if parts[-1] else b""
    return [part for part in parts if part]
