"""The keys do what Mac users know.

1. ↑ ↓ Home End PageUp PageDown move, and come round at the ends.
2. Return opens, ⌘Return reveals, ⌘1–9 open by number, Space and ⌘Y look.
3. ⌘C copies the path, ⌥⌘C the passage, ⌘⇧C a context pack of what is selected.
4. Tab goes to the preview and back, ⌘K lists the actions, ⌘L the filters, ⌘, the settings.
5. Esc goes back one step at a time, and hides at the end; holding ⌘ shows the hints.
6. On a Mac the same with ⌘, elsewhere with Ctrl.
"""

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

if TYPE_CHECKING:
    from tests.panel.conftest import Double

MAC = "Object.defineProperty(navigator, 'platform', {get: () => 'MacIntel'});" + (
    "Object.defineProperty(navigator, 'userAgentData', {get: () => undefined});"
)


def search(page: Page, text: str = "pdf contracts") -> None:
    page.locator("#query").press_sequentially(text)
    expect(page.locator("#results .row")).to_have_count(9)


def here(page: Page) -> int:
    return int(
        page.evaluate("[...document.querySelectorAll('.row')].findIndex(r => r.matches('.here'))")
    )


def clipboard(page: Page) -> str:
    return str(page.evaluate("navigator.clipboard.readText()"))


