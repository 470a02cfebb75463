"""The main journeys against the real service with a real index: engine, model, desk and HTTP door.

1. The first start has no folder; one is added by its path and can be searched once it is read.
2. Words and meaning both find; the preview shows the passage; what is opened is told to the desktop
   and comes back among the recent ones.
3. Filters from plain language, similar files, why this result, copying, context pack.
4. Settings act, coverage lists what was left out, a broken query is told with its place.
5. Names full of markup stay text; the page needs the owner's token.
6. From keydown to painted rows is measured.
"""

import re
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from tests.panel.conftest import Real

    Start = Callable[[Path, Path], AbstractContextManager[Real]]

ATTACK = "<img src=x onerror=hacked=1>"
FILES = {
    "Flat/Lease agreement.md": (
        "# Lease agreement\n\n## Term\n\nThe term begins on 1 April and runs for three years.\n\n"
        "## Notice\n\nEither party may terminate this lease before the end of the term by giving "
        "three months' notice in writing. Notice is effective at the end of a month.\n\n"
        "## Deposit\n\nThe deposit is returned within six weeks of the keys being handed over.\n"
    ),
    "Flat/Gym membership.txt": "The member can cancel at any time with effect from next month.\n",
    "Cooking/Carrot soup.md": "# Carrot soup\n\nOnions and carrots are cooked until soft.\n",
    "Garden/Tomatoes.md": "# Tomatoes\n\nWater the plants in the morning and feed them weekly.\n",
    "Work/billing.py": (
        '"""Subscriptions."""\n\n\ndef cancel_early(subscription, today):\n'
        '    """Ends a contract before its term."""\n    return subscription.fee(today)\n'
    ),
    "Work/Budget.csv": "item,month,planned\nrent,April,1240\ndeposit,April,3720\nvan,May,280\n",
    f"Work/{ATTACK}.md": f"# {ATTACK}\n\nzebracode {ATTACK} <script>hacked=1</script>\n",
    "Work/broken.pdf": "%PDF-1.7 and nothing else",
}


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory, start_real: "Start") -> Iterator["Real"]:
    files = tmp_path_factory.mktemp("files") / "Documents"
    for name, text in FILES.items():
        path = files / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with start_real(tmp_path_factory.mktemp("home"), files) as real:
        yield real


@pytest.fixture(scope="module")
def indexed(real: "Real", browser: Any) -> "Real":
    """The first journey: the page itself adds the folder; then everything can be searched."""
    page = browser.new_page(viewport={"width": 1040, "height": 720})
    page.goto(real.url())
    expect(page.locator("#message h2")).to_have_text("Choose what to search")
    page.get_by_role("button", name="Add Folder…").click()
    page.get_by_role("dialog").get_by_role("textbox").fill(str(real.files))
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text(f"{len(FILES) - 1} files", timeout=60_000)
    expect(page.locator("#status")).not_to_contain_text("meaning", timeout=60_000)
    page.close()
    return real


@pytest.fixture
def found(page: Page, indexed: "Real") -> Page:
    page.goto(indexed.url())
    expect(page.locator("#status")).to_contain_text("files")
    return page


def until(page: Page, true: Callable[[], object]) -> None:
    end = time.monotonic() + 15
    while not true():
        assert time.monotonic() < end, "waited in vain"
        page.wait_for_timeout(20)


def ask(page: Page, query: str) -> None:
    page.locator("#query").fill(query)
    page.wait_for_selector("#results .row")
    page.wait_for_timeout(400)


def test_words_find_and_the_preview_shows_where(found: Page) -> None:
    ask(found, "terminate lease")
    expect(found.locator("#row-0 .title")).to_contain_text("Lease agreement")
    expect(found.locator("#row-0 .passage mark").first).to_be_visible()
    expect(found.locator("#preview .crumbs")).to_contain_text("Term")
    expect(found.locator("#preview .sheet mark").first).to_be_visible()
    expect(found.locator("#preview .sheet")).to_contain_text("three months' notice")


def test_meaning_finds_without_a_common_word(found: Page) -> None:
    ask(found, "leaving the apartment contract early")
    expect(found.locator("#results .sign-meaning").first).to_be_visible()
    assert "Lease agreement" in " ".join(found.locator("#results .title").all_inner_texts())


def test_opening_is_done_and_learned(found: Page, indexed: "Real") -> None:
    ask(found, "carrot soup")
    found.keyboard.press("Enter")
    until(found, lambda: indexed.acts("open"))
    assert indexed.acts("open")[-1][0].endswith("Cooking/Carrot soup.md")
    found.goto("about:blank")
    found.goto(indexed.url())
    expect(found.locator("#results")).to_contain_text("carrot soup")
    expect(found.locator("#results")).to_contain_text("Carrot soup.md")


def test_reveal_look_and_copy_reach_the_desktop(found: Page, indexed: "Real") -> None:
    ask(found, "terminate lease")
    found.keyboard.press("Control+Enter")
    found.keyboard.press("Control+y")
    found.keyboard.press("Control+c")
    found.keyboard.press("Control+Alt+c")
    until(found, lambda: indexed.acts("copy_text"))
    assert indexed.acts("reveal")[-1][0].endswith("Lease agreement.md")
    assert indexed.acts("quick_look")[-1][0][0].endswith("Lease agreement.md")
    until(found, lambda: indexed.acts("copy_files"))
    assert "three months' notice" in indexed.acts("copy_text")[-1][0]


def test_a_context_pack_has_its_sources(found: Page, indexed: "Real") -> None:
    ask(found, "terminate lease")
    found.keyboard.press("Control+Shift+c")
    expect(found.locator(".toast")).to_contain_text("copied as context")
    assert "Lease agreement" in indexed.acts("copy_text")[-1][0]


