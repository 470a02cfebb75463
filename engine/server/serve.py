"""How does the service start and stop? On loopback alone, once per index, and it says where.

`service.json` (0600) tells the command line and the app where the service listens; it is there as
long as the service is.
"""

import json
import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI

from engine.api import Engine
from engine.config import Config, data_folder
from engine.errors import AlreadyRunningError, IndexLockedError
from engine.server.application import build_app
from engine.server.connections import Connection
from engine.server.limits import ANSWER_SECONDS, BODY_SECONDS
from engine.server.service import PanelHandler
from engine.server.sockets import bind
from engine.server.tokens import write_private

log = logging.getLogger(__name__)

STOP_SECONDS = 5


def serve(
    engine: Engine,
    config: Config,
    *,
    port: int | None = None,
    ready: Callable[[str], None] | None = None,
    panel_handler: PanelHandler | None = None,
) -> None:
    """Serve until a signal stops it; `ready` is told the address as soon as it answers.

    `port` 0 takes any free one. None takes the configured one, or, if that is the default and
    another program has it, any free one.
    """
    Server(engine, config, port=port, ready=ready, panel_handler=panel_handler).run()


def open_writer(home: Path | None = None) -> Engine:
    """The index for the one service that may write; says who has it when another one does."""
    try:
        return Engine.open(home, write=True)
    except IndexLockedError as exc:
        running = find_running(home or data_folder())
        if running is None:
            raise  # no service: somebody indexes from the terminal
        raise AlreadyRunningError(pid=running[0], address=running[1]) from exc


def find_running(home: Path) -> tuple[int, str] | None:
    """Process and address of the service that says it runs on this data folder."""
    try:
        facts = json.loads((home / "service.json").read_text(encoding="utf-8"))
        pid, address = int(facts["pid"]), str(facts["address"])
        os.kill(pid, 0)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return pid, address


class Server:
    """One service; `run` blocks, on any thread, until `stop` is called or a signal comes."""

    def __init__(
        self,
        engine: Engine,
        config: Config,
        *,
        port: int | None = None,
        ready: Callable[[str], None] | None = None,
        panel_handler: PanelHandler | None = None,
        body_seconds: float = BODY_SECONDS,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self._engine = engine
        self._ready = ready
        host = config.server.host
        wanted = config.server.port if port is None else port
        self._sockets = bind(host, wanted, chosen=port is not None)
        number = self._sockets[0].getsockname()[1]
        self.address = f"http://{'[::1]' if host == '::1' else '127.0.0.1'}:{number}"
        self.app = build_app(
            engine,
            port=number,
            panel_handler=panel_handler,
            body_seconds=body_seconds,
            answer_seconds=answer_seconds,
        )
        self._server = _Uvicorn(_settings(self.app), self._announce, self._withdraw)

    def run(self) -> None:
        """Serve until it is stopped."""
        try:
            self._server.run(sockets=self._sockets)
        finally:
            for one in self._sockets:
                one.close()

    def stop(self) -> None:
        """Finish what is in hand and end `run`; from any thread."""
        self._server.should_exit = True

    def send(self, event: dict[str, Any]) -> None:
        """Tell everyone who listens to the events; from any thread."""
        self.app.state.service.events.send(event)

    def _announce(self) -> None:
        facts = {"pid": os.getpid(), "address": self.address, "started": time.time()}
        write_private(self._engine.places.service, json.dumps(facts) + "\n")
        log.info("listening on %s", self.address)
        if self._ready is not None:
            self._ready(self.address)

    def _withdraw(self) -> None:
        # Those who listen for events never leave by themselves.
        self.app.state.service.events.close()
        self._engine.places.service.unlink(missing_ok=True)


def _settings(app: FastAPI) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=STOP_SECONDS,
        lifespan="on",
    )


class _Uvicorn(uvicorn.Server):
    """Says when it is ready and when it stops, and leaves by itself when a signal comes.

    uvicorn would raise the signal once more after stopping, and the process would die of it before
    the index is closed.
    """

    def __init__(
        self, config: uvicorn.Config, started: Callable[[], None], stopping: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._started = started
        self._stopping = stopping

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._stopping()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        stops = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in stops}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
