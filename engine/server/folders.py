"""Which addresses say what is searched? Watched folders, all roots, and the coverage of each."""

import dataclasses
import os
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from engine.errors import InvalidValueError, NotFoundError
from engine.models import State
from engine.server import wire
from engine.server.guard import client_of
from engine.server.refuse import JsonResponse, refusal
from engine.server.schemas import FolderBody, FolderDone, Folders, problem
from engine.server.service import Service, service_of
from engine.server.tokens import inside

router = APIRouter(prefix="/api/v1", tags=["folders"])
OUTSIDE = problem(403, "Not in any indexed folder")
MISSING = problem(404, "No such folder")


@router.get("/watch/directories", response_model=Folders)
async def list_folders(request: Request) -> Response:
    """The watched folders."""
    service, client = service_of(request), client_of(request)
    roots = await service.calls.ask(service.engine.roots)
    paths = [root.path for root in roots if root.watched and client.sees(root.path)]
    return JsonResponse({"directories": paths})


@router.post("/watch/directories", status_code=201, response_model=FolderDone, responses=MISSING)
async def add_folder(body: FolderBody, request: Request) -> Response:
    """Watch a folder; adding it twice changes nothing."""
    service = service_of(request)
    full = read_folder(body.path, "path is required")
    await service.calls.ask(lambda: _check_folder(full))
    await service.calls.ask(lambda: service.engine.watch_root(full, sync=body.sync))
    if body.sync and service.engine.keeper is None:
        service.calls.later(lambda: _sync(service, full))
    service.events.changed()
    return JsonResponse({"path": full, "status": "added"}, status_code=201)


@router.delete("/watch/directories", response_model=FolderDone)
async def remove_folder(
    request: Request,
    path: Annotated[str, Query(max_length=4096)] = "",
    body: FolderBody | None = None,
) -> Response:
    """Watch and search a folder no longer, and forget what was indexed in it."""
    service = service_of(request)
    full = read_folder(path or (body.path if body else ""), "path is required (query or body)")
    await service.calls.ask(lambda: _forget(service, full))
    service.events.changed()
    return JsonResponse({"path": full, "status": "removed"})


@router.get("/roots")
async def list_roots(request: Request) -> dict[str, Any]:
    """Every searched folder with its numbers."""
    service, client = service_of(request), client_of(request)
    status = await service.calls.ask(service.engine.status)
    roots = [dataclasses.asdict(root) for root in status.roots if client.sees(root.path)]
    return {"roots": roots}


@router.get("/coverage", responses=OUTSIDE)
async def show_coverage(
    request: Request,
    path: Annotated[str, Query(max_length=4096)] = "",
    state: Annotated[str, Query(max_length=40)] = "",
    reason: Annotated[str, Query(max_length=1000)] = "",
    limit: Annotated[int, Query(ge=0, le=10_000)] = 100,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
) -> Response:
    """Which files can be found, and why the others cannot."""
    service, client = service_of(request), client_of(request)
    if state and state not in {one.value for one in State}:
        known = ", ".join(one.value for one in State)
        raise InvalidValueError(
            name="state", problem=f"“{state}” is unknown", fix=f"One of: {known}."
        )
    if client.folders and not path:
        return refusal(403, "this token sees some folders only", "Name one of them as path.")
    where = await service.calls.ask(lambda: service.check_inside(client, path)) if path else ""
    coverage = await service.calls.ask(
        lambda: service.engine.coverage(
            where, state=state, reason=reason, limit=limit, offset=offset
        )
    )
    return JsonResponse(wire.write_coverage(coverage))


def read_folder(path: str, missing: str) -> str:
    """The full path that was named."""
    if not path.strip():
        raise HTTPException(400, missing)
    if "\0" in path or not path.isprintable():
        raise HTTPException(400, "invalid path")
    full = os.path.expanduser(path)
    return os.path.abspath(full)


def _check_folder(full: str) -> None:
    if not os.path.exists(full):
        raise NotFoundError(what="directory", fix="Check the spelling of the path.")
    if not os.path.isdir(full):
        raise HTTPException(400, "path is not a directory")


def _sync(service: Service, full: str) -> None:
    """Index the folder, unless it has been removed while it waited for its turn."""
    if any(inside(full, root.path) for root in service.engine.roots()):
        service.engine.index(full, watched=True)


def _forget(service: Service, full: str) -> None:
    try:
        service.engine.unwatch_root(full)
    except NotFoundError:
        return  # as Sagasu does: what is not watched is not watched afterwards
