"""What happens the first time? A few steps, each asked only when it is needed, each skippable.

The page shows them; which are done is decided from facts, never from having clicked through.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known when the welcome is shown."""

    folders: int = 0
    hotkey: str = ""  # empty: none could be registered
    refused: tuple[str, ...] = ()  # folders that the system keeps closed
    meaning_off: str = ""
    launch_at_login: bool = False
    on_mac: bool = True


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what it says, what its button does, and when it is done or not needed."""

    name: str
    title: str
    text: str
    button: str
    action: str
    done: Callable[[Facts], bool]
    needed: Callable[[Facts], bool] = lambda facts: True


STEPS: tuple[Step, ...] = (
    Step(
        "folders", "Choose what to search",
        "Sagasu reads only the folders that you add. Nothing leaves this computer.",
        "Add Folder…", "roots_pick", lambda facts: facts.folders > 0,
    ),
    Step(
        "hotkey", "Call it from anywhere",
        "These keys show and hide the panel, over every application.",
        "Change…", "hotkey", lambda facts: bool(facts.hotkey), lambda facts: facts.on_mac,
    ),
    Step(
        "permission", "Let it read closed folders",
        "macOS keeps some of your folders closed to every application until you say otherwise.",
        "Open System Settings", "full_disk_access", lambda facts: not facts.refused,
        lambda facts: facts.on_mac and bool(facts.refused),
    ),
    Step(
        "model", "Search by meaning",
        "The model that understands meaning is missing or damaged. Names and words still work.",
        "", "", lambda facts: not facts.meaning_off, lambda facts: bool(facts.meaning_off),
    ),
    Step(
        "login", "Be there when you log in",
        "Starts quietly, without a window.",
        "Start at Login", "launch_at_login", lambda facts: facts.launch_at_login,
        lambda facts: facts.on_mac,
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StepShown:
    """A step as the page shows it."""

    name: str
    title: str
    text: str
    button: str
    action: str
    done: bool


def find_steps(facts: Facts) -> tuple[StepShown, ...]:
    """The steps that this person needs, in order, with what is done."""
    return tuple(
        StepShown(s.name, s.title, s.text, s.button, s.action, s.done(facts))
        for s in STEPS
        if s.needed(facts)
    )


def should_welcome(facts: Facts, seen: bool) -> bool:
    """Is the welcome shown by itself? Until it was seen, and while nothing is searched."""
    return not seen and facts.folders == 0
