"""Proves that assistants' settings are changed with care:

1. the entry goes to each assistant's own file and key, and everything else there stays;
2. the file as it was is kept beside it, once for each change; a second run changes nothing;
3. a file that is not plain JSON, or has another shape, is not touched;
4. links and modes stay; what was not there is made, for its owner alone;
5. without names only assistants that are used here are written to; unknown ones are refused;
6. the entry can be taken out again.
"""

import json
import os
import stat
from pathlib import Path

import pytest

from engine.errors import InvalidValueError
from engine.mcp.install import ASSISTANTS, choose_assistants, install, uninstall, write_snippet

COMMAND = ("/opt/sagasu/bin/sagasu", "mcp")


@pytest.fixture(autouse=True)
def no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SAGASU_HOME", raising=False)


@pytest.mark.parametrize("assistant", ASSISTANTS, ids=lambda one: one.name)
def test_the_entry_is_added_and_the_rest_stays(assistant: object, tmp_path: Path) -> None:
    one = next(found for found in ASSISTANTS if found is assistant)
    path = one.path(tmp_path)
    path.parent.mkdir(parents=True, exist_ok=True)
    before = {"theme": "dark", one.key: {"other": {"command": "x", "args": ["ä"]}}}
    path.write_text(json.dumps(before))
    path.chmod(0o640)
    (outcome,) = install([one.name], command=COMMAND, home=tmp_path)
    after = json.loads(path.read_text())
    entry = after[one.key].pop("sagasu")
    assert after == before
    assert (entry["command"], entry["args"]) == (COMMAND[0], ["mcp"])
    assert (outcome.done, stat.S_IMODE(path.stat().st_mode)) == ("added", 0o640)
    assert outcome.backup is not None
    assert json.loads(outcome.backup.read_text()) == before
    assert one.title in outcome.sentence()


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    install(["cursor"], command=COMMAND, home=tmp_path)
    (again,) = install(["cursor"], command=COMMAND, home=tmp_path)
    assert (again.done, again.backup) == ("unchanged", None)
    (other,) = install(["cursor"], command=("/elsewhere/sagasu", "mcp"), home=tmp_path)
    assert other.done == "changed"


@pytest.mark.parametrize("text", ['{"a": 1, // note\n}', "{", "[1]", '{"mcpServers": []}', "\x00"])
def test_what_is_not_plain_json_is_not_touched(text: str, tmp_path: Path) -> None:
    path = tmp_path / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text(text)
    (outcome,) = install(["cursor"], command=COMMAND, home=tmp_path)
    assert outcome.done == "not touched"
    assert "by hand" in outcome.sentence()
    assert path.read_text() == text
    assert list(path.parent.iterdir()) == [path]


def test_a_missing_or_empty_file_is_made(tmp_path: Path) -> None:
    (made,) = install(["cursor"], command=COMMAND, home=tmp_path)
    assert (made.done, made.backup) == ("added", None)
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    (tmp_path / ".claude.json").write_text("")
    install(["claude-code"], command=COMMAND, home=tmp_path)
    entry = json.loads((tmp_path / ".claude.json").read_text())["mcpServers"]["sagasu"]
    assert entry["type"] == "stdio"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text("{}")
    (tmp_path / ".claude.json").symlink_to(real)
    install(["claude-code"], command=COMMAND, home=tmp_path)
    assert (tmp_path / ".claude.json").is_symlink()
    assert "sagasu" in real.read_text()


def test_only_assistants_in_use_are_chosen(tmp_path: Path) -> None:
    assert choose_assistants([], tmp_path) == []
    (tmp_path / ".cursor").mkdir()
    assert [one.name for one in choose_assistants([], tmp_path)] == ["cursor"]
    (tmp_path / ".claude.json").write_text("{}")
    assert [one.name for one in choose_assistants([], tmp_path)] == ["claude-code", "cursor"]
    with pytest.raises(InvalidValueError, match="emacs"):
        choose_assistants(["emacs"], tmp_path)


def test_the_entry_can_be_taken_out(tmp_path: Path) -> None:
    path = tmp_path / ".cursor" / "mcp.json"
    path.parent.mkdir()
    path.write_text('{"mcpServers": {"other": {}}}')
    assert uninstall(["cursor"], home=tmp_path)[0].done == "absent"
    install(["cursor"], command=COMMAND, home=tmp_path)
    assert uninstall(["cursor"], home=tmp_path)[0].done == "removed"
    assert json.loads(path.read_text()) == {"mcpServers": {"other": {}}}


def test_the_snippet_is_what_would_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAGASU_HOME", "/data/sagasu")
    one = ASSISTANTS[0]
    snippet = json.loads(write_snippet(one, COMMAND))
    install([one.name], command=COMMAND, home=tmp_path)
    assert json.loads(one.path(tmp_path).read_text()) == snippet
    assert snippet["mcpServers"]["sagasu"]["env"] == {"SAGASU_HOME": os.environ["SAGASU_HOME"]}
