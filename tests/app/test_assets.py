"""The page's files: 1 each has its type, a policy and no sniffing; 2 nothing outside the folder, of
an unknown kind or of another host is given out; 3 only our own addresses are ours; 4 every file of
the real page is of a known kind.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.assets import MISSING, POLICY, find_asset, is_ours, page_address

PANEL = Path(__file__).resolve().parents[2] / "resources" / "panel"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    panel = tmp_path / "panel"
    panel.mkdir()
    (panel / "index.html").write_text("<html>")
    (panel / "panel.js").write_text("export {}")
    (panel / "notes.exe").write_text("no")
    (tmp_path / "secret.txt").write_text("secret")
    (panel / "link.txt").symlink_to(tmp_path / "secret.txt")
    return panel


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("sagasu-panel://app/index.html", "text/html; charset=utf-8"),
        ("sagasu-panel://app/", "text/html; charset=utf-8"),
        ("sagasu-panel://app/index.html?page=1#x", "text/html; charset=utf-8"),
        ("sagasu-panel://app/panel.js", "text/javascript; charset=utf-8"),
    ],
)
def test_given_with_type_and_policy(folder: Path, address: str, kind: str) -> None:
    asset = find_asset(folder, address)
    headers = asset.headers()
    assert asset.status == 200
    assert headers["Content-Type"] == kind
    assert headers["Content-Security-Policy"] == POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Content-Length"] == str(len(asset.body))


def test_the_policy_allows_nothing_inline() -> None:
    assert "unsafe" not in POLICY
    assert POLICY.startswith("default-src 'none'; ")


@pytest.mark.parametrize(
    "address",
    [
        "sagasu-panel://app/../secret.txt",
        "sagasu-panel://app/%2e%2e/secret.txt",
        "sagasu-panel://app/..%2fsecret.txt",
        "sagasu-panel://app//etc/passwd",
        "sagasu-panel://app/link.txt",
        "sagasu-panel://app/notes.exe",
        "sagasu-panel://app/missing.html",
        "sagasu-panel://app/a%00.html",
        "sagasu-panel://evil/index.html",
        "https://app/index.html",
        "file:///index.html",
    ],
)
def test_everything_else_is_missing(folder: Path, address: str) -> None:
    assert find_asset(folder, address) is MISSING


@given(st.text(max_size=60))
def test_no_path_leads_outside(path: str) -> None:
    for address in (path, f"sagasu-panel://app/{path}", f"sagasu-panel://{path}"):
        asset = find_asset(Path(__file__).parent, address)
        assert asset is MISSING or asset.status == 200


def test_only_ours_are_ours() -> None:
    assert is_ours(page_address())
    assert is_ours(page_address("settings.html"))
    assert not is_ours("sagasu-panel://app.evil/")
    assert not is_ours("about:blank")


def test_every_file_of_the_page_is_of_a_known_kind() -> None:
    files = [path for path in PANEL.rglob("*") if path.is_file()]
    assert files
    for path in files:
        name = path.relative_to(PANEL).as_posix()
        assert find_asset(PANEL, page_address(name)).status == 200, name