def turned(service: "Double", body: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = service.usual("search", body)
    return {**answer, "results": answer["results"][::-1]}


def without(service: "Double", body: dict[str, Any], id: str) -> dict[str, Any]:
    answer: dict[str, Any] = service.usual("search", body)
    rows = [one for one in answer["results"] if one["id"] != id]
    return {**answer, "total": 777, "results": rows}


@pytest.fixture
def found(panel: Page) -> Page:
    search(panel)
    return panel


def test_arrows_move_and_come_round(found: Page) -> None:
    found.keyboard.press("ArrowDown")
    assert here(found) == 1
    found.keyboard.press("ArrowUp")
    found.keyboard.press("ArrowUp")
    assert here(found) == 8
    found.keyboard.press("ArrowDown")
    assert here(found) == 0


def test_home_end_and_pages_move(found: Page) -> None:
    found.keyboard.press("End")
    assert here(found) == 8
    found.keyboard.press("Home")
    assert here(found) == 0
    found.keyboard.press("PageDown")
    far = here(found)
    assert far >= 2
    found.keyboard.press("PageUp")
    assert here(found) == 0


def test_return_opens_at_the_page(found: Page, service: "Double") -> None:
    found.keyboard.press("Enter")
    wait_for(found, lambda: service.asked("open"))
    assert service.asked("open") == [{"id": "lease", "query": "pdf contracts", "page": 4}]


def test_return_with_the_modifier_reveals(found: Page, service: "Double") -> None:
    found.keyboard.press("ArrowDown")
    found.keyboard.press("Control+Enter")
    wait_for(found, lambda: service.asked("reveal"))
    assert service.asked("reveal")[0]["id"] == "gym"


def test_digits_open_by_number(found: Page, service: "Double") -> None:
    for digit in (3, 9):
        found.keyboard.press(f"Control+{digit}")
    wait_for(found, lambda: len(service.asked("open")) == 2)
    assert [body["id"] for body in service.asked("open")] == ["phone", "mail"]


def test_space_looks_on_a_row_and_types_in_the_field(found: Page, service: "Double") -> None:
    found.keyboard.press("Space")
    assert found.locator("#query").input_value() == "pdf contracts "
    assert service.asked("quick_look") == []
    found.keyboard.press("ArrowDown")
    found.keyboard.press("Space")
    wait_for(found, lambda: service.asked("quick_look"))
    assert service.asked("quick_look") == [{"ids": ["gym"]}]
    assert found.locator("#query").input_value() == "pdf contracts "


def test_a_move_made_before_the_answer_comes_stays(found: Page, service: "Double") -> None:
    late = service.hold("search:words")
    found.keyboard.press("Space")
    found.keyboard.press("ArrowDown")
    found.keyboard.press("ArrowDown")
    service.answers["search"] = lambda body: turned(service, body)
    late.set()
    expect(found.locator("#results .row").first).to_contain_text("Budget")
    expect(found.locator(".row.here")).to_contain_text("Phone")
    found.keyboard.press("Space")
    wait_for(found, lambda: service.asked("quick_look"))
    assert service.asked("quick_look") == [{"ids": ["phone"]}]
    assert found.locator("#query").input_value() == "pdf contracts "


def test_a_row_gone_to_stays_where_a_newer_answer_lacks_it(found: Page, service: "Double") -> None:
    late = service.hold("search:words")
    found.keyboard.press("Space")
    found.keyboard.press("ArrowDown")
    service.answers["search"] = lambda body: without(service, body, "gym")
    late.set()
    expect(found.locator("#tally")).to_contain_text("777 of")
    expect(found.locator(".row.here")).to_contain_text("gym")
    assert here(found) == 1
    expect(found.locator("#query")).to_be_focused()
    found.keyboard.press("Enter")
    wait_for(found, lambda: service.asked("open"))
    assert service.asked("open")[0]["id"] == "gym"


def test_typing_leaves_the_rows_before_any_answer(found: Page, service: "Double") -> None:
    found.keyboard.press("ArrowDown")
    late = service.hold("search")
    found.keyboard.type("s of")
    assert found.locator("#query").input_value() == "pdf contractss of"
    late.set()
    expect(found.locator("#row-0.here")).to_be_visible()
    assert service.asked("quick_look") == []


def test_mod_y_looks(found: Page, service: "Double") -> None:
    found.keyboard.press("Control+y")
    wait_for(found, lambda: service.asked("quick_look"))
    assert service.asked("quick_look") == [{"ids": ["lease"]}]


def test_mod_c_copies_the_path_and_alt_mod_c_the_passage(found: Page) -> None:
    found.keyboard.press("Control+c")
    expect(found.locator(".toast")).to_contain_text("Path copied")
    assert clipboard(found) == "copy_path ['lease']"
    found.keyboard.press("Control+Alt+c")
    expect(found.locator(".toast")).to_contain_text("Passage copied")
    assert clipboard(found) == "copy_passage lease"


def test_mod_c_leaves_selected_text_alone(found: Page, service: "Double") -> None:
    found.locator("#query").select_text()
    found.keyboard.press("Control+c")
    assert clipboard(found) == "pdf contracts"
    assert service.asked("copy_path") == []


def test_shift_arrows_select_and_pack(found: Page, service: "Double") -> None:
    found.keyboard.press("Shift+ArrowDown")
    found.keyboard.press("Shift+ArrowDown")
    expect(found.locator(".row.picked")).to_have_count(3)
    found.keyboard.press("Control+Shift+c")
    expect(found.locator(".toast")).to_contain_text(
        "3 passages copied as context, about 1240 tokens"
    )
    assert clipboard(found) == "# 3 passages"
    body = service.asked("context_pack")[0]
    assert body["ids"] == ["lease", "gym", "phone"]
    assert len(body["chunks"]) == 3


def test_pack_without_a_selection_takes_the_first_five(found: Page, service: "Double") -> None:
    found.keyboard.press("Control+Shift+c")
    expect(found.locator(".toast")).to_contain_text("5 passages")
    assert len(service.asked("context_pack")[0]["ids"]) == 5


def test_tab_goes_to_the_preview_and_back(found: Page) -> None:
    found.keyboard.press("Tab")
    expect(found.locator("#preview")).to_be_focused()
    found.keyboard.press("ArrowDown")
    assert here(found) == 0
    found.keyboard.press("Shift+Tab")
    expect(found.locator("#query")).to_be_focused()


def test_actions_are_filtered_and_run(found: Page, service: "Double") -> None:
    found.keyboard.press("Control+k")
    expect(found.locator(".item")).to_have_count(11)
    found.keyboard.type("simil")
    expect(found.locator(".item")).to_have_count(1)
    found.keyboard.press("Enter")
    expect(found.locator("#chips")).to_contain_text("Similar to Lease agreement")
    expect(found.locator("#results .row")).to_have_count(4)
    found.keyboard.press("Escape")
    expect(found.locator("#results .row")).to_have_count(9)
    expect(found.locator("#query")).to_have_value("pdf contracts")


@pytest.mark.parametrize(
    ("label", "message", "body"),
    [
        ("Pin for", "pin", {"query": "pdf contracts", "id": "lease", "pinned": True}),
        ("Exclude", "exclude_folder", {"id": "lease"}),
        ("Why this", "explain", {"query": "pdf contracts", "id": "lease"}),
        ("Show in", "reveal", {"id": "lease", "query": "pdf contracts"}),
    ],
)
def test_each_action_asks_for_its_message(
    found: Page, service: "Double", label: str, message: str, body: dict[str, object]
) -> None:
    found.keyboard.press("Control+k")
    found.keyboard.type(label)
    found.keyboard.press("Enter")
    wait_for(found, lambda: service.asked(message))
    assert service.asked(message) == [body]


def test_open_with_lists_the_applications(found: Page, service: "Double") -> None:
    found.keyboard.press("Control+k")
    found.keyboard.type("open with")
    found.keyboard.press("Enter")
    expect(found.locator(".item")).to_have_text(["Preview", "Adobe Acrobat", "Skim"])
    found.keyboard.press("ArrowDown")
    found.keyboard.press("Enter")
    wait_for(found, lambda: service.asked("open_with"))
    assert service.asked("open_with")[0]["application"] == "Adobe Acrobat"


def test_filters_by_keyboard(found: Page, service: "Double") -> None:
    found.keyboard.press("Control+l")
    found.keyboard.type("markd")
    found.keyboard.press("Enter")
    expect(found.locator(".chip.on[data-chip=kind]").first).to_contain_text("Markdown")
    wait_for(found, lambda: service.asked("search")[-1]["filters"] == {"kind": "markdown"})
    found.locator("[aria-label='Remove the filter Markdown']").click()
    wait_for(found, lambda: service.asked("search")[-1]["filters"] == {})


def test_escape_goes_back_step_by_step(found: Page, service: "Double") -> None:
    found.keyboard.press("Control+k")
    found.keyboard.press("Escape")
    expect(found.locator(".menu")).to_have_count(0)
    found.keyboard.press("Shift+ArrowDown")
    found.keyboard.press("Escape")
    expect(found.locator(".row.picked")).to_have_count(0)
    found.keyboard.press("Escape")
    expect(found.locator("#query")).to_have_value("")
    assert service.asked("hide") == []
    found.keyboard.press("Escape")
    wait_for(found, lambda: service.asked("hide"))


def test_holding_the_modifier_shows_numbers_and_more_keys(found: Page) -> None:
    number = found.locator(".row .number").first
    expect(number).to_be_hidden()
    found.keyboard.down("Control")
    expect(number).to_have_text("Ctrl+1")
    expect(found.locator(".hint", has_text="Passage")).to_be_visible()
    found.keyboard.up("Control")
    expect(number).to_be_hidden()


def test_mod_comma_opens_the_settings(found: Page) -> None:
    found.keyboard.press("Control+,")
    expect(found).to_have_title("Settings · Sagasu")


def test_right_arrow_takes_the_completion(panel: Page) -> None:
    panel.locator("#query").press_sequentially("contr")
    expect(panel.locator("#ghost-rest")).to_have_text("acts about ending early")
    panel.keyboard.press("ArrowRight")
    expect(panel.locator("#query")).to_have_value("contracts about ending early")
    expect(panel.locator("#ghost-rest")).to_have_text("")


def test_on_a_mac_the_modifier_is_command(context: BrowserContext, service: "Double") -> None:
    context.add_init_script(MAC)
    page = context.new_page()
    page.goto(service.url())
    page.wait_for_selector("#results .row")
    search(page)
    expect(page.locator(".hint kbd").nth(1)).to_have_text("⌘↩")
    page.keyboard.press("Meta+Enter")
    wait_for(page, lambda: service.asked("reveal"))
    page.keyboard.press("Control+Enter")
    page.keyboard.press("Meta+k")
    expect(page.locator(".item kbd").nth(3)).to_have_text("⌘C")
    assert len(service.asked("reveal")) == 1


def test_the_mouse_can_do_it_all(found: Page, service: "Double") -> None:
    rows = found.locator("#results .row")
    rows.nth(2).click()
    assert here(found) == 2
    expect(found.locator("#query")).to_be_focused()
    rows.nth(3).click(modifiers=["Control"])
    expect(found.locator(".row.picked")).to_have_count(1)
    rows.nth(3).click(modifiers=["Control"])
    rows.nth(1).dblclick()
    wait_for(found, lambda: service.asked("open"))
    assert service.asked("open")[0]["id"] == "gym"
    found.locator(".hint", has_text="Reveal").click()
    found.locator("#preview [aria-label='Quick Look']").click()
    wait_for(found, lambda: service.asked("reveal") and service.asked("quick_look"))
    found.locator(".hint", has_text="Actions").click()
    found.locator(".item", has_text="Copy path").click()
    expect(found.locator(".toast")).to_contain_text("Path copied")
    found.locator("#clear").click()
    expect(found.locator("#query")).to_have_value("")


def wait_for(page: Page, true: "object") -> None:
    """Polls until `true()`; the page goes on meanwhile."""
    assert callable(true)
    for _ in range(400):
        if true():
            return
        page.wait_for_timeout(10)
    raise AssertionError("waited in vain")
