"""Nothing that a file brings becomes markup.

Markup and scripts in file names, titles, contents, trails, metadata, suggestions, chips, paths,
reasons, folders, tokens and errors are shown as the text they are, on every page: no element is
made of them, no script runs, nothing is fetched. The policy forbids what the code already avoids.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

if TYPE_CHECKING:
    from tests.panel.conftest import Double, Refused

ATTACKS = [
    "<img src=x onerror=window.hacked=1>",
    "<script>window.hacked=1</script>",
    '"><svg onload=window.hacked=1>',
    "</title><iframe srcdoc='<script>parent.hacked=1</script>'>",
    "javascript:window.hacked=1",
    "&lt;b&gt;<b>bold</b>",
    "\u202egpj.exe\u0000<a href=javascript:hacked=1>x</a>",
    "{{constructor.constructor('window.hacked=1')()}}${window.hacked=1}",
]
KEEP = {"id", "kind", "state", "phase", "name", "action", "key", "theme", "text_size", "direction"}


def poison(value: Any, attack: str, key: str = "") -> Any:
    """`value` with every text of it hostile, but for those that are names of the contract."""
    if isinstance(value, dict):
        return {name: poison(one, attack, name) for name, one in value.items()}
    if isinstance(value, list):
        return [poison(one, attack, key) for one in value]
    if isinstance(value, str) and key == "path":
        return f"/Users/mia/{attack.replace('/', '∕')}/{attack}"
    if not isinstance(value, str) or key in KEEP or key in ("matched", "image_url"):
        return value
    return attack


@pytest.fixture(params=ATTACKS, ids=range(len(ATTACKS)))
def attack(request: pytest.FixtureRequest, service: "Double", page: Page) -> str:
    attack = str(request.param)
    keep = service.sample["settings_get"]["panes"]
    for name in service.sample:
        service.sample[name] = poison(service.sample[name], attack)
    service.sample["search"]["chips"] = [
        {"id": attack, "kind": attack, "label": attack, "text": attack}
    ]
    service.sample["search"]["suggestions"] = [{"text": attack, "query": attack}]
    for before, after in zip(keep, service.sample["settings_get"]["panes"], strict=True):
        for old, new in zip(before["fields"], after["fields"], strict=True):
            new["confirm"] = attack if old.get("confirm") else ""
    foreign: list[str] = []
    page.on("request", lambda r: foreign.append(r.url) if service.address not in r.url else None)
    page.on("dialog", lambda dialog: pytest.fail("a dialog was opened"))
    page.expose_function("told", lambda: foreign)
    return attack


def check_clean(page: Page) -> None:
    """No script ran, no element came out of a text, nothing was fetched from elsewhere."""
    assert page.evaluate("window.hacked") is None
    assert page.locator("iframe, a, b:not(.pill b, .reason b), object, embed, form").count() == 0
    assert page.locator("img:not([src^='blob:'])").count() == 0
    assert page.locator("body script").count() == 0
    outside = [url for url in page.evaluate("told()") if not url.startswith(("blob:", "data:"))]
    assert outside == []


def test_panel_shows_hostile_text_as_text(page: Page, service: "Double", attack: str) -> None:
    page.goto(service.url())
    page.wait_for_selector("#results .row")
    check_clean(page)
    page.locator("#query").fill(f"pdf {attack}".replace("\0", ""))
    expect(page.locator("#results .row")).to_have_count(9)
    expect(page.locator("#results .title").first).to_contain_text(attack[:5])
    expect(page.locator("#preview h1")).to_contain_text(attack[:5])
    for _ in range(9):
        page.keyboard.press("ArrowDown")
    for name in ("why", "open with", "similar"):
        page.keyboard.press("Control+k")
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        page.wait_for_timeout(60)
        check_clean(page)
        page.keyboard.press("Escape")
    page.keyboard.press("Control+l")
    check_clean(page)


@pytest.mark.parametrize("name", ["settings.html", "coverage.html", "welcome.html"])
def test_other_pages_show_hostile_text_as_text(
    page: Page, service: "Double", attack: str, name: str
) -> None:
    page.goto(service.url(name))
    expect(page.locator("body")).to_contain_text(attack[:5])
    for tab in page.locator(".tab[data-pane]").all():
        tab.click()
        page.wait_for_timeout(30)
        check_clean(page)
    check_clean(page)


def test_an_error_is_shown_as_text(
    page: Page, service: "Double", attack: str, refused: "type[Refused]"
) -> None:
    def refuse(body: dict[str, Any]) -> Any:
        raise refused(400, {"kind": "QuerySyntaxError", "say": attack, "hint": attack,
                            "position": 2})  # fmt: skip

    page.goto(service.url())
    page.wait_for_selector("#results .row")
    service.answers["search"] = refuse
    page.locator("#query").fill("x")
    expect(page.locator(".notice")).to_contain_text(attack[:5])
    check_clean(page)


def test_an_event_is_data_only(panel: Page, service: "Double") -> None:
    service.send({"type": "query", "query": ATTACKS[0]})
    expect(panel.locator("#query")).to_have_value(ATTACKS[0])
    service.send({"type": "constructor", "query": "x"})
    service.send({"type": "__proto__"})
    service.send({"type": "query", "query": "still here"})
    expect(panel.locator("#query")).to_have_value("still here")
    assert panel.evaluate("window.hacked") is None


def test_the_policy_forbids_what_the_code_avoids(
    context: BrowserContext, service: "Double"
) -> None:
    panel = context.new_page()
    panel.goto(service.url())
    panel.wait_for_selector("#results .row")
    blocked = panel.evaluate(
        """async () => {
            const seen = [];
            addEventListener('securitypolicyviolation', e => seen.push(e.effectiveDirective));
            try { document.body.innerHTML += '<i></i>'; } catch { seen.push('trusted-types'); }
            const style = document.createElement('style');
            style.textContent = 'body{color:red}';
            document.head.append(style);
            const script = document.createElement('script');
            try { script.textContent = 'window.hacked=1'; document.head.append(script); }
            catch { seen.push('script'); }
            await fetch('http://127.0.0.1:9/').catch(() => {});
            await new Promise(done => setTimeout(done, 100));
            return [...new Set(seen)].sort();
        }"""
    )
    assert "trusted-types" in blocked
    assert "connect-src" in blocked
    assert any(one.startswith("style-src") for one in blocked)
    assert panel.evaluate("window.hacked") is None


def test_no_file_of_the_page_writes_markup() -> None:
    folder = Path(__file__).resolve().parents[2] / "resources" / "panel"
    words = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(")
    for file in folder.iterdir():
        text = file.read_text("utf-8")
        assert [word for word in words if word in text] == [], file.name
        if file.suffix == ".html":
            assert " style=" not in text, file.name
            assert "onclick" not in text, file.name
            assert json.dumps("unsafe-inline") not in text
