"""How is the configuration shown and changed? Comments in the file are kept."""

import json
from typing import Any

import click

from engine.cli.connect import config_path, find_service
from engine.cli.output import remark, say, say_json
from engine.cli.status import OUTPUT
from engine.config import iter_settings
from engine.settings import load_config, parse_value, write_setting


@click.group("config")
def config() -> None:
    """Show and change the settings."""


@config.command("path")
def show_path() -> None:
    """Print where the configuration file is."""
    say(str(config_path()))


@config.command("show")
@click.argument("key", default="")
@OUTPUT
def show(key: str, output: str) -> None:
    """Show every setting with its value and meaning, or one of them."""
    rows = [row for row in iter_settings(load_config(config_path())) if row.key.startswith(key)]
    if output == "json":
        say_json({row.key: row.value for row in rows})
        return
    for row in rows:
        changed = "" if row.value == row.default else f"  (default: {_write(row.default)})"
        say(f"{row.key}: {_write(row.value)}{changed}")
        say(f"    {row.help}")


@config.command("set")
@click.argument("key")
@click.argument("value")
def set_value(key: str, value: str) -> None:
    """Change one setting: sagasu config set server.port 9000"""
    checked = parse_value(key, value)
    save_setting(key, value)
    say(f"{key}: {_write(checked)}")


def save_setting(key: str, value: str) -> None:
    """Change one setting, through the running service when there is one."""
    service = find_service()
    if service is None:
        write_setting(config_path(), key, parse_value(key, value))
    elif service.ask("POST", "/api/v1/config", {"key": key, "value": value})["acts"] != "now":
        remark("The running service takes it up when it is started again.")


def change_list(key: str, *, add: str = "", remove: str = "") -> None:
    """Add to or remove from a setting that is a list."""
    section, name = key.split(".")
    values = list(getattr(getattr(load_config(config_path()), section), name))
    if add and add not in values:
        values.append(add)
    if remove:
        if remove not in values:
            raise click.ClickException(f"“{remove}” is not in {key}.")
        values.remove(remove)
    save_setting(key, json.dumps(values, ensure_ascii=False))


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(value) + "]"
    return str(value) if value != "" else '""'
