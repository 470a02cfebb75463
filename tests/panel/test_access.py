"""Everyone can use it.

1. The field is a combobox over a listbox; the current row is told; counts are announced.
2. Text has at least 4.5 : 1 on what it stands on, in light and dark, in every state and page.
3. Three sizes of text; light and dark by the system and by choice; right to left is mirrored.
4. With reduced motion nothing moves; with reduced transparency nothing shows through.
5. Every control has a name.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, expect

if TYPE_CHECKING:
    from tests.panel.conftest import Double

CONTRAST = (Path(__file__).parent / "contrast.js").read_text("utf-8")
PAGES = ["index.html", "settings.html", "coverage.html", "welcome.html"]


def test_the_field_is_a_combobox(panel: Page) -> None:
    field = panel.get_by_role("combobox", name="Search your files")
    expect(field).to_be_focused()
    panel.keyboard.type("contracts")
    expect(panel.get_by_role("listbox", name="Results")).to_be_visible()
    expect(panel.get_by_role("option")).to_have_count(9)
    expect(field).to_have_attribute("aria-expanded", "true")
    expect(field).to_have_attribute("aria-activedescendant", "row-0")
    panel.keyboard.press("ArrowDown")
    expect(field).to_have_attribute("aria-activedescendant", "row-1")
    expect(panel.locator("#row-1")).to_have_attribute("aria-selected", "true")
    expect(panel.get_by_role("group", name="Top hit")).to_be_visible()


def test_rows_say_why_and_where(panel: Page) -> None:
    panel.keyboard.type("contracts")
    name = panel.locator("#row-0")
    expect(name).to_have_attribute(
        "aria-label",
        "Lease agreement, Harbour Street 12.pdf, pdf, Documents › Flat › Contracts, page 4, "
        "matched by word and meaning, changed 3 Mar 2025",
    )
    expect(panel.locator("#row-1 [role=img]").first).to_have_attribute(
        "aria-label", "Matched by name and meaning"
    )


def test_counts_are_announced(panel: Page) -> None:
    panel.keyboard.type("contracts")
    expect(panel.locator("#live")).to_have_text("14 results")


@pytest.mark.parametrize("name", PAGES)
def test_every_control_has_a_name(page: Page, service: "Double", name: str) -> None:
    page.goto(service.url(name))
    page.wait_for_selector("button:visible")
    page.wait_for_timeout(200)
    nameless = page.evaluate(
        """() => [...document.querySelectorAll('button, input, select, textarea, [role=option]')]
            .filter(e => !(e.getAttribute('aria-label') || e.textContent.trim()
                || e.labels?.length || e.title)).map(e => e.outerHTML)"""
    )
    assert nameless == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", [*PAGES, "results", "actions", "code", "table"])
def test_text_has_contrast(page: Page, service: "Double", name: str, theme: Any) -> None:
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.goto(service.url(name if name.endswith("html") else "index.html"))
    page.wait_for_selector("button:visible")
    if not name.endswith("html"):
        page.locator("#query").fill("pdf contracts")
        expect(page.locator("#results .row")).to_have_count(9)
        expect(page.locator("#preview .meant")).to_be_visible()
    if name == "actions":
        page.keyboard.press("Control+k")
    if name in ("code", "table"):
        row = {"code": "subscriptions.py", "table": "Budget"}[name]
        page.locator(".row", has_text=row).click()
        expect(page.locator("#preview .sheet.code, #preview .sheet.grid")).to_be_visible()
    page.wait_for_timeout(150)
    assert page.evaluate(CONTRAST) == []
    for tab in page.locator(".tab[data-pane]").all():
        tab.click()
        page.wait_for_timeout(50)
        assert page.evaluate(CONTRAST) == []


def test_three_sizes_of_text(page: Page, service: "Double") -> None:
    sizes = []
    for size in ("small", "medium", "large"):
        service.sample["settings_get"]["text_size"] = size
        page.goto("about:blank")
        page.goto(service.url())
        expect(page.locator("html")).to_have_attribute("data-size", size)
        page.locator("#query").fill("contracts")
        expect(page.locator("#results .row")).to_have_count(9)
        box = page.locator("#results .title").first.bounding_box()
        assert box is not None
        sizes.append(box["height"])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[2]


def test_the_theme_can_be_chosen(page: Page, service: "Double") -> None:
    page.emulate_media(color_scheme="light")
    service.sample["settings_get"]["theme"] = "dark"
    page.goto(service.url())
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    dark = page.evaluate("getComputedStyle(document.body).color")
    service.sample["settings_get"]["theme"] = "system"
    service.send({"type": "settings"})
    expect(page.locator("html")).not_to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.body).color") != dark


def test_right_to_left_is_mirrored(page: Page, service: "Double") -> None:
    service.sample["settings_get"]["direction"] = "rtl"
    service.sample["search"]["results"][0].update(title="עסק בעברית.pdf", title_highlights=[[0, 3]])
    page.goto(service.url())
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.locator("#query").fill("עסק")
    expect(page.locator("#results .row")).to_have_count(9)
    rows, preview = page.locator("#list").bounding_box(), page.locator("#preview").bounding_box()
    assert rows is not None
    assert preview is not None
    assert rows["x"] > preview["x"]
    expect(page.locator("#results .title mark").first).to_have_text("עסק")
    assert page.locator("#query").evaluate("e => getComputedStyle(e).direction") == "rtl"


def test_reduced_motion_stops_movement(page: Page, service: "Double") -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(service.url())
    page.keyboard.type("contracts")
    page.keyboard.press("Control+k")
    running = page.evaluate(
        "document.getAnimations().filter(a => a.effect.getTiming().duration > 1).length"
    )
    assert running == 0


def test_reduced_transparency_is_opaque(browser: Browser, service: "Double") -> None:
    page = browser.new_page(viewport={"width": 1040, "height": 720})
    client = page.context.new_cdp_session(page)
    features = [{"name": "prefers-reduced-transparency", "value": "reduce"}]
    client.send("Emulation.setEmulatedMedia", {"features": features})
    page.goto(service.url())
    colour = page.locator("#panel").evaluate("e => getComputedStyle(e).backgroundColor")
    page.close()
    assert colour.startswith("rgb(")
