"""Proves that the service's own description is true:

1. schemathesis finds no 5xx, no undocumented status, no answer of another shape, no way past the
   token, and no method that is not described;
2. every documented status of every address is really answered by some request;
3. /docs is one page without scripts and without addresses of other machines.
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from tests.server.conftest import Running, run_service, write_files

CHOSEN = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    unsupported_method,
    ignored_auth,
]
ENDLESS = "/api/v1/events"


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service of its own: what is sent to it is made up."""
    base = tmp_path_factory.mktemp("fuzzed")
    with run_service(base / "home", write_files(base / "docs")) as running:
        yield running


def bearer(running: Running) -> dict[str, str]:
    return {"Authorization": f"Bearer {running.token}"}


def try_everything(running: Running, examples: int) -> int:
    """Made-up requests, right and wrong, to every described address; how many addresses."""
    described = schemathesis.openapi.from_url(
        running.address + "/openapi.json", headers=bearer(running)
    )
    count = 0
    for found in described.exclude(path=ENDLESS).get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            cases = operation.as_strategy(generation_mode=mode)
            try_cases(cases, running, examples)
        count += 1
    return count


def try_cases(cases: SearchStrategy[Case[Any]], running: Running, examples: int) -> None:
    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases)
    def try_one(case: Case[Any]) -> None:
        if not would_index_this_machine(case, running):
            case.call_and_validate(headers=bearer(running), checks=CHOSEN)

    with suppress(Unsatisfiable):  # an address without parameters has no wrong requests
        try_one()


def would_index_this_machine(case: Case[Any], running: Running) -> bool:
    """Whether a made-up path happens to be there, outside the test's own folders."""
    named = case.body.get("path") if isinstance(case.body, dict) else None
    if not isinstance(named, str) or "\0" in named:
        return False
    full = os.path.abspath(os.path.expanduser(named))
    return os.path.exists(full) and not full.startswith(str(running.home.parent))


def test_the_service_is_as_it_describes_itself(fuzzed: Running) -> None:
    assert try_everything(fuzzed, examples=8) >= 15


@pytest.mark.slow
def test_the_service_is_as_it_describes_itself_at_length(fuzzed: Running) -> None:
    try_everything(fuzzed, examples=300)


Sample = tuple[str, Any]  # the address with its parameters, and the body

