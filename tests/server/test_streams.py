"""Proves what comes piece by piece, against a running service:

1. /search/stream tells words first, then meaning, then that it is done; errors have their status;
2. /query_documents_stream tells passage by passage;
3. /events begins with the state, and tells that the index has changed;
4. ragdocs' answers have its fields, and /query_unique_documents one passage a document;
5. answers are compressed for whoever asks, streams are not.
"""

import threading
from typing import Any

import httpx

from tests.server.conftest import Running, read_events


def stream(service: Running, path: str, body: Any) -> list[tuple[str, Any]]:
    headers = {"Authorization": f"Bearer {service.token}"}
    with (
        httpx.Client(timeout=30, trust_env=False) as client,
        client.stream("POST", service.address + path, json=body, headers=headers) as answer,
    ):
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert "content-encoding" not in answer.headers
        return list(read_events(answer))


def test_words_come_first_then_meaning(service: Running) -> None:
    events = stream(service, "/api/v1/search/stream", {"query": "machine learning"})
    assert [name for name, _ in events] == ["words", "meaning", "done"]
    words, meaning = events[0][1], events[1][1]
    assert words["semantic_results"] == []
    assert words["results"][0]["semantic_score"] == 0
    assert meaning["results"][0]["semantic_score"] > 0


def test_meaning_alone_is_one_stage(service: Running) -> None:
    body = {"query": "machine learning", "keyword_enabled": False}
    assert [name for name, _ in stream(service, "/api/v1/search/stream", body)] == [
        "meaning", "done",
    ]  # fmt: skip


def test_a_stream_refuses_before_it_begins(service: Running) -> None:
    answer = service.ask("POST", "/api/v1/search/stream", {"query": " "})
    assert (answer.status_code, answer.json()["error"]) == (400, "query cannot be empty")


def test_passages_come_one_by_one(service: Running) -> None:
    events = stream(service, "/query_documents_stream", {"query": "machine learning", "top_n": 3})
    assert [name for name, _ in events[:-1]] == ["result"] * (len(events) - 1)
    assert events[-1] == ("done", {"count": len(events) - 1})


def test_passages_have_ragdocs_fields(service: Running) -> None:
    rows = service.ask("POST", "/query_documents", {"query": "constant time"}).json()["results"]
    assert len(rows) <= 5
    assert set(rows[0]) == {
        "chunk_id", "doc_id", "score", "header_path", "file_path", "content",
    }  # fmt: skip
    assert rows[0]["header_path"].startswith("Configuration")
    assert "Tokens are compared in constant time" in rows[0]["content"]


def test_unique_documents_are_unique(service: Running) -> None:
    body = {"query": "machine learning neural networks", "top_n": 50}
    rows = service.ask("POST", "/query_unique_documents", body).json()["results"]
    ids = [row["doc_id"] for row in rows]
    assert len(ids) == len(set(ids)) > 1


def test_top_n_has_a_range(service: Running) -> None:
    for top_n in (0, 101, "5"):
        answer = service.ask("POST", "/query_documents", {"query": "x", "top_n": top_n})
        assert answer.status_code == 400
        assert "top_n" in answer.json()["error"]


def test_events_tell_that_the_index_has_changed(service: Running) -> None:
    headers = {"Authorization": f"Bearer {service.token}"}
    with (
        httpx.Client(timeout=30, trust_env=False) as client,
        client.stream("GET", service.address + "/api/v1/events", headers=headers) as answer,
    ):
        events = read_events(answer)
        first = next(events)[1]
        assert first["type"] == "status"
        assert first["state"] in ("idle", "indexing")
        assert first["documents"] >= 7
        body = {"id": "event-1", "content": "an event"}
        adding = threading.Thread(target=service.ask, args=("POST", "/api/v1/documents", body))
        adding.start()
        kinds = {next(events)[1]["type"]}
        while "changed" not in kinds:
            kinds.add(next(events)[1]["type"])
        adding.join()
    service.ask("DELETE", "/api/v1/documents/event-1")


def test_answers_are_compressed(service: Running) -> None:
    headers = {"Accept-Encoding": "gzip"}
    answer = service.ask("POST", "/api/v1/search", {"query": "machine learning"}, headers=headers)
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.json()["results"]
