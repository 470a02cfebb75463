"""Proves that settings can be changed while the service runs:

1. exclusions and search defaults act at once, also through the command line;
2. what must wait for a restart says so; what is wrong is refused and not written.
"""

from collections.abc import Iterator

import pytest

from engine.cli.main import run
from tests.server.conftest import Running, wait_until


@pytest.fixture
def own(service: Running) -> Iterator[Running]:
    """The service, with its settings as they were afterwards."""
    yield service
    assert change(service, "files.exclude", "[]") == (200, "now")
    assert change(service, "search.default_limit", "10") == (200, "now")
    (service.home / "config.yaml").unlink()
    wait_until(lambda: finds_soup(service))


def change(service: Running, key: str, value: str) -> tuple[int, str]:
    answer = service.ask("POST", "/api/v1/config", {"key": key, "value": value})
    return answer.status_code, answer.json().get("acts") or answer.json()["error"]


def finds_soup(service: Running) -> bool:
    rows = service.search("carrots onions celery", semantic_enabled=False)["results"]
    return any(row["path"].endswith("cooking.md") for row in rows)


def test_an_exclusion_acts_at_once(own: Running) -> None:
    assert finds_soup(own)
    assert change(own, "files.exclude", '["cooking.*"]') == (200, "now")
    wait_until(lambda: not finds_soup(own))
    assert change(own, "files.exclude", "[]") == (200, "now")
    wait_until(lambda: finds_soup(own))


def test_a_default_of_searching_acts_at_once(own: Running) -> None:
    assert change(own, "search.default_limit", "1") == (200, "now")
    assert len(own.search("the")["results"]) == 1


def test_the_command_line_changes_the_running_service(
    own: Running, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SAGASU_HOME", str(own.home))
    assert run(["exclude", "add", "cooking.*"]) == 0
    wait_until(lambda: not finds_soup(own))
    assert run(["config", "set", "server.port", "9000"]) == 0
    assert "started again" in capsys.readouterr().err


def test_what_needs_a_restart_says_so_and_what_is_wrong_is_not_kept(own: Running) -> None:
    assert change(own, "server.port", "9000") == (200, "after a restart")
    status, error = change(own, "files.max_size_mb", "huge")
    assert status == 400
    assert "huge" in error
    assert change(own, "files.exlude", "[]")[0] == 400
    assert "huge" not in (own.home / "config.yaml").read_text()
