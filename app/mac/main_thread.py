"""How does a call reach the main thread? AppKit may be touched nowhere else."""

import logging
import threading
from collections.abc import Callable
from typing import TypeVar

from Foundation import NSThread
from PyObjCTools import AppHelper

from engine.errors import DesktopError, EngineError, InternalError

log = logging.getLogger(__name__)

T = TypeVar("T")
SECONDS = 10.0


def on_main(call: Callable[[], None]) -> None:
    """Does `call` soon on the main thread, also while a menu is open."""

    def safe() -> None:
        try:
            call()
        except Exception:  # a main-thread callback: crossing into Objective-C would end the app
            log.exception("a call on the main thread failed")

    AppHelper.callAfter(safe)


def ask_main(call: Callable[[], T], seconds: float = SECONDS) -> T:
    """What `call` returns on the main thread; its errors are raised here.

    The main thread itself never waits for another one, so this cannot lock up.
    """
    if NSThread.isMainThread():
        return call()
    answers: list[T] = []
    errors: list[EngineError] = []
    done = threading.Event()

    def work() -> None:
        try:
            answers.append(call())
        except EngineError as exc:
            errors.append(exc)
        except Exception:  # a main-thread callback: crossing into Objective-C would end the app
            log.exception("a call on the main thread failed")
            errors.append(InternalError())
        finally:
            done.set()

    AppHelper.callAfter(work)
    if not done.wait(seconds):
        raise DesktopError(what="The request", problem=f"no answer in {seconds:.0f} seconds")
    if errors:
        raise errors[0]
    return answers[0]
