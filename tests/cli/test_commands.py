"""The command line.

1. Words without a verb are searched; flags may stand before or after; both spellings of switches.
2. Every output format; JSON is one document.
3. Exit codes: 0 also when nothing was found, 2 for usage.
4. Every command has help, and its module is there.
5. Settings are changed with their comments kept; wrong ones are refused by name.
6. Colours and links only on a terminal.
7. A file that is opened is noted in the index, if it is in it.
"""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.api import Engine
from engine.cli import COMMANDS
from tests.cli.conftest import Call


def test_words_without_a_verb_are_searched(call: Call) -> None:
    code, out, _ = call("lentils", "cumin", "--output", "files")
    assert code == 0
    assert out.splitlines()[0].endswith("soup.md")


def test_flags_may_stand_before_or_after_the_words(call: Call) -> None:
    before = call("search", "--limit", "1", "--output", "files", "rent", "due")
    after = call("search", "rent", "due", "--output", "files", "--limit", "1")
    assert before[1] == after[1]
    assert before[1].endswith("rent.txt\n")


@pytest.mark.parametrize("switch", ["--semantic=false", "--no-semantic", "--semantic=False"])
def test_switches_have_two_spellings(call: Call, switch: str) -> None:
    _, out, _ = call("search", switch, "lentils", "--output", "json")
    answer = json.loads(out)
    assert [row["semantic_score"] for row in answer["results"]] == [0.0]


def test_nothing_found_is_an_answer(call: Call) -> None:
    code, out, err = call("search", "--no-semantic", "xylophone")
    assert code == 0
    assert "Found 0 results" in out
    assert "coverage" in err


def test_text_output_says_what_sagasus_document_shows(call: Call) -> None:
    _, out, _ = call("search", "--no-semantic", "lentlis")
    assert "No exact matches found. Showing fuzzy results instead." in out
    assert "Did you mean: lentils?" in out
    assert "Keyword: " in out
    assert "Semantic: 0.0000" in out
    assert "\x1b" not in out


def test_csv_markdown_and_compact(call: Call) -> None:
    rows = list(csv.DictReader(io.StringIO(call("rent", "due", "-o", "csv")[1])))
    assert rows[0]["path"].endswith("rent.txt")
    assert "1. **rent**" in call("rent", "due", "-o", "md")[1]
    assert "[keyword] #1 " in call("rent", "due", "-o", "compact")[1]


def test_many_queries_from_a_file(call: Call, tmp_path: Path) -> None:
    queries = tmp_path / "queries.txt"
    queries.write_text("# comment\nrent\n\nlentils\n")
    answers = json.loads(call("search", "-Q", str(queries), "-o", "json")[1])
    assert [answer["query"] for answer in answers] == ["rent", "lentils"]


def test_filters_as_flags(call: Call) -> None:
    assert call("search", "the", "--ext", "md", "-o", "files")[1].splitlines() != []
    assert "rent.txt" not in call("search", "rent", "--ext", "md", "-o", "files")[1]


def test_unknown_options_and_formats_are_usage_errors(call: Call) -> None:
    assert call("search", "--nonsense", "x")[0] == 2
    assert call("search", "x", "--output", "yaml")[0] == 2
    assert call("search", "x", "--mode", "magic")[0] == 2


def test_coverage_and_why_tell_what_is_left_out(call: Call, indexed: tuple[Path, Path]) -> None:
    _, out, _ = call("coverage")
    assert "2 of 3 files can be found" in out
    _, out, _ = call("why", str(indexed[1] / "photo.jpg"))
    assert "skipped" in out
    facts = json.loads(call("coverage", "--output", "json")[1])
    assert facts["states"]["indexed"] == 2


def test_get_ls_similar_and_whynot(call: Call, indexed: tuple[Path, Path]) -> None:
    path = str(indexed[1] / "soup.md")
    assert "Simmer the lentils" in call("get", path)[1]
    assert path in call("ls")[1]
    assert call("similar", path)[0] == 0
    assert "rank 1" in call("whynot", "lentils", path)[1]
    assert call("get", "file:unknown")[0] == 2


def test_settings_keep_their_comments(call: Call, indexed: tuple[Path, Path]) -> None:
    config = indexed[0] / "config.yaml"
    config.write_text("# mine\nserver:\n  port: 8080  # the usual one\n")
    try:
        assert call("config", "set", "server.port", "9000")[0] == 0
        assert config.read_text() == "# mine\nserver:\n  port: 9000  # the usual one\n"
        assert call("config", "set", "server.port", "banana")[0] == 2
        assert "server.prot" in call("config", "set", "server.prot", "1")[2]
        assert call("exclude", "add", "*.bak")[0] == 0
        assert call("exclude", "list")[1] == "*.bak\n"
        assert call("exclude", "remove", "*.bak")[0] == 0
        assert call("exclude", "list")[1] == ""
    finally:
        config.unlink()


def test_doctor_finds_everything_sound(call: Call) -> None:
    findings = json.loads(call("doctor", "--output", "json")[1])
    wrong = [one["what"] for one in findings if not one["ok"]]
    assert wrong in ([], ["service"])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(call: Call, name: str) -> None:
    code, out, _ = call(name, "--help")
    assert code == 0
    assert out.startswith("Usage: sagasu " + name)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(call: Call, shell: str) -> None:
    assert "_SAGASU_COMPLETE" in call("completion", shell)[1]


def test_a_closed_pipe_is_not_a_failure(indexed: tuple[Path, Path]) -> None:
    done = subprocess.run(
        f"'{sys.executable}' -m engine.cli.main ls --limit 1 | true; exit ${{PIPESTATUS[0]}}",
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        text=True,
        cwd=Path(__file__).resolve().parents[2],
        env={"SAGASU_HOME": str(indexed[0]), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 0, done.stderr


def test_tokens_are_made_shown_once_and_revoked(call: Call, indexed: tuple[Path, Path]) -> None:
    code, out, _ = call("token", "create", "editor", "--folder", str(indexed[1]))
    assert code == 0
    assert len(out.strip()) > 30
    assert "editor: valid, read only" in call("token", "list")[1]
    assert out.strip() not in (indexed[0] / "tokens.json").read_text()
    assert call("token", "revoke", "editor")[0] == 0
    assert "editor: revoked" in call("token", "list")[1]
    assert call("token", "revoke", "nobody")[0] == 2


def priority_of(indexed: tuple[Path, Path], name: str) -> float:
    with Engine.open(indexed[0]) as engine:
        query = (
            "SELECT max(priority) FROM vectors JOIN chunks ON vector_id = vectors.id "
            "JOIN documents ON documents.id = document_id WHERE name = ?"
        )
        return float(engine.database.connection().execute(query, (name,)).fetchone()[0])


def test_opening_a_file_is_noted_in_the_index(
    call: Call, indexed: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opener = tmp_path / ("open" if sys.platform == "darwin" else "xdg-open")
    opener.write_text("#!/bin/sh\nexit 0\n")
    opener.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    before = priority_of(indexed, "soup.md")
    assert call("open", str(indexed[1] / "soup.md"))[0] == 0
    assert priority_of(indexed, "soup.md") > before
    stranger = tmp_path / "stranger.txt"
    stranger.write_text("not indexed")
    assert call("open", str(stranger))[0] == 0
    monkeypatch.setenv("SAGASU_HOME", str(tmp_path / "empty"))
    assert call("open", str(stranger))[0] == 0
    assert not (tmp_path / "empty").exists()
