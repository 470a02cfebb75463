"""The state: 1 starting ends with the first numbers; 2 progress makes it indexing and idle again;
3 a pause is kept; 4 a store error stops everything until recovery, a model error only meaning;
5 the line is honest in every phase; 6 listeners hear every change once; 7 no change, no word.
"""

from dataclasses import replace

import pytest

from app.state import (
    AppState,
    Folder,
    Keeper,
    Phase,
    after_error,
    after_numbers,
    after_pause,
    after_progress,
    after_recovery,
    status_line,
)
from engine.errors import DiskFullError, ModelMissingError
from engine.models import Progress

FOLDER = Folder("/home/ada/Documents", files=12)
IDLE = AppState(phase=Phase.IDLE, folders=(FOLDER,), files=12_345)


def test_first_numbers_end_the_start() -> None:
    state = after_numbers(AppState(), folders=(FOLDER,), files=12, left_out=3)
    assert (state.phase, state.files, state.left_out) == (Phase.IDLE, 12, 3)


def test_numbers_do_not_end_indexing() -> None:
    busy = after_progress(IDLE, Progress("reading", 1, 2))
    assert after_numbers(busy, folders=(), files=1, left_out=0).phase is Phase.INDEXING


def test_progress_makes_it_indexing_and_idle_again() -> None:
    busy = after_progress(IDLE, Progress("reading", 1, 2))
    assert (busy.phase, busy.progress) == (Phase.INDEXING, Progress("reading", 1, 2))
    assert after_progress(busy, Progress("idle")) == IDLE


def test_embedding_says_how_far_meaning_is() -> None:
    busy = after_progress(IDLE, Progress("embedding", passages_done=31, passages_total=50))
    assert busy.meaning == pytest.approx(0.62)


def test_pause_and_resume() -> None:
    paused = after_pause(IDLE, True)
    assert paused.phase is Phase.PAUSED
    assert after_pause(paused, False).phase is Phase.IDLE


def test_store_error_stops_until_recovery() -> None:
    broken = after_error(IDLE, DiskFullError(path="/data"))
    assert broken.phase is Phase.PROBLEM
    assert "disk is full" in broken.problem
    assert after_progress(broken, Progress("idle")).phase is Phase.PROBLEM
    assert after_pause(broken, True) is broken
    assert after_recovery(broken) == IDLE


def test_missing_model_only_turns_meaning_off() -> None:
    state = after_error(IDLE, ModelMissingError(path="/model"))
    assert state.phase is Phase.IDLE
    assert "no model at /model" in state.meaning_off


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (AppState(), "Starting…"),
        (AppState(phase=Phase.IDLE), "No folders yet"),
        (IDLE, "12,345 files · up to date"),
        (replace(IDLE, left_out=1234), "12,345 files · up to date · 1,234 not searchable"),
        (replace(IDLE, meaning=0.62), "12,345 files · up to date · meaning 62%"),
        (replace(IDLE, phase=Phase.PAUSED), "12,345 files · paused"),
        (after_progress(IDLE, Progress("scanning", 1500)), "Looking through folders… 1,500 files"),
        (
            after_progress(IDLE, Progress("reading", 1234, 5678, seconds_left=300)),
            "Indexing 1,234 of 5,678 · about 5 min left",
        ),
        (
            after_progress(IDLE, Progress("embedding", 0, 0, 62, 100, seconds_left=30)),
            "Learning meaning · 62% · under a minute left",
        ),
        (
            after_progress(IDLE, Progress("reading", 1, 99, seconds_left=9000)),
            "Indexing 1 of 99 · about 2 h left",
        ),
        (after_error(IDLE, DiskFullError(path="/d")), "The disk is full: /d could not be written."),
    ],
)
def test_line_is_honest(state: AppState, line: str) -> None:
    assert status_line(state) == line


def test_listeners_hear_now_and_every_change_until_they_stop() -> None:
    keeper, heard = Keeper(), list[Phase]()
    stop = keeper.listen(lambda state: heard.append(state.phase))
    keeper.change(lambda state: replace(state, phase=Phase.IDLE))
    keeper.change(lambda state: replace(state, phase=Phase.IDLE))
    stop()
    keeper.change(lambda state: replace(state, phase=Phase.PAUSED))
    assert heard == [Phase.STARTING, Phase.IDLE]
    assert keeper.state.phase is Phase.PAUSED
