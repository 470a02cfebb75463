"""Which shape does the database have? Numbered steps, each run once, never edited after a release.

`PRAGMA user_version` is the number of steps taken. sqlite-utils writes them; it is loaded only
when a step is due, since every start passes through here.
"""

import time
from typing import TYPE_CHECKING

from engine.errors import IndexOutdatedError
from engine.store.database import Database

if TYPE_CHECKING:
    import sqlite_utils

# Terms are analysed by us and joined by blanks: every other ASCII character belongs to a term.
_PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
TOKENIZER = "ascii tokenchars " + "'" + _PUNCTUATION.replace("'", "''") + "'"


def _first(db: "sqlite_utils.Database") -> None:
    """Roots, ledger, documents, sections, chunks, vectors, vocabulary and the FTS5 tables."""
    for statement in _FIRST.split(";\n"):
        if statement.strip():
            db.execute(statement)
    tokenizer = TOKENIZER.replace('"', '""')
    db.execute(
        "CREATE VIRTUAL TABLE passages_fts USING fts5("
        f"trail, body, content='', columnsize=1, tokenize=\"{tokenizer}\")"
    )
    db.execute(
        "CREATE VIRTUAL TABLE documents_fts USING fts5("
        f"title, name, path, tags, author, content='', columnsize=1, tokenize=\"{tokenizer}\")"
    )


_FIRST = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE roots (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL UNIQUE,
    watched INTEGER NOT NULL DEFAULT 1,   -- 0: indexed once by hand, not kept fresh
    paused INTEGER NOT NULL DEFAULT 0,
    added REAL NOT NULL,
    scanned REAL,                         -- last complete comparison with the disk
    event_id INTEGER,                     -- where FSEvents shall go on
    volume TEXT NOT NULL DEFAULT ''       -- the volume that event_id belongs to
);
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,             -- file:sha256(path), or what the API's caller chose
    root_id INTEGER REFERENCES roots(id),
    path TEXT NOT NULL,                   -- empty for documents that came through the API
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    own_title INTEGER NOT NULL,           -- 0: the file's name served
    format TEXT NOT NULL,
    language TEXT NOT NULL,
    author TEXT NOT NULL,
    description TEXT NOT NULL,
    tags TEXT NOT NULL,                   -- JSON list
    metadata TEXT NOT NULL,               -- JSON object
    note TEXT NOT NULL,
    created REAL NOT NULL,
    modified REAL NOT NULL,
    size INTEGER NOT NULL,
    content_hash BLOB NOT NULL,
    indexed REAL NOT NULL,
    tokens BLOB NOT NULL,                 -- term ids of title, name, path, tags, author
    field_lengths TEXT NOT NULL           -- JSON: how many of the tokens belong to each
);
CREATE INDEX documents_path ON documents(path);
CREATE INDEX documents_hash ON documents(content_hash);
CREATE INDEX documents_root ON documents(root_id);
CREATE TABLE files (
    path TEXT PRIMARY KEY,
    root_id INTEGER NOT NULL REFERENCES roots(id),
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    rule TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    device INTEGER NOT NULL,
    document_id INTEGER REFERENCES documents(id) ON DELETE SET NULL,
    changed REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX files_state ON files(root_id, state);
CREATE INDEX files_inode ON files(inode, device);
CREATE INDEX files_document ON files(document_id);
CREATE INDEX files_changed ON files(changed);
CREATE TABLE sections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    parent_id INTEGER,
    position INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    title TEXT NOT NULL,
    kind TEXT NOT NULL,
    number INTEGER,
    line INTEGER
);
CREATE INDEX sections_document ON sections(document_id, position);
CREATE TABLE vectors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash BLOB NOT NULL UNIQUE,            -- of the text that is embedded: the same text, once
    vector BLOB,                          -- float16; NULL: waiting
    priority REAL NOT NULL DEFAULT 0      -- larger first
);
CREATE INDEX vectors_waiting ON vectors(priority DESC, id) WHERE vector IS NULL;
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never used twice: snapshots rely on it
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    section_id INTEGER NOT NULL REFERENCES sections(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    start INTEGER NOT NULL,
    line INTEGER,
    trail TEXT NOT NULL,                  -- heading trail, outermost first, joined by ' › '
    trail_length INTEGER NOT NULL,        -- so many of the tokens belong to the trail
    tokens BLOB NOT NULL,                 -- uint32 term ids in order, trail first
    vector_id INTEGER NOT NULL REFERENCES vectors(id)
);
CREATE INDEX chunks_document ON chunks(document_id, position);
CREATE INDEX chunks_vector ON chunks(vector_id);
CREATE INDEX chunks_section ON chunks(section_id);
CREATE TABLE vocabulary (id INTEGER PRIMARY KEY, term TEXT NOT NULL UNIQUE);
CREATE TABLE removals (
    kind TEXT NOT NULL,                   -- chunk, document, vector: what snapshots must forget
    id INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
) WITHOUT ROWID;
CREATE TABLE links (
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    target TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    heading TEXT NOT NULL
);
CREATE INDEX links_document ON links(document_id);
CREATE INDEX links_target ON links(target);
CREATE TABLE aliases (
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    alias TEXT NOT NULL
);
CREATE INDEX aliases_alias ON aliases(alias);
CREATE INDEX aliases_document ON aliases(document_id)
"""

def _pins(db: "sqlite_utils.Database") -> None:
    """What a person put on top for a question."""
    db.execute(
        "CREATE TABLE pins (query TEXT NOT NULL, uid TEXT NOT NULL, pinned REAL NOT NULL, "
        "PRIMARY KEY (query, uid)) WITHOUT ROWID"
    )


STEPS = (_first, _pins)


def migrate(database: Database) -> None:
    """Bring the schema up to date, one transaction a step; refuse a newer one."""
    found = int(database.connection().execute("PRAGMA user_version").fetchone()[0])
    if found > len(STEPS):
        raise IndexOutdatedError(path=database.path, found=found, known=len(STEPS))
    if found == len(STEPS) or not database.writable:
        return
    import sqlite_utils

    for number in range(found, len(STEPS)):
        with database.write() as connection:
            STEPS[number](sqlite_utils.Database(connection, recursive_triggers=False))
            connection.execute(f"PRAGMA user_version = {number + 1}")
            connection.execute(
                "INSERT OR REPLACE INTO meta VALUES ('schema_changed', ?)", (str(time.time()),)
            )
