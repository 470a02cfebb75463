"""The bridge: 1 work runs off the main thread, answers on it; 2 errors come as errors, defects as
InternalError with a log; 3 the newest in a lane wins, the older is told once that it was dropped,
whether it waits, runs or has just finished; 4 lanes do not disturb each other; 5 exactly one of the
three callbacks is called; 6 a failing callback harms nobody; 7 after closing nothing comes.
"""

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from app.bridge import Bridge, Ticket
from engine.errors import EngineError, InternalError, NotFoundError


class MainThread:
    """The test's own thread plays the main one: calls wait until it takes them."""

    def __init__(self) -> None:
        self.calls: queue.Queue[Callable[[], None]] = queue.Queue()

    def turn(self, count: int = 1) -> None:
        for _ in range(count):
            self.calls.get(timeout=10)()


@pytest.fixture
def main() -> MainThread:
    return MainThread()


@pytest.fixture
def bridge(main: MainThread) -> Iterator[Bridge]:
    bridge = Bridge(main.calls.put, workers=3)
    yield bridge
    bridge.close()


def refuse(error: EngineError) -> None:
    raise AssertionError(error)


def test_work_off_and_answer_on_the_main_thread(main: MainThread, bridge: Bridge) -> None:
    seen: list[threading.Thread] = []

    def op(ticket: Ticket) -> int:
        seen.append(threading.current_thread())
        return 7

    answers: list[tuple[int, threading.Thread]] = []
    bridge.run(op, lambda value: answers.append((value, threading.current_thread())), refuse)
    main.turn()
    assert seen[0] is not threading.current_thread()
    assert answers == [(7, threading.current_thread())]


def test_error_comes_as_it_is(main: MainThread, bridge: Bridge) -> None:
    def op(ticket: Ticket) -> int:
        raise NotFoundError(what="document")

    errors: list[EngineError] = []
    bridge.run(op, print, errors.append)
    main.turn()
    assert isinstance(errors[0], NotFoundError)


def test_defect_comes_as_internal_error_and_is_logged(
    main: MainThread, bridge: Bridge, caplog: pytest.LogCaptureFixture
) -> None:
    errors: list[EngineError] = []
    bridge.run(lambda ticket: 1 // 0, print, errors.append)
    main.turn()
    assert isinstance(errors[0], InternalError)
    assert isinstance(errors[0].__cause__, ZeroDivisionError)
    assert "ZeroDivisionError" in caplog.text


def test_newest_in_a_lane_wins_over_a_running_one(main: MainThread, bridge: Bridge) -> None:
    said, started, go_on = list[str](), threading.Event(), threading.Event()

    def slow(ticket: Ticket) -> str:
        ticket.on_cancel(go_on.set)
        started.set()
        assert go_on.wait(10)
        return "old"

    bridge.run(slow, said.append, refuse, lane="search", dropped=lambda: said.append("dropped"))
    assert started.wait(10)
    bridge.run(lambda ticket: "new", said.append, refuse, lane="search")
    main.turn(2)
    assert sorted(said) == ["dropped", "new"]


def test_answer_that_was_ready_is_dropped_when_a_newer_comes(
    main: MainThread, bridge: Bridge
) -> None:
    said: list[str] = []
    bridge.run(
        lambda ticket: "old", said.append, refuse, lane="a", dropped=lambda: said.append("dropped")
    )
    deliver_old = main.calls.get(timeout=10)
    bridge.run(lambda ticket: "new", said.append, refuse, lane="a")
    deliver_old()
    main.turn()
    assert said == ["dropped", "new"]


def test_error_of_an_overtaken_job_is_not_shown(main: MainThread, bridge: Bridge) -> None:
    started, go_on = threading.Event(), threading.Event()

    def slow(ticket: Ticket) -> str:
        started.set()
        assert go_on.wait(10)
        raise NotFoundError(what="interrupted")

    said: list[str] = []
    bridge.run(slow, said.append, refuse, lane="a", dropped=lambda: said.append("dropped"))
    assert started.wait(10)
    bridge.run(lambda ticket: "new", said.append, refuse, lane="a")
    main.turn()
    go_on.set()
    main.turn()
    assert said == ["new", "dropped"]


def test_lanes_do_not_disturb_each_other(main: MainThread, bridge: Bridge) -> None:
    said: list[str] = []
    for lane in ("words", "meaning", "", ""):
        bridge.run(lambda ticket, lane=lane: lane, said.append, refuse, lane=lane)  # type: ignore[misc]  # the default binds the loop's value
    main.turn(4)
    assert sorted(said) == ["", "", "meaning", "words"]


def test_a_burst_answers_every_job_exactly_once(main: MainThread, bridge: Bridge) -> None:
    done: list[tuple[str, int]] = []
    for number in range(200):
        bridge.run(
            lambda ticket, n=number: n,  # type: ignore[misc]  # the default binds the loop's value
            lambda n: done.append(("then", n)),
            refuse,
            lane="search",
            dropped=lambda n=number: done.append(("dropped", n)),  # type: ignore[misc]  # as above
        )
    main.turn(200)
    assert sorted(number for _, number in done) == list(range(200))
    assert ("then", 199) in done


def test_failing_callback_harms_nobody(
    main: MainThread, bridge: Bridge, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(value: int) -> None:
        raise ValueError(value)

    bridge.run(lambda ticket: 1, fail, refuse)
    main.turn()
    assert "ValueError" in caplog.text


def test_cancel_call_comes_once_and_at_once_when_late() -> None:
    ticket, calls = Ticket(), list[str]()
    ticket.on_cancel(lambda: calls.append("early"))
    ticket.cancel()
    ticket.cancel()
    ticket.on_cancel(lambda: calls.append("late"))
    assert (calls, ticket.cancelled) == (["early", "late"], True)


def test_after_closing_nothing_comes(main: MainThread, caplog: pytest.LogCaptureFixture) -> None:
    bridge, started = Bridge(main.calls.put), threading.Event()

    def slow(ticket: Ticket) -> int:
        started.set()
        deadline = time.monotonic() + 10
        while not ticket.cancelled and time.monotonic() < deadline:
            threading.Event().wait(0.001)
        return 1

    with caplog.at_level(logging.ERROR):
        bridge.run(slow, print, refuse, lane="a")
        assert started.wait(10)
        bridge.close()
    assert main.calls.empty()
    assert not caplog.records
