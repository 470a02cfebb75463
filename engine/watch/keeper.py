"""Who keeps the index fresh while the service runs? One thread, which alone writes files' rows.

It takes what is most urgent: a changed file is searchable within a second even while thousands of
others are read, because long runs call `between` at every step. What cannot be written now (a full
disk) is kept on the list and tried again; what cannot be reached (a disk that is away) is waited
for.
"""

import logging
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TypeVar, cast

from engine.errors import EngineError, InternalError
from engine.ingest.report import Report
from engine.ports import Clock
from engine.watch.agenda import URGENT_MOST, Agenda, Call, Scan
from engine.watch.change import Change, Kind
from engine.watch.debounce import Due
from engine.watch.desk import Desk, KeeperState, Trouble
from engine.watch.rhythm import Rhythm
from engine.watch.roots import KeptRoots
from engine.watch.watching import Watching

log = logging.getLogger(__name__)
Value = TypeVar("Value")

IGNORE_NAMES = (".gitignore", ".git")  # they decide on everything beside and below them


class Keeper:
    """The background thread; its methods may be called from any other."""

    def __init__(
        self,
        desk: Desk,
        watch: Callable[[Callable[[Change], None]], Watching],
        clock: Clock,
        *,
        debounce_ms: int,
        reconcile_minutes: int,
    ) -> None:
        self._desk = desk
        self._clock = clock
        self._wake = threading.Condition(threading.RLock())
        self._agenda = Agenda(clock, debounce_ms)
        self._watching = watch(self.report)
        self._roots = KeptRoots(self._watching, desk.list_roots, clock)
        self._rhythm = Rhythm(clock, reconcile_minutes)
        self._paused = self._stopping = self._nested = self._embedding = False
        self._busy = True
        self._trouble = Trouble(clock)
        self._thread = threading.Thread(target=self._run, name="sagasu-keeper", daemon=True)

    # From any thread

    def start(self) -> "Keeper":
        """Begin: the roots are compared, then kept."""
        self._thread.start()
        return self

    def stop(self, seconds: float = 5.0) -> None:
        """End what runs at its next step; what is not done is found again at the next start."""
        with self._wake:
            self._stopping = True
            self._wake.notify_all()
        self._watching.close()
        if self._thread.is_alive():
            self._thread.join(seconds)
        with self._wake:
            while self._agenda.calls:
                self._agenda.calls.popleft().done.cancel()
            for root in list(self._agenda.scans):
                self._agenda.forget_root(root)

    def pause(self) -> None:
        """Write nothing until `resume`; what changes meanwhile is kept on the list."""
        with self._wake:
            self._paused = True
            self._wake.notify_all()

    def resume(self) -> None:
        """Go on."""
        with self._wake:
            self._paused = False
            self._wake.notify_all()

    def state(self) -> KeeperState:
        """How it goes."""
        with self._wake:
            quiet = not self._busy and self._agenda.is_empty()
            trouble = self._trouble
            return KeeperState(
                self._paused, quiet, trouble.problem, trouble.warnings(), self._roots.away()
            )

    def roots_changed(self) -> None:
        """Roots were added, removed or paused: read their list anew."""
        with self._wake:
            self._roots.check_soon()
            self._busy = True  # not quiet before the new list has been looked at
            self._wake.notify_all()

    def skip_first_scan(self, root: str) -> None:
        """A root that is about to be added shall not be compared at once."""
        with self._wake:
            self._roots.skip_first(root)

    def scan(self, root: str, within: Sequence[str] = ()) -> "Future[Report]":
        """Compare `root`, or some places in it, soon."""
        future: Future[Report] = Future()
        with self._wake:
            self._agenda.add_scan(root, within, future)
            self._wake.notify_all()
        return future

    def look_at(self, paths: Sequence[str]) -> None:
        """These files are not as the index has them: look at them first."""
        with self._wake:
            self._agenda.add_hot(paths)
            self._wake.notify_all()

    def embed_soon(self) -> None:
        """Passages wait for their vectors."""
        with self._wake:
            self._agenda.embed = self._agenda.dirty = True
            self._wake.notify_all()

    def compare_all(self) -> None:
        """Compare every root: after sleep, or because somebody asks."""
        with self._wake:
            for root in self._roots.present():
                self._agenda.add_scan(root)
            self._wake.notify_all()

    def call(self, work: Callable[[], Value], root: str = "") -> Value:
        """Have `work` done between two runs (the one in hand is ended, and begun again later).

        With `root`, what is still to be done about that root is forgotten first.
        """
        if self.is_me():
            return work()
        future: Future[object] = Future()
        with self._wake:
            if root:
                self._agenda.forget_root(root)
            self._agenda.calls.append(Call(work, future))
            self._wake.notify_all()
        return cast("Value", future.result())

    def settle(self) -> None:
        """Tidy up now instead of at quiet."""
        self.call(self._settle)

    def wait_quiet(self, seconds: float) -> bool:
        """Wait until nothing is left to do; False when it takes longer."""
        end = self._clock.monotonic() + seconds
        with self._wake:
            while self._busy or not self._agenda.is_empty():
                left = end - self._clock.monotonic()
                if left <= 0:
                    return False
                self._wake.wait(min(left, 0.05))
        return True

    def is_me(self) -> bool:
        """Whether the caller is the keeper's own thread."""
        return threading.current_thread() is self._thread

    def report(self, change: Change) -> None:
        """A watcher's word."""
        with self._wake:
            if change.mark is not None:
                self._roots.saw_mark(change.path, change.mark)
            if change.kind is Kind.WARNING:
                log.warning("%s", change.text)
                self._trouble.warn(change.text)
                if change.path:
                    self._watching.poll(change.path)
            elif change.kind in (Kind.ROOT_GONE, Kind.ROOT_BACK):
                self._roots.check_soon()
            elif os.path.basename(change.path) in IGNORE_NAMES:
                self._agenda.debounce.add(os.path.dirname(change.path), folder=True)
            else:
                self._agenda.debounce.add(change.path, folder=change.kind is Kind.RESCAN)
            self._wake.notify_all()

    # On the keeper's thread

    def between(self) -> None:
        """Called by long runs at every step: urgent work is done here, and runs are ended here."""
        if self._nested or not self.is_me():
            return
        self._nested = True
        try:
            self._hold_while_paused()
            with self._wake:
                waits = self._agenda.calls or (self._embedding and self._agenda.scans)
                if self._stopping or waits:
                    self._desk.interrupt()
                due = not self._stopping and self._agenda.is_due()
            if due:
                self._serve_changes()
            self._check_roots()
        finally:
            self._nested = False

    def _hold_while_paused(self) -> None:
        with self._wake:
            if self._paused and not self._stopping:
                self._desk.tell("paused")
            while self._paused and not self._stopping and not self._agenda.calls:
                self._wake.wait()

    def _run(self) -> None:
        while not self._stopping:
            try:
                if self._step():
                    self._recover()
                else:
                    self._sleep()
            except EngineError as exc:
                log.error("%s %s", exc, exc.advice)
                self._stumble(exc)
            except Exception:  # a worker's top: whatever fails, keeping goes on
                log.exception("keeping the index fresh failed")
                self._stumble(InternalError())

    def _step(self) -> bool:
        """Do the most urgent thing; False when there is none."""
        if self._run_call():
            return True
        if self._paused or self._clock.monotonic() < self._trouble.retry_at:
            return False
        slept = self._rhythm.has_slept()
        if slept:
            log.info("the machine was asleep: every folder is compared")
        self._check_roots()
        if self._rhythm.must_compare() or slept:
            self.compare_all()
        return (
            self._serve_changes()
            or (self._agenda.dirty and self._rhythm.must_settle() and self._settle())
            or self._scan_next()
            or self._embed()
            or self._tidy()
        )

    def _run_call(self) -> bool:
        with self._wake:
            if not self._agenda.calls:
                return False
            call = self._agenda.calls.popleft()
        try:
            call.done.set_result(call.work())
        except EngineError as exc:
            call.done.set_exception(exc)
        except Exception as exc:  # a worker's top: whoever called gets it
            log.exception("a change failed")
            call.done.set_exception(exc)
        self._rhythm.note_work()
        return True

    def _check_roots(self) -> None:
        for root in self._roots.check():
            with self._wake:
                self._agenda.add_scan(root)
        with self._wake:
            for gone in self._roots.take_dropped():
                self._agenda.forget_root(gone)

    def _serve_changes(self) -> bool:
        with self._wake:
            due = self._agenda.take_due()
        if not due:
            return False
        try:
            self._handle(due)
        except BaseException:
            with self._wake:
                for path in due.paths:
                    self._agenda.debounce.add(path)
                for folder in due.folders:
                    self._agenda.debounce.add(folder, folder=True)
            raise
        return True

    def _handle(self, due: Due) -> None:
        folders = self._roots.sort_by_root(due.folders)
        for root, paths in self._roots.sort_by_root(due.paths).items():
            urgent = paths if len(due.paths) <= URGENT_MOST else []
            if root in folders:
                # What is no longer here may be in a folder that is new: compared together, moved
                # files stay the documents they were.
                urgent = [path for path in urgent if os.path.lexists(path)]
            rest = [path for path in paths if path not in set(urgent)]
            if urgent:
                report = self._desk.refresh(root, urgent, True)
                self._note(report)
                rest += report.unread
            if rest:
                folders.setdefault(root, []).extend(rest)
        for root, places in folders.items():
            with self._wake:
                self._agenda.add_scan(root, () if root in places else places)

    def _scan_next(self) -> bool:
        with self._wake:
            taken = self._agenda.take_scan()
        if taken is None:
            return False
        root, scan = taken
        for place in scan.within() or (root,):
            self._watching.cover(place)
        try:
            report = self._desk.refresh(root, scan.within(), False)
        except Exception as exc:  # a worker's top: whoever waits is told, and it is tried again
            self._refuse(root, scan, exc)
            raise
        self._note(report)
        if report.stopped and not self._stopping and self._roots.is_kept(root):
            with self._wake:
                self._agenda.put_back(root, scan)
        else:
            for future in scan.waiting:
                future.set_result(report)
        return True

    def _refuse(self, root: str, scan: Scan, exc: Exception) -> None:
        for future in scan.waiting:
            future.set_exception(exc)
        with self._wake:
            self._agenda.put_back(root, Scan(scan.whole, scan.places))

    def _embed(self) -> bool:
        if not self._agenda.embed:
            return False
        self._agenda.embed, self._embedding = False, True
        try:
            self._desk.embed()
        finally:
            self._embedding = False
            waits = self._stopping or self._agenda.calls or self._agenda.scans
            self._agenda.embed = self._agenda.embed or bool(waits)  # it may have been ended early
        self._rhythm.note_work()
        return True

    def _tidy(self) -> bool:
        """At quiet: sweep and write the snapshots; later let the workers go."""
        if self._agenda.dirty and not len(self._agenda.debounce):
            return self._rhythm.may_settle() and self._settle()
        if self._rhythm.may_rest():
            self._desk.rest()
        return False

    def _settle(self) -> bool:
        for root, mark in self._roots.take_marks() if self._agenda.is_empty() else ():
            self._desk.remember(root, mark)
        self._desk.settle()
        self._agenda.dirty = False
        self._rhythm.note_settled()
        return True

    def _note(self, report: Report) -> None:
        if report.read or report.moved or report.removed:
            self._agenda.dirty = self._agenda.embed = True
        self._rhythm.note_work()

    def _sleep(self) -> None:
        with self._wake:
            if self._busy:
                self._desk.tell("paused" if self._paused else "idle")
                self._busy = False
                self._wake.notify_all()
            if not (self._stopping or self._agenda.calls):
                self._wake.wait(self._wait_seconds())
            self._busy = True

    def _wait_seconds(self) -> float:
        """Until the next thing may be due; not for ever: roots may come and go unreported."""
        if self._paused:
            return 60.0
        now = self._clock.monotonic()
        if now < self._trouble.retry_at:
            return self._trouble.retry_at - now
        waits = [self._rhythm.wait_seconds(self._agenda.dirty), self._roots.wait_seconds()]
        soon = self._agenda.debounce.wait_seconds()
        if soon is not None:
            waits.append(soon)
        return max(0.001, min(waits))

    def _recover(self) -> None:
        if self._trouble.problem:
            log.info("writing works again")
        self._trouble.recover()

    def _stumble(self, error: EngineError) -> None:
        with self._wake:
            self._trouble.stumble(error)
