"""Which addresses tell more about an answer? Documents like one, and why one is where it is."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from engine.api import SearchRequest
from engine.errors import NotFoundError
from engine.server import wire
from engine.server.guard import client_of
from engine.server.refuse import JsonResponse
from engine.server.schemas import Meaning, Row, problem
from engine.server.service import Service, service_of
from engine.server.tokens import Client

router = APIRouter(prefix="/api/v1", tags=["search"])
UNKNOWN = problem(404, "No such document, or it is not in the answer")

Question = Annotated[str, Query(min_length=1, max_length=10_000)]
Id = Annotated[str, Query(min_length=1, max_length=4096)]
Count = Annotated[int, Query(ge=1, le=100)]


class SimilarAnswer(BaseModel):
    """Documents close in meaning, nearest first."""

    id: str
    results: list[Row]
    semantic: Meaning


class ExplainAnswer(BaseModel):
    """How a score came about: a value, its name, and the parts below it."""

    query: str
    id: str
    rank: int
    score: float
    why: dict[str, Any] | None


@router.get("/similar", response_model=SimilarAnswer, responses=UNKNOWN)
async def similar(request: Request, id: Id, limit: Count = 10) -> Response:
    """Documents close in meaning to one."""
    service, client = service_of(request), client_of(request)
    return JsonResponse(await service.calls.ask(lambda: find_similar(service, client, id, limit)))


@router.get("/explain", response_model=ExplainAnswer, responses=UNKNOWN)
async def explain(request: Request, query: Question, id: Id) -> Response:
    """Why a document is in the answer, where it is."""
    service, client = service_of(request), client_of(request)
    return JsonResponse(await service.calls.ask(lambda: explain_hit(service, client, query, id)))


def find_similar(service: Service, client: Client, uid: str, limit: int) -> wire.Json:
    """Documents like one, as far as `client` may see both."""
    view = service.document(client, uid)
    response = service.engine.similar(view.id, limit, scopes=client.folders)
    service.note(client, "similar", [(one.id, one.path) for one in response.results])
    return {
        "id": view.id,
        "results": [wire.write_result(one) for one in response.results],
        "semantic": wire.write_semantic(response),
    }


def explain_hit(service: Service, client: Client, query: str, uid: str) -> wire.Json:
    """The explanation of one document's place among the answers."""
    view = service.document(client, uid)
    most = service.config.search.max_limit
    ask = SearchRequest(query, limit=most, scopes=client.folders, explain=True)
    for one in service.engine.search(ask).results:
        if one.id == view.id:
            why = wire.write_explanation(one.why) if one.why is not None else None
            return {
                "query": query,
                "id": view.id,
                "rank": one.rank,
                "score": wire.finite(one.score),
                "why": why,
            }
    raise NotFoundError(what=f"this document among the first {most} answers")
