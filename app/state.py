"""What is the app doing? Starting, idle, indexing, paused, or stopped by a problem: one observable.

The engine's Progress and its errors go in, one frozen AppState comes out, and whoever listens
(menu, status icon, page) shows it. The functions that decide are pure; only Keeper holds state.

    starting ─▶ idle ⇄ indexing      pause from anywhere ─▶ paused      a StoreError ─▶ problem
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from app.problems import describe_problem
from engine.errors import EngineError, ModelError
from engine.models import Progress


class Phase(StrEnum):
    """What the app is doing, in one word."""

    STARTING = "starting"
    IDLE = "idle"
    INDEXING = "indexing"
    PAUSED = "paused"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Folder:
    """One searched folder, as the menu and the settings show it."""

    path: str
    files: int = 0
    left_out: int = 0
    waiting: int = 0
    paused: bool = False
    problem: str = ""  # why it cannot be read just now; empty when it can


@dataclass(frozen=True, slots=True)
class AppState:
    """Everything that menu and status line need to know."""

    phase: Phase = Phase.STARTING
    progress: Progress | None = None
    folders: tuple[Folder, ...] = ()
    files: int = 0  # searchable
    left_out: int = 0  # seen, and not searchable
    meaning: float = 1.0  # share of passages that have their vector, 0 to 1
    problem: str = ""  # what stops everything
    hint: str = ""
    remedy: str = ""  # what can be done about it at a click: repair, retry
    meaning_off: str = ""  # why there is no search by meaning; empty: there is
    problems: tuple[str, ...] = ()  # what a person should know, a sentence each; search goes on


Listener = Callable[[AppState], None]


def after_progress(state: AppState, progress: Progress) -> AppState:
    """The state once the engine has said how far it is."""
    busy = progress.phase not in ("idle", "paused")
    phase = Phase.INDEXING if busy else Phase(progress.phase)
    if state.phase is Phase.PROBLEM:
        phase = Phase.PROBLEM  # only recovery ends a problem, not a late report
    meaning = state.meaning
    if progress.passages_total:
        meaning = min(1.0, progress.passages_done / progress.passages_total)
    elif progress.phase == "idle":
        meaning = 1.0
    return replace(state, phase=phase, progress=progress if busy else None, meaning=meaning)


def after_numbers(
    state: AppState,
    *,
    folders: tuple[Folder, ...],
    files: int,
    left_out: int,
    problems: tuple[str, ...] = (),
) -> AppState:
    """The state once the engine has been asked for its numbers; the first time ends the start."""
    phase = Phase.IDLE if state.phase is Phase.STARTING else state.phase
    return replace(
        state, phase=phase, folders=folders, files=files, left_out=left_out, problems=problems
    )


def after_error(state: AppState, error: EngineError) -> AppState:
    """The state after an error: a missing model only turns meaning off, the rest stops the app."""
    if isinstance(error, ModelError):
        return replace(state, meaning_off=str(error), hint=error.advice)
    return replace(
        state,
        phase=Phase.PROBLEM,
        progress=None,
        problem=str(error),
        hint=error.advice,
        remedy=describe_problem(error).action,
    )


def after_recovery(state: AppState) -> AppState:
    """The state once the problem has gone."""
    return replace(state, phase=Phase.IDLE, problem="", hint="", remedy="")


def after_pause(state: AppState, paused: bool) -> AppState:
    """The state once the person has stopped or resumed indexing."""
    if state.phase in (Phase.PROBLEM, Phase.STARTING):
        return state
    return replace(state, phase=Phase.PAUSED if paused else Phase.IDLE, progress=None)


def status_line(state: AppState) -> str:
    """One honest line: what is happening, how much is searchable, how much is not."""
    match state.phase:
        case Phase.STARTING:
            return "Starting…"
        case Phase.PROBLEM:
            return state.problem
        case Phase.INDEXING if state.progress is not None:
            return _progress_line(state.progress)
    if not state.folders:
        return "No folders yet"
    parts = [say_files(state.files)]
    parts.append("paused" if state.phase is Phase.PAUSED else "up to date")
    if state.meaning < 1.0 and not state.meaning_off:
        parts.append(f"meaning {state.meaning:.0%}")
    if state.left_out:
        parts.append(f"{state.left_out:,} not searchable")
    return " · ".join(parts)


def say_files(count: int) -> str:
    """ "1 file", "1,200 files"."""
    return "1 file" if count == 1 else f"{count:,} files"


def _progress_line(progress: Progress) -> str:
    if progress.phase == "scanning":
        return f"Looking through folders… {say_files(progress.files_done)}"
    if progress.phase == "embedding" and progress.passages_total:
        share = progress.passages_done / progress.passages_total
        return f"Learning meaning · {share:.0%}{_time_left(progress.seconds_left)}"
    if progress.files_total:
        counts = f"{progress.files_done:,} of {progress.files_total:,}"
        return f"Indexing {counts}{_time_left(progress.seconds_left)}"
    return "Indexing…"


def _time_left(seconds: float | None) -> str:
    if seconds is None:
        return ""
    if seconds < 60:
        return " · under a minute left"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f" · about {minutes} min left"
    return f" · about {round(minutes / 60)} h left"


class Keeper:
    """Holds the one state; tells every listener when it changes, in the thread that changed it."""

    def __init__(self) -> None:
        self._state = AppState()
        self._listeners: list[Listener] = []
        self._lock = threading.RLock()

    @property
    def state(self) -> AppState:
        """The state now."""
        return self._state

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Calls `listener` now and on every change; returns how to stop."""
        with self._lock:
            self._listeners.append(listener)
            listener(self._state)

        def stop() -> None:
            with self._lock:
                self._listeners.remove(listener)

        return stop

    def change(self, step: Callable[[AppState], AppState]) -> AppState:
        """Applies one of the pure steps; an equal state is not announced."""
        with self._lock:
            new = step(self._state)
            if new != self._state:
                self._state = new
                for listener in tuple(self._listeners):
                    listener(new)
            return new
