"""First run: 1 steps are done by facts; 2 only what is needed is asked; 3 the welcome shows itself
once, and not to someone who has folders.
"""

from app.first_run import STEPS, Facts, find_steps, should_welcome


def names(facts: Facts) -> dict[str, bool]:
    return {step.name: step.done for step in find_steps(facts)}


def test_fresh_mac_needs_folders_and_login_only() -> None:
    assert names(Facts(hotkey="⌥Space")) == {"folders": False, "hotkey": True, "login": False}


def test_permission_is_asked_only_after_a_refusal() -> None:
    assert names(Facts(folders=1, hotkey="⌥Space", refused=("/Mail",)))["permission"] is False


def test_missing_model_is_a_step() -> None:
    assert names(Facts(meaning_off="no model"))["model"] is False


def test_off_mac_there_are_only_folders() -> None:
    assert names(Facts(on_mac=False, folders=2)) == {"folders": True}


def test_welcome_shows_itself_once() -> None:
    assert should_welcome(Facts(), seen=False)
    assert not should_welcome(Facts(), seen=True)
    assert not should_welcome(Facts(folders=1), seen=False)


def test_steps_are_told_apart_and_explained() -> None:
    assert len({step.name for step in STEPS}) == len(STEPS)
    assert all(step.title and step.text for step in STEPS)
