"""Proves how the service starts and stops:

1. it says where it listens in a 0600 `service.json`, and takes that back when it stops;
2. SIGTERM and SIGINT stop it cleanly, with the index closed, also while somebody listens;
3. a port that was chosen and is taken is refused; the default port moves;
4. one service per index; it listens on loopback alone, and answers without delay.
"""

import json
import signal
import socket
import stat
import threading
import time
from pathlib import Path

import httpx
import psutil
import pytest

from engine.api import Engine
from engine.errors import IndexLockedError, PortTakenError
from engine.server import sockets
from engine.server.serve import Server
from tests.server.conftest import Running, run_service, write_files


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    with run_service(tmp_path / "home", write_files(tmp_path / "docs")) as running:
        note = tmp_path / "home" / "service.json"
        facts = json.loads(note.read_text())
        assert facts["address"] == running.address
        assert facts["pid"] == running.process.pid
        assert stat.S_IMODE(note.stat().st_mode) == 0o600
        listening = threading.Thread(target=_listen, args=(running,))
        listening.start()
        running.process.send_signal(number)
        assert running.process.wait(15) == 0
        assert running.process.stdout is not None
        assert running.process.stdout.read() == "closed\n"
        assert not note.exists()
        listening.join(10)
    Engine.open(tmp_path / "home", write=True).close()


def _listen(running: Running) -> None:
    headers = {"Authorization": f"Bearer {running.token}"}
    try:
        with httpx.stream("GET", running.address + "/api/v1/events", headers=headers) as answer:
            list(answer.iter_lines())
    except httpx.TransportError:
        pass  # the service was gone before we came


def test_it_listens_on_loopback_alone(service: Running) -> None:
    listening = [
        one.laddr.ip
        for one in psutil.Process(service.process.pid).net_connections()
        if one.status == psutil.CONN_LISTEN
    ]
    assert listening
    assert set(listening) <= {"127.0.0.1", "::1"}


def test_a_chosen_port_that_is_taken_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with (
            Engine.open(tmp_path / "home", write=True) as engine,
            pytest.raises(PortTakenError, match=str(port)),
        ):
            Server(engine, engine.config, port=port)


def test_the_default_port_moves_when_it_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setattr(sockets, "DEFAULT_PORT", port)
        found = sockets.bind("127.0.0.1", port, chosen=False)
        assert found[0].getsockname()[1] != port
        found[0].close()


def test_an_answer_does_not_wait_for_the_clients_acknowledgement(service: Running) -> None:
    times: list[float] = []
    with httpx.Client(base_url=service.address, trust_env=False) as client:
        for _ in range(20):
            started = time.perf_counter()
            assert client.get("/health").status_code == 200
            times.append(time.perf_counter() - started)
    assert min(times) < 0.03


def test_one_service_owns_the_index(service: Running) -> None:
    with pytest.raises(IndexLockedError, match=str(service.process.pid)):
        Engine.open(service.home, write=True)


def test_a_server_can_run_on_any_thread(tmp_path: Path) -> None:
    ready = threading.Event()
    with Engine.open(tmp_path / "home", write=True) as engine:

        def handle(name: str, fields: dict[str, object], window: str) -> dict[str, object]:
            return {"ok": True, "value": {"name": name, "window": window, **fields}}

        server = Server(
            engine, engine.config, port=0, ready=lambda _: ready.set(), panel_handler=handle
        )
        thread = threading.Thread(target=server.run)
        thread.start()
        assert ready.wait(20)
        token = (tmp_path / "home" / "token").read_text().strip()
        answer = httpx.post(
            server.address + "/api/v1/panel/search",
            json={"query": "x"},
            headers={"Authorization": f"Bearer {token}", "Sagasu-Window": "a"},
        )
        sent = {"name": "search", "window": "a", "query": "x"}
        assert answer.json() == {"ok": True, "value": sent}
        server.stop()
        thread.join(20)
        assert not thread.is_alive()


def test_without_a_panel_its_messages_are_unknown(service: Running) -> None:
    answer = service.ask("POST", "/api/v1/panel/search", {"query": "x"})
    assert answer.status_code == 404
    assert "sagasu app" in answer.json()["hint"]
