"""Proves that hostile requests are refused or harmless, against a running service:

1. `..`, percent-encoded or not, and links out of the root reach no file;
2. what lies behind a link out of the root was never indexed;
3. a body of 100 MB is refused (413) without being held in memory, chunked or not;
4. a body or a head that comes a byte at a time is given up (408);
5. 1,000 connections are bounded, and the service answers afterwards;
6. line breaks in headers and addresses make no header and no line in the log;
7. scripts in names and contents come back as JSON, never as a page;
8. what is not HTTP is answered as JSON.
"""

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from engine.api import Engine
from engine.server import connections
from engine.server.serve import Server
from tests.server.conftest import Running, wait_until
from tests.server.test_guard import send_raw

PASSWD = "/etc/passwd"


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2f..%2fetc%2fpasswd",
        "/%252e%252e%252fetc%252fpasswd",
        "/....//....//etc/passwd",
        "/index.html/../../../engine/config.py",
        "/index.html%00.js",
        "//etc/passwd",
        "/api/v1/documents/../../../../etc/passwd",
        "/api/v1/documents/%2fetc%2fpasswd",
        "/api/v1/documents//etc/passwd",
        "/api/v1/documents/..%2f..%2fetc%2fpasswd",
    ],
)
def test_no_path_leads_out(service: Running, path: str) -> None:
    request = (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\n"
        f"Authorization: Bearer {service.token}\r\nConnection: close\r\n\r\n"
    )
    answer = send_raw(service, request.encode())
    assert answer.split(b" ")[1] in (b"400", b"403", b"404")
    assert b"root:" not in answer
    assert b"ServerSettings" not in answer


@pytest.mark.parametrize(
    "path", [PASSWD, "/a\0b", "{docs}/../outside", "{docs}/way-out", "{docs}/escape.txt"]
)
def test_coverage_tells_nothing_of_what_is_outside(service: Running, path: str) -> None:
    named = path.format(docs=service.docs)
    answer = service.ask("GET", "/api/v1/coverage", params={"path": named})
    assert answer.status_code == 403


@pytest.mark.parametrize("name", ["escape.txt", "way-out/secret.txt"])
def test_a_link_out_of_the_root_shows_nothing(service: Running, name: str) -> None:
    answer = service.ask("GET", f"/api/v1/documents/{service.docs / name}")
    assert answer.status_code in (403, 404)
    assert "kryptonite" not in answer.text


def test_what_is_behind_a_link_was_never_indexed(service: Running) -> None:
    assert "kryptonite" not in json.dumps(service.search("kryptonite outside the roots")["results"])


def test_a_file_that_became_a_link_is_refused(service: Running, tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside.txt"
    root.mkdir()
    (root / "swap.txt").write_text("chameleon skin\n")
    outside.write_text("chameleon outside\n")
    body = {"path": str(root)}
    assert service.ask("POST", "/api/v1/watch/directories", body).status_code == 201
    wait_until(lambda: service.search("chameleon")["results"])
    (root / "swap.txt").unlink()
    (root / "swap.txt").symlink_to(outside)
    answer = service.ask("GET", f"/api/v1/documents/{root / 'swap.txt'}")
    assert answer.status_code in (403, 404)
    service.ask("DELETE", "/api/v1/watch/directories", {"path": str(root)})


def test_a_body_of_100_mb_is_refused(service: Running) -> None:
    memory = psutil.Process(service.process.pid)
    before = memory.memory_info().rss
    head = (
        f"POST /api/v1/documents HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\n"
        f"Authorization: Bearer {service.token}\r\nContent-Length: 104857600\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", service.port), timeout=20) as connection:
        connection.sendall(head.encode())
        assert b" 413 " in connection.recv(65536)
    assert memory.memory_info().rss - before < 30_000_000


def test_a_client_that_sends_too_much_gets_the_answer(service: Running) -> None:
    for _ in range(5):
        answer = service.ask("POST", "/api/v1/documents", content=b" " * 20_000_000)
        assert answer.status_code == 413
        assert answer.json()["error"] == "the request body is larger than 16 MB"


def test_an_endless_chunked_body_is_refused(service: Running) -> None:
    block = b" " * 1_000_000

    def blocks() -> Iterator[bytes]:
        for _ in range(100):
            yield block

    try:
        answer = service.ask("POST", "/api/v1/search", content=blocks())
        assert answer.status_code == 413
    except httpx.TransportError:
        pass  # closed while we were still sending: refused as well
    assert service.ask("GET", "/health").status_code == 200


