"""Which addresses help to ask? Other words, documents like one, and why one is where it is."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.exceptions import HTTPException
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


class Why(BaseModel):
    """One line for a person."""

    path: str
    why: str


class Suggestions(BaseModel):
    """Other readings of the question, the likeliest first."""

    query: str
    suggestions: list[str]


class Completions(BaseModel):
    """How the question may go on."""

    query: str
    completions: list[str]


@router.get("/suggest", response_model=Suggestions)
async def suggest(request: Request, query: Question, limit: Count = 3) -> Response:
    """What may have been meant: the question with its unknown words mended."""
    service = _whole_index(request)
    found = await service.calls.ask(lambda: service.engine.suggest(query, limit))
    return JsonResponse({"query": query, "suggestions": found})


@router.get("/complete", response_model=Completions)
async def complete(request: Request, query: Question, limit: Count = 8) -> Response:
    """How the last word of the question may go on."""
    service = _whole_index(request)
    found = await service.calls.ask(lambda: service.engine.complete(query, limit))
    return JsonResponse({"query": query, "completions": found})


def _whole_index(request: Request) -> Service:
    """The service, if its words may be told: they come from all folders."""
    if client_of(request).folders:
        raise HTTPException(403, "a token for some folders gets no words of the others")
    return service_of(request)


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


@router.get("/why", response_model=Why)
async def why(request: Request, path: Id) -> Response:
    """What became of a file, and the rule that decided it."""
    service, client = service_of(request), client_of(request)
    full = await service.calls.ask(lambda: service.check_question(client, path))
    said = await service.calls.ask(lambda: service.engine.why(full))
    return JsonResponse({"path": full, "why": said})


@router.get("/whynot", response_model=Why)
async def whynot(request: Request, query: Question, path: Id) -> Response:
    """Why a file is not in the answer, or where it stands in it."""
    service, client = service_of(request), client_of(request)
    full = await service.calls.ask(lambda: service.check_question(client, path))
    ask = SearchRequest(query, scopes=client.folders)
    said = await service.calls.ask(lambda: service.engine.whynot(ask, full))
    return JsonResponse({"path": full, "why": said})


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
