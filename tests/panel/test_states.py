"""Every state says what it is and how to leave it.

Empty, onboarding, results, did you mean, searched instead, nothing found, nothing relevant, a
query that cannot be read, a refusal, service gone, meaning off, indexing, paused, a problem,
explanation, similar files, picture.
"""

import base64
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from tests.panel.conftest import Double, Refused

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def change(service: "Double", **facts: Any) -> None:
    """Every search answers with these facts changed."""
    service.answers["search"] = lambda body: {**service.usual("search", body), **facts}


def test_empty_shows_recent_searches_and_files(panel: Page) -> None:
    assert panel.locator("#results h2").all_inner_texts() == ["Recent searches", "Recent files"]
    expect(panel.locator("#preview")).to_contain_text("Ask as you would say it")
    panel.keyboard.press("ArrowDown")
    panel.keyboard.press("Enter")
    expect(panel.locator("#query")).to_have_value("lease notice period")
    expect(panel.locator("#results .row")).to_have_count(9)


def test_onboarding_when_there_is_no_folder(page: Page, service: "Double") -> None:
    service.sample["status"].update(folders=[], documents=0, state="idle", passages_total=0)
    page.goto(service.url())
    expect(page.locator("#message h2")).to_have_text("Choose what to search")
    page.locator("#message button").click()
    page.locator("dialog input").fill("~/Documents")
    gate = service.hold("roots_add")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    service.sample["status"].update(folders=["/Users/mia/Documents"])
    gate.set()
    expect(page.locator("#results .row").first).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert service.asked("roots_add") == [{"path": "~/Documents"}]


def test_did_you_mean_is_a_click(panel: Page, service: "Double") -> None:
    change(service, suggestions=[{"text": "contract", "query": "contract early"}])
    panel.locator("#query").fill("contarct early")
    notice = panel.locator(".notice")
    expect(notice).to_contain_text("Did you mean")
    service.answers.clear()
    notice.locator("button").click()
    expect(panel.locator("#query")).to_have_value("contract early")
    expect(notice).to_have_count(0)


def test_searched_instead_can_be_undone(panel: Page, service: "Double") -> None:
    change(service, auto_fuzzy="contract early")
    panel.locator("#query").fill("contarct early")
    expect(panel.locator(".notice")).to_have_text(
        "No exact match. Showing results for contract early.Search as typed"
    )
    panel.locator(".notice button").click()
    expect(panel.locator("[data-filter=mode]")).to_contain_text("Exact text")


def test_nothing_found_gives_the_coverage(panel: Page, service: "Double") -> None:
    change(service, results=[], total=0, coverage={"indexed": 4812, "total": 5003, "waiting": 12})
    panel.locator("#query").fill("zzz")
    expect(panel.locator("#message h2")).to_have_text("Nothing found")
    expect(panel.locator("#message")).to_contain_text("12 files are still being read")
    expect(panel.locator("#message")).to_contain_text("4,812 of 5,003 files are searchable.")
    panel.locator("#message button", has_text="Show What Is Left Out").click()
    expect(panel).to_have_title("Coverage · Sagasu")


def test_nothing_relevant_can_drop_its_filters(panel: Page, service: "Double") -> None:
    change(service, results=[], total=0, nothing_relevant=True)
    panel.locator("#query").fill("pdf zzz")
    expect(panel.locator("#message h2")).to_have_text("Nothing relevant")
    service.answers.clear()
    panel.locator("#message button", has_text="Without Filters").click()
    expect(panel.locator("#results .row")).to_have_count(9)
    assert service.asked("search")[-1]["ignore_chips"] == ["pdf", "from last year"]


def test_rows_say_that_a_file_changes_or_its_disk_is_away(panel: Page, service: "Double") -> None:
    rows = service.sample["search"]["results"]
    rows[0]["freshness"], rows[1]["freshness"] = "updating", "away"
    panel.locator("#query").fill("lease")
    expect(panel.locator("#row-0 .fresh")).to_have_text("updating")
    expect(panel.locator("#row-1 .fresh")).to_have_text("not connected")
    expect(panel.locator("#row-1")).to_have_attribute(
        "aria-label", re.compile("On a disk that is not connected")
    )
    expect(panel.locator("#row-2 .fresh")).to_have_count(0)
    panel.locator("#row-1").click()
    expect(panel.locator("#preview .facts")).to_contain_text("On a disk that is not connected")


def test_problems_stand_in_the_status_line_as_sentences(panel: Page, service: "Double") -> None:
    sentences = [
        "/Users/mia/Archive is not there now; what was indexed of it is kept.",
        "The disk is nearly full.",
    ]
    service.send({"type": "status", **service.sample["status"], "problems": sentences})
    line = panel.locator("#status .problems")
    expect(line).to_contain_text("~/Archive is not there now")
    expect(line.locator("b")).to_have_text("+1")
    line.click()
    expect(panel.get_by_role("dialog")).to_contain_text("The disk is nearly full.")
    panel.keyboard.press("Enter")
    expect(panel.get_by_role("dialog")).to_have_count(0)
    service.send({"type": "status", **service.sample["status"], "problems": []})
    expect(line).to_have_count(0)


def test_a_table_shows_its_best_row(panel: Page) -> None:
    panel.locator("#query").fill("lease")
    panel.locator(".row", has_text="Budget 2025").click()
    expect(panel.locator("#preview tr.hit")).to_have_count(1)
    expect(panel.locator("#preview tr.hit mark")).to_have_text("Lease")