def test_actions_answer(found: Page) -> None:
    ask(found, "terminate lease")
    found.keyboard.press("Control+k")
    found.keyboard.type("why")
    found.keyboard.press("Enter")
    expect(found.locator("#preview .tree li").nth(1)).to_be_visible()
    found.keyboard.press("Control+k")
    found.keyboard.type("similar")
    found.keyboard.press("Enter")
    expect(found.locator("#chips")).to_contain_text("Similar to")
    expect(found.locator("#results .row").first).to_be_visible()


def test_plain_language_becomes_a_chip(found: Page) -> None:
    ask(found, "markdown files about lease")
    expect(found.locator(".chip.on").first).to_have_text(".markdown")
    found.locator(".chip.on .remove").first.click()
    expect(found.locator(".chip.on")).to_have_count(0)


def test_a_filter_of_the_menu_narrows(found: Page) -> None:
    ask(found, "term")
    found.keyboard.press("Control+l")
    found.keyboard.type("code")
    found.keyboard.press("Enter")
    expect(found.locator("#results .row")).to_have_count(1)
    expect(found.locator("#row-0")).to_contain_text("cancel_early")


def test_nothing_is_told_as_nothing(found: Page) -> None:
    found.locator("#query").fill('"qqxzzy wvvkj"')
    expect(found.locator("#message h2")).to_contain_text("Nothing")
    shown = f"{len(FILES) - 1} of {len(FILES)} files are searchable."
    expect(found.locator("#message")).to_contain_text(shown)
    found.keyboard.press("Escape")
    expect(found.locator("#results .row").first).to_be_visible()


def test_a_csv_is_shown_as_a_table_with_its_row_marked(found: Page) -> None:
    ask(found, "deposit budget")
    found.locator("#results .row", has_text="Budget").click()
    expect(found.locator("#preview th")).to_have_text(["item", "month", "planned"])
    expect(found.locator("#preview tr.hit")).to_have_text("depositApril3720")
    expect(found.locator("#preview tr.hit mark")).to_have_text("deposit")


def test_markup_in_a_real_file_stays_text(found: Page) -> None:
    ask(found, "zebracode")
    expect(found.locator("#row-0 .title")).to_contain_text(ATTACK)
    expect(found.locator("#preview .sheet")).to_contain_text(ATTACK)
    assert found.evaluate("window.hacked") is None
    assert found.locator("#panel img").count() == 0


def test_coverage_lists_the_broken_file(found: Page, indexed: "Real") -> None:
    found.goto(indexed.url("coverage.html"))
    expect(found.locator("#summary")).to_contain_text(f"{len(FILES) - 1} of {len(FILES)} files")
    expect(found.locator(".entry")).to_contain_text("broken.pdf")
    expect(found.locator(".picture h2").first).to_contain_text("By kind")
    expect(found.locator("#pictures svg")).to_have_attribute(
        "aria-label", re.compile("Markdown: 4 searchable, 0 not.*PDF: 0 searchable, 1 not")
    )
    found.get_by_role("button", name="Try Again: broken.pdf").click()
    expect(found.locator(".toast")).to_contain_text("once more")


def test_settings_act_and_are_kept(found: Page, indexed: "Real") -> None:
    found.goto(indexed.url("settings.html"))
    found.get_by_text("Dark", exact=True).click()
    expect(found.locator("html")).to_have_attribute("data-theme", "dark")
    found.goto(indexed.url())
    expect(found.locator("html")).to_have_attribute("data-theme", "dark")
    found.goto(indexed.url("settings.html"))
    found.locator("[data-pane=folders]").click()
    expect(found.locator(".root")).to_contain_text("Documents")
    found.locator("[data-pane=agents]").click()
    found.get_by_role("textbox", name="Name of the program").fill("Notes helper")
    found.get_by_role("button", name="Give Access…").click()
    expect(found.locator(".secret code")).not_to_be_empty()
    expect(found.locator(".root")).to_contain_text("Notes helper")


def test_welcome_counts_the_folder_as_done(found: Page, indexed: "Real") -> None:
    found.goto(indexed.url("welcome.html"))
    expect(found.locator("[data-step=folders].done")).to_be_visible()


def test_without_the_token_nothing_is_told(context: BrowserContext, indexed: "Real") -> None:
    page = context.new_page()
    page.goto(f"{indexed.address}/index.html")
    expect(page.locator("#message")).to_contain_text("oken")
    expect(page.locator("#results .row")).to_have_count(0)


def test_a_new_file_is_found_by_itself(found: Page, indexed: "Real") -> None:
    (indexed.files / "Garden" / "Roses.md").write_text("# Roses\n\nCut the wildquartz in March.\n")
    found.goto("about:blank")
    found.goto(indexed.url("coverage.html"))
    found.get_by_role("button", name="Try Again: broken.pdf").wait_for()
    found.goto(indexed.url())
    until(found, lambda: _finds(found, "wildquartz"))


def _finds(page: Page, query: str) -> bool:
    page.locator("#query").fill("")
    page.locator("#query").fill(query)
    page.wait_for_timeout(300)
    return "Roses" in page.locator("#results").inner_text()


def test_keydown_to_rows_is_measured(found: Page) -> None:
    for query in ("lease", "carrot", "tomato", "budget", "notice"):
        found.locator("#query").fill("")
        found.locator("#query").press_sequentially(query, delay=90)
    found.wait_for_timeout(300)
    taken = [
        one["ms"] for one in found.evaluate("window.__sagasu_timings") if one["stage"] == "words"
    ]
    assert len(taken) >= 20
    assert sorted(taken)[len(taken) // 2] < 500
