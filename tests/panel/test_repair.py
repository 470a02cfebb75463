"""A damaged index is mended from the panel, with the real service and a really damaged database.

The page says what is wrong, one click repairs, the folders are carried over and found again; the
address and the token stay the same, and the damaged file is kept aside.
"""

import sqlite3
import time
from typing import TYPE_CHECKING

from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from pathlib import Path

    from tests.panel.conftest import Real

    Start = Callable[[Path, Path], AbstractContextManager[Real]]


def damage(database: "Path") -> None:
    """Overwrites the pages of documents and passages; the folders stay readable."""
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        pages = [
            row[0]
            for row in connection.execute(
                "SELECT rootpage FROM sqlite_master WHERE tbl_name IN ('documents', 'chunks')"
            )
        ]
    connection.close()
    with database.open("r+b") as file:
        for page in pages:
            file.seek((page - 1) * size)
            file.write(b"\xff" * size)


def test_one_click_mends_a_damaged_index(page: Page, tmp_path: "Path", start_real: "Start") -> None:
    files, home = tmp_path / "Documents", tmp_path / "home"
    files.mkdir()
    home.mkdir()
    (files / "lease.md").write_text("# Lease\n\nThe harbour flat has three months' notice.\n")
    with start_real(home, files) as real:
        page.goto(real.url())
        page.get_by_role("button", name="Add Folder…").click()
        page.get_by_role("dialog").get_by_role("textbox").fill(str(files))
        page.keyboard.press("Enter")
        page.locator("#query").fill("harbour")
        until_found(page)
        expect(page.locator("#status")).to_contain_text("1 file")
        page.wait_for_timeout(1500)  # the indexing thread has written its last
        damage(home / "sagasu.db")
        page.locator("#query").fill("harbour flat")
        expect(page.locator("#message h2")).to_have_text("The index is damaged")
        page.get_by_role("button", name="Repair", exact=True).click()
        expect(page.locator("#message h2")).to_have_text("Repairing the index…")
        until_found(page)
        expect(page.locator("#query")).to_have_value("harbour flat")
        assert list(home.glob("sagasu.db.damaged-*"))


def until_found(page: Page) -> None:
    """Asks again until the row is there: files are read in the background."""
    end = time.monotonic() + 60
    while page.locator("#results .row", has_text="Lease").count() == 0:
        assert time.monotonic() < end, "it was never found"
        page.wait_for_timeout(250)
        if page.locator("#message h2").all_inner_texts() == ["Repairing the index…"]:
            continue
        typed = page.locator("#query").input_value()
        page.locator("#query").fill(typed + " ")
        page.locator("#query").fill(typed)
        page.wait_for_timeout(250)