def test_half_a_query_keeps_the_rows(
    panel: Page, service: "Double", refused: "type[Refused]"
) -> None:
    panel.locator("#query").fill("lease")
    expect(panel.locator("#results .row")).to_have_count(9)

    def refuse(body: dict[str, Any]) -> Any:
        raise refused(400, {"kind": "QuerySyntaxError", "say": "A bracket is open.",
                            "hint": "Close it.", "position": 6})  # fmt: skip

    service.answers["search"] = refuse
    panel.locator("#query").fill("lease (")
    expect(panel.locator(".notice.warn")).to_contain_text("A bracket is open. Close it.")
    assert panel.locator(".notice pre").inner_text() == "lease (\n      ^"
    expect(panel.locator("#results .row")).to_have_count(9)


def test_a_refusal_is_told_in_its_own_words(
    panel: Page, service: "Double", refused: "type[Refused]"
) -> None:
    def refuse(body: dict[str, Any]) -> Any:
        raise refused(503, {"kind": "DiskFullError", "say": "The disk is full.",
                            "hint": "Make room, then try again."})  # fmt: skip

    service.answers["search"] = refuse
    panel.locator("#query").fill("lease")
    expect(panel.locator("#message")).to_contain_text("The disk is full.")
    expect(panel.locator("#message")).to_contain_text("Make room, then try again.")


def test_service_gone_keeps_what_was_typed_and_comes_back(panel: Page, service: "Double") -> None:
    service.down = True
    panel.locator("#query").fill("lease")
    expect(panel.locator("#message h2")).to_have_text("Sagasu is not answering")
    service.down = False
    panel.locator("#message button").click()
    expect(panel.locator("#results .row")).to_have_count(9)
    expect(panel.locator("#query")).to_have_value("lease")


def test_an_answer_outside_the_contract_is_not_shown(panel: Page, service: "Double") -> None:
    change(service, results=[{"id": 7}])
    panel.locator("#query").fill("lease")
    expect(panel.locator("#message h2")).to_have_text("The answer cannot be read")
    expect(panel.locator("#message")).to_contain_text("search.results[0].id must be text")


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ({"state": "indexing", "files_done": 1234, "files_total": 5678},
         "Indexing 1,234 of 5,678 · meaning 62%"),
        ({"state": "paused"}, "Paused · 4,812 files · meaning 62%"),
        ({"state": "idle", "passages_done": 20000}, "4,812 files"),
        ({"state": "starting"}, "Starting…"),
        ({"semantic": {"on": False, "reason": "Searching by meaning is off: no model."}},
         "Meaning off: no model."),
        ({"state": "problem", "problem": "The disk is full.", "hint": "Free some space."},
         "The disk is full. Free some space."),
    ],
    ids=["indexing", "paused", "idle", "starting", "meaning-off", "problem"],
)  # fmt: skip
def test_the_status_line_is_honest(
    page: Page, service: "Double", facts: dict[str, Any], says: str
) -> None:
    service.sample["status"].update(facts)
    page.goto(service.url())
    expect(page.locator("#status")).to_contain_text(says)


def test_a_click_on_what_is_not_searchable_opens_coverage(panel: Page) -> None:
    panel.locator("#status button", has_text="191 not searchable").click()
    expect(panel).to_have_title("Coverage · Sagasu")


def test_why_this_result_is_a_tree(panel: Page) -> None:
    panel.locator("#query").fill("lease")
    expect(panel.locator("#results .row")).to_have_count(9)
    panel.keyboard.press("Control+k")
    panel.keyboard.type("why")
    panel.keyboard.press("Enter")
    expect(panel.locator("#preview .tree li")).to_have_count(6)
    expect(panel.locator("#preview .tree")).to_contain_text("meaning, cosine 0.71")
    panel.keyboard.press("ArrowDown")
    expect(panel.locator("#preview h1")).to_contain_text("gym membership")


def test_a_page_is_shown_as_a_picture(panel: Page, service: "Double") -> None:
    service.files["/api/v1/panel/image/lease/4"] = ("image/png", PIXEL)
    service.sample["preview"]["lease"]["image_url"] = "/api/v1/panel/image/lease/4"
    panel.locator("#query").fill("lease")
    picture = panel.locator("#preview img")
    expect(picture).to_have_attribute("src", re.compile("^blob:http://127.0.0.1"))
    expect(panel.locator("#preview .caption mark")).to_have_count(2)


def test_a_picture_from_elsewhere_is_not_loaded(panel: Page, service: "Double") -> None:
    service.sample["preview"]["lease"]["image_url"] = "http://example.com/spy.png"
    panel.locator("#query").fill("lease")
    expect(panel.locator("#preview .caption")).to_be_visible()
    expect(panel.locator("#preview img")).to_have_count(0)


def test_a_preview_that_fails_says_so(
    panel: Page, service: "Double", refused: "type[Refused]"
) -> None:
    def refuse(body: dict[str, Any]) -> Any:
        raise refused(404, {"say": "The file is gone.", "hint": "It was moved."})

    service.answers["preview"] = refuse
    panel.locator("#query").fill("lease")
    expect(panel.locator("#preview .notice")).to_contain_text("The file is gone. It was moved.")
    expect(panel.locator("#preview .sheet")).to_contain_text("Either party may terminate")
