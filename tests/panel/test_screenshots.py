"""A picture of every state, light and dark, for people to look at.

They go to the folder named by SAGASU_SCREENSHOTS, or to a temporary one; the test only checks that
each picture shows something.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.panel.conftest import Refused

if TYPE_CHECKING:
    from tests.panel.conftest import Double

MAC = "Object.defineProperty(navigator, 'platform', {get: () => 'MacIntel'});" + (
    "Object.defineProperty(navigator, 'userAgentData', {get: () => undefined});"
)
QUERY = "pdf contracts about ending early from last year"


def search(page: Page, service: "Double", query: str = QUERY, **facts: Any) -> None:
    if facts:
        service.answers["search"] = lambda body: {**service.usual("search", body), **facts}
    page.locator("#query").fill(query)
    page.wait_for_selector(".row, #message:not([hidden])")
    page.wait_for_timeout(350)


def row(page: Page, service: "Double", text: str) -> None:
    search(page, service)
    page.locator(".row", has_text=text).click()


def press(page: Page, service: "Double", *keys: str) -> None:
    search(page, service)
    for key in keys:
        page.keyboard.press(key)


def hold(page: Page, service: "Double") -> None:
    search(page, service)
    page.keyboard.down("Meta")


def why(page: Page, service: "Double") -> None:
    press(page, service, "Meta+k")
    page.keyboard.type("why")
    page.keyboard.press("Enter")


def down(page: Page, service: "Double") -> None:
    service.down = True
    page.locator("#query").fill("lease")


def no_folder(service: "Double") -> None:
    service.sample["status"].update(folders=[], documents=0, state="idle", passages_total=0)
    service.sample["status"]["not_searchable"] = 0


def no_meaning(service: "Double") -> None:
    reason = "Searching by meaning is off: the model is missing."
    service.sample["status"].update(semantic={"on": False, "reason": reason}, state="idle")


def looks(service: "Double", **chosen: str) -> None:
    service.sample["settings_get"].update(chosen)


def stale(page: Page, service: "Double") -> None:
    rows = service.sample["search"]["results"]
    rows[0]["freshness"], rows[1]["freshness"] = "updating", "away"
    press(page, service, "ArrowDown")


def troubled(service: "Double") -> None:
    service.sample["status"].update(
        state="idle", passages_total=0,
        problems=["/Users/mia/Archive is not there now; what was indexed of it is kept.",
                  "The disk is nearly full."],
    )  # fmt: skip


def damaged(page: Page, service: "Double") -> None:
    def refuse(body: dict[str, Any]) -> Any:
        raise Refused(503, {"kind": "IndexDamagedError", "say": "The index is damaged."})

    service.answers["search"] = refuse
    page.locator("#query").fill("lease")


Act = Callable[[Page, "Double"], None]
NOTHING = {"results": [], "total": 0}
STATES: dict[str, Act] = {
    "empty": lambda page, service: None,
    "results": lambda page, service: search(page, service),
    "selected": lambda page, service: press(page, service, "ArrowDown", "ArrowDown"),
    "held": lambda page, service: hold(page, service),
    "picked": lambda page, service: press(page, service, "Shift+ArrowDown", "Shift+ArrowDown"),
    "actions": lambda page, service: press(page, service, "Meta+k"),
    "filters": lambda page, service: press(page, service, "Meta+l"),
    "code": lambda page, service: row(page, service, "subscriptions.py"),
    "table": lambda page, service: row(page, service, "Budget 2025"),
    "note": lambda page, service: row(page, service, "What to settle"),
    "why": why,
    "typo": lambda page, service: search(
        page, service, "contarcts", suggestions=[{"text": "contracts", "query": "contracts"}]
    ),
    "instead": lambda page, service: search(page, service, "contarcts", auto_fuzzy="contracts"),
    "nothing": lambda page, service: search(page, service, "zyzzyva", **NOTHING),
    "relevant": lambda page, service: search(
        page, service, "pdf zyzzyva", nothing_relevant=True, **NOTHING
    ),
    "gone": down,
    "stale": stale,
    "damaged": damaged,
}
BEFORE: dict[str, Callable[["Double"], None]] = {
    "onboarding": no_folder,
    "meaning-off": no_meaning,
    "problems": troubled,
    "large": lambda service: looks(service, text_size="large"),
    "small": lambda service: looks(service, text_size="small"),
    "right-to-left": lambda service: looks(service, direction="rtl"),
}
PANES = ["general", "folders", "search", "shortcuts", "appearance", "privacy", "agents"]


@pytest.fixture(params=["light", "dark"])
def shot(request: pytest.FixtureRequest, browser: Browser, screenshots: Path) -> Any:
    context = browser.new_context(
        viewport={"width": 1040, "height": 720}, device_scale_factor=2,
        color_scheme=request.param, locale="en-GB",
    )  # fmt: skip
    context.add_init_script(MAC)
    page = context.new_page()

    def save(name: str, **options: Any) -> None:
        page.wait_for_timeout(350)
        file = screenshots / f"{name}-{request.param}.png"
        page.screenshot(path=file, **options)
        assert file.stat().st_size > 10_000

    yield page, save
    context.close()


@pytest.mark.parametrize("name", [*STATES, *BEFORE])
def test_panel_state(shot: Any, service: "Double", name: str) -> None:
    page, save = shot
    if name in BEFORE:
        BEFORE[name](service)
    page.goto(service.url())
    page.wait_for_selector(".row, #message:not([hidden])")
    act = STATES.get(name)
    if act is not None:
        act(page, service)
    elif name != "onboarding":
        search(page, service)
    save(f"panel-{name}")


def test_other_pages(shot: Any, service: "Double") -> None:
    page, save = shot
    page.goto(service.url("settings.html"))
    for pane in PANES:
        page.locator(f"[data-pane={pane}]").click()
        expect(page.locator("h1")).to_be_visible()
        save(f"settings-{pane}")
    page.goto(service.url("coverage.html"))
    expect(page.locator(".entry").first).to_be_visible()
    save("coverage", full_page=True)
    page.goto(service.url("welcome.html"))
    expect(page.locator(".step").first).to_be_visible()
    save("welcome")
