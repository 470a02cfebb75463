"""Answers while typing.

1. Words are asked first, meaning right behind; the newest question wins.
2. The row one is on never jumps: what comes later is merged below it.
3. Sections: top hit, files by name, passages.
4. Marks stand where Python counted them, past characters outside the basic plane too.
5. A fast typist does not pile up questions; a slow answer shows that it is being worked on.
6. The page measures from keydown to painted rows.
7. Chips read from plain language can be taken away; filters go with the question.
"""

import copy
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from tests.panel.conftest import Double


def titles(page: Page) -> list[str]:
    return page.locator("#results .row .title").all_inner_texts()


def test_words_come_first_and_meaning_below_the_selected_row(
    panel: Page, service: "Double"
) -> None:
    gate = service.hold("search:full")
    panel.locator("#query").fill("contracts")
    expect(panel.locator("#results .row")).to_have_count(7)
    before = titles(panel)
    panel.keyboard.press("ArrowDown")
    panel.keyboard.press("ArrowDown")
    place = panel.locator(".row.here").bounding_box()
    service.answers["search"] = lambda body: turned_round(service, body)
    gate.set()
    expect(panel.locator("#results .row")).to_have_count(9)
    assert titles(panel)[:3] == before[:3]
    assert panel.locator(".row.here").bounding_box() == place
    expect(panel.locator(".row.new")).not_to_have_count(0)
    assert panel.locator(".row.here .title").inner_text() == before[2]


def turned_round(service: "Double", body: dict[str, Any]) -> dict[str, Any]:
    """The answer with its best result last: as far from the first answer as can be."""
    answer: dict[str, Any] = service.usual("search", body)
    answer["results"].reverse()
    return answer


def test_a_settled_first_row_stays_though_nobody_moved(panel: Page, service: "Double") -> None:
    gate = service.hold("search:full")
    panel.locator("#query").fill("contracts")
    expect(panel.locator("#results .row")).to_have_count(7)
    first = titles(panel)[0]
    panel.wait_for_timeout(200)
    service.answers["search"] = lambda body: turned_round(service, body)
    gate.set()
    expect(panel.locator("#results .row")).to_have_count(9)
    assert titles(panel)[0] == first


def test_an_older_answer_never_replaces_a_newer_one(panel: Page, service: "Double") -> None:
    gate = service.hold("search:words")
    service.gates["search:words"] = gate
    panel.locator("#query").fill("slow")
    del service.gates["search:words"]
    service.answers["search"] = lambda body: only(service, body)
    panel.locator("#query").fill("fast")
    expect(panel.locator("#results .row")).to_have_count(1)
    gate.set()
    panel.wait_for_timeout(150)
    assert titles(panel) == ["answer to fast"]


