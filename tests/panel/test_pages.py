"""Settings, Coverage and Welcome.

1. Settings: every kind of field saves at once and says when it cannot; folders are added, paused
   and removed; the hotkey is recorded; the index is wiped only after a yes; tokens come and go.
2. Coverage: counts by state and reason, a filter, retry, include anyway, a picture.
3. Welcome: steps with what is done; their buttons do what they say.
"""

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, expect

if TYPE_CHECKING:
    from tests.panel.conftest import Double, Refused


def open_pane(page: Page, service: "Double", name: str) -> None:
    page.goto(service.url("settings.html"))
    page.locator(f"[data-pane={name}]").click()


def test_a_toggle_and_a_choice_save_at_once(page: Page, service: "Double") -> None:
    open_pane(page, service, "general")
    page.get_by_role("switch", name="Start when I log in").click()
    page.get_by_text("Main screen").click()
    expect(page.get_by_role("radio", name="Main screen")).to_be_checked()
    page.wait_for_timeout(50)
    assert service.asked("settings_set") == [
        {"key": "launch_at_login", "value": False},
        {"key": "screen", "value": "main"},
    ]


def test_the_theme_acts_at_once(page: Page, service: "Double") -> None:
    open_pane(page, service, "appearance")
    page.get_by_text("Dark", exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_text("Large", exact=True).click()
    expect(page.locator("html")).to_have_attribute("data-size", "large")


def test_a_slider_a_number_and_a_list_save(page: Page, service: "Double") -> None:
    open_pane(page, service, "search")
    slider = page.get_by_role("slider", name="Words against meaning")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.locator("[data-pane=privacy]").click()
    page.get_by_role("spinbutton", name="Recent searches").fill("5")
    page.keyboard.press("Tab")
    page.locator("[data-pane=folders]").click()
    page.get_by_role("textbox", name="Left out everywhere").fill("build/\n\n *.log ")
    page.keyboard.press("Tab")
    page.wait_for_timeout(50)
    assert service.asked("settings_set") == [
        {"key": "search.semantic_weight", "value": 0.55},
        {"key": "recent_kept", "value": 5},
        {"key": "files.exclude", "value": ["build/", "*.log"]},
    ]


def test_a_refused_value_is_told_beside_the_field(
    page: Page, service: "Double", refused: "type[Refused]"
) -> None:
    def refuse(body: dict[str, Any]) -> Any:
        raise refused(400, {"say": "⌘Space belongs to Spotlight.", "hint": "Choose another."})

    open_pane(page, service, "shortcuts")
    service.answers["settings_set"] = refuse
    button = page.locator(".recorder")
    button.click()
    page.keyboard.press("Meta+Space")
    expect(page.get_by_role("alert")).to_have_text("⌘Space belongs to Spotlight. Choose another.")
    expect(button).to_have_text("⌥Space")


def test_the_hotkey_is_recorded(page: Page, service: "Double") -> None:
    open_pane(page, service, "shortcuts")
    button = page.locator(".recorder")
    button.click()
    expect(button).to_have_text("Press the keys…")
    page.keyboard.press("a")
    assert service.asked("settings_set") == []
    page.keyboard.press("Control+Alt+Shift+k")
    expect(button).to_have_text("⌃⌥⇧K")
    assert service.asked("settings_set") == [{"key": "hotkey", "value": "⌃⌥⇧K"}]
    button.click()
    page.keyboard.press("Escape")
    expect(button).to_have_text("⌃⌥⇧K")
    expect(page).to_have_title("Settings · Sagasu")


def test_folders_show_state_and_can_be_paused_and_removed(page: Page, service: "Double") -> None:
    open_pane(page, service, "folders")
    rows = page.locator(".root")
    expect(rows).to_have_count(4)
    expect(rows.nth(1)).to_contain_text("1,204 files · 212 waiting · 38 not searchable")
    expect(rows.nth(3)).to_contain_text("The disk is not plugged in.")
    rows.nth(0).get_by_role("button", name="Pause").click()
    rows.nth(2).get_by_role("button", name="Resume").click()
    rows.nth(1).get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert service.asked("roots_remove") == []
    rows.nth(1).get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    page.wait_for_timeout(80)
    assert service.asked("roots_remove") == [{"path": "/Users/mia/Work"}]
    assert service.asked("roots_pause") == [
        {"path": "/Users/mia/Documents", "paused": True},
        {"path": "/Users/mia/Notes", "paused": False},
    ]


def test_a_folder_is_added_by_its_path_in_a_browser(page: Page, service: "Double") -> None:
    open_pane(page, service, "folders")
    page.get_by_role("button", name="Add Folder…").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("~/Pictures")
    page.get_by_role("dialog").get_by_role("button", name="Add").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert service.asked("roots_add") == [{"path": "~/Pictures"}]


def test_the_index_is_wiped_only_after_a_yes(page: Page, service: "Double") -> None:
    open_pane(page, service, "privacy")
    wipe = page.get_by_role("button", name="Wipe the index")
    wipe.click()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert service.asked("settings_do") == []
    wipe.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Your files stay as they are")
    dialog.get_by_role("button", name="Wipe").click()
    expect(page.locator(".toast")).to_be_visible()
    assert service.asked("settings_do") == [{"action": "wipe_index", "confirmed": True}]


def test_my_data_is_shown(page: Page, service: "Double") -> None:
    open_pane(page, service, "privacy")
    page.get_by_role("button", name="Show my data").click()
    expect(page.locator(".pairs")).to_contain_text("nothing, ever")


def test_tokens_are_given_once_and_taken_away(page: Page, service: "Double") -> None:
    open_pane(page, service, "agents")
    expect(page.locator(".root")).to_have_count(2)
    page.get_by_role("textbox", name="Name of the program").fill("Notes helper")
    page.get_by_label("status").check()
    page.get_by_role("button", name="Give Access…").click()
    expect(page.locator(".secret code")).to_have_text("sagasu_once_only")
    assert service.asked("tokens_create") == [
        {"label": "Notes helper", "scopes": ["search", "read", "status"]}
    ]
    page.get_by_role("button", name="Take access from Claude Desktop").click()
    page.get_by_role("dialog").get_by_role("button", name="Take away").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert service.asked("tokens_revoke") == [{"id": "t1"}]


def test_what_was_learned_can_be_seen(page: Page, service: "Double") -> None:
    open_pane(page, service, "search")
    expect(page.locator(".rows tr")).to_have_count(2)
    expect(page.locator(".rows")).to_contain_text("Lease agreement")


def test_coverage_counts_and_draws(page: Page, service: "Double") -> None:
    page.goto(service.url("coverage.html"))
    expect(page.locator("#summary")).to_have_text(
        "4,812 of 5,003 files can be found (96%). 191 cannot, each for a reason."
    )
    expect(page.locator("#filters .pill").first).to_have_text("All that cannot be found191")
    expect(page.locator("svg[role=img] g")).to_have_count(9)
    areas = page.locator("svg[role=img] g rect.tile").evaluate_all(
        "all => all.map(r => r.getAttribute('width') * r.getAttribute('height'))"
    )
    assert sum(areas) == pytest.approx(640 * 250, rel=1e-6)
    assert areas[0] / sum(areas) == pytest.approx(1861 / 5003, rel=1e-3)
    expect(page.locator(".bars > div")).to_have_count(3)


def test_coverage_is_filtered(page: Page, service: "Double") -> None:
    page.goto(service.url("coverage.html"))
    expect(page.locator(".entry")).to_have_count(6)
    page.locator(".pill", has_text="encrypted").click()
    expect(page.locator(".pill[aria-pressed=true]")).to_contain_text("Encrypted")
    expect(page.locator(".entry .name")).to_have_text(["passport.pdf"])
    last = service.asked("coverage")[-1]
    assert (last["state"], last["reason"]) == ("failed", "encrypted: needs a password")


def test_coverage_lists_the_worst_first_and_goes_on(page: Page, service: "Double") -> None:
    coverage = service.sample["coverage"]
    one = coverage["files"][2]
    coverage["files"] += [{**one, "path": f"/Users/mia/Films/{n}.mov"} for n in range(180)]
    coverage["tallies"] = [
        {"state": "indexed", "reason": "", "count": 4812},
        {"state": "failed", "reason": "damaged", "count": 3},
        {"state": "evicted", "reason": "in the cloud", "count": 1},
        {"state": "skipped", "reason": "no reader for this kind", "count": 182},
    ]
    page.goto(service.url("coverage.html"))
    expect(page.locator(".entry")).to_have_count(100)
    assert page.locator(".entry .name").all_inner_texts()[:4] == [
        "passport.pdf", "thesis-draft.pdf", "export.json", "plans.key",
    ]  # fmt: skip
    page.get_by_role("button", name="Show 86 More").click()
    expect(page.locator(".entry")).to_have_count(186)
    expect(page.get_by_role("button", name="More", exact=False)).to_have_count(0)


def test_a_file_is_tried_again_or_included(page: Page, service: "Double") -> None:
    page.goto(service.url("coverage.html"))
    page.get_by_role("button", name="Try Again: passport.pdf").click()
    expect(page.locator(".toast")).to_contain_text("once more")
    page.get_by_role("button", name="Include Anyway: index.js").click()
    expect(page.locator(".toast")).to_contain_text("read now")
    assert service.asked("retry") == [{"paths": ["/Users/mia/Documents/Scans/passport.pdf"]}]
    assert service.asked("include_anyway") == [
        {"path": "/Users/mia/Work/node_modules/left-pad/index.js"}
    ]


def test_coverage_without_shares_draws_the_states(page: Page, service: "Double") -> None:
    service.sample["coverage"].update(kinds=[], folders=[])
    page.goto(service.url("coverage.html"))
    expect(page.locator(".picture h2")).to_contain_text("By state")
    expect(page.locator("svg[role=img] g")).to_have_count(5)


def test_welcome_shows_what_is_done(page: Page, service: "Double") -> None:
    page.goto(service.url("welcome.html"))
    expect(page.locator(".step")).to_have_count(4)
    expect(page.locator(".step.done")).to_have_count(2)
    expect(page.locator("#end kbd")).to_have_text("⌥Space")
    page.get_by_role("button", name="Start at Login").click()
    page.get_by_role("button", name="Open System Settings").click()
    page.get_by_role("button", name="Start Searching").click()
    expect(page).to_have_title("Sagasu")
    assert service.asked("settings_set") == [{"key": "launch_at_login", "value": True}]
    assert service.asked("settings_do") == [{"action": "full_disk_access"}]
    assert {"finished": True} in service.asked("welcome")


@pytest.mark.parametrize("name", ["settings.html", "coverage.html", "welcome.html"])
def test_without_a_service_there_is_a_way_back(page: Page, service: "Double", name: str) -> None:
    service.answers = {one: broken for one in ("settings_get", "coverage", "welcome", "roots_list")}
    page.goto(service.url(name))
    again = page.get_by_role("button", name="Try Again")
    expect(again).to_be_visible()
    service.answers.clear()
    again.click()
    expect(page.locator(".tab, .entry, .step").first).to_be_visible()


def broken(body: dict[str, Any]) -> Any:
    return "not an object"


def test_escape_leads_back_to_the_search(page: Page, service: "Double") -> None:
    for name in ("settings.html", "coverage.html"):
        page.goto(service.url(name))
        expect(page.locator("h1")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page).to_have_title("Sagasu")
