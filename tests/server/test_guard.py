"""Proves who comes in, against a running service:

1. only our own names with our own port are served (DNS rebinding): 403 otherwise;
2. a foreign Origin is refused (403), our own is not;
3. without a token, with a wrong one, or with the right one in a wrong place: 401;
4. /health and the panel's own files need none; nothing else is open;
5. every answer, refusals too, carries nosniff, no-referrer, a strict CSP and no-store;
6. `server.token: false` opens the door, and the log warns of it.
"""

import socket
from pathlib import Path

import pytest

from tests.server.conftest import Running, run_service, write_files

STATUS = "/api/v1/status"


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "localhost.evil.example:{port}",
        "127.0.0.1.evil.example:{port}",
        "localhost:1",
        "localhost",
        "127.0.0.2:{port}",
        "0.0.0.0:{port}",
        "[::2]:{port}",
        "user@localhost:{port}",
        "localhost:{port}#x",
        "localhost:{port}/x",
        "",
    ],
)
def test_a_foreign_host_is_refused(service: Running, host: str) -> None:
    named = host.format(port=service.port)
    answer = service.ask("GET", STATUS, headers={"Host": named})
    assert answer.status_code == 403
    assert "error" in answer.json()


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"])
def test_our_own_names_are_served(service: Running, name: str) -> None:
    answer = service.ask("GET", STATUS, headers={"Host": f"{name}:{service.port}"})
    assert answer.status_code == 200


def test_two_hosts_are_refused(service: Running) -> None:
    request = (
        f"GET {STATUS} HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\nHost: evil.example\r\n"
        f"Authorization: Bearer {service.token}\r\nConnection: close\r\n\r\n"
    )
    assert send_raw(service, request.encode()).split(b" ")[1] in (b"400", b"403")


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1"]
)
def test_a_foreign_origin_is_refused(service: Running, origin: str) -> None:
    named = origin.format(port=service.port)
    answer = service.ask("POST", "/api/v1/search", {"query": "x"}, headers={"Origin": named})
    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


def test_a_cross_site_fetch_is_refused(service: Running) -> None:
    answer = service.ask("GET", "/", token=None, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403


def test_our_own_origin_is_served(service: Running) -> None:
    headers = {"Origin": service.address, "Sec-Fetch-Site": "same-origin"}
    assert service.ask("GET", STATUS, headers=headers).status_code == 200


@pytest.mark.parametrize("path", [STATUS, "/openapi.json", "/api/v1/tokens", "/api/v1/nothing"])
def test_no_token_no_answer(service: Running, path: str) -> None:
    answer = service.ask("GET", path, token=None)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Basic {token}"},
        {"Authorization": "{token}"},
        {"Authorization": "Bearer {token}x"},
        {"X-Token": "{token}"},
        {"Cookie": "token={token}"},
    ],
)
def test_a_token_in_the_wrong_place(service: Running, headers: dict[str, str]) -> None:
    filled = {name: value.format(token=service.token) for name, value in headers.items()}
    assert service.ask("GET", STATUS, token=None, headers=filled).status_code == 401


def test_a_token_in_the_address_is_none(service: Running) -> None:
    answer = service.ask("GET", f"{STATUS}?token={service.token}", token=None)
    assert answer.status_code == 401
    log = (service.home / "sagasu.log").read_text()
    assert service.token not in log


def test_the_panels_files_need_no_token(service: Running) -> None:
    for path in ("/", "/index.html", "/messages.js"):
        answer = service.ask("GET", path, token=None)
        assert answer.status_code == 200, path
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("path", ["/health", "/", STATUS, "/api/v1/nothing"])
def test_every_answer_carries_the_security_headers(service: Running, path: str) -> None:
    for token in (None, service.token):
        headers = service.ask("GET", path, token=token).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "server" not in headers


def test_the_token_can_be_switched_off_with_a_warning(tmp_path: Path) -> None:
    docs = write_files(tmp_path / "docs")
    with run_service(tmp_path / "home", docs, config="server:\n  token: false\n") as open_service:
        assert open_service.ask("GET", STATUS, token=None).status_code == 200
        foreign = {"Host": "evil.example"}
        assert open_service.ask("GET", STATUS, token=None, headers=foreign).status_code == 403
        assert "server.token is off" in (open_service.home / "sagasu.log").read_text()


def send_raw(service: Running, data: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", service.port), timeout=10) as connection:
        connection.sendall(data)
        answer = b""
        while part := connection.recv(65536):
            answer += part
        return answer
