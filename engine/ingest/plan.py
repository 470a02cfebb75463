"""What differs between disk and ledger? The whole folder in one pass; only differences are touched.

A file whose size, date and inode are as the ledger has them is unchanged: one stat, one look-up.
A vanished path whose inode turns up under a new name is a move. What lies below a folder that
cannot be read, in a root that is not there, or on a disk that was mounted inside it and is away, is
missing: kept, never removed.
"""

import contextlib
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from engine.files.identity import storable
from engine.files.rules import Rules, Ruling, Verdict
from engine.files.walk import Seen, find_stop, walk
from engine.ingest.pipeline import Task
from engine.models import State
from engine.store.ledger import LedgerRow, Root, below

_STATES = {
    Ruling.SKIP: State.SKIPPED,
    Ruling.EVICTED: State.EVICTED,
    Ruling.FAILED: State.FAILED,
}
_BY_HAND = Verdict(Ruling.TAKE, "", "named by you")


@dataclass(slots=True)
class Plan:
    """What to do about one root."""

    read: list[Task] = field(default_factory=list)
    rows: list[LedgerRow] = field(default_factory=list)  # to write as they are: no reading needed
    moved: list[tuple[LedgerRow, Task]] = field(default_factory=list)
    gone: list[LedgerRow] = field(default_factory=list)
    missing: list[LedgerRow] = field(default_factory=list)
    unchanged: int = 0
    tops: tuple[str, ...] = ()  # what was compared
    ended: bool = False  # before all was compared: nothing is to be done

    def leave_out(self, overtaken: Callable[[str], bool]) -> None:
        """Do nothing about paths that somebody has looked at later than this plan did."""
        moved, self.moved = self.moved, []
        for old, task in moved:
            if not overtaken(old.path) and not overtaken(task.path):
                self.moved.append((old, task))
            else:  # whichever end is left is a file of its own
                self.gone.append(old)
                self.read.append(task)
        self.read = [task for task in self.read if not overtaken(task.path)]
        self.rows = [row for row in self.rows if not overtaken(row.path)]
        self.gone = [row for row in self.gone if not overtaken(row.path)]
        self.missing = [row for row in self.missing if not overtaken(row.path)]


_Known = tuple[int, int, int, int, str, str, str, int | None, float]
_LEDGER = (
    "SELECT path, size, mtime_ns, inode, device, state, reason, rule, document_id, changed "
    "FROM files WHERE root_id = ? AND (path = ? OR (path >= ? AND path < ?))"
)
_ON_DEVICE = (
    "SELECT path, inode FROM files WHERE root_id = ? AND device = ? AND state != 'missing' LIMIT 50"
)
ASK_EVERY = 200  # entries of the disk between two questions whether to go on
RACY_SECONDS = 2.0  # read so soon after its last change, a file may change again unseen by its date


def plan_root(
    connection: sqlite3.Connection,
    root: Root,
    rules: Rules,
    now: float,
    within: Sequence[str] = (),
    proceed: Callable[[], bool] = lambda: True,
) -> Plan:
    """Compare `root` (or the files and folders `within` it) with what the ledger knows of it.

    `proceed` is asked now and then, and may wait, or say stop.
    """
    tops = find_tops(root, rules, within)
    known: dict[str, _Known] = {}
    for top in tops:
        here = storable(top)
        rows = connection.execute(_LEDGER, (root.id, here, *below(here)))
        known.update((row[0], row[1:]) for row in rows)
    plan = Plan(tops=tops)
    everything = dict(known)
    if is_unreachable(root, known):
        plan.missing = [_row(path, root.id, facts, now) for path, facts in known.items()]
        return plan
    closed: list[str] = []
    present: set[int] = set()  # devices, by the numbers of now and by those in the ledger
    looks = (seen for top in tops for seen in look(root, rules, top))
    for count, seen in enumerate(looks):
        if count % ASK_EVERY == ASK_EVERY - 1 and not proceed():
            return Plan(tops=tops, ended=True)
        path = seen.path if seen.path.isascii() else storable(seen.path)
        if seen.verdict.ruling is Ruling.FAILED and seen.is_dir:
            closed.append(seen.path)
        facts = known.pop(path, None)
        present.add(seen.device)
        if facts is not None and facts[2] == seen.inode:
            present.add(facts[3])
        _compare(plan, root, seen, facts, now, told=bool(within))
    if known and is_unreachable(root, everything):  # the disk went away while we looked
        rows_away = [_row(path, root.id, facts, now) for path, facts in everything.items()]
        return Plan(tops=tops, missing=rows_away)
    for device in {facts[3] for facts in known.values()} - present:
        if _is_renumbered(connection, root, device, known):
            present.add(device)
    away = {path for path, facts in known.items() if is_away(root, path, facts[3], present)}
    _settle(plan, root, known, closed, away, now)
    return plan


def find_tops(root: Root, rules: Rules, within: Sequence[str]) -> tuple[str, ...]:
    """The places to compare: where a walk would stop on its way to each, none inside another."""
    places = {
        path if path == root.path else find_stop(root.path, path, rules).path for path in within
    }
    if not within or root.path in places:
        return (root.path,)
    tops: list[str] = []
    for place in sorted(places, key=lambda place: place.split("/")):
        if not tops or not place.startswith(tops[-1] + "/"):
            tops.append(place)
    return tuple(tops)


def look(root: Root, rules: Rules, top: str) -> Iterator[Seen]:
    """What is on the disk at `top`: a folder's files, a single file, or nothing."""
    try:
        status = os.stat(root.path)
    except OSError:
        return
    if stat.S_ISREG(status.st_mode):
        facts = (status.st_size, status.st_mtime_ns, status.st_ino, status.st_dev)
        yield Seen(root.path, *facts, _BY_HAND, False)
    else:
        yield from walk(root.path, rules, top)


