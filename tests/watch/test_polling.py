"""Folders that nobody reports on are named again and again.

1. Every root is reported as "look again" until it is no longer watched.
2. Network volumes are recognised by their mounts, the innermost deciding.
3. Where the system's watcher fails, polling takes its place, and that is said.
"""

import queue
import sys
from pathlib import Path

import pytest

from engine.errors import WatchError
from engine.watch.change import Bookmark, Change, Kind
from engine.watch.polling import Polling, is_remote
from engine.watch.watching import Watching

MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
server:/home /home/ada/Server nfs4 rw 0 0
/dev/sdb1 /home/ada/Server/disk ext4 rw 0 0
//nas/share /mnt/my\\040share cifs rw 0 0
ada@host: /mnt/ssh fuse.sshfs rw 0 0
portal /run/user/1000/doc fuse.portal rw 0 0
"""


def test_roots_are_named_until_they_are_not_watched() -> None:
    heard: queue.SimpleQueue[Change] = queue.SimpleQueue()
    polling = Polling(heard.put, seconds=0.01).start()
    assert polling.watch("/d", None) is False
    assert heard.get(timeout=10) == Change(Kind.RESCAN, "/d")
    assert heard.get(timeout=10) == Change(Kind.RESCAN, "/d")
    polling.close()


@pytest.mark.skipif(sys.platform != "linux", reason="mounts are listed so on Linux only")
@pytest.mark.parametrize(
    ("path", "remote"),
    [
        ("/home/ada/Documents", False),
        ("/home/ada/Server/notes", True),
        ("/home/ada/Server/disk/x", False),
        ("/mnt/my share/x", True),
        ("/mnt/ssh", True),
        ("/run/user/1000/doc/x", False),
    ],
)
def test_network_volumes_are_recognised(tmp_path: Path, path: str, remote: bool) -> None:
    (tmp_path / "mounts").write_text(MOUNTS)
    assert is_remote(path, str(tmp_path / "mounts")) is remote


class Refusing:
    """A watcher that cannot watch."""

    def watch(self, root: str, since: Bookmark | None) -> bool:
        raise WatchError(problem="no")

    def unwatch(self, root: str) -> None:
        return

    def cover(self, folder: str) -> None:
        return

    def close(self) -> None:
        return


def test_polling_takes_the_place_of_a_watcher_that_fails() -> None:
    heard: queue.SimpleQueue[Change] = queue.SimpleQueue()
    watching = Watching(Refusing(), Polling(heard.put, seconds=0.01).start(), heard.put)
    assert watching.watch("/d", None) is False
    warning = heard.get(timeout=10)
    assert warning.kind is Kind.WARNING
    assert "every minute" in warning.text
    assert heard.get(timeout=10) == Change(Kind.RESCAN, "/d")
    watching.close()
