"""Which addresses speak as ragdocs does? /query_documents and its family, for clients of that kind.

They answer with passages, not documents, each with its heading path and whole text.
"""

from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response, StreamingResponse

from engine.api import Cited, PassageRequest, SearchRequest
from engine.server.events import write_event
from engine.server.guard import client_of
from engine.server.refuse import JsonResponse
from engine.server.schemas import EVENT_STREAM, Given, Text
from engine.server.service import Service, service_of
from engine.server.tokens import Client

router = APIRouter(tags=["passages"])


class PassageBody(Given):
    """A question, and how many passages."""

    query: Text
    top_n: int = Field(5, ge=1, le=100)


class PassageRow(BaseModel):
    """One passage."""

    chunk_id: str
    doc_id: str
    score: float
    header_path: str
    file_path: str
    content: str


class PassageAnswer(BaseModel):
    """The passages, best first."""

    results: list[PassageRow]


@router.post("/query_documents", response_model=PassageAnswer)
async def query_documents(body: PassageBody, request: Request) -> Response:
    """The best passages; several of one document are possible."""
    return JsonResponse({"results": await _ask(body, request, per_document=2)})


@router.post("/query_unique_documents", response_model=PassageAnswer)
async def query_unique_documents(body: PassageBody, request: Request) -> Response:
    """The best passage of each of the best documents."""
    return JsonResponse({"results": await _ask(body, request, per_document=1)})


@router.post(
    "/query_documents_stream",
    response_class=StreamingResponse,
    responses=EVENT_STREAM,
)
async def query_documents_stream(body: PassageBody, request: Request) -> Response:
    """The same, one server-sent event a passage, then `done`."""
    rows = await _ask(body, request, per_document=2)

    async def tell() -> AsyncIterator[str]:
        for row in rows:
            yield write_event(row, "result")
        yield write_event({"count": len(rows)}, "done")

    return StreamingResponse(tell(), media_type="text/event-stream")


async def _ask(body: PassageBody, request: Request, per_document: int) -> list[dict[str, Any]]:
    service, client = service_of(request), client_of(request)
    return await service.calls.ask(lambda: find_rows(service, client, body, per_document))


def find_rows(
    service: Service, client: Client, body: PassageBody, per_document: int
) -> list[dict[str, Any]]:
    """The passages that `client` may see, as rows."""
    question = SearchRequest(body.query, scopes=client.folders)
    ask = PassageRequest(question, most=body.top_n, per_document=per_document)
    found = service.engine.find_passages(ask).found
    service.note(client, "passages", dict.fromkeys((one.id, one.path) for one in found))
    return [write_passage(one) for one in found]


def write_passage(one: Cited) -> dict[str, Any]:
    """One passage as ragdocs writes it."""
    return {
        "chunk_id": f"{one.id}#{one.chunk}",
        "doc_id": one.id,
        "score": one.score,
        "header_path": " > ".join(one.location.trail),
        "file_path": one.path,
        "content": one.text,
    }
