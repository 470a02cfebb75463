"""Proves, against a running service, what Sagasu's document says of its endpoints:

1. its documented search request is answered with its documented fields and types;
2. the two lists are disjoint, ordered by their own score, and ranked from 1;
3. limit and offset act on each list; limit 0 and 1000 are the default and the most;
4. leaving a field out takes its documented default; nothing chosen is everything chosen;
5. fuzzy forgives a typo, and a query without exact matches becomes fuzzy by itself;
6. documents can be added, replaced, read, found and deleted;
7. folders can be added twice, listed, and removed by query or by body;
8. status has the documented numbers and settings, health says ok.
"""

from pathlib import Path

import pytest

from tests.server.conftest import Running, wait_until

DOCUMENTED = {
    "query": "machine learning",
    "limit": 10,
    "offset": 0,
    "keyword_enabled": True,
    "semantic_enabled": True,
    "fuzzy_enabled": False,
    "min_keyword_score": 0.0,
    "min_semantic_score": 0.0,
}
FIELDS = {
    "non_semantic_results": list,
    "semantic_results": list,
    "suggestions": list,
    "auto_fuzzy": bool,
    "total_non_semantic": int,
    "total_semantic": int,
    "query_time_ms": int,
    "query": str,
}


def test_documented_search_has_documented_fields(service: Running) -> None:
    answer = service.ask("POST", "/api/v1/search", DOCUMENTED)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    found = answer.json()
    for name, kind in FIELDS.items():
        assert type(found[name]) is kind, name
    assert found["query"] == "machine learning"
    assert found["total_non_semantic"] >= 2


def test_a_row_of_the_lists_has_sagasus_shape(service: Running) -> None:
    row = service.search("machine learning")["non_semantic_results"][0]
    assert set(row) == {
        "document", "score", "keyword_score", "semantic_score", "rank", "highlights",
    }  # fmt: skip
    document = row["document"]
    assert set(document) == {"id", "title", "content", "metadata", "created_at", "updated_at"}
    assert document["id"].startswith("file:")
    assert Path(document["metadata"]["source_path"]).exists()
    assert document["metadata"]["source_mtime"].isdecimal()
    assert document["metadata"]["source_size"].isdecimal()
    assert document["created_at"].endswith("Z")


def test_lists_are_disjoint_and_ordered_by_their_own_score(service: Running) -> None:
    found = service.search("machine learning", limit=50)
    words, meaning = found["non_semantic_results"], found["semantic_results"]
    ids = [row["document"]["id"] for row in words + meaning]
    assert len(ids) == len(set(ids))
    assert [row["rank"] for row in words] == list(range(1, len(words) + 1))
    scores = [row["keyword_score"] for row in words]
    assert scores == sorted(scores, reverse=True)
    cosines = [row["semantic_score"] for row in meaning]
    assert cosines == sorted(cosines, reverse=True)


def test_our_list_stands_beside_them(service: Running) -> None:
    found = service.search("neural networks")
    best = found["results"][0]
    assert best["rank"] == 1
    assert best["path"].endswith("machine learning.md")
    marked = [best["snippet"][start:end] for start, end in best["highlights"]]
    assert marked
    assert all(word.lower() in ("neural", "network", "networks") for word in marked)
    assert set(best["location"]) == {"heading", "trail", "kind", "page", "line"}


def test_limit_and_offset_act_on_each_list(service: Running) -> None:
    whole = service.search("machine learning", limit=50)["non_semantic_results"]
    page = service.search("machine learning", limit=1, offset=1)["non_semantic_results"]
    assert [row["document"]["id"] for row in page] == [whole[1]["document"]["id"]]
    assert page[0]["rank"] == 1


@pytest.mark.parametrize("limit", [0, -5, 1000])
def test_limits_out_of_range_are_the_default_or_the_most(service: Running, limit: int) -> None:
    found = service.search("machine learning", limit=limit)
    assert found["non_semantic_results"]


def test_words_or_meaning_alone(service: Running) -> None:
    words = service.search("machine learning", semantic_enabled=False)
    assert words["semantic_results"] == []
    assert words["non_semantic_results"]
    meaning = service.search("how computers are taught", keyword_enabled=False)
    assert all(row["keyword_score"] == 0 for row in meaning["semantic_results"])
    assert meaning["semantic_results"]


