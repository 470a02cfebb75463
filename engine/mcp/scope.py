"""What may assistants see? The indexed folders, or those that `mcp.folders` names, and no more."""

import os

from engine.api import Engine
from engine.errors import NotFoundError, OutsideRootsError
from engine.mcp.present import Names
from engine.models import DocumentView


def shown_folders(engine: Engine) -> tuple[str, ...]:
    """The folders that the settings show to assistants; empty: all of them."""
    named = engine.config.mcp.folders
    return tuple(os.path.realpath(os.path.expanduser(one)) for one in named)


def search_folders(engine: Engine, folder: str) -> tuple[str, ...]:
    """Where to search: `folder` if it is one that may be seen, else all that may."""
    shown = shown_folders(engine)
    if not folder:
        return shown
    for full in Names(engine).candidates(folder):
        if os.path.isdir(full) and _may_see(engine, full, shown):
            return (full,)
    raise OutsideRootsError(path=folder)


def find_document(engine: Engine, given: str) -> DocumentView:
    """The document that an assistant means by an id, a path or a short name."""
    shown = shown_folders(engine)
    for name in (given, *Names(engine).candidates(given)):
        try:
            view = engine.document(name)
        except NotFoundError:
            continue
        if not view.path and not shown:  # text that came through the HTTP door has no file
            return view
        if view.path and _may_see(engine, view.path, shown):
            return view
    raise NotFoundError(what=f"document {given}", fix="Use a path or id from a search result.")


def _may_see(engine: Engine, path: str, shown: tuple[str, ...]) -> bool:
    real = os.path.realpath(path)
    roots = [root.path for root in engine.roots()]
    if not any(_inside(path, root) and _inside(real, os.path.realpath(root)) for root in roots):
        return False
    return not shown or any(_inside(real, one) for one in shown)


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
