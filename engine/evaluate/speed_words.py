"""How fast are words? Every kind of word query through the engine, beside tantivy on the same text.

The text is either a folder of real files or generated: words of a real vocabulary (the model's own
word list) drawn by Zipf's law, so that rare, middling and common words are as in any language. The
same passages go into a tantivy index in memory; the ratio of the two medians is what carries over
from one machine to another. tantivy only finds passages; the engine also groups them by document,
cuts snippets and checks the files, so the ratio is that of a whole answer.
"""

import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.api import Engine, SearchRequest

if TYPE_CHECKING:
    import tantivy

SEED = 4
ROUNDS = 100
PASSAGES_EACH = 5
WORDS_EACH = 120
ZIPF = 1.05

_FILL_NAMES = """
INSERT OR IGNORE INTO files
    (path, root_id, state, reason, rule, size, mtime_ns, inode, device, changed)
VALUES (?, ?, 'skipped', 'photo', '', 0, 0, 0, 0, 1)
"""
_PASSAGES = "SELECT trail || ' ' || text FROM chunks ORDER BY id LIMIT ?"


@dataclass(frozen=True, slots=True)
class Timing:
    """One kind of query: milliseconds, what is allowed, and tantivy's median if it can do it."""

    what: str
    p50_ms: float
    p95_ms: float
    budget_ms: float
    anchor_ms: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times tantivy's time the median takes."""
        return self.p50_ms / self.anchor_ms if self.anchor_ms else None

    def line(self) -> str:
        """For a table."""
        beside = f"  tantivy {self.anchor_ms:6.2f} ms  × {self.ratio:5.1f}" if self.ratio else ""
        mark = "" if self.p95_ms <= self.budget_ms else "  over"
        return (
            f"{self.what:<28} p50 {self.p50_ms:6.2f} ms  p95 {self.p95_ms:6.2f} ms"
            f"  of {self.budget_ms:3.0f} ms{mark}{beside}"
        )


