"""How does another program say what is to be indexed now, or first?

Reading a large folder takes longer than a request may. So the first request starts it and waits a
while; until it is finished the answer is 202 "running", and the next request for the same path goes
on waiting. A report that nobody came back for is kept for a minute.
"""

import asyncio
import os
import threading
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Unfinished

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import Response

from engine.api import Engine, Report
from engine.server.folders import read_folder
from engine.server.guard import client_of
from engine.server.refuse import JsonResponse
from engine.server.schemas import Answers, Done, Given, Path, problem
from engine.server.service import service_of

router = APIRouter(prefix="/api/v1", tags=["folders"])
KEPT_SECONDS = 60.0


class IndexBody(Given):
    """A file or folder to index."""

    path: Path = Field(min_length=1, description="Its full path")
    wait_seconds: float = Field(
        5.0, ge=0, le=30, description="How long to wait for the end; after it: 202"
    )


class FailedFile(BaseModel):
    """A file that could not be read."""

    path: str
    reason: str


class IndexReport(BaseModel):
    """What a run did, in files, and in passages where it says so."""

    indexed: int
    unchanged: int
    moved: int
    removed: int
    skipped: int
    failed: int
    missing: int
    passages: int
    embedded: int
    seconds: float
    stopped: bool
    semantic_off: str
    failures: list[FailedFile] = Field(description="The first few; coverage has them all")


class IndexAnswer(BaseModel):
    """How far it is: `indexed` with its report, or `running`."""

    path: str
    status: str
    report: IndexReport | None


RUNNING: Answers = {
    202: {"model": IndexAnswer, "description": "It goes on; ask again for its end"},
    **problem(404, "No such file or folder"),
}


class OpenedBody(Given):
    """A document that somebody opened."""

    id: Path = Field(min_length=1, description="Its id, or its file's path")


class Jobs:
    """What is being indexed for whom; one run a path, however often it is asked for."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._guard = threading.Lock()
        self._running: dict[str, Future[Report]] = {}
        self._ended: dict[str, float] = {}

    def wait(self, path: str, seconds: float) -> Report | None:
        """The report of the run over `path`, started if need be; None while it goes on."""
        with self._guard:
            self._forget_old()
            run = self._running.get(path)
            if run is None:
                run = self._running[path] = self._start(path)
                run.add_done_callback(lambda done: self._ended.setdefault(path, time.monotonic()))
        try:
            report = run.result(seconds)
        except Unfinished:
            return None
        except BaseException:
            self._forget(path)
            raise
        self._forget(path)
        return report

    def _start(self, path: str) -> "Future[Report]":
        # Who has a service running expects it to keep the folder fresh.
        root, within = self._engine.add_root(path, watched=os.path.isdir(path))
        keeper = self._engine.keeper
        if keeper is not None:
            return keeper.scan(root.path, (within,) if within else ())
        done: Future[Report] = Future()
        done.set_result(self._engine.index(path))
        return done

    def _forget(self, path: str) -> None:
        with self._guard:
            self._running.pop(path, None)
            self._ended.pop(path, None)

    def _forget_old(self) -> None:
        """Whoever asks much later wants a new run, not the end of an old one."""
        long_ago = time.monotonic() - KEPT_SECONDS
        for path in [one for one, ended in self._ended.items() if ended < long_ago]:
            self._running.pop(path, None)
            self._ended.pop(path, None)


@router.post("/index", response_model=IndexAnswer, responses=RUNNING)
async def index(body: IndexBody, request: Request) -> Response:
    """Make a file or folder searchable now; what has not changed is not read again."""
    service = service_of(request)
    full = read_folder(body.path, "path is required")
    if not os.path.exists(full):
        raise HTTPException(404, "no such file or folder")
    jobs: Jobs = request.app.state.jobs
    report = await asyncio.get_running_loop().run_in_executor(
        None, jobs.wait, full, body.wait_seconds
    )
    service.events.changed()
    if report is None:
        return JsonResponse({"path": full, "status": "running", "report": None}, status_code=202)
    return JsonResponse({"path": full, "status": "indexed", "report": report.to_json()})


@router.post("/opened", response_model=Done, responses=problem(404, "No such document"))
async def note_opening(body: OpenedBody, request: Request) -> Response:
    """Say that somebody opened a document: its meaning is made before that of others."""
    service, client = service_of(request), client_of(request)
    view = await service.calls.ask(lambda: service.document(client, body.id))
    await service.calls.ask(lambda: service.engine.opened(view.id))
    return JsonResponse({"status": "noted"})
