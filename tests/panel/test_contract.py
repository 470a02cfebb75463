"""Both halves of the messages agree.

1. Every message that the page may send exists in app/messages.py, with every field it may carry.
2. Every message of app/messages.py is known to the page, but for those that only the shell uses.
3. What the page really sent in a journey through all of it is accepted by app/wire.py.
4. In the app's window the bridge is used: JSON text in, JSON text out.
"""

import dataclasses
import json
from typing import TYPE_CHECKING

from playwright.sync_api import BrowserContext, Page, expect

from app.messages import MESSAGES
from app.wire import parse_message

if TYPE_CHECKING:
    from tests.panel.conftest import Double

SHELL_ONLY = {"suggest", "resize"}


def page_messages(page: Page) -> dict[str, list[str]]:
    found: dict[str, list[str]] = page.evaluate(
        """async () => {
            const {MESSAGES} = await import('/panel/messages.js');
            return Object.fromEntries(Object.entries(MESSAGES).map(([n, m]) => [n, m.fields]));
        }"""
    )
    return found


def test_every_message_and_field_of_the_page_exists(panel: Page) -> None:
    known = {one.name: {field.name for field in dataclasses.fields(one)} for one in MESSAGES}
    for name, fields in page_messages(panel).items():
        assert name in known
        assert set(fields) <= known[name], name


def test_every_message_of_the_app_is_known_to_the_page(panel: Page) -> None:
    assert {one.name for one in MESSAGES} - set(page_messages(panel)) == SHELL_ONLY


def test_what_the_page_sends_is_accepted(panel: Page, service: "Double") -> None:
    panel.locator("#query").press_sequentially("pdf contracts")
    expect(panel.locator("#results .row")).to_have_count(9)
    for keys in ("ArrowDown", "Enter", "Control+Enter", "Control+y", "Control+c", "Control+Alt+c",
                 "Shift+ArrowDown", "Control+Shift+c", "Escape"):  # fmt: skip
        panel.keyboard.press(keys)
    for action in ("similar", "why", "pin", "exclude", "open with"):
        panel.keyboard.press("Control+k")
        panel.keyboard.type(action)
        panel.keyboard.press("Enter")
        panel.wait_for_timeout(80)
        panel.keyboard.press("Escape")
        panel.locator("#query").fill("pdf contracts")
        expect(panel.locator("#results .row")).to_have_count(9)
    for name in ("settings.html", "coverage.html", "welcome.html"):
        panel.goto(service.url(name))
        expect(panel.locator("button").first).to_be_visible()
    assert len({name for name, _ in service.calls}) >= 18
    for name, body in service.calls:
        parse_message({"name": name, **body})


def test_the_bridge_is_used_where_there_is_one(context: BrowserContext, service: "Double") -> None:
    asked: list[str] = []

    def answer(text: str) -> str:
        message = json.loads(text)
        asked.append(message.pop("name"))
        return json.dumps({"ok": True, "value": service.answer(asked[-1], message)})

    page = context.new_page()
    page.expose_function("nativeAnswer", answer)
    page.add_init_script(
        "window.webkit = {messageHandlers: {sagasu: {postMessage: t => nativeAnswer(t)}}};"
    )
    page.goto(f"{service.address}/panel/index.html")
    page.wait_for_selector("#results .row")
    page.locator("#query").fill("contracts")
    expect(page.locator("#results .row")).to_have_count(9)
    expect(page.locator("html")).to_have_attribute("data-host", "app")
    expect(page.locator("#preview .meant")).to_be_visible()
    page.evaluate("window.sagasu.receive(JSON.stringify({type: 'query', query: 'lease'}))")
    expect(page.locator("#query")).to_have_value("lease")
    page.keyboard.press("Control+,")
    expect(page.locator("#query")).to_be_visible()
    assert {"status", "recent", "search", "preview", "show_page"} <= set(asked)
    assert service.calls == []
