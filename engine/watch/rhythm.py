"""When is it time to compare everything, to tidy up, to rest? The keeper's sense of time.

Single edits stay cheap: snapshots are written at quiet, and not twice within half a minute; but at
the latest every five minutes. All by a clock that nobody sets; the calendar only tells of sleep.
"""

from engine.ports import Clock

SETTLE_QUIET_SECONDS = 2.0
SETTLE_LEAST_SECONDS = 30.0  # between two tidyings
SETTLE_MOST_SECONDS = 300.0
REST_SECONDS = 60.0
SLEPT_SECONDS = 60.0  # the calendar ran ahead of us by this much: the machine was asleep


class Rhythm:
    """Moments of the past, and what they mean now. Used by the keeper's thread."""

    def __init__(self, clock: Clock, reconcile_minutes: int) -> None:
        self._clock = clock
        now = clock.monotonic()
        self._reconcile_seconds = reconcile_minutes * 60.0
        self._reconcile_at = now + self._reconcile_seconds
        self._worked_at = self._settled_at = now
        self._rested = True
        self._calendar = clock.now() - now

    def note_work(self) -> None:
        """Something was done just now."""
        self._worked_at = self._clock.monotonic()
        self._rested = False

    def note_settled(self) -> None:
        """Everything was tidied up just now."""
        self._settled_at = self._clock.monotonic()

    def has_slept(self) -> bool:
        """Whether the calendar leapt ahead since the last time; set back it means nothing."""
        calendar = self._clock.now() - self._clock.monotonic()
        leapt = calendar - self._calendar > SLEPT_SECONDS
        self._calendar = calendar
        return leapt

    def must_compare(self) -> bool:
        """Whether everything is to be compared again; True once each time it is due."""
        now = self._clock.monotonic()
        if now < self._reconcile_at:
            return False
        self._reconcile_at = now + self._reconcile_seconds
        return True

    def must_settle(self) -> bool:
        """Whether tidying up can wait no longer, quiet or not."""
        return self._clock.monotonic() - self._settled_at > SETTLE_MOST_SECONDS

    def may_settle(self) -> bool:
        """Whether it is quiet enough to tidy up."""
        return self._wait_settle() <= 0

    def may_rest(self) -> bool:
        """Whether there was nothing to do for long; True once each time."""
        idle = self._clock.monotonic() - self._worked_at
        if self._rested or idle < REST_SECONDS:
            return False
        self._rested = True
        return True

    def wait_seconds(self, dirty: bool) -> float:
        """How long until something of this is due."""
        wait = self._reconcile_at - self._clock.monotonic()
        return min(wait, self._wait_settle()) if dirty else wait

    def _wait_settle(self) -> float:
        now = self._clock.monotonic()
        quiet = SETTLE_QUIET_SECONDS - (now - self._worked_at)
        return max(quiet, SETTLE_LEAST_SECONDS - (now - self._settled_at))
