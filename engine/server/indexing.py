"""How does another program have something indexed now? It asks, and asks again until it is done.

Reading a large folder takes longer than a request may. So the first request starts it and waits a
while; until it is finished the answer is 202 "running", and the next request for the same path goes
on waiting.
"""

import asyncio
import os
import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as Unfinished

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from engine.api import Engine, Report
from engine.server.folders import read_folder
from engine.server.refuse import JsonResponse
from engine.server.schemas import Given, Path
from engine.server.service import service_of

router = APIRouter(prefix="/api/v1", tags=["folders"])
WAIT_SECONDS = 5.0


class IndexBody(Given):
    """A file or folder to index."""

    path: Path = ""


class Jobs:
    """What is being indexed for whom; one run a path, however often it is asked for."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._guard = threading.Lock()
        self._running: dict[str, Future[Report]] = {}

    def wait(self, path: str) -> Report | None:
        """The report of the run over `path`, started if need be; None while it goes on."""
        with self._guard:
            run = self._running.get(path)
            if run is None:
                run = self._running[path] = self._start(path)
        try:
            report = run.result(WAIT_SECONDS)
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


@router.post("/index", include_in_schema=False)  # for the command line: others add a folder
async def index(body: IndexBody, request: Request) -> Response:
    """Make a file or folder searchable now; what has not changed is not read again."""
    service = service_of(request)
    full = read_folder(body.path, "path is required")
    if not os.path.exists(full):
        raise HTTPException(404, "no such file or folder")
    jobs: Jobs = request.app.state.jobs
    report = await asyncio.get_running_loop().run_in_executor(None, jobs.wait, full)
    service.events.changed()
    if report is None:
        return JsonResponse({"path": full, "status": "running", "report": None}, status_code=202)
    return JsonResponse({"path": full, "status": "indexed", "report": report.to_json()})
