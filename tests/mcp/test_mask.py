"""Proves what assistants do not get to see:

1. keys and tokens of known kinds, private keys also when a passage cuts them, named secrets;
2. card numbers whose Luhn digit holds, bank accounts whose remainder is 1, with and without blanks;
3. nothing else: order numbers, dates, hashes of commits, prose about passwords stay readable;
4. masks keep line breaks, masking twice changes nothing, and hostile texts take no long time.
"""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.mcp.mask import is_card, is_iban, mask_secrets

# Written in parts, so that no tool takes these examples for real ones.
KEY_LINE = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n"
SECRETS = {
    "aws": "AKIA" + "IOSFODNN7EXAMPLE",
    "github": "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
    "slack": "xoxb-" + "123456789012-abcdefGHIJ",
    "stripe": "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "openai": "sk-" + "proj-abcdEFGH1234ijklMNOP5678",
    "google": "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "jwt": "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
    "named": "hunter2secret99",
    "quoted": "correct-horse-battery",
}


@pytest.mark.parametrize("name", ["aws", "github", "slack", "stripe", "openai", "google", "jwt"])
def test_known_keys_are_masked_anywhere(name: str) -> None:
    text = f"before {SECRETS[name]}, after"
    assert mask_secrets(text) == "before [masked: key], after"


@pytest.mark.parametrize(
    "text",
    [
        "password: {named}",
        "DB_PASSWORD={named}",
        "export API_KEY='{quoted}'",
        '"client_secret": "{quoted}"',
        "api-key = {named}",
        "Passwort: {named}",
        "Authorization: Bearer {named}",
        "postgres://ada:{named}@db.example/main",
    ],
)
def test_named_secrets_are_masked_and_their_names_stay(text: str) -> None:
    masked = mask_secrets(text.format(**SECRETS))
    assert SECRETS["named"] not in masked
    assert SECRETS["quoted"] not in masked
    assert masked.startswith(text.partition("{")[0].rstrip("'\""))
    assert "[masked: " in masked


def test_private_keys_are_masked_whole_or_cut() -> None:
    key = "-----BEGIN " + "RSA PRIVATE KEY-----\n" + KEY_LINE * 4 + "-----END RSA PRIVATE KEY-----"
    for part in (key, key[:150], KEY_LINE * 3, f"text\n{key}\ntext"):
        masked = mask_secrets(part)
        assert "MIIEvQ" not in masked
        assert masked.count("\n") == part.count("\n")
    assert mask_secrets(f"a\n{key}\nb").endswith("\nb")


@pytest.mark.parametrize(
    "number", ["4539148803436467", "4539 1488 0343 6467", "4539-1488-0343-6467", "378282246310005"]
)
def test_card_numbers_are_masked(number: str) -> None:
    assert mask_secrets(f"pay with {number}.") == "pay with [masked: card number]."


@pytest.mark.parametrize(
    "number",
    ["DE89370400440532013000", "DE89 3704 0044 0532 0130 00", "GB29 NWBK 6016 1331 9268 19"],
)
def test_bank_accounts_are_masked(number: str) -> None:
    assert mask_secrets(f"send to {number}, please") == "send to [masked: bank account], please"
    assert mask_secrets(f"{number} IBAN OF ADA") == "[masked: bank account] IBAN OF ADA"


@pytest.mark.parametrize(
    "text",
    [
        "order 4539148803436468 was sent",
        "DE88 3704 0044 0532 0130 00 has a typing error",
        "2026-01-02 03:04:05 and 1794995974430419900",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "The password: it is written on paper, and the token is a coin.",
        "The secret: nobody knows it",
        "Set password=$DB_PASSWORD or token: {{ vault.token }}",
        "0000000000000000",
        "call +49 30 1234567 or 555-0100",
    ],
)
def test_everything_else_stays_readable(text: str) -> None:
    assert mask_secrets(text) == text


def test_checksums() -> None:
    assert is_card("4111111111111111")
    assert not is_card("4111111111111112")
    assert not is_card("1111111111111111")
    assert is_iban("DE89370400440532013000")
    assert not is_iban("DE89370400440532013001")


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=300))
def test_masking_twice_is_masking_once(text: str) -> None:
    once = mask_secrets(text)
    assert mask_secrets(once) == once
    assert once.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "text",
    ["-----BEGIN PRIVATE KEY-----" * 2000, "A" * 100_000, "4 " * 50_000, "password=" * 10_000,
     "DE89 " * 20_000, "a:" * 50_000, "eyJ" * 30_000, "x://" * 20_000],
    ids=["pem", "letters", "digits", "names", "iban", "colons", "jwt", "addresses"],
)  # fmt: skip
def test_hostile_texts_take_no_long_time(text: str) -> None:
    started = time.perf_counter()
    mask_secrets(text)
    assert time.perf_counter() - started < 2
