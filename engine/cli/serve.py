"""How are the service, the app and the door for assistants started from the terminal?"""

import os
import sys

import click

from engine.cli.output import remark, say


@click.command()
@click.option("--port", type=int, help="Port to listen on (default: server.port; 0: any free one).")
@click.option("--debug", is_flag=True, help="Verbose log on standard error.")
def server(port: int | None, debug: bool) -> None:
    """Run the service: watcher, indexer and HTTP in one process, until it is stopped."""
    from engine.log import set_up_logging
    from engine.server.serve import open_writer, serve

    with open_writer() as engine:
        set_up_logging(engine.places.log, debug=debug or engine.config.debug, loud=debug)

        def ready(address: str) -> None:
            say(f"Sagasu listens on {address}")
            sys.stdout.flush()
            remark("Index a folder:  sagasu watch add ~/Documents")
            remark('Search it:       sagasu search "what you remember of it"')
            remark("Stop it:         Ctrl-C")

        engine.start_keeping()
        serve(engine, engine.config, port=port, ready=ready)


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def app(arguments: tuple[str, ...]) -> None:
    """Start the app: the menu-bar item on a Mac; elsewhere the service and its page in a window."""
    # The engine does not know the app: it becomes it.
    os.execv(sys.executable, [sys.executable, "-m", "app", *arguments])


@click.group(invoke_without_command=True)
@click.pass_context
def mcp(ctx: click.Context) -> None:
    """Serve AI assistants over MCP on standard input and output."""
    if ctx.invoked_subcommand is None:
        from engine.api import Engine
        from engine.mcp.serve import serve_stdio

        serve_stdio(Engine.open)


@mcp.command()
@click.argument("assistants", nargs=-1)
@click.option("--print", "only_print", is_flag=True, help="Print the entries; write nothing.")
def install(assistants: tuple[str, ...], only_print: bool) -> None:
    """Add Sagasu to Claude Desktop, Claude Code, Cursor or VS Code; the old file is kept."""
    from pathlib import Path

    from engine.mcp import install as installing

    if only_print:
        command = installing.default_command()
        for one in installing.choose_assistants(assistants, Path.home()):
            say(installing.write_snippet(one, command))
        return
    for outcome in installing.install(assistants):
        say(outcome.sentence())


@mcp.command()
@click.argument("assistants", nargs=-1)
def uninstall(assistants: tuple[str, ...]) -> None:
    """Take Sagasu out of the assistants' settings again."""
    from engine.mcp import install as installing

    for outcome in installing.uninstall(assistants):
        say(outcome.sentence())


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script: eval "$(sagasu completion zsh)" """
    from click.shell_completion import get_completion_class

    from engine.cli.main import cli

    kind = get_completion_class(shell)
    assert kind is not None
    say(kind(cli, {}, "sagasu", "_SAGASU_COMPLETE").source())
