"""How is the HTTP door put together? Routes, the layers around them, and what both share.

From the outside in: request log, guard, limits, gzip, routes. Whatever goes wrong in any of them is
answered as JSON `{"error": …}`.
"""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.telemetry import TelemetryConfig
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response

from engine import __version__
from engine.api import Engine
from engine.errors import EngineError
from engine.seen import SeenLog
from engine.server import (
    admin,
    documents,
    folders,
    indexing,
    insight,
    pages,
    ragdocs,
    search,
    status,
)
from engine.server.access import RequestLog
from engine.server.calls import Calls
from engine.server.events import Events
from engine.server.guard import Guard
from engine.server.limits import ANSWER_SECONDS, BODY_SECONDS, Limits
from engine.server.refuse import (
    CatchDefects,
    describe_invalid,
    refusal,
    refuse_engine_error,
    refuse_http_error,
)
from engine.server.schemas import Answers, Problem
from engine.server.service import PanelHandler, Service
from engine.server.tokens import Tokens, read_owner_token

log = logging.getLogger(__name__)

ROUTERS: tuple[APIRouter, ...] = (
    status.router,
    search.router,
    insight.router,
    documents.router,
    folders.router,
    indexing.router,
    ragdocs.router,
    admin.router,
    pages.router,
)
STREAMS = ("/api/v1/events", "/api/v1/search/stream", "/query_documents_stream")
# Off whatever the environment says: nothing leaves this machine.
NO_TELEMETRY: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
EVERYWHERE: Answers = {
    400: {"model": Problem, "description": "The request cannot be understood"},
    401: {"model": Problem, "description": "No token, or a wrong one"},
    403: {"model": Problem, "description": "Not for this client"},
}


def build_app(
    engine: Engine,
    *,
    port: int | None = None,
    panel_handler: PanelHandler | None = None,
    panel_files: Path | None = None,
    body_seconds: float = BODY_SECONDS,
    answer_seconds: float = ANSWER_SECONDS,
) -> FastAPI:
    """The application; `port` is the one that Host must name (None: any)."""
    home = engine.places.home
    tokens = Tokens(read_owner_token(engine.places.token), home / "tokens.json")
    seen = SeenLog(home / "access.log")
    service = Service(engine, Calls(), Events(), tokens, seen, panel_handler)
    files = panel_files or pages.PANEL_FILES
    limits = Middleware(
        Limits,
        body_limit_mb=engine.config.server.body_limit_mb,
        endless=STREAMS,
        body_seconds=body_seconds,
        answer_seconds=answer_seconds,
    )
    app = FastAPI(
        telemetry=NO_TELEMETRY,
        title="Sagasu",
        version=__version__,
        description="Finds anything in your own files by name, by word and by meaning.",
        docs_url=None,
        redoc_url=None,
        responses=EVERYWHERE,
        lifespan=_lifespan(service),
        middleware=[
            Middleware(RequestLog),
            _guard(engine, tokens, port, files),
            limits,
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
            Middleware(CatchDefects),
        ],
        exception_handlers={
            EngineError: refuse_engine_error,
            HTTPException: refuse_http_error,
            RequestValidationError: _refuse_invalid,
        },
    )
    app.state.service = service
    app.state.jobs = indexing.Jobs(engine)
    app.state.panel_files = files
    for router in ROUTERS:
        app.include_router(router)
    app.openapi = lambda: pages.describe(app)  # type: ignore[method-assign]  # FastAPI's own way
    engine.listen(service.events.progress)
    service.events.describe = lambda progress: status.describe_state(service, progress)
    return app


def _guard(engine: Engine, tokens: Tokens, port: int | None, files: Path) -> Middleware:
    wanted = engine.config.server.token
    if not wanted:
        log.warning("server.token is off: every program of this machine can read the index")
    return Middleware(
        Guard,
        tokens=tokens if wanted else None,
        port=port,
        is_public=lambda path: pages.is_public(path, files),
    )


async def _refuse_invalid(request: Request, exc: Exception) -> Response:
    assert isinstance(exc, RequestValidationError)
    return refusal(400, describe_invalid(exc.errors()), kind="InvalidValueError")


def _lifespan(service: Service) -> Any:
    @asynccontextmanager
    async def run(app: FastAPI) -> AsyncIterator[None]:
        yield
        service.calls.close()
        service.seen.close()

    return run
