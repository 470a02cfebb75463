"""Where does the service listen? On loopback, on the port it was given, or on a free one."""

import errno
import logging
import socket

from engine.config import Config
from engine.errors import PortTakenError

log = logging.getLogger(__name__)

DEFAULT_PORT = Config().server.port
BACKLOG = 128


def bind(host: str, port: int, *, chosen: bool) -> list[socket.socket]:
    """Listening sockets; a `chosen` port that is taken raises PortTakenError, the default moves."""
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
    # asyncio switches Nagle's algorithm off only where TCP is named: with it, every answer takes
    # 40 ms longer, because its head and its body are two packets.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
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
