"""How does the service start and stop? On loopback alone, once per index, and it says where.

`service.json` (0600) tells the command line and the app where the service listens; it is there as
long as the service is.
"""

import errno
import json
import logging
import os
import socket
import time
from collections.abc import Callable

import uvicorn

from engine.api import Engine
from engine.config import Config
from engine.errors import PortTakenError
from engine.server.application import build_app
from engine.server.connections import Connection
from engine.server.service import PanelHandler
from engine.server.tokens import write_private

log = logging.getLogger(__name__)

DEFAULT_PORT = Config().server.port
STOP_SECONDS = 5
BACKLOG = 128


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
    host = config.server.host
    sockets = _bind(host, config.server.port if port is None else port, port is not None)
    number = sockets[0].getsockname()[1]
    name = "[::1]" if host == "::1" else "127.0.0.1"
    address = f"http://{name}:{number}"
    app = build_app(engine, port=number, panel_handler=panel_handler)
    settings = uvicorn.Config(
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
    server = _Server(settings, lambda: _announce(engine, address, ready))
    server.stopping = app.state.service.events.close
    try:
        server.run(sockets=sockets)
    finally:
        _withdraw(engine)
        for one in sockets:
            one.close()


class _Server(uvicorn.Server):
    """Says when it is ready, and sends the endless listeners away when it stops."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell = started
        self.stopping: Callable[[], None] = lambda: None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if not self.should_exit:
            self._tell()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.stopping()
        await super().shutdown(sockets)


def _bind(host: str, port: int, chosen: bool) -> list[socket.socket]:
    try:
        return _listen(host, port)
    except OSError as exc:
        if exc.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        free = _listen(host, 0)
        if chosen or port != DEFAULT_PORT:
            number = free[0].getsockname()[1]
            for one in free:
                one.close()
            raise PortTakenError(port=port, free=number) from exc
        log.warning("port %d is used by another program: listening on another one", port)
        return free


def _listen(host: str, port: int) -> list[socket.socket]:
    """Sockets on 127.0.0.1, or on ::1, or for `localhost` on both where there is IPv6."""
    sockets: list[socket.socket] = []
    try:
        if host != "::1":
            sockets.append(_open(socket.AF_INET, "127.0.0.1", port))
            port = sockets[0].getsockname()[1]
        if host in ("::1", "localhost"):
            try:
                sockets.append(_open(socket.AF_INET6, "::1", port))
            except OSError:
                if host == "::1":
                    raise
                log.info("no IPv6 on this machine: 127.0.0.1 alone")
    except OSError:
        for one in sockets:
            one.close()
        raise
    return sockets


def _open(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind((address, port))
        made.listen(BACKLOG)
    except OSError:
        made.close()
        raise
    made.set_inheritable(False)
    return made


def _announce(engine: Engine, address: str, ready: Callable[[str], None] | None) -> None:
    facts = {"pid": os.getpid(), "address": address, "started": time.time()}
    write_private(engine.places.service, json.dumps(facts) + "\n")
    log.info("listening on %s", address)
    if ready is not None:
        ready(address)


def _withdraw(engine: Engine) -> None:
    try:
        facts = json.loads(engine.places.service.read_text(encoding="utf-8"))
        if facts.get("pid") == os.getpid():
            engine.places.service.unlink()
    except (OSError, ValueError):
        log.debug("service.json was gone already")
