"""sagasu:// addresses: 1 search carries its query; 2 pages open; 3 everything else is refused, also
what would do more than show; 4 no text makes it fail otherwise.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.urls import UrlCommand, parse_url
from engine.errors import InvalidValueError


@pytest.mark.parametrize(
    ("address", "command"),
    [
        ("sagasu://search?q=tax%20return", UrlCommand("search", "tax return")),
        ("sagasu://search?q=a+b", UrlCommand("search", "a b")),
        ("SAGASU://search?q=%E6%8E%A2%E3%81%99", UrlCommand("search", "探す")),
        ("sagasu://search", UrlCommand("search")),
        ("sagasu:search?q=x", UrlCommand("search", "x")),
        ("sagasu://settings?q=ignored", UrlCommand("settings")),
        ("sagasu://coverage/", UrlCommand("coverage")),
        ("sagasu://search?q=%0Aa%00%0Ab", UrlCommand("search", "a b")),
    ],
)
def test_understood(address: str, command: UrlCommand) -> None:
    assert parse_url(address) == command


@pytest.mark.parametrize(
    "address",
    ["", "https://search?q=x", "sagasu://open?path=/etc/passwd", "sagasu://wipe", "sagasu://[",
     "sagasu://search?q=" + "x" * 1001, "sagasu://search?" + "&".join("a=1" for _ in range(20))],
)  # fmt: skip
def test_refused(address: str) -> None:
    with pytest.raises(InvalidValueError):
        parse_url(address)


@given(st.text(max_size=80))
def test_no_text_makes_it_fail_otherwise(text: str) -> None:
    for address in (text, f"sagasu://{text}", f"sagasu://search?q={text}"):
        try:
            assert parse_url(address).page
        except InvalidValueError:
            continue
