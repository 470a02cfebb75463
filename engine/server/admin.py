"""Which addresses are the owner's alone? Settings, other programs' tokens, the panel's messages."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from engine.errors import NotFoundError
from engine.server.refuse import JsonResponse
from engine.server.schemas import Done, Given, Path, problem
from engine.server.service import service_of
from engine.server.tokens import Token

router = APIRouter(prefix="/api/v1", tags=["administration"])


class TokenBody(Given):
    """A token for another program."""

    name: str = Field(min_length=1, max_length=100, pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]*$")
    read_only: bool = True
    folders: list[Path] = Field([], max_length=100, description="Empty: every folder")


class SettingBody(Given):
    """A setting and its new value."""

    key: str = Field(max_length=100, examples=["files.exclude"])
    value: str = Field(max_length=100_000, description="As config.yaml has it", examples=["[a, b]"])


class SettingChanged(BaseModel):
    """When the new value acts."""

    key: str
    acts: str


class TokenMade(BaseModel):
    """The token itself; it is shown this once."""

    name: str
    token: str


class TokenRow(BaseModel):
    """A token without its text."""

    name: str
    read_only: bool
    folders: list[str]
    created: float
    last_used: float | None
    revoked: float | None


class TokenRows(BaseModel):
    """All tokens."""

    tokens: list[TokenRow]


@router.post("/config", response_model=SettingChanged)
async def change_setting(body: SettingBody, request: Request) -> Response:
    """Change one setting; most act at once, the answer says which do not."""
    service = service_of(request)
    now = await service.calls.ask(lambda: service.engine.configure(body.key, body.value))
    service.events.changed()
    return JsonResponse({"key": body.key, "acts": "now" if now else "after a restart"})


@router.get("/tokens", response_model=TokenRows)
async def list_tokens(request: Request) -> Response:
    """All tokens of other programs, revoked ones too."""
    rows = service_of(request).tokens.rows()
    return JsonResponse({"tokens": [write_token(row) for row in rows]})


@router.post("/tokens", status_code=201, response_model=TokenMade)
async def create_token(body: TokenBody, request: Request) -> Response:
    """A new token; its text is shown this once."""
    service = service_of(request)
    text = await service.calls.ask(
        lambda: service.tokens.create(body.name, read_only=body.read_only, folders=body.folders)
    )
    return JsonResponse({"name": body.name, "token": text}, status_code=201)


@router.delete(
    "/tokens/{name}", response_model=Done, responses=problem(404, "There is no such token")
)
async def revoke_token(name: str, request: Request) -> Response:
    """From now on this token opens nothing."""
    service = service_of(request)
    await service.calls.ask(lambda: service.tokens.revoke(name))
    return JsonResponse({"status": "revoked"})


@router.post("/panel/{name}", include_in_schema=False)
async def panel_message(
    name: str, request: Request, fields: Annotated[dict[str, Any] | None, Body()] = None
) -> Response:
    """A message of the panel page, answered by the desktop's half."""
    service = service_of(request)
    handler = service.panel
    if handler is None:
        raise NotFoundError(what="the panel", fix="Start it with: sagasu app")
    window = request.headers.get("sagasu-window", "")[:64]
    return JsonResponse(await service.calls.ask(lambda: handler(name, fields or {}, window)))


def write_token(row: Token) -> dict[str, Any]:
    """A token as the owner sees it."""
    return {
        "name": row.name,
        "read_only": row.read_only,
        "folders": list(row.folders),
        "created": row.created,
        "last_used": row.last_used,
        "revoked": row.revoked,
    }
