"""Is everything sound? Looks at the whole installation, says what it finds, and repairs it.

Beside `api` on floor 7. Each check gives one Finding; with `repair` what can be mended is.
"""

import os
import socket
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.api import Engine
from engine.config import Config
from engine.embed import open_embedder
from engine.errors import ConfigError, EngineError, IndexLockedError, ModelError
from engine.files.places import Places
from engine.settings import load_config
from engine.store import repair as mending

LEAST_WATCHES = 65_536
PRIVATE = 0o077


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    ok: bool
    detail: str
    mended: bool = False


def examine(home: Path | None = None, *, repair: bool = False) -> Iterator[Finding]:
    """Every check in turn; a damaged index is looked at first, since all else stands on it."""
    places = Places(home) if home else Places.find()
    try:
        config = load_config(places.config)
        yield Finding("configuration", True, str(places.config))
    except ConfigError as exc:
        yield Finding("configuration", False, f"{exc} {exc.advice}")
        return
    places = Places(places.home, config.storage)
    yield from _check_folder(places, repair)
    yield _check_model(config)
    if not places.database.exists():
        yield Finding("index", True, "nothing is indexed yet")
    else:
        yield from _check_index(places, config, repair)
    yield _check_watches()
    yield _check_port(places, config)
    yield _check_sockets()


def _check_folder(places: Places, repair: bool) -> Iterator[Finding]:
    if not places.home.exists():
        yield Finding("data folder", True, f"{places.home} (not made yet)")
        return
    open_ones = [path for path in (places.home, *places.home.iterdir()) if _is_open(path)]
    if not open_ones:
        yield Finding("data folder", True, f"{places.home}, readable by its owner alone")
        return
    if repair:
        for path in open_ones:
            path.chmod(0o700 if path.is_dir() else 0o600)
    names = ", ".join(path.name for path in open_ones[:5])
    yield Finding("data folder", False, f"others may read {names}", mended=repair)


def _is_open(path: Path) -> bool:
    return bool(stat.S_IMODE(path.stat().st_mode) & PRIVATE)


def _check_model(config: Config) -> Finding:
    try:
        embedder = open_embedder(config.embedding)
        embedder.warm_up()
    except ModelError as exc:
        return Finding("model", False, f"{exc} {exc.advice}")
    return Finding("model", True, f"{embedder.dimensions} dimensions, {embedder.fingerprint[:12]}")


def _check_index(places: Places, config: Config, repair: bool) -> Iterator[Finding]:
    problem = mending.check_integrity(places.database)
    if problem and repair:
        aside, roots = mending.replace_database(places.database)
        detail = f"{problem}; moved to {aside.name}, {roots} folders carried over: run sagasu index"
        yield Finding("index", False, detail, mended=True)
        return
    yield Finding("index", not problem, problem or str(places.database))
    if problem:
        return
    try:
        engine = Engine.open(places.home, write=True, config=config)
    except IndexLockedError as exc:
        yield Finding("words and vectors", True, f"not looked at: {exc}")
        return
    except EngineError as exc:
        yield Finding("words and vectors", False, f"{exc} {exc.advice}")
        return
    with engine:
        yield from _check_contents(engine, repair)


def _check_contents(engine: Engine, repair: bool) -> Iterator[Finding]:
    words = mending.check_words(engine.database)
    if words and repair:
        with engine.database.write() as connection:
            connection.execute("UPDATE files SET mtime_ns = -1 WHERE state = 'indexed'")
        words += "; every file is read again at the next scan"
    yield Finding("words", not words, words or "FTS5 is sound", mended=bool(words) and repair)
    wrong = mending.check_vectors(engine.database, engine.config.embedding.dimensions)
    if wrong and repair:
        with engine.database.write() as connection:
            connection.executemany(
                "UPDATE vectors SET vector = NULL WHERE id = ?", ((one,) for one in wrong)
            )
    detail = f"{len(wrong)} vectors cannot be right" if wrong else "every vector is finite"
    yield Finding("vectors", not wrong, detail, mended=bool(wrong) and repair)
    unused = (
        engine.database.connection()
        .execute("SELECT count(*) FROM vectors WHERE id NOT IN (SELECT vector_id FROM chunks)")
        .fetchone()[0]
    )
    if unused and repair:
        engine.settle()
    yield Finding("unused vectors", not unused, f"{unused}", mended=bool(unused) and repair)


def _check_watches() -> Finding:
    limit = Path("/proc/sys/fs/inotify/max_user_watches")
    if not limit.exists():
        return Finding("watching", True, "FSEvents has no limit on folders")
    count = int(limit.read_text())
    advice = "" if count >= LEAST_WATCHES else "; raise fs.inotify.max_user_watches"
    return Finding("watching", count >= LEAST_WATCHES, f"{count:,} folders may be watched{advice}")


def _check_port(places: Places, config: Config) -> Finding:
    if places.service.exists():
        return Finding("service", True, "a service says that it runs")
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", config.server.port))
        except OSError:
            detail = f"port {config.server.port} is used by another program"
            return Finding("service", False, f"{detail}: sagasu config set server.port 0")
    return Finding("service", True, f"not running; port {config.server.port} is free")


def _check_sockets() -> Finding:
    """This very process, after everything above was used: it has no connection to anywhere."""
    folder = Path("/proc/self/fd")
    if not folder.exists():
        return Finding("network", True, "nothing was connected to")
    links = []
    for entry in folder.iterdir():
        try:
            links.append(os.readlink(entry))
        except OSError:
            continue  # the listing's own descriptor is gone by now
    count = sum(link.startswith("socket:") for link in links)
    return Finding("network", True, f"{count} open sockets after using index and model")
