"""Proves what helps to ask, against a running service:

1. a misspelt word is mended, a beginning is completed;
2. documents close in meaning come nearest first, without the document itself;
3. an explanation adds up to the place and the score that the answer shows.
"""

from tests.server.conftest import Running


def test_a_misspelt_word_is_mended(service: Running) -> None:
    found = service.ask("GET", "/api/v1/suggest?query=propodal").json()
    assert found["query"] == "propodal"
    assert "proposal" in " ".join(found["suggestions"])


def test_a_beginning_is_completed(service: Running) -> None:
    found = service.ask("GET", "/api/v1/complete?query=machine%20lear&limit=3").json()
    assert 1 <= len(found["completions"]) <= 3
    assert any("learning" in one for one in found["completions"])


def test_similar_documents_come_nearest_first(service: Running) -> None:
    path = service.docs / "notes" / "gradient.txt"
    uid = service.ask("GET", f"/api/v1/documents/{path}").json()["id"]
    found = service.ask("GET", "/api/v1/similar", params={"id": uid, "limit": 3}).json()["results"]
    assert found[0]["path"].endswith("machine learning.md")
    assert uid not in [row["id"] for row in found]
    scores = [row["semantic_score"] for row in found]
    assert scores == sorted(scores, reverse=True)


def test_an_explanation_is_about_the_place_in_the_answer(service: Running) -> None:
    best = service.search("neural networks")["results"][0]
    asked = {"id": best["id"], "query": "neural networks"}
    found = service.ask("GET", "/api/v1/explain", params=asked).json()
    assert (found["rank"], found["id"]) == (1, best["id"])
    assert abs(found["why"]["value"] - found["score"]) < 1e-6
    assert found["why"]["parts"]


def test_a_file_is_told_about(service: Running) -> None:
    def why(path: object) -> str:
        answer = service.ask("GET", "/api/v1/why", params={"path": str(path)})
        assert answer.status_code == 200, answer.text
        return str(answer.json()["why"])

    assert "indexed, " in why(service.docs / "notes" / "cooking.md")
    assert "there is no such file" in why(service.docs / "nothing.md")
    # Outside, what is there and what is not look the same.
    assert "not in any indexed folder" in why("/etc/passwd")
    assert why("/etc/passwd").partition(":")[2] == why("/etc/nobody").partition(":")[2]


def test_nothing_is_told_through_a_link_out_of_the_root(service: Running) -> None:
    for name in ("way-out/secret.txt", "way-out/nothing.txt", "a\0b"):
        for path in ("why", "whynot"):
            asked = {"path": f"{service.docs}/{name}", "query": "x"}
            answer = service.ask("GET", f"/api/v1/{path}", params=asked)
            assert answer.status_code == 403


def test_an_absence_is_explained(service: Running) -> None:
    asked = {"path": str(service.docs / "notes" / "cooking.md"), "query": "neural networks"}
    said = service.ask("GET", "/api/v1/whynot", params=asked).json()["why"]
    assert "cooking.md" in said
