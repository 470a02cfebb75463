"""Every setting: its type, default, range and meaning, in one place.

Checked and frozen; `settings` reads them from the file. `index_key()` names what shapes the index:
when it changes, words or vectors are made anew.
"""

import dataclasses
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CONFIG_NAME = "config.yaml"


def setting(
    default: Any,
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
    shapes_index: bool = False,
) -> Any:
    """A dataclass field that knows its meaning and its range."""
    facts = {
        "help": help,
        "low": low,
        "high": high,
        "choices": choices,
        "shapes_index": shapes_index,
    }
    return field(default=default, metadata=facts)


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The local HTTP door."""

    host: str = setting(
        "localhost", "Address to listen on", choices=("localhost", "127.0.0.1", "::1")
    )
    port: int = setting(8080, "Port to listen on", low=0, high=65535)
    token: bool = setting(True, "Ask every client but /health for the token file's content")
    body_limit_mb: int = setting(16, "Largest request body", low=1, high=1024)


@dataclass(frozen=True, slots=True)
class StorageSettings:
    """Where the index lives; empty: in the data folder."""

    database_path: str = setting("", "The SQLite file that holds everything")
    bleve_index_path: str = setting(
        "", "The word snapshot derived from it (name kept from Sagasu 1)"
    )
    faiss_index_path: str = setting(
        "", "The vector snapshot derived from it (name kept from Sagasu 1)"
    )


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """The model that turns passages into vectors."""

    model_path: str = setting("", "Folder of the model; empty: the one that came with Sagasu")
    dimensions: int = setting(384, "Numbers per vector", low=8, high=4096, shapes_index=True)
    max_tokens: int = setting(
        256, "Word pieces the model reads at once", low=32, high=512, shapes_index=True
    )
    use_quantization: bool = setting(True, "int8 weights on the CPU: a quarter the size, faster")
    cache_size: int = setting(10_000, "Query vectors kept in memory", low=0, high=1_000_000)
    threads: int = setting(
        0, "Threads for embedding; 0: as many as there are cores", low=0, high=256
    )


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How a question is answered."""

    default_limit: int = setting(10, "Results when the question does not say", low=1, high=1000)
    max_limit: int = setting(100, "Most results one question may ask for", low=1, high=10_000)
    default_keyword_enabled: bool = setting(True, "Search by words unless told otherwise")
    default_semantic_enabled: bool = setting(True, "Search by meaning unless told otherwise")
    chunk_size: int = setting(
        512,
        "Most words in a passage; the model's max_tokens limits it further",
        low=16,
        high=10_000,
        shapes_index=True,
    )
    chunk_overlap: int = setting(
        0, "Words repeated between passages of one section", low=0, high=400, shapes_index=True
    )
    top_k_candidates: int = setting(
        100, "Passages each side brings to the fusion", low=10, high=5000
    )
    default_min_keyword_score: float = setting(0.0, "Least keyword score", low=0.0)
    default_min_semantic_score: float = setting(0.05, "Least semantic score", low=-1.0, high=1.0)
    keyword_title_boost: float = setting(2.0, "Weight of a match in the title", low=0.0, high=100.0)
    keyword_phrase_boost: float = setting(
        1.5, "Factor when the words stand together", low=1.0, high=10
    )
    language: str = setting(
        "auto", "Language of stemming and stop words; auto: detect per document"
    )