def test_nothing_chosen_is_everything_chosen(service: Running) -> None:
    both = service.search("machine learning")
    neither = service.search("machine learning", keyword_enabled=False, semantic_enabled=False)
    assert [row["id"] for row in both["results"]] == [row["id"] for row in neither["results"]]


def test_a_typo_is_forgiven(service: Running) -> None:
    found = service.search("propodal", semantic_enabled=False)
    assert found["auto_fuzzy"] is True
    paths = [row["document"]["metadata"]["source_path"] for row in found["non_semantic_results"]]
    assert any(path.endswith("proposal.txt") for path in paths)
    forced = service.search("propodal", semantic_enabled=False, fuzzy_enabled=True)
    assert forced["non_semantic_results"]


def test_a_document_can_be_added_found_replaced_and_deleted(service: Running) -> None:
    body = {
        "id": "note-1",
        "title": "Harvest",
        "content": "The quincewood harvest was plentiful.",
        "metadata": {"season": "autumn"},
    }
    added = service.ask("POST", "/api/v1/documents", body)
    assert (added.status_code, added.json()) == (201, {"id": "note-1", "status": "indexed"})
    found = service.search("quincewood")["non_semantic_results"]
    assert [row["document"]["id"] for row in found] == ["note-1"]
    again = service.ask("POST", "/api/v1/documents", {**body, "content": "Only pears this year."})
    assert again.status_code == 201
    assert service.search("quincewood", semantic_enabled=False)["non_semantic_results"] == []
    read = service.ask("GET", "/api/v1/documents/note-1").json()
    assert (read["title"], read["content"]) == ("Harvest", "Only pears this year.")
    assert read["metadata"]["season"] == "autumn"
    gone = service.ask("DELETE", "/api/v1/documents/note-1")
    assert (gone.status_code, gone.json()) == (200, {"status": "deleted"})
    assert service.ask("GET", "/api/v1/documents/note-1").status_code == 404


def test_a_document_without_an_id_gets_one(service: Running) -> None:
    added = service.ask("POST", "/api/v1/documents", {"content": "wandering albatross"})
    uid = added.json()["id"]
    assert len(uid) == 36
    assert service.ask("DELETE", f"/api/v1/documents/{uid}").status_code == 200


def test_a_folder_is_added_twice_listed_and_removed(service: Running, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("ultramarine pigment\n")
    for _ in range(2):
        added = service.ask("POST", "/api/v1/watch/directories", {"path": str(tmp_path)})
        assert added.status_code == 201
        assert added.json() == {"path": str(tmp_path), "status": "added"}
    listed = service.ask("GET", "/api/v1/watch/directories").json()
    assert str(tmp_path) in listed["directories"]
    assert str(service.docs) in listed["directories"]
    wait_until(lambda: service.search("ultramarine")["non_semantic_results"])
    removed = service.ask("DELETE", f"/api/v1/watch/directories?path={tmp_path}")
    assert removed.json() == {"path": str(tmp_path), "status": "removed"}
    assert service.search("ultramarine", semantic_enabled=False)["non_semantic_results"] == []


def test_a_folder_can_be_removed_by_the_body(service: Running, tmp_path: Path) -> None:
    added = {"path": str(tmp_path), "sync": False}
    assert service.ask("POST", "/api/v1/watch/directories", added).status_code == 201
    gone = service.ask("DELETE", "/api/v1/watch/directories", {"path": str(tmp_path)})
    assert (gone.status_code, gone.json()["status"]) == (200, "removed")
    once_more = service.ask("DELETE", "/api/v1/watch/directories", {"path": str(tmp_path)})
    assert once_more.status_code == 200


def test_status_has_the_documented_numbers(service: Running) -> None:
    found = service.ask("GET", "/api/v1/status").json()
    assert found["documents"] >= 7
    assert found["chunks"] >= found["documents"]
    assert found["vector_index_size"] > 0
    assert found["disk_usage_bytes"] > 0
    assert set(found["config"]) == {
        "vector_index_type", "embedding_dimensions", "chunk_size", "chunk_overlap",
        "ranking_enabled", "database_path", "bleve_index_path", "faiss_index_path",
    }  # fmt: skip


def test_health_says_ok_without_a_token(service: Running) -> None:
    answer = service.ask("GET", "/health", token=None)
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_a_made_up_answer_is_searched_by_meaning(service: Running) -> None:
    guess = "Boil vegetables in a pot until tender."
    found = service.search("xyzzy", mode="semantic", hypothesis=guess)
    assert found["results"][0]["path"].endswith("cooking.md")
