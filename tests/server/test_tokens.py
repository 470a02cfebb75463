"""Proves what tokens are and what they open:

1. the owner's token is made once, 0600, and kept; other tokens are stored as hashes only;
2. a token is found by its text, not when it is revoked, also by another process; a name is
   given once;
3. a folder covers what is in it and nothing whose name merely begins the same;
4. a damaged file of tokens is not taken for an empty one.
"""

import stat
from pathlib import Path

import pytest

from engine.errors import InvalidValueError, NotFoundError, StoreUnwritableError
from engine.server.tokens import Client, Tokens, inside, read_owner_token


@pytest.fixture
def tokens(tmp_path: Path) -> Tokens:
    return Tokens(read_owner_token(tmp_path / "token"), tmp_path / "tokens.json")


def test_the_owners_token_is_made_once_and_private(tmp_path: Path) -> None:
    first = read_owner_token(tmp_path / "token")
    assert len(first) >= 40
    assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600
    assert read_owner_token(tmp_path / "token") == first


def test_a_token_that_others_could_read_is_made_private(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("abc\n")
    (tmp_path / "token").chmod(0o644)
    assert read_owner_token(tmp_path / "token") == "abc"
    assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600


def test_only_hashes_are_kept(tokens: Tokens, tmp_path: Path) -> None:
    text = tokens.create("editor", folders=[str(tmp_path)])
    assert text not in (tmp_path / "tokens.json").read_text()
    assert stat.S_IMODE((tmp_path / "tokens.json").stat().st_mode) == 0o600
    again = Tokens("owner-token", tmp_path / "tokens.json")
    client = again.find(text)
    assert client is not None
    assert (client.name, client.read_only) == ("editor", True)
    assert client.folders == (str(tmp_path),)


def test_a_revoked_token_opens_nothing(tokens: Tokens) -> None:
    text = tokens.create("editor")
    assert tokens.find(text) is not None
    tokens.revoke("editor")
    assert tokens.find(text) is None
    assert tokens.rows()[0].revoked is not None
    with pytest.raises(NotFoundError):
        tokens.revoke("editor")
    assert tokens.find(tokens.create("editor")) is not None


def test_what_another_process_changes_is_seen(tokens: Tokens, tmp_path: Path) -> None:
    other = Tokens("owner-token", tmp_path / "tokens.json")
    text = other.create("editor")
    assert tokens.find(text) is not None
    tokens.revoke("editor")
    assert other.find(text) is None


def test_using_a_token_is_noted(tokens: Tokens) -> None:
    text = tokens.create("editor")
    assert tokens.rows()[0].last_used is None
    tokens.find(text)
    assert tokens.rows()[0].last_used is not None


@pytest.mark.parametrize("name", ["owner", "editor"])
def test_a_name_is_given_once(tokens: Tokens, name: str) -> None:
    tokens.create("editor")
    with pytest.raises(InvalidValueError):
        tokens.create(name)


@pytest.mark.parametrize("folder", ["", " ", "/a\0b"])
def test_a_folder_must_be_a_path(tokens: Tokens, folder: str) -> None:
    with pytest.raises(InvalidValueError, match="folders"):
        tokens.create("editor", folders=[folder])


@pytest.mark.parametrize("given", ["", "x", "ä", "\udcff", "a" * 10_000])
def test_strange_texts_are_nobodys(tokens: Tokens, given: str) -> None:
    assert tokens.find(given) is None


def test_a_folder_covers_what_is_in_it_only() -> None:
    client = Client("editor", folders=("/d/work",))
    assert client.sees("/d/work/a.md")
    assert not client.sees("/d/workshop/a.md")
    assert not client.sees("/d")
    assert not client.sees("")
    assert Client("editor").sees("")
    assert inside("/d", "/")


def test_a_damaged_file_is_not_taken_for_empty(tmp_path: Path) -> None:
    (tmp_path / "tokens.json").write_text("{broken")
    with pytest.raises(StoreUnwritableError):
        Tokens("x", tmp_path / "tokens.json")
