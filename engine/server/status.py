"""Which addresses say how it goes? /health, /api/v1/status, and events as they happen."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from engine.models import Progress
from engine.server import wire
from engine.server.guard import client_of
from engine.server.refuse import JsonResponse, refusal
from engine.server.schemas import EVENT_STREAM, Health, StatusAnswer, problem
from engine.server.service import Service, service_of
from engine.server.tokens import Client

router = APIRouter(tags=["status"])


@router.get("/health", response_model=Health)
async def health() -> Response:
    """The service answers; needs no token and says nothing else."""
    return JsonResponse({"status": "ok"})


@router.get("/api/v1/status", response_model=StatusAnswer)
async def status(request: Request) -> Response:
    """The engine's numbers and settings."""
    service, client = service_of(request), client_of(request)
    return JsonResponse(await service.calls.ask(lambda: read_status(service, client)))


def read_status(service: Service, client: Client) -> wire.Json:
    """The status as far as `client` may see it."""
    places = service.engine.places
    paths = {
        "database_path": str(places.database),
        "bleve_index_path": str(places.postings),
        "faiss_index_path": str(places.vectors),
    }
    answer = wire.write_status(service.engine.status(), service.config, paths)
    if client.folders:
        answer["roots"] = [root for root in answer["roots"] if client.sees(root["path"])]
        if answer["progress"]:
            answer["progress"]["path"] = ""
    return answer


def describe_state(service: Service, progress: Progress | None) -> dict[str, Any]:
    """State and progress as the panel's status line shows them."""
    status = service.engine.status()
    now = progress or Progress("idle")
    states = {"idle": "idle", "paused": "paused"}
    return {
        "state": states.get(now.phase, "indexing"),
        "phase": now.phase,
        "files_done": now.files_done,
        "files_total": now.files_total,
        "passages_done": now.passages_done,
        "passages_total": now.passages_total,
        "documents": status.documents,
        "not_searchable": sum(root.not_searchable for root in status.roots),
        "semantic": {"on": status.semantic, "reason": status.semantic_reason},
        "folders": [root.path for root in status.roots],
    }


@router.get(
    "/api/v1/events",
    response_class=StreamingResponse,
    responses=EVENT_STREAM | problem(429, "Too many listeners"),
)
async def events(request: Request) -> Response:
    """Server-sent events: `status` with progress, `changed` when the index has changed."""
    service, client = service_of(request), client_of(request)
    if client.folders:
        return refusal(403, "a token for some folders hears no events")
    if service.events.full:
        return refusal(429, "too many listeners", "Close one of them.")
    state = await service.calls.ask(lambda: describe_state(service, service.engine.progress))
    stream = service.events.listen({"type": "status", **state})
    return StreamingResponse(stream, media_type="text/event-stream")
