"""One instance: 1 the lock is held while the block runs and free afterwards; 2 another process is
refused and told who holds it; 3 a killed holder leaves nothing in the way; 4 a folder that cannot
be written is an error of ours.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.instance import hold_instance
from engine.errors import AlreadyRunningError, StoreUnwritableError

HOLDER = """
import sys, time
from pathlib import Path
from app.instance import hold_instance
with hold_instance(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_held_and_free_again(tmp_path: Path) -> None:
    for _ in range(2):
        with (
            hold_instance(tmp_path),
            pytest.raises(AlreadyRunningError, match=f"process {os.getpid()}"),
            hold_instance(tmp_path),
        ):
            pytest.fail("two at once")


def test_another_process_is_refused_and_a_killed_one_forgotten(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE, cwd=root
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with (
            pytest.raises(AlreadyRunningError, match=str(other.pid)),
            hold_instance(tmp_path),
        ):
            pytest.fail("two at once")
        other.send_signal(signal.SIGKILL)
        other.wait(10)
        with hold_instance(tmp_path):
            assert (tmp_path / "app.lock").read_text() == f"{os.getpid()}\n"


def test_unwritable_folder_is_our_error(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    with pytest.raises(StoreUnwritableError), hold_instance(tmp_path / "data"):
        pytest.fail("held nothing")
