"""How are many rows asked for at once, and which number is free?"""

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

AT_ONCE = 500  # values in one IN (…): below SQLite's old limit of 999


def look_up(
    connection: sqlite3.Connection, query: str, values: Iterable[Any], *more: Any
) -> Iterator[tuple[Any, ...]]:
    """The rows of `query`, whose `IN ({})` is filled with some of `values` at a time.

    `more` are the values of what stands behind it.
    """
    rest = iter(values)
    while batch := list(islice(rest, AT_ONCE)):
        marks = ",".join("?" * len(batch))
        yield from connection.execute(query.format(marks), (*batch, *more)).fetchall()


def next_id(connection: sqlite3.Connection, table: str) -> int:
    """The number after the last one ever given in `table`: none is used twice."""
    used = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table,)).fetchone()
    return int(used[0]) + 1 if used else 1
