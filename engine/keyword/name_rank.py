"""Which file is meant by a few letters? Quick open over every name in the ledger, best first.

Each word of the query must be found in the file's name or in its folders, in any order. How well:

    at the name's beginning        4        the name is exactly that (with or without ending): + 1
    where one of its words begins  3
    inside                         2
    its letters in order           up to 1.5, more for neighbours and word starts (like fzf)
    in a folder                    1 where a word begins, 0.6 inside

Shorter names win among equals, then shorter paths. Arrays give the candidates of each class; only
the best few hundred are scored one by one. When nothing but scattered letters is found, words may
be a typo off.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import OSA

from engine.keyword.letters import score_letters
from engine.keyword.name_table import NameTable, Places, Strings, fold_name
from engine.text.distance import max_edits

START, WORD, INSIDE, LETTERS, FOLDER_WORD, INSIDE_FOLDER = 4.0, 3.0, 2.0, 1.0, 1.0, 0.6
EXACT = 1.0
SCORED = 250  # candidates that are looked at one by one
VERIFIED = 20_000  # candidates of a filter that are looked at for one word

Ranked = tuple[float, str]  # score and path
Floats = npt.NDArray[np.float32]


def split_words(text: str) -> list[bytes]:
    """The words of a query, folded as names are."""
    parts = fold_name(text).replace("/", " ").split()
    return [part.encode("utf-8", "surrogateescape") for part in parts]


def rank_names(
    tables: Sequence[NameTable], words: Sequence[bytes], limit: int
) -> list[Ranked]:
    """The files that hold every word, best first."""
    found: list[Ranked] = []
    for table in tables:
        places = _candidates(table, words, limit)
        found += [(_score(table, int(place), words), table.path(int(place))) for place in places]
    found.sort(key=lambda one: (-one[0], len(one[1]), one[1]))
    return [one for one in found if one[0] > 0]


def _candidates(table: NameTable, words: Sequence[bytes], limit: int) -> Places:
    """The files that hold every word, the likeliest few hundred."""
    # The rarest word first: the others are looked for only in what it leaves.
    first, *others = sorted(words, key=lambda one: (table.names.count_starts(one), -len(one)))
    value = _classify(table, first, None, limit, alone=not others)
    places = np.flatnonzero(value)
    value = value[places]
    for word in others:
        more = _classify(table, word, places, limit, alone=False)
        kept = more > 0
        places, value = places[kept], value[kept] + more[kept]
    if len(places) > SCORED:
        worth = value * np.float32(64) - np.minimum(_lengths(table.names, places), 63)
        places = places[np.argpartition(-worth, SCORED)[:SCORED]]
    return places


def _classify(
    table: NameTable, word: bytes, within: Places | None, limit: int, *, alone: bool
) -> Floats:
    """How well each file (of `within`, if given) holds one word; 0 where it does not."""
    names = table.names
    value = np.zeros(names.size, np.float32)
    owners, starts = names.word_starts(word)
    value[owners] = WORD
    value[owners[starts == 0]] = START
    in_folder = np.zeros(table.folders.size, np.float32)
    if not alone or len(owners) < limit:
        in_folder[table.folders.word_starts(word)[0]] = FOLDER_WORD
    if within is not None:
        value = value[within]
        value = np.maximum(value, in_folder[table.folder_of[within]])
        may = np.flatnonzero((value == 0) & names.holds_pairs(word, within))
        value[may[_holding(names, word, within[may])]] = INSIDE
        return value
    if len(owners) >= limit and alone:
        return value
    may = names.may_hold(word)
    _raise(value, may[_holding(names, word, may)], INSIDE)
    if in_folder.any():
        value = np.maximum(value, in_folder[table.folder_of])
    if alone and np.count_nonzero(value) < limit:
        may = names.may_scatter(word)
        _raise(value, may[_scattered(names, word, may)], LETTERS)
    return value


def _raise(value: Floats, places: Places, level: float) -> None:
    value[places] = np.maximum(value[places], np.float32(level))


def _lengths(strings: Strings, places: Places) -> npt.NDArray[np.int64]:
    sizes: npt.NDArray[np.int64] = (
        strings.folded_offsets[places + 1] - strings.folded_offsets[places]
    )
    return sizes


def _shortest(strings: Strings, places: Places) -> Places:
    """Numbers of the shortest texts, as many as are looked at."""
    if len(places) <= VERIFIED:
        return np.arange(len(places))
    return np.sort(np.argpartition(_lengths(strings, places), VERIFIED)[:VERIFIED])


def _holding(strings: Strings, word: bytes, places: Places) -> Places:
    """Which of the texts (their numbers in `places`) hold the word as it is."""
    if len(word) < 2 or not len(places):
        return places[:0]
    chosen = _shortest(strings, places)
    spread = _spread(strings, places[chosen])
    at = np.flatnonzero(spread.text == word[0])
    for step, byte in enumerate(word[1:], 1):
        at = at[at + step < len(spread.text)]
        at = at[spread.text[at + step] == byte]
    owners = spread.owners_of(at)
    return chosen[np.unique(owners[spread.ends[owners] >= at + len(word)])]


def _scattered(strings: Strings, word: bytes, places: Places) -> Places:
    """Which of the texts hold the word's letters in order."""
    if not len(places):
        return places
    chosen = _shortest(strings, places)
    spread = _spread(strings, places[chosen])
    alive = np.arange(len(chosen))
    cursor = spread.ends - _lengths(strings, places[chosen])
    for byte in word:
        occurs = np.flatnonzero(spread.text == byte)
        following = occurs.searchsorted(cursor[alive])
        alive, following = alive[following < len(occurs)], following[following < len(occurs)]
        found = occurs[following]
        inside = found < spread.ends[alive]
        alive = alive[inside]
        cursor[alive] = found[inside] + 1
    return chosen[alive]


