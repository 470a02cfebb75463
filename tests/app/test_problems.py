"""Problems: 1 every error of the engine becomes an alert with a whole sentence; 2 the button does
what helps; 3 a missing model does not block; 4 no terminal command where a button helps.
"""

from string import Formatter

import pytest

from app.problems import describe_problem
from engine import errors
from engine.errors import EngineError

KINDS = sorted(
    (
        one
        for one in vars(errors).values()
        if isinstance(one, type) and issubclass(one, EngineError)
    ),
    key=lambda one: one.__name__,
)


def make(kind: type[EngineError]) -> EngineError:
    names = {name for _, name, _, _ in Formatter().parse(kind.say + kind.hint) if name}
    if kind.__init__ is not EngineError.__init__:
        names = {name for name in kind.__init__.__annotations__ if name != "return"}
    return kind(**{name: "something" for name in names})


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_error_becomes_a_sentence(kind: type[EngineError]) -> None:
    alert = describe_problem(make(kind))
    assert alert.title
    assert alert.text[0].upper() == alert.text[0]
    assert "{" not in alert.text
    assert alert.button


@pytest.mark.parametrize(
    ("error", "action"),
    [
        (errors.IndexDamagedError(path="/d", problem="x"), "repair"),
        (errors.IndexLockedError(pid=3), "retry"),
        (errors.UnreadableFileError(problem="not permitted"), "full_disk_access"),
    ],
)
def test_button_does_what_helps(error: EngineError, action: str) -> None:
    alert = describe_problem(error)
    assert alert.action == action
    assert "sagasu " not in alert.text


def test_missing_model_does_not_block() -> None:
    alert = describe_problem(errors.ModelMissingError(path="/m"))
    assert not alert.blocking
    assert "words still work" in alert.text
