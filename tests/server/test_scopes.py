"""Proves what other programs' tokens may do, against a running service:

1. a read-only token searches and reads, and changes nothing;
2. a token for a folder finds, reads and lists only what is in it; the rest is not there for it;
3. only the owner makes, lists and revokes tokens; a revoked one is refused at once;
4. the access log has which client saw which file, and nothing of the owner's reading.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.server.conftest import Running


@pytest.fixture
def reader(service: Running) -> Iterator[str]:
    """A read-only token for the folder `work`."""
    body = {"name": "editor", "read_only": True, "folders": [str(service.docs / "work")]}
    made = service.ask("POST", "/api/v1/tokens", body)
    assert made.status_code == 201
    yield made.json()["token"]
    service.ask("DELETE", "/api/v1/tokens/editor")


def paths_of(answer: Any) -> list[str]:
    return [row["path"] for row in answer["results"]]


def uid_of(service: Running, name: str) -> str:
    return str(service.ask("GET", f"/api/v1/documents/{service.docs / name}").json()["id"])


def test_search_stays_in_the_folder(service: Running, reader: str) -> None:
    body = {"query": "machine learning tokens proposal", "limit": 50}
    everything = service.ask("POST", "/api/v1/search", body).json()
    answer = service.ask("POST", "/api/v1/search", body, token=reader).json()
    work = str(service.docs / "work") + "/"
    assert any(not path.startswith(work) for path in paths_of(everything))
    assert paths_of(answer)
    assert all(path.startswith(work) for path in paths_of(answer))
    listed = answer["non_semantic_results"] + answer["semantic_results"]
    found = [row["document"]["metadata"]["source_path"] for row in listed]
    assert all(path.startswith(work) for path in found)


def test_passages_stay_in_the_folder(service: Running, reader: str) -> None:
    for path in ("/query_documents", "/query_unique_documents"):
        answer = service.ask("POST", path, {"query": "machine learning", "top_n": 50}, token=reader)
        rows = answer.json()["results"]
        assert all(row["file_path"].startswith(f"{service.docs}/work/") for row in rows)


def test_documents_outside_the_folder_are_not_there(service: Running, reader: str) -> None:
    inside, outside = uid_of(service, "work/auth.md"), uid_of(service, "notes/cooking.md")
    assert service.ask("GET", f"/api/v1/documents/{inside}", token=reader).status_code == 200
    for path in (f"/api/v1/documents/{outside}", f"/api/v1/similar?id={outside}"):
        answer = service.ask("GET", path, token=reader)
        assert answer.status_code == 404
        assert "celery" not in answer.text
    near = service.ask("GET", f"/api/v1/similar?id={inside}&limit=50", token=reader).json()
    assert all(path.startswith(f"{service.docs}/work/") for path in paths_of(near))


def test_files_outside_the_folder_are_not_told_about(service: Running, reader: str) -> None:
    for name in ("notes/cooking.md", "notes/nothing.md", "../nothing"):
        asked = {"path": f"{service.docs}/{name}", "query": "x"}
        for path in ("why", "whynot"):
            answer = service.ask("GET", f"/api/v1/{path}", params=asked, token=reader)
            assert answer.status_code == 403


def test_folders_and_coverage_tell_nothing_else(service: Running, reader: str) -> None:
    assert service.ask("GET", "/api/v1/watch/directories", token=reader).json() == {
        "directories": []
    }
    assert service.ask("GET", "/api/v1/roots", token=reader).json() == {"roots": []}
    assert service.ask("GET", "/api/v1/status", token=reader).json()["roots"] == []
    for path in ("", f"?path={service.docs}", f"?path={service.docs}/notes"):
        assert service.ask("GET", f"/api/v1/coverage{path}", token=reader).status_code == 403
    work = service.ask("GET", f"/api/v1/coverage?path={service.docs}/work", token=reader)
    assert work.status_code == 200
    for path in ("/api/v1/events", "/api/v1/suggest?query=x", "/api/v1/complete?query=x"):
        assert service.ask("GET", path, token=reader).status_code == 403


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/v1/documents", {"content": "x"}),
        ("DELETE", "/api/v1/documents/x", None),
        ("POST", "/api/v1/watch/directories", {"path": "/"}),
        ("DELETE", "/api/v1/watch/directories?path=/", None),
        ("POST", "/api/v1/index", {"path": "/"}),
        ("POST", "/api/v1/opened", {"id": "x"}),
        ("POST", "/api/v1/panel/search", {"query": "x"}),
        ("POST", "/api/v1/config", {"key": "files.secrets", "value": "true"}),
        ("GET", "/api/v1/tokens", None),
        ("POST", "/api/v1/tokens", {"name": "more"}),
        ("DELETE", "/api/v1/tokens/editor", None),
    ],
)
def test_a_reader_changes_nothing(
    service: Running, reader: str, method: str, path: str, body: Any
) -> None:
    assert service.ask(method, path, body, token=reader).status_code == 403


def test_a_token_that_may_write_adds_documents_but_no_tokens(service: Running) -> None:
    made = service.ask("POST", "/api/v1/tokens", {"name": "writer", "read_only": False}).json()
    added = service.ask(
        "POST", "/api/v1/documents", {"id": "w", "content": "x"}, token=made["token"]
    )
    assert added.status_code == 201
    assert service.ask("DELETE", "/api/v1/documents/w", token=made["token"]).status_code == 200
    assert service.ask("GET", "/api/v1/tokens", token=made["token"]).status_code == 403
    index = service.ask("POST", "/api/v1/index", {"path": "/"}, token=made["token"])
    assert index.status_code == 403
    service.ask("DELETE", "/api/v1/tokens/writer")


def test_a_revoked_token_is_refused_at_once(service: Running) -> None:
    made = service.ask("POST", "/api/v1/tokens", {"name": "guest"}).json()["token"]
    assert service.ask("GET", "/api/v1/status", token=made).status_code == 200
    assert service.ask("DELETE", "/api/v1/tokens/guest").json() == {"status": "revoked"}
    assert service.ask("GET", "/api/v1/status", token=made).status_code == 401
    assert service.ask("DELETE", "/api/v1/tokens/guest").status_code == 404
    rows = service.ask("GET", "/api/v1/tokens").json()["tokens"]
    guest = next(row for row in rows if row["name"] == "guest")
    assert guest["revoked"] is not None
    assert "hash" not in guest


def test_the_access_log_has_who_saw_what(service: Running, reader: str) -> None:
    service.ask("POST", "/api/v1/search", {"query": "constant time"}, token=reader)
    service.search("gradient descent")
    lines = (service.home / "access.log").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    assert {row["client"] for row in rows} <= {"editor", "writer", "guest"}
    mine = [row for row in rows if row["client"] == "editor"][-1]
    assert str(service.docs / "work" / "auth.md") in mine["shown"]
    assert "constant time" not in lines[-1]
    assert (service.home / "access.log").stat().st_mode & 0o777 == 0o600