@dataclass(frozen=True, slots=True)
class _Spread:
    """Some texts end to end."""

    text: npt.NDArray[np.uint8]
    ends: npt.NDArray[np.int64]

    def owners_of(self, at: Places) -> Places:
        return self.ends.searchsorted(at, "right")


def _spread(strings: Strings, places: Places) -> _Spread:
    starts, sizes = strings.folded_offsets[places], _lengths(strings, places)
    ends = np.cumsum(sizes)
    flat = np.repeat(starts - (ends - sizes), sizes) + np.arange(int(ends[-1]))
    return _Spread(strings.folded[flat], ends)


def _score(table: NameTable, place: int, words: Sequence[bytes]) -> float:
    """The exact score of one file."""
    name = table.names.folded_bytes(place)
    written = table.names.written(place)
    folder = table.folders.folded_bytes(int(table.folder_of[place]))
    total = 0.0
    for word in words:
        best = _score_name(name, written, word)
        if best < FOLDER_WORD and word in folder:
            best = max(best, FOLDER_WORD if _starts_word(folder, word) else INSIDE_FOLDER)
        if not best:
            return 0.0
        total += best
    if len(words) == 1 and words[0] in (name, name.rsplit(b".", 1)[0]):
        total += EXACT
    used = sum(len(word) for word in words)
    extra = max(len(name) - used, 0)
    return total - min(extra, 60) * 0.01 - min(folder.count(b"/"), 20) * 0.005


def _score_name(name: bytes, written: str, word: bytes) -> float:
    if name.startswith(word):
        return START
    at = name.find(word)
    if at >= 0:
        return WORD if _starts_word(name, word) or _is_capital(written, at) else INSIDE
    return score_letters(written, word)


def _is_capital(written: str, at: int) -> bool:
    """Whether a word begins inside another: `Notes` in BudgetNotes. Exact for plain names only."""
    return written.isascii() and written[at].isupper() and not written[at - 1].isupper()


def _starts_word(text: bytes, word: bytes) -> bool:
    at = text.find(word)
    while at >= 0:
        if at == 0 or not text[at - 1 : at].isalnum():
            return True
        at = text.find(word, at + 1)
    return False


def rank_near(tables: Sequence[NameTable], words: Sequence[bytes], limit: int) -> list[Ranked]:
    """Files whose names hold words that are a typo away from those typed."""
    mended: list[list[bytes]] = [[]]
    for word in words:
        near = [word] if _is_known(tables, word) else _near_words(tables, word)
        mended = [[*line, one] for line in mended for one in near[:3]][:9]
    found: dict[str, float] = {}
    for line in mended:
        for score, path in rank_names(tables, line, limit):
            found[path] = max(found.get(path, 0.0), score)
    ranked = [(score, path) for path, score in found.items()]
    return sorted(ranked, key=lambda one: (-one[0], one[1]))


def _is_known(tables: Sequence[NameTable], word: bytes) -> bool:
    return any(
        len(strings.word_starts(word)[0])
        for table in tables
        for strings in (table.names, table.folders)
    )


def _near_words(tables: Sequence[NameTable], word: bytes) -> list[bytes]:
    """Words of names that are a typo or two away, nearest and commonest first."""
    typed = word.decode("utf-8", "replace")
    most = max_edits(typed)
    found: list[tuple[int, int, str]] = []
    for table in tables if most else ():
        places = table.words.find_near(typed, most)
        forms = table.words.forms(places)
        for place, form in zip(places.tolist(), forms, strict=True):
            distance = OSA.distance(typed, form, score_cutoff=most)
            if distance <= most:
                found.append((distance, -int(table.words.frequencies[place]), form))
    return [form.encode() for _, _, form in sorted(found)]