# For each described operation: a request that is answered, one that is not understood, and one for
# something that is not there.
SAMPLES: dict[str, dict[int, Sample]] = {
    "GET /health": {200: ("/health", None)},
    "GET /api/v1/status": {200: ("/api/v1/status", None)},
    "POST /api/v1/search": {
        200: ("/api/v1/search", {"query": "soup"}),
        400: ("/api/v1/search", {}),
    },
    "POST /api/v1/search/stream": {
        200: ("/api/v1/search/stream", {"query": "soup"}),
        400: ("/api/v1/search/stream", {}),
    },
    "GET /api/v1/why": {
        200: ("/api/v1/why?path=/etc/passwd", None),
        400: ("/api/v1/why", None),
    },
    "GET /api/v1/whynot": {
        200: ("/api/v1/whynot?path={docs}/notes/cooking.md&query=soup", None),
        400: ("/api/v1/whynot?path=/", None),
    },
    "GET /api/v1/suggest": {
        200: ("/api/v1/suggest?query=propodal", None),
        400: ("/api/v1/suggest", None),
    },
    "GET /api/v1/complete": {
        200: ("/api/v1/complete?query=mach", None),
        400: ("/api/v1/complete?query=mach&limit=0", None),
    },
    "GET /api/v1/similar": {
        200: ("/api/v1/similar?id={document}", None),
        400: ("/api/v1/similar", None),
        404: ("/api/v1/similar?id=nobody", None),
    },
    "GET /api/v1/explain": {
        200: ("/api/v1/explain?id={document}&query=soup", None),
        400: ("/api/v1/explain", None),
        404: ("/api/v1/explain?id=nobody&query=soup", None),
    },
    "POST /api/v1/documents": {
        201: ("/api/v1/documents", {"id": "sample", "content": "x"}),
        400: ("/api/v1/documents", {}),
    },
    "GET /api/v1/documents/{id}": {
        200: ("/api/v1/documents/{document}", None),
        404: ("/api/v1/documents/nobody", None),
    },
    "DELETE /api/v1/documents/{id}": {
        200: ("/api/v1/documents/sample", None),
        404: ("/api/v1/documents/nobody", None),
    },
    "GET /api/v1/watch/directories": {200: ("/api/v1/watch/directories", None)},
    "POST /api/v1/watch/directories": {
        201: ("/api/v1/watch/directories", {"path": "{docs}"}),
        400: ("/api/v1/watch/directories", {}),
        404: ("/api/v1/watch/directories", {"path": "/no/such/folder"}),
    },
    "DELETE /api/v1/watch/directories": {
        200: ("/api/v1/watch/directories?path=/no/such/folder", None),
        400: ("/api/v1/watch/directories", None),
    },
    "POST /api/v1/index": {
        200: ("/api/v1/index", {"path": "{docs}/notes/cooking.md", "wait_seconds": 30}),
        202: ("/api/v1/index", {"path": "{docs}", "wait_seconds": 0}),
        400: ("/api/v1/index", {}),
        404: ("/api/v1/index", {"path": "/no/such/folder"}),
    },
    "POST /api/v1/opened": {
        200: ("/api/v1/opened", {"id": "{document}"}),
        400: ("/api/v1/opened", {}),
        404: ("/api/v1/opened", {"id": "nobody"}),
    },
    "GET /api/v1/roots": {200: ("/api/v1/roots", None)},
    "GET /api/v1/coverage": {
        200: ("/api/v1/coverage", None),
        400: ("/api/v1/coverage?limit=many", None),
    },
    "POST /query_documents": {
        200: ("/query_documents", {"query": "soup"}),
        400: ("/query_documents", {}),
    },
    "POST /query_unique_documents": {
        200: ("/query_unique_documents", {"query": "soup"}),
        400: ("/query_unique_documents", {}),
    },
    "POST /query_documents_stream": {
        200: ("/query_documents_stream", {"query": "soup"}),
        400: ("/query_documents_stream", {}),
    },
    "POST /api/v1/config": {
        200: ("/api/v1/config", {"key": "search.default_limit", "value": "10"}),
        400: ("/api/v1/config", {"key": "search.default_limit", "value": "many"}),
    },
    "GET /api/v1/tokens": {200: ("/api/v1/tokens", None)},
    "POST /api/v1/tokens": {
        201: ("/api/v1/tokens", {"name": "sample"}),
        400: ("/api/v1/tokens", {}),
    },
    "DELETE /api/v1/tokens/{name}": {
        200: ("/api/v1/tokens/sample", None),
        404: ("/api/v1/tokens/nobody", None),
    },
}


def test_every_documented_status_is_real(fuzzed: Running) -> None:
    paths = fuzzed.ask("GET", "/openapi.json").json()["paths"]
    document = fuzzed.search("soup")["results"][0]["id"]
    missing: list[str] = []
    for path, methods in paths.items():
        for method, operation in methods.items():
            name = f"{method.upper()} {path}"
            if path == ENDLESS:
                continue
            for status in map(int, operation["responses"]):
                found = answer_with(fuzzed, name, status, document)
                if found != status:
                    missing.append(f"{name}: {status} is documented, {found} came")
    assert not missing


def answer_with(running: Running, name: str, status: int, document: str) -> int:
    """The status of the request that should get `status`."""
    method, _, path = name.partition(" ")
    if status == 401:
        return running.ask(method, path, token=None).status_code
    if status == 403:
        return running.ask(method, path, headers={"Host": "evil.example"}).status_code
    if status == 413:
        return running.ask(method, path, content=b" " * 17_000_000).status_code
    address, body = SAMPLES[name].get(status, (path, None))
    if isinstance(body, dict):
        places = {"docs": running.docs, "document": document}
        body = {
            key: value.format(**places) if isinstance(value, str) else value
            for key, value in body.items()
        }
    return running.ask(
        method, address.format(document=document, docs=running.docs), body
    ).status_code


def test_the_documentation_needs_neither_scripts_nor_the_network(fuzzed: Running) -> None:
    page = fuzzed.ask("GET", "/docs", token=None)
    assert page.headers["content-type"].startswith("text/html")
    assert "<script" not in page.text
    assert not re.findall(r"(?:src|href)=[\"']?(?:https?:)?//", page.text)
    for path in fuzzed.ask("GET", "/openapi.json").json()["paths"]:
        assert path in page.text
