"""Proves that every wrong request is refused with its status and `{"error": …}`:

1. bodies that are not JSON, not an object, or have wrong, missing or unknown fields: 400;
2. an empty query, a negative offset, an unknown mode or sort: 400, and the field is named;
3. unknown documents: 404 for GET and DELETE;
4. folders: 400 without a path, for an impossible one and for a file, 404 for one that is not there;
5. unknown addresses 404, wrong methods 405, both as JSON.
"""

from typing import Any

import pytest

from tests.server.conftest import Running


def check(service: Running, method: str, path: str, status: int, body: Any = None) -> str:
    answer = service.ask(method, path, body)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    error = answer.json()["error"]
    assert isinstance(error, str)
    assert error
    return error


@pytest.mark.parametrize(
    "path", ["/api/v1/search", "/api/v1/documents", "/api/v1/watch/directories"]
)
@pytest.mark.parametrize("text", ['{"query', "", "[1, 2]", "null", '"x"', "\x00\xff", "{]}"])
def test_a_body_that_is_no_json_object(service: Running, path: str, text: str) -> None:
    headers = {"Content-Type": "application/json"}
    answer = service.ask("POST", path, content=text.encode("latin-1"), headers=headers)
    assert answer.status_code == 400
    assert answer.json()["error"] == "invalid request body"


@pytest.mark.parametrize("query", ["", "   ", "\n\t"])
def test_an_empty_query(service: Running, query: str) -> None:
    assert (
        check(service, "POST", "/api/v1/search", 400, {"query": query}) == "query cannot be empty"
    )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("query", 5),
        ("query", None),
        ("limit", "ten"),
        ("limit", 1.5),
        ("limit", True),
        ("offset", -1),
        ("offset", 10**9),
        ("keyword_enabled", "yes"),
        ("min_keyword_score", "high"),
        ("filters", "pdf"),
        ("mode", "telepathy"),
        ("sort", "luck"),
        ("snippets", 0),
        ("colour", "red"),
    ],
)
def test_a_bad_field_is_named(service: Running, field: str, value: Any) -> None:
    error = check(service, "POST", "/api/v1/search", 400, {"query": "x", field: value})
    assert field in error


def test_a_missing_query_is_named(service: Running) -> None:
    assert check(service, "POST", "/api/v1/search", 400, {"limit": 3}) == "query is required"


def test_a_query_that_cannot_be_read_says_where(service: Running) -> None:
    answer = service.ask("POST", "/api/v1/search", {"query": '(tax AND "return'})
    if answer.status_code == 400:
        assert isinstance(answer.json()["position"], int)
    else:
        assert answer.status_code == 200


def test_content_is_required(service: Running) -> None:
    assert check(service, "POST", "/api/v1/documents", 400, {"title": "x"}) == "content is required"


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_an_unknown_document(service: Running, method: str) -> None:
    assert check(service, method, "/api/v1/documents/nobody", 404) == "document not found"


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("", 400, "path is required"),
        ("   ", 400, "path is required"),
        ("/no\0way", 400, "invalid path"),
        ("/no\nway", 400, "invalid path"),
        ("/there/is/no/such/folder", 404, "directory not found"),
    ],
)
def test_a_folder_that_cannot_be_watched(
    service: Running, path: str, status: int, says: str
) -> None:
    assert check(service, "POST", "/api/v1/watch/directories", status, {"path": path}) == says


def test_a_file_is_not_a_folder(service: Running) -> None:
    body = {"path": str(service.docs / "work" / "auth.md")}
    error = check(service, "POST", "/api/v1/watch/directories", 400, body)
    assert error == "path is not a directory"


def test_removing_needs_a_path(service: Running) -> None:
    error = check(service, "DELETE", "/api/v1/watch/directories", 400)
    assert error == "path is required (query or body)"


def test_unknown_addresses_and_wrong_methods(service: Running) -> None:
    check(service, "GET", "/api/v1/nothing", 404)
    check(service, "GET", "/api/v1/search", 405)
    check(service, "PUT", "/api/v1/documents/x", 405)


def test_coverage_of_an_unknown_state(service: Running) -> None:
    assert "state" in check(service, "GET", "/api/v1/coverage?state=lost", 400)
