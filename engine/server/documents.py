"""Which addresses add, show and forget documents? /api/v1/documents."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from engine.server import wire
from engine.server.guard import client_of
from engine.server.refuse import JsonResponse
from engine.server.schemas import Document, DocumentAdded, DocumentBody, Done, problem
from engine.server.service import Service, service_of

router = APIRouter(prefix="/api/v1/documents", tags=["documents"])
UNKNOWN = problem(404, "No such document")


@router.post("", status_code=201, response_model=DocumentAdded)
async def add_document(body: DocumentBody, request: Request) -> Response:
    """Make a text searchable; one with the same id is replaced."""
    service = service_of(request)
    uid = await service.calls.ask(
        lambda: service.engine.add_document(
            body.content,
            title=body.title,
            uid=body.id,
            metadata=body.metadata or {},
            embed=False,
        )
    )
    # Its words can be found now; its meaning follows, behind what is being embedded already.
    service.calls.later(lambda: _embed(service))
    service.events.changed()
    return JsonResponse({"id": uid, "status": "indexed"}, status_code=201)


@router.get("/{id:path}", response_model=Document, responses=UNKNOWN)
async def get_document(id: str, request: Request) -> Response:
    """One document, by its id or its file's path."""
    service, client = service_of(request), client_of(request)
    view = await service.calls.ask(lambda: service.document(client, id))
    service.note(client, "read", [(view.id, view.path)])
    return JsonResponse(wire.write_document(view))


@router.delete("/{id:path}", response_model=Done, responses=UNKNOWN)
async def delete_document(id: str, request: Request) -> Response:
    """Forget one document; its file stays where it is."""
    service = service_of(request)
    await service.calls.ask(lambda: service.engine.delete_document(id))
    service.events.changed()
    return JsonResponse({"status": "deleted"})


def _embed(service: Service) -> None:
    service.engine.embed()
    if service.engine.keeper is None:  # a keeper settles by itself, when it is quiet
        service.engine.settle()
    service.events.changed()
