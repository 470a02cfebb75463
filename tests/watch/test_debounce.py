"""Many reports, one change.

1. A path is due after its quiet time, counted from its last report.
2. A path that never rests is due every ten seconds.
3. A crowd of paths becomes its folder, the deepest that holds it; the rest stay single.
4. A folder speaks for everything in it.
5. Whatever is reported comes out, once, and nothing else does.
"""

import os

from hypothesis import given
from hypothesis import strategies as st

from engine.watch.debounce import Debounce, Due, gather


class HandClock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.time = 1000.0

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self.time


def test_a_path_is_due_when_it_has_been_quiet() -> None:
    clock = HandClock()
    debounce = Debounce(clock, 400)
    debounce.add("/d/a")
    clock.time += 0.3
    debounce.add("/d/a")
    clock.time += 0.3
    assert not debounce.take()
    assert debounce.wait_seconds() is not None
    assert abs((debounce.wait_seconds() or 0) - 0.1) < 1e-6
    clock.time += 0.1
    assert debounce.take() == Due(("/d/a",))
    assert debounce.wait_seconds() is None
    assert len(debounce) == 0


def test_a_file_that_never_rests_is_due_every_ten_seconds() -> None:
    clock = HandClock()
    debounce = Debounce(clock, 400)
    taken = 0
    for _ in range(300):  # 30 seconds of a report every 100 ms
        debounce.add("/d/log.txt")
        clock.time += 0.1
        taken += len(debounce.take().paths)
    assert taken in (2, 3)


def test_paths_do_not_wait_for_each_other() -> None:
    clock = HandClock()
    debounce = Debounce(clock, 400)
    debounce.add("/d/a")
    clock.time += 0.39
    debounce.add("/d/b")
    clock.time += 0.02
    assert debounce.take() == Due(("/d/a",))


def test_a_crowd_becomes_its_deepest_folder() -> None:
    crowd = [f"/d/work/repo/src/{number}.py" for number in range(501)]
    due = gather([*crowd, "/d/other.md", "/d/work/single.md"], [])
    assert due == Due(("/d/other.md", "/d/work/single.md"), ("/d/work/repo/src",))


def test_a_crowd_spread_over_folders_becomes_what_holds_them_all() -> None:
    crowd = [f"/d/repo/{number % 40}/{number}.py" for number in range(800)]
    assert gather(crowd, []) == Due((), ("/d/repo",))


def test_a_folder_speaks_for_what_is_in_it() -> None:
    due = gather(["/d/a/x.md", "/d/a/b", "/d/ab.md"], ["/d/a", "/d/a/b"])
    assert due == Due(("/d/ab.md",), ("/d/a",))


def test_a_root_that_is_no_more_is_forgotten_with_all_in_it() -> None:
    clock = HandClock()
    debounce = Debounce(clock, 400)
    for path in ("/d", "/d/x", "/data/y"):
        debounce.add(path)
    debounce.drop_below("/d")
    clock.time += 1
    assert debounce.take() == Due(("/data/y",))


PATHS = st.sampled_from([f"/r/{a}/{b}.md" for a in "abc" for b in range(4)] + ["/r/a", "/r/b"])


@given(st.lists(st.tuples(PATHS, st.booleans(), st.floats(0, 3)), max_size=60))
def test_what_goes_in_comes_out_and_nothing_else(steps: list[tuple[str, bool, float]]) -> None:
    clock = HandClock()
    debounce = Debounce(clock, 400, crowd=5)
    wanted: set[str] = set()
    seen: set[str] = set()
    for path, folder, pause in steps:
        debounce.add(path, folder=folder)
        wanted.add(path)
        clock.time += pause
        due = debounce.take()
        seen.update(due.paths, due.folders)
    clock.time += 20
    due = debounce.take()
    seen.update(due.paths, due.folders)
    covered = {path for path in wanted if path in seen or _below(path, seen)}
    assert covered == wanted
    assert len(debounce) == 0


def _below(path: str, folders: set[str]) -> bool:
    return any(path.startswith(folder + os.sep) for folder in folders)
