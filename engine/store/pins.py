"""What did a person put on top? Documents pinned to a question, by id: a rebuild keeps them."""

import sqlite3


def pin(connection: sqlite3.Connection, query: str, uid: str, pinned: bool, now: float) -> None:
    """Keep a document on top for a question, or let it go."""
    if pinned:
        connection.execute("INSERT OR REPLACE INTO pins VALUES (?,?,?)", (fold(query), uid, now))
    else:
        connection.execute("DELETE FROM pins WHERE query = ? AND uid = ?", (fold(query), uid))


def pinned_documents(connection: sqlite3.Connection, query: str) -> list[int]:
    """Numbers of the documents pinned to a question, the last one pinned first."""
    rows = connection.execute(
        "SELECT documents.id FROM pins JOIN documents ON documents.uid = pins.uid "
        "WHERE pins.query = ? ORDER BY pins.pinned DESC",
        (fold(query),),
    )
    return [row[0] for row in rows]


def fold(query: str) -> str:
    """Two spellings of one question: case and white space do not matter."""
    return " ".join(query.casefold().split())
