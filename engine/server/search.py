"""Which addresses find documents? /api/v1/search and its streaming form."""

from collections.abc import AsyncIterator
from dataclasses import replace

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from engine.api import SearchRequest
from engine.config import Config
from engine.errors import EngineError
from engine.server.events import write_event
from engine.server.guard import client_of
from engine.server.refuse import JsonResponse
from engine.server.schemas import EVENT_STREAM, SearchAnswer, SearchBody
from engine.server.service import service_of

router = APIRouter(prefix="/api/v1", tags=["search"])


def read_request(body: SearchBody, config: Config) -> SearchRequest:
    """The engine's question; what is left open takes the settings' value."""
    settings = config.search
    words, meaning = body.keyword_enabled, body.semantic_enabled
    words = settings.default_keyword_enabled if words is None else words
    meaning = settings.default_semantic_enabled if meaning is None else meaning
    if not words and not meaning:  # as Sagasu does: nothing chosen is everything
        words = meaning = True
    limit = body.limit if body.limit > 0 else settings.default_limit
    return SearchRequest(
        query=body.query,
        limit=min(limit, settings.max_limit),
        offset=body.offset,
        mode=body.mode,
        keyword_enabled=words,
        semantic_enabled=meaning,
        fuzzy_enabled=body.fuzzy_enabled,
        min_keyword_score=body.min_keyword_score
        or body.min_score
        or settings.default_min_keyword_score,
        min_semantic_score=body.min_semantic_score
        or body.min_score
        or settings.default_min_semantic_score,
        typing=body.typing,
        plain_filters=body.plain_filters,
        ignore_chips=tuple(body.ignore_chips),
        filters=body.filters or {},
        sort=body.sort,
        facets=body.facets,
        explain=body.explain,
        hypothesis=body.hypothesis,
        snippets=body.snippets,
    )


@router.post("/search", response_model=SearchAnswer)
async def search(body: SearchBody, request: Request) -> Response:
    """Search by name, word and meaning."""
    service, client = service_of(request), client_of(request)
    question = read_request(body, service.config)
    answer = await service.calls.ask(
        lambda: service.search(client, question, two_lists=body.two_lists)
    )
    return JsonResponse(answer)


@router.post(
    "/search/stream",
    response_class=StreamingResponse,
    responses=EVENT_STREAM,
)
async def search_stream(body: SearchBody, request: Request) -> Response:
    """Search by words first, then by meaning too: events `words`, `meaning`, `done`."""
    service, client = service_of(request), client_of(request)
    question = read_request(body, service.config).check(service.config.search.max_limit)
    stages = (
        [("words", replace(question, semantic_enabled=False))] if question.keyword_enabled else []
    )
    if question.semantic_enabled:
        stages.append(("meaning", question))
    # The first stage is asked before the answer begins, so that its errors have their status.
    name, one = stages[0]
    first = await service.calls.ask(lambda: service.search(client, one, two_lists=body.two_lists))

    async def tell() -> AsyncIterator[str]:
        yield write_event(first, name)
        for later, stage in stages[1:]:
            try:
                answer = await service.calls.ask(
                    lambda stage=stage: service.search(client, stage, two_lists=body.two_lists)  # type: ignore[misc]  # a default binds the loop's value
                )
            except EngineError as exc:
                yield write_event({"error": str(exc), "hint": exc.advice}, "error")
            else:
                yield write_event(answer, later)
        yield write_event({}, "done")

    return StreamingResponse(tell(), media_type="text/event-stream")