def is_unreachable(root: Root, known: dict[str, _Known]) -> bool:
    """Whether the root's disk is away: gone altogether, or an empty mount point in its place."""
    try:
        status = os.stat(root.path)
    except OSError:
        return True
    if not stat.S_ISDIR(status.st_mode) or not known:
        return False
    devices = {facts[3] for facts in known.values() if facts[3]}
    if status.st_dev in devices or not devices:
        return False
    with os.scandir(root.path) as listing:
        return next(listing, None) is None


def is_away(root: Root, path: str, device: int, present: set[int]) -> bool:
    """Whether a path that is not there lay on a disk that was mounted inside the root: nothing of
    that disk has been seen, and the folders that are left are another's."""
    if not device or device in present:
        return False
    folder = path
    while len(folder) > len(root.path):
        folder = os.path.dirname(folder)
        try:
            return os.stat(folder).st_dev != device
        except OSError:
            continue
    return False


def _is_renumbered(
    connection: sqlite3.Connection, root: Root, device: int, left: dict[str, _Known]
) -> bool:
    """Whether files of this device are still where they were: it has another number now."""
    rows = connection.execute(_ON_DEVICE, (root.id, device)).fetchall()
    for path, inode in rows:
        if path not in left:
            with contextlib.suppress(OSError):
                if os.lstat(path).st_ino == inode:
                    return True
    return False


def _compare(
    plan: Plan, root: Root, seen: Seen, facts: _Known | None, now: float, *, told: bool
) -> None:
    """`told`: the system said that this place changed, so a date as before is no proof."""
    ruling = seen.verdict.ruling
    path = storable(seen.path)
    if ruling is Ruling.TAKE and path != seen.path:
        verdict = Verdict(Ruling.FAILED, "its name is not valid UTF-8", "rename the file")
        seen, ruling = seen._replace(path=path, verdict=verdict), Ruling.FAILED
    if ruling is Ruling.TAKE:
        # Without the device: a disk that was unplugged comes back under another number.
        same = facts is not None and facts[:3] == (seen.size, seen.mtime_ns, seen.inode)
        if same and facts is not None and _is_settled(facts) and not (told and _is_racy(facts)):
            plan.unchanged += 1
            if facts[3] != seen.device:
                plan.rows.append(_row(path, root.id, (*facts[:3], seen.device, *facts[4:]), now))
            return
        if same and facts is not None and facts[4] == State.MISSING and facts[7] is not None:
            known = (*facts[:3], seen.device, State.INDEXED, facts[5], "", facts[7], now)
            plan.rows.append(_row(path, root.id, known, now))
            return
        plan.read.append(Task(path, seen.size, seen.mtime_ns, seen.inode, seen.device))
        return
    state = _STATES[ruling]
    fresh: _Known = (
        seen.size,
        seen.mtime_ns,
        seen.inode,
        seen.device,
        state.value,
        seen.verdict.reason,
        seen.verdict.rule,
        None,
        now,
    )
    if facts is not None and facts[7] is not None:
        plan.gone.append(_row(path, root.id, facts, now))  # was indexed, is kept out now
    if facts is None or facts[4:7] != fresh[4:7]:
        plan.rows.append(_row(path, root.id, fresh, now))
    else:
        plan.unchanged += 1


def _is_settled(facts: _Known) -> bool:
    """Whether reading again would tell nothing new: not so when a rule kept the file out that no
    longer does, nor when the system refused it (a permission changes without a trace in stat)."""
    state, reason, rule = facts[4:7]
    if state == State.FAILED:
        return not reason.startswith("cannot be opened")
    return state == State.INDEXED or (state == State.SKIPPED and not rule)


def _is_racy(facts: _Known) -> bool:
    """Whether the file was read within moments of its date: dates advance in steps of the system's
    clock, and a second change in the same step leaves size and date as they were."""
    return facts[8] - facts[1] / 1e9 < RACY_SECONDS


def _settle(
    plan: Plan,
    root: Root,
    left: dict[str, _Known],
    closed: list[str],
    away: set[str],
    now: float,
) -> None:
    """What the ledger has and the disk no longer shows: missing, moved or gone."""
    by_inode = {
        (task.inode, task.device, task.size): position for position, task in enumerate(plan.read)
    }
    claimed: set[int] = set()
    ranges = [below(folder) for folder in closed]
    for path, facts in left.items():
        row = _row(path, root.id, facts, now)
        if path in away or any(low <= path < high for low, high in ranges):
            if facts[4] != State.MISSING:
                plan.missing.append(row)
            continue
        position = by_inode.get((facts[2], facts[3], facts[0]))
        if position is not None and position not in claimed and facts[7] is not None:
            task = plan.read[position]
            if task.mtime_ns == facts[1] and reads_alike(path, task.path):
                claimed.add(position)
                plan.moved.append((row, task))
                continue
        plan.gone.append(row)
    plan.read = [task for position, task in enumerate(plan.read) if position not in claimed]


def reads_alike(old: str, new: str) -> bool:
    """Whether a file is read the same way under both names: its name decides on the format."""
    old_name, new_name = os.path.basename(old), os.path.basename(new)
    ending = os.path.splitext(old_name)[1].lower()
    return old_name == new_name or (
        ending != "" and ending == os.path.splitext(new_name)[1].lower()
    )


def _row(path: str, root_id: int, facts: _Known, now: float) -> LedgerRow:
    size, mtime_ns, inode, device, state, reason, rule, document_id, _ = facts
    return LedgerRow(
        path, root_id, State(state), reason, rule, size, mtime_ns, inode, device, document_id, now
    )
