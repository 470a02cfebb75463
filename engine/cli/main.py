"""Where does the command line begin? Finds the command, runs it, turns errors into sentences.

Exit codes: 0 answered (also when nothing was found), 1 failed, 2 wrong usage, 3 index or model,
130 interrupted. `sagasu WORDS` without a verb searches.
"""

import importlib
import os
import sys

import click

from engine.cli import COMMANDS
from engine.errors import EngineError, QuerySyntaxError

INTERRUPTED = 130
BOOLEANS = {"true": "", "1": "", "yes": "", "false": "no-", "0": "no-", "no": "no-"}
SWITCHES = ("keyword", "semantic", "fuzzy")


class LazyGroup(click.Group):
    """Loads a command's module when it is called, not before."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name, _ = COMMANDS[cmd_name]
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS:
            args = ["search", *args]
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog='Without a command the words are searched: sagasu "tax return 2025"',
)
@click.option("--home", metavar="DIR", help="Data folder to use (also: SAGASU_HOME).")
@click.version_option(
    None, "-v", "--version", message="sagasu version %(version)s", package_name="sagasu"
)
def cli(home: str | None) -> None:
    """Finds anything in your files by name, by word and by meaning. Nothing leaves this machine."""
    if home:
        os.environ["SAGASU_HOME"] = home


def main() -> None:
    """Run the command line and end the process with its exit code."""
    # Our products are small: shared out over busy cores they wait a hundred times longer.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; returns the exit code."""
    try:
        result = cli.main(_read_switches(arguments), prog_name="sagasu", standalone_mode=False)
        sys.stdout.flush()  # a pipe that has closed shall be noticed here
        return result if isinstance(result, int) else 0
    except click.ClickException as exc:
        exc.show()
        return exc.exit_code
    except click.exceptions.Exit as exc:
        return exc.exit_code
    except (KeyboardInterrupt, click.Abort):
        complain("Interrupted.")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of our output went away (| head): that is its right, and not a failure.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0
    except EngineError as exc:
        say_error(exc)
        return exc.exit_code


def say_error(error: EngineError) -> None:
    """The error's sentence, the place in the query, and what to do."""
    complain(f"sagasu: {error}")
    if isinstance(error, QuerySyntaxError):
        complain(error.drawing())
    if error.advice:
        complain(f"hint: {error.advice}")


def complain(text: str) -> None:
    """A line on standard error."""
    click.echo(text, err=True)


def _read_switches(arguments: list[str]) -> list[str]:
    """`--keyword=false` is `--no-keyword`: both spellings are in use."""
    read: list[str] = []
    for argument in arguments:
        name, _, value = argument.removeprefix("--").partition("=")
        if argument.startswith("--") and name in SWITCHES and value.lower() in BOOLEANS:
            argument = f"--{BOOLEANS[value.lower()]}{name}"
        read.append(argument)
    return read


if __name__ == "__main__":
    main()
