"""Which other programs may ask? Tokens for them, made and revoked from the terminal."""

from typing import TYPE_CHECKING

import click

from engine.cli.output import clean, remark, say
from engine.cli.status import when
from engine.config import data_folder

if TYPE_CHECKING:
    from engine.server.tokens import Tokens


@click.group()
def token() -> None:
    """Manage the tokens of other programs: read-only, and limited to folders."""


@token.command()
@click.argument("name")
@click.option("--folder", "folders", multiple=True, help="Only files below this folder.")
@click.option("--may-write", is_flag=True, help="May add and remove documents and folders too.")
def create(name: str, folders: tuple[str, ...], may_write: bool) -> None:
    """Make a token; its text is shown this once."""
    say(_open().create(name, read_only=not may_write, folders=folders))
    remark("Keep it now: only its hash is stored.")


@token.command("list")
def show() -> None:
    """List the tokens and what they may see."""
    for row in _open().rows():
        state = "revoked" if row.revoked is not None else "valid"
        rights = "read only" if row.read_only else "read and write"
        where = ", ".join(clean(one) for one in row.folders) or "everywhere"
        say(f"{clean(row.name)}: {state}, {rights}, {where}, made {when(row.created)}")


@token.command()
@click.argument("name")
def revoke(name: str) -> None:
    """Close a token at once."""
    _open().revoke(name)
    say(f"Revoked: {clean(name)}")


def _open() -> "Tokens":
    from engine.server.tokens import Tokens, read_owner_token

    home = data_folder()
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    return Tokens(read_owner_token(home / "token"), home / "tokens.json")