def write_zipf_text(folder: Path, passages: int, words: Sequence[str]) -> None:
    """Text files with about so many passages, their words drawn by Zipf's law."""
    draw = np.random.default_rng(SEED)
    ranks = 1.0 / np.arange(1, len(words) + 1) ** ZIPF
    limits = np.cumsum(ranks / ranks.sum())
    for number in range(max(passages // PASSAGES_EACH, 1)):
        place = folder / f"{number // 1000:03}"
        place.mkdir(parents=True, exist_ok=True)
        picked = limits.searchsorted(draw.random(PASSAGES_EACH * WORDS_EACH))
        text = [words[min(int(one), len(words) - 1)] for one in picked]
        parts = [
            " ".join(text[start : start + WORDS_EACH]) + "."
            for start in range(0, len(text), WORDS_EACH)
        ]
        (place / f"{text[0]} {text[1]} {number}.txt").write_text("\n\n".join(parts), "utf-8")


def read_words(tokenizer: Path) -> list[str]:
    """The whole words of a WordPiece vocabulary, the commonest first."""
    content = json.loads(tokenizer.read_text(encoding="utf-8"))
    vocabulary: dict[str, int] = content["model"]["vocab"]
    known = sorted(vocabulary, key=lambda word: vocabulary[word])
    return [word for word in known if len(word) > 1 and word.isascii() and word.isalpha()]


def bench_words(
    engine: Engine, say: Callable[[str], None], *, passages: int = 100_000, rounds: int = ROUNDS
) -> list[Timing]:
    """Time every kind of query on what `engine` holds; says each line as it is known."""
    rows = engine.database.connection().execute(_PASSAGES, (passages,)).fetchall()
    texts = [row[0] for row in rows]
    anchor = _Anchor(texts)
    queries = _Queries(texts, rounds)
    timings: list[Timing] = []
    for what, budget, asked, typing in (
        ("rare words", 12, queries.words(3, 20), False),
        ("middling words", 12, queries.words(200, 2000), False),
        ("common words", 12, queries.words(len(texts) // 10, len(texts)), False),
        ("questions of nine words", 12, queries.questions(9), False),
        ("letter by letter", 12, queries.letters(), True),
        ("phrases", 25, queries.phrases(), False),
        ("fuzzy", 25, queries.typos(), False),
        ("wildcards", 60, queries.wildcards(), False),
        ("boolean", 60, queries.booleans(), False),
        ("NEAR", 60, queries.nears(), False),
    ):
        ours = _time(partial(_ask, engine, typing=typing), asked)
        timings.append(_timing(what, ours, budget, anchor.time(what, asked)))
        say(timings[-1].line())
    return timings


def bench_names(
    engine: Engine, say: Callable[[str], None], *, names: int = 1_000_000, rounds: int = ROUNDS
) -> Timing:
    """Time quick open on a ledger filled up with generated names; for a throw-away index only."""
    chance = random.Random(SEED)
    words = _Queries([row[0] for row in _sample(engine)], rounds).known or ["report", "photo"]
    with engine.database.write() as connection:
        root = connection.execute("SELECT min(id) FROM roots").fetchone()[0]
        connection.executemany(_FILL_NAMES, ((p, root) for p in make_names(words, names, chance)))
    engine.searcher().save_snapshots(always=True)
    asked = [_typed_name(words, chance) for _ in range(rounds)]
    ours = _time(partial(_ask, engine, typing=True, mode="names"), asked)
    timing = _timing(f"names, {names:,}", ours, 25, None)
    say(timing.line())
    return timing


def make_names(words: Sequence[str], count: int, chance: random.Random) -> Iterator[str]:
    """Paths as people have them: documents, photographs, screenshots, code."""
    endings = ("pdf", "jpg", "png", "md", "txt", "docx", "xlsx", "py", "html", "heic", "mov")
    folders = [
        "/Users/ada/" + "/".join(chance.choices(words, k=chance.randint(1, 5)))
        for _ in range(max(count // 12, 1))
    ]
    for number in range(count):
        kind = chance.random()
        if kind < 0.15:
            name = f"IMG_{number % 10_000:04}"
        elif kind < 0.3:
            name = f"Screenshot 20{chance.randint(10, 26)}-{chance.randint(1, 12):02} {number}"
        else:
            parts = chance.choices(words, k=chance.randint(1, 4))
            joint = chance.choice((" ", "_", "-", ""))
            name = joint.join(one.capitalize() if not joint else one for one in parts)
        yield f"{chance.choice(folders)}/{name}.{chance.choice(endings)}"


def _typed_name(words: Sequence[str], chance: random.Random) -> str:
    parts = chance.choices(words, k=chance.choice((1, 1, 2, 3)))
    kind = chance.random()
    if kind < 0.6:
        return " ".join(one[: chance.randint(1, 6)] for one in parts)
    if kind < 0.8:
        return "".join(letter for letter in parts[0] if chance.random() < 0.7)[:8] or "a"
    return f"scree {chance.randint(10, 26)}" if kind < 0.9 else f"IMG_{chance.randint(0, 999)}"


def _sample(engine: Engine) -> list[tuple[str]]:
    rows: list[tuple[str]] = engine.database.connection().execute(_PASSAGES, (5000,)).fetchall()
    return rows


def _ask(engine: Engine, text: str, *, typing: bool, mode: str = "bm25") -> None:
    verify = mode != "names"  # generated names have no files to look at
    asked = SearchRequest(text, mode=mode, typing=typing, plain_filters=False, verify=verify)
    engine.search(asked)


def _time(ask: Callable[[str], object], asked: Sequence[str]) -> list[float]:
    """Milliseconds of each query; the first few warm up and are asked again."""
    for one in asked[:3]:
        ask(one)
    spent: list[float] = []
    for one in asked:
        began = time.perf_counter()
        ask(one)
        spent.append((time.perf_counter() - began) * 1000)
    return spent


def _timing(what: str, ours: list[float], budget: float, theirs: list[float] | None) -> Timing:
    anchor = float(np.median(theirs)) if theirs else None
    return Timing(what, float(np.median(ours)), float(np.percentile(ours, 95)), budget, anchor)


class _Queries:
    """Queries of every kind, drawn from the passages themselves."""

    def __init__(self, texts: Sequence[str], rounds: int) -> None:
        self._texts = texts
        self._rounds = rounds
        self._chance = random.Random(SEED)
        self._counts: Counter[str] = Counter()
        for text in texts:
            plain = (word.strip('.,:;()"').lower() for word in text.split())
            self._counts.update({w for w in plain if w.isascii() and w.isalpha() and len(w) > 3})
        self.known = [word for word, _ in self._counts.most_common(60_000)]

    def words(self, least: int, most: int) -> list[str]:
        found = [word for word, count in self._counts.items() if least <= count <= most]
        found = found or self.known[:50]
        return [self._chance.choice(found) for _ in range(self._rounds)]

    def _runs(self, size: int) -> list[list[str]]:
        runs: list[list[str]] = []
        while len(runs) < self._rounds:
            text = self._chance.choice(self._texts).split()
            plain = [word.strip('.,:;()"') for word in text]
            plain = [word for word in plain if word.isascii() and word.isalpha()]
            if len(plain) > size:
                start = self._chance.randrange(len(plain) - size)
                runs.append(plain[start : start + size])
        return runs

    def questions(self, size: int) -> list[str]:
        return [" ".join(run).lower() for run in self._runs(size)]

    def letters(self) -> list[str]:
        words = self.words(20, len(self._texts))[: max(self._rounds // 5, 1)]
        return [word[:end] for word in words for end in range(1, len(word) + 1)]

    def phrases(self) -> list[str]:
        return [f'"{" ".join(run)}"' for run in self._runs(2)]

    def typos(self) -> list[str]:
        found = [word for word in self.known[:20_000] if len(word) > 6]
        return [f"{word[:2]}{word[3]}{word[2]}{word[4:]}~" for word in self._pick(found)]

    def wildcards(self) -> list[str]:
        found = [word for word in self.known[:20_000] if len(word) > 6]
        return [
            self._chance.choice((f"{one[:3]}*{one[-2:]}", f"*{one[2:]}", f"{one[:2]}?{one[3:]}"))
            for one in self._pick(found)
        ]

    def booleans(self) -> list[str]:
        first, second, third = (self.words(200, 20_000) for _ in range(3))
        triples = zip(first, second, third, strict=True)
        return [f"({a} OR {b}) AND NOT {c}" for a, b, c in triples]

    def nears(self) -> list[str]:
        return [f"NEAR({run[0]} {run[-1]}, 5)" for run in self._runs(4)]

    def _pick(self, found: Sequence[str]) -> list[str]:
        return [self._chance.choice(found) for _ in range(self._rounds)]


class _Anchor:
    """tantivy with the same passages, in memory."""

    def __init__(self, texts: Sequence[str]) -> None:
        import tantivy

        schema = tantivy.SchemaBuilder().add_text_field("body", tokenizer_name="en_stem").build()
        self._schema = schema
        self._index = tantivy.Index(schema)
        writer = self._index.writer(heap_size=128_000_000)
        for text in texts:
            writer.add_document(tantivy.Document(body=text))
        writer.commit()
        writer.wait_merging_threads()  # else they are measured too
        self._index.reload()
        self._searcher = self._index.searcher()

    def time(self, what: str, asked: Sequence[str]) -> list[float] | None:
        """Milliseconds of each query, as far as tantivy knows the kind."""
        if what == "NEAR":
            return None
        return _time(lambda one: self._searcher.search(self._query(what, one), 10), asked)

    def _query(self, what: str, text: str) -> "tantivy.Query":
        import tantivy

        query: Any = tantivy.Query
        if what == "letter by letter":
            return query.regex_query(self._schema, "body", text.lower() + ".*")  # type: ignore[no-any-return]  # untyped
        if what == "wildcards":
            pattern = text.lower().replace("*", ".*").replace("?", ".")
            return query.regex_query(self._schema, "body", pattern)  # type: ignore[no-any-return]  # untyped
        if what == "fuzzy":
            return query.fuzzy_term_query(self._schema, "body", text.rstrip("~"), 1)  # type: ignore[no-any-return]  # untyped
        parsed: tantivy.Query = self._index.parse_query(text, ["body"])
        return parsed