@dataclass(frozen=True, slots=True)
class RankingSettings:
    """How hits are scored; the defaults are what the judged sets chose."""

    fusion: str = setting(
        "convex", "How words and meaning become one", choices=("convex", "minmax", "zscore", "rrf")
    )
    semantic_weight: float = setting(0.5, "Share of meaning against words", low=0.0, high=1.0)
    adaptive: bool = setting(True, "Let the question move that share")
    clarity_slope: float = setting(0.6, "How far words that are sure move it", low=0.0, high=2.0)
    clarity_middle: float = setting(0.45, "Clarity at which they do not", low=0.0, high=1.0)
    short_bonus: float = setting(0.3, "What meaning gains when words are few", low=0.0, high=0.5)
    foreign_factor: float = setting(
        0.3, "What is left of meaning for languages the model cannot read", low=0.0, high=1.0
    )
    neighbour_share: float = setting(
        0.4, "How far a hit's nearest neighbours draw its score; 0: not at all", low=0.0, high=0.9
    )
    neighbour_count: int = setting(5, "Neighbours that do", low=1, high=50)
    neighbour_pool: int = setting(50, "First documents that have any", low=2, high=1000)
    shortcut: bool = setting(True, "Ask words alone when they have found the file that is named")
    feedback_words: float = setting(
        0.0, "Weight of words learned from the first hits; 0: none", low=0.0, high=1.0
    )
    feedback_vectors: float = setting(
        0.0, "How far the first hits' vectors move the question's; 0: not at all", low=0.0, high=2.0
    )
    concepts: bool = setting(False, "Widen the question by the collection's own nearest words")
    variance: bool = setting(False, "A side whose scores hardly vary counts up to half as much")
    rrf_k: float = setting(60.0, "Constant of reciprocal rank fusion", low=1.0, high=1000.0)
    rrf_first_bonus: float = setting(0.05, "What a first place adds to it", low=0.0, high=1.0)
    rrf_near_bonus: float = setting(0.02, "What places two and three add", low=0.0, high=1.0)
    abstain_below: float = setting(
        0.06, "Confidence under which there is “nothing relevant”", low=0.0, high=1.0
    )
    per_root: bool = setting(False, "The best of every folder counts as much as any other's")
    near_folders: tuple[str, ...] = setting((), "Folders whose files count half as much again")
    aggregate: float = setting(
        0.0,
        "Share of a section's parts that makes it one hit; 0: off",
        low=0.0,
        high=1.0,
    )
    features: float = setting(
        0.0, "Weight of common words, phrase and numbers after fusing", low=0.0, high=1.0
    )
    rules: tuple[str, ...] = setting(
        (), "Order by these: words, typo, proximity, attribute, sort, exactness; empty: by score"
    )
    elbow_ratio: float = setting(0.0, "Cut where a score falls below this share", low=0.0, high=1.0)
    elbow_most: int = setting(50, "Hits kept by that cut at most", low=1, high=10_000)
    diversity: float = setting(
        1.0, "Balance of relevance against novelty; 1: relevance alone", low=0.0, high=1.0
    )
    duplicate_cosine: float = setting(1.0, "Cosine that makes a copy; 1: none", low=0.1, high=1.0)
    signals: float = setting(
        0.0, "Share of name, path, content and metadata in the score", low=0.0, high=1.0
    )
    filename_weight: float = setting(0.3, "Of the signals: the file's name", low=0.0, high=1.0)
    content_weight: float = setting(
        0.5, "Of the signals: phrase, heading, words", low=0.0, high=1.0
    )
    path_weight: float = setting(0.1, "Of the signals: the folders", low=0.0, high=1.0)
    metadata_weight: float = setting(0.1, "Of the signals: author and tags", low=0.0, high=1.0)
    recency: bool = setting(False, "Of the signals: recent files count a little more")
    half_life_days: float = setting(
        0.0,
        "Age that halves it; 0: steps of a day, a week, a month",
        low=0.0,
        high=3650.0,
    )
    rerank_model: str = setting("", "Folder of an ONNX cross-encoder; empty: none")
    rerank_count: int = setting(20, "Hits it looks at", low=1, high=200)


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """Folders that are kept fresh."""

    directories: tuple[str, ...] = setting(
        (), "Folders added at start, beside those added by command"
    )
    extensions: tuple[str, ...] = setting(
        (), "Only these endings; empty: every format there is a reader for"
    )
    recursive: bool = setting(True, "Folders inside folders too")
    debounce_ms: int = setting(400, "Quiet time before a changed file is read", low=0, high=60_000)
    reconcile_minutes: int = setting(
        60, "How often disk and index are compared", low=1, high=10_080
    )


@dataclass(frozen=True, slots=True)
class FileSettings:
    """Which files are ours."""

    exclude: tuple[str, ...] = setting((), "Patterns (as in .gitignore) to leave out")
    include: tuple[str, ...] = setting((), "Patterns to take in although a rule leaves them out")
    hidden: bool = setting(False, "Hidden files and folders too")
    gitignore: bool = setting(True, "Obey .gitignore files")
    secrets: bool = setting(False, "Index .env files, private keys and keychains too")
    max_size_mb: int = setting(50, "Larger files are left out", low=1, high=100_000)
    max_text_mb: int = setting(20, "Text read from one file at most", low=1, high=1000)
    timeout_seconds: int = setting(60, "Time to read one file", low=1, high=3600)
    memory_limit_mb: int = setting(1024, "Memory to read one file", low=128, high=65_536)
    workers: int = setting(0, "Reading processes; 0: one per core, at most four", low=0, high=64)


@dataclass(frozen=True, slots=True)
class McpSettings:
    """What assistants get to see."""

    mask_secrets: bool = setting(True, "Mask keys, tokens, card and bank account numbers")
    folders: tuple[str, ...] = setting((), "Show assistants these folders only; empty: all of them")


@dataclass(frozen=True, slots=True)
class Config:
    """All settings, checked."""

    debug: bool = setting(False, "Verbose log")
    server: ServerSettings = field(default_factory=ServerSettings)
    storage: StorageSettings = field(default_factory=StorageSettings)
    embedding: EmbeddingSettings = field(default_factory=EmbeddingSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    ranking: RankingSettings = field(default_factory=RankingSettings)
    watch: WatchSettings = field(default_factory=WatchSettings)
    files: FileSettings = field(default_factory=FileSettings)
    mcp: McpSettings = field(default_factory=McpSettings)

    def index_key(self) -> str:
        """Names the settings that shape the index; two equal keys can share one."""
        shaping = {row.key: row.value for row in iter_settings(self) if row.shapes_index}
        return hashlib.sha256(json.dumps(shaping, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting with its meaning, for tables and for `config show`."""

    key: str
    type: str
    value: Any
    default: Any
    help: str
    shapes_index: bool


def iter_settings(config: Config) -> Iterator[SettingRow]:
    """Every setting, in the order of the file."""
    for top in dataclasses.fields(config):
        value = getattr(config, top.name)
        if dataclasses.is_dataclass(value):
            for item in dataclasses.fields(value):
                yield _row(f"{top.name}.{item.name}", item, getattr(value, item.name))
        else:
            yield _row(top.name, top, value)


def _row(key: str, item: "dataclasses.Field[Any]", value: Any) -> SettingRow:
    name = (
        item.type if isinstance(item.type, str) else getattr(item.type, "__name__", str(item.type))
    )
    shapes = bool(item.metadata.get("shapes_index"))
    return SettingRow(key, name, value, item.default, item.metadata["help"], shapes)


def data_folder() -> Path:
    """SAGASU_HOME, or the place where this platform keeps an application's data."""
    named = os.environ.get("SAGASU_HOME")
    if named:
        return Path(named).expanduser().absolute()
    if os.uname().sysname == "Darwin":
        return Path.home() / "Library" / "Application Support" / "Sagasu"
    shared = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(shared) / "sagasu"