def test_header_injection_makes_no_header(service: Running) -> None:
    for path in ("/api/v1/documents/x%0d%0aSet-Cookie:%20a=b", "/x%0d%0aX-Evil:%201"):
        answer = service.ask("GET", path)
        assert "set-cookie" not in answer.headers
        assert "x-evil" not in answer.headers
    raw = f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\nX: a\rX-Evil: 1\r\n\r\n"
    assert b"x-evil" not in send_raw(service, raw.encode()).lower()


def test_an_address_makes_one_line_of_the_log(service: Running) -> None:
    service.ask("GET", "/api/v1/documents/first%0aFAKE%20LINE")
    log = (service.home / "sagasu.log").read_text()
    assert "\nFAKE" not in log


def test_the_log_has_no_query_text(service: Running) -> None:
    service.search("xylophonist confidential")
    service.ask("GET", "/api/v1/explain?query=xylophonist&id=nobody")
    assert "xylophonist" not in (service.home / "sagasu.log").read_text()


def test_scripts_in_names_and_contents_come_back_as_json(service: Running) -> None:
    answer = service.ask("POST", "/api/v1/search", {"query": "zebracode"})
    assert answer.headers["content-type"] == "application/json"
    found = answer.json()["results"][0]
    assert found["path"].endswith("<img src=x onerror=alert(1)>.md")
    assert found["title"] == "<script>alert('x')</script>"


@pytest.mark.parametrize(
    "data", [b"hello\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", b"GET nowhere\r\n\r\n"]
)
def test_what_is_not_http_is_answered_as_json(service: Running, data: bytes) -> None:
    head, _, body = send_raw(service, data).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400")
    assert "error" in json.loads(body)


def test_smuggled_lengths_are_refused(service: Running) -> None:
    raw = (
        f"POST /api/v1/search HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\n"
        f"Authorization: Bearer {service.token}\r\nContent-Length: 4\r\n"
        "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        "0\r\n\r\nGET /api/v1/status HTTP/1.1\r\n\r\n"
    )
    assert send_raw(service, raw.encode()).count(b"HTTP/1.1") == 1


def test_a_thousand_connections_are_bounded(service: Running) -> None:
    memory = psutil.Process(service.process.pid)
    with contextlib.ExitStack() as stack:
        refused = 0
        for _ in range(1000):
            try:
                one = socket.create_connection(("127.0.0.1", service.port), timeout=5)
            except OSError:
                refused += 1
                continue
            stack.enter_context(one)
        wait_until(lambda: len(memory.net_connections()) <= connections.MOST_CONNECTIONS + 20)
    assert wait_until(lambda: answers(service))


def answers(service: Running) -> bool:
    try:
        return service.ask("GET", "/health").status_code == 200
    except httpx.TransportError:
        return False


@pytest.fixture
def hasty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A service in this process that loses its patience soon; its port."""
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.3)
    ready = threading.Event()
    with Engine.open(tmp_path / "home", write=True) as engine:
        server = Server(
            engine, engine.config, port=0, ready=lambda _: ready.set(), body_seconds=0.3
        )
        thread = threading.Thread(target=server.run)
        thread.start()
        assert ready.wait(20)
        yield int(server.address.rpartition(":")[2])
        server.stop()
        thread.join(20)
        assert not thread.is_alive()


def test_a_slow_head_is_given_up(hasty: int) -> None:
    with socket.create_connection(("127.0.0.1", hasty), timeout=10) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: 127")
        answer = b""
        while part := connection.recv(65536):
            answer += part
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert answer.endswith(b'{"error": "the request came too slowly"}')


def test_a_slow_body_is_given_up(hasty: int, tmp_path: Path) -> None:
    token = (tmp_path / "home" / "token").read_text().strip()
    head = (
        f"POST /api/v1/search HTTP/1.1\r\nHost: 127.0.0.1:{hasty}\r\n"
        f"Authorization: Bearer {token}\r\nContent-Length: 1000\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", hasty), timeout=10) as connection:
        connection.sendall(head.encode() + b"{")
        assert b" 408 " in connection.recv(65536)


def test_a_silent_connection_is_closed(hasty: int) -> None:
    with socket.create_connection(("127.0.0.1", hasty), timeout=10) as connection:
        assert b" 408 " in connection.recv(65536)