def only(service: "Double", body: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = service.usual("search", body)
    row = copy.deepcopy(answer["results"][0])
    row.update(id=body["query"], title=f"answer to {body['query']}", title_highlights=[])
    return {**answer, "results": [row]}


def test_sections_are_top_hit_files_and_passages(panel: Page) -> None:
    panel.locator("#query").fill("contracts")
    expect(panel.locator("#results .row")).to_have_count(9)
    assert panel.locator("#results h2").all_inner_texts() == ["Top hit", "Files", "Passages"]
    assert titles(panel)[:3] == [
        "Lease agreement, Harbour Street 12.pdf",
        "Contract – gym membership.pdf",
        "Phone contract summary.pdf",
    ]


def test_marks_stand_where_python_counts(panel: Page, service: "Double") -> None:
    text = "𝔐𝔞𝔱𝔥 🎉 the lease 🏠 ends"
    start = text.index("lease")

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        found = only(service, body)
        found["results"][0].update(snippet=text, highlights=[[start, start + 5]])
        return found

    service.answers["search"] = answer
    panel.locator("#query").fill("lease")
    expect(panel.locator("#results .passage mark")).to_have_text(["lease"])
    expect(panel.locator("#results .passage")).to_have_text(text)


def test_preview_shows_the_passage_in_its_place(panel: Page) -> None:
    panel.locator("#query").fill("contracts")
    preview = panel.locator("#preview")
    expect(preview.locator(".meant")).to_contain_text("Either party may terminate")
    expect(preview.locator(".meant mark")).to_have_text(["terminate", "before the end"])
    expect(preview.locator(".crumbs")).to_have_text("§ 9 Termination›9.2 Notice·page 4 of 11")
    expect(preview.locator(".dim")).to_have_count(3)
    serif = preview.locator(".sheet").evaluate("e => getComputedStyle(e).fontFamily")
    assert "serif" in serif


def test_code_has_line_numbers_and_tables_are_tables(panel: Page) -> None:
    panel.locator("#query").fill("contracts")
    expect(panel.locator("#results .row")).to_have_count(9)
    panel.locator(".row", has_text="subscriptions.py").click()
    sheet = panel.locator("#preview .sheet.code")
    expect(sheet.locator("li[data-line='118']")).to_contain_text("def cancel_early")
    expect(sheet.locator("li.hit")).to_contain_text("fee = round")
    expect(sheet.locator(".t-keyword").first).to_be_visible()
    panel.locator(".row", has_text="Budget 2025").click()
    expect(panel.locator("#preview table tr.hit mark")).to_have_text("Lease")


def test_fast_typing_asks_no_more_than_needed(panel: Page, service: "Double") -> None:
    gate = service.hold("search:words")
    panel.locator("#query").press_sequentially("contracts about ending")
    panel.wait_for_timeout(50)
    assert len(service.asked("search")) == 2
    gate.set()
    expect(panel.locator("#results .row")).to_have_count(9)
    queries = [body["query"] for body in service.asked("search")]
    assert queries[-1] == "contracts about ending"
    assert len(queries) <= 5


def test_a_slow_answer_shows_that_it_is_worked_on(panel: Page, service: "Double") -> None:
    gate = service.hold("search:words")
    panel.locator("#query").fill("contracts")
    expect(panel.locator("#thinking")).to_be_visible()
    gate.set()
    expect(panel.locator("#thinking")).to_be_hidden()


def test_the_page_measures_itself(panel: Page) -> None:
    panel.locator("#query").press_sequentially("lease", delay=60)
    expect(panel.locator("#results .row")).to_have_count(9)
    panel.wait_for_timeout(200)
    taken = panel.evaluate("window.__sagasu_timings")
    assert "lease" in [one["query"] for one in taken]
    assert {"words"} <= {one["stage"] for one in taken}
    for one in taken:
        assert 0 < one["keydown"] <= one["sent"] <= one["answered"] <= one["painted"]
        assert abs(one["ms"] - (one["painted"] - one["keydown"])) < 1e-6


def test_chips_from_plain_language_can_be_taken_away(panel: Page, service: "Double") -> None:
    panel.locator("#query").fill("pdf contracts from last year")
    expect(panel.locator(".chip.on")).to_have_text(["PDF", "2025"])
    panel.locator("[aria-label='Remove the filter 2025']").click()
    expect(panel.locator(".chip.on")).to_have_text(["PDF"])
    assert service.asked("search")[-1]["ignore_chips"] == ["from last year"]
    panel.keyboard.type("x")
    expect(panel.locator(".chip.on")).to_have_text(["PDF", "2025"])


def test_a_mode_and_a_date_go_with_the_question(panel: Page, service: "Double") -> None:
    panel.locator("#query").fill("contracts")
    panel.locator("[data-filter=mode]").click()
    panel.locator(".item", has_text="whatever the words").click()
    panel.locator("[data-filter=date]").click()
    panel.locator(".item", has_text="This year").click()
    expect(panel.locator(".chip.on")).to_have_text(["This year"])
    last = service.asked("search")[-1]
    assert last["mode"] == "semantic"
    assert last["filters"]["after"].endswith("-01-01")


def test_the_token_leaves_the_address(panel: Page) -> None:
    assert "token" not in panel.url
    panel.reload()
    expect(panel.locator("#results .row").first).to_be_visible()


def test_progress_events_move_the_status_line(panel: Page, service: "Double") -> None:
    expect(panel.locator("#status")).to_contain_text("meaning 62%")
    status = {**service.sample["status"], "passages_done": 18000, "type": "status"}
    service.send(status)
    expect(panel.locator("#status")).to_contain_text("meaning 90%")
    service.send({"type": "query", "query": "lease"})
    expect(panel.locator("#query")).to_have_value("lease")


def test_filters_are_said_as_people_say_them(panel: Page) -> None:
    said = panel.evaluate(
        """async () => {
            const {chipLabel} = await import('/panel/labels.js');
            return ['kind:pdf', 'kind:sheet', 'ext:md', 'date:2025', 'date:2026-03', 'size:>2mb',
                'date:2026-10-20..2026-11-18', 'date:2025-12-30..2026-01-02', 'lang:de',
                '-in:/Users/mia/Work', 'after:2026-03-03', 'PDF', 'constructor:x'].map(chipLabel);
        }"""
    )
    assert said == [
        "PDF", "Spreadsheet", ".md", "2025", "March 2026", "> 2 MB", "20 Oct – 18 Nov 2026",
        "30 Dec 2025 – 2 Jan 2026", "German", "not in Work", "since 3 Mar 2026", "PDF",
        "constructor:x",
    ]  # fmt: skip


def test_a_filter_that_was_typed_is_taken_out_of_the_query(panel: Page, service: "Double") -> None:
    chip = {"id": "ext:md", "kind": "ext", "label": "ext:md", "text": ""}

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = service.usual("search", body)
        return {**found, "chips": [chip] if "ext:md" in body["query"] else []}

    service.answers["search"] = answer
    panel.locator("#query").fill("lease ext:md term")
    panel.locator("[aria-label='Remove the filter .md']").click()
    expect(panel.locator("#query")).to_have_value("lease term")
    expect(panel.locator(".chip.on")).to_have_count(0)


def test_what_is_yellow_in_the_row_is_yellow_in_the_preview(panel: Page, service: "Double") -> None:
    passage = "🎉 The Contract ends.\n\nContracts and contract terms; subcontract not."
    service.sample["preview"]["lease"].update(passage=passage, highlights=[], meaning_range=None)

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        found = only(service, body)
        found["results"][0].update(id="lease", snippet="a contract", highlights=[[2, 10]])
        return found

    service.answers["search"] = answer
    panel.locator("#query").fill("contracts")
    expect(panel.locator("#preview .dim").first).to_be_visible()
    expect(panel.locator("#preview .sheet mark")).to_have_text(["Contract", "contract"])
    expect(panel.locator("#preview p:not(.dim)")).to_have_count(2)


def test_lines_that_only_the_paper_broke_flow_together(panel: Page) -> None:
    flowed = panel.evaluate(
        """async () => {
            const {reflow} = await import('/panel/prose.js');
            const lines = ['9 Termination',
                '9.1 The term begins on the first of April and runs for',
                'thirty-six months unless it is extended in writing.', '9.2 Either party may',
                '', '- one point that is long enough to look like a full line', '- another one'];
            const text = lines.join('\\n');
            return [reflow(text).length === text.length, reflow(text)];
        }"""
    )
    assert flowed == [
        True,
        "9 Termination\n9.1 The term begins on the first of April and runs for thirty-six months "
        "unless it is extended in writing.\n9.2 Either party may\n\n"
        "- one point that is long enough to look like a full line\n- another one",
    ]
