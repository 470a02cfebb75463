"""Which pages does a browser get? The panel's files, and a plain list of all addresses."""

import html
import mimetypes
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, Response

PANEL_FILES = Path(__file__).resolve().parents[2] / "resources" / "panel"
FILE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*\.(html|css|js|svg|png|woff2)")
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}

router = APIRouter(include_in_schema=False)


def find_file(path: str, files: Path) -> Path | None:
    """The panel's file at this address; a name of ours in that very folder, and no link."""
    name = path.lstrip("/") or "index.html"
    if not FILE_NAME.fullmatch(name):
        return None
    found = files / name
    return found if found.is_file() and not found.is_symlink() else None


def is_public(path: str, files: Path) -> bool:
    """Whether this address needs no token: it holds nothing of the person's."""
    return path in ("/health", "/docs") or find_file(path, files) is not None


@router.get("/docs")
async def docs(request: Request) -> Response:
    """All addresses on one page, without a script and without the network."""
    return HTMLResponse("".join(_write_docs(request.app.openapi())))


@router.get("/")
@router.get("/{name}")
async def panel_file(request: Request, name: str = "") -> Response:
    """A file of the panel; without a name its page."""
    found = find_file(name, request.app.state.panel_files)
    if found is None:
        raise HTTPException(404)
    kind = TYPES.get(found.suffix) or mimetypes.guess_type(found.name)[0]
    return FileResponse(found, media_type=kind)


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI description; a wrong request is answered 400 here, never 422."""
    if app.openapi_schema is None:
        schema = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        for _, _, operation in _operations(schema):
            answers = operation["responses"]
            answers.pop("422", None)
            operation["security"] = [{"token": []}]
            if "requestBody" in operation:
                answers["413"] = {**answers["400"], "description": "The body is too large"}
            elif all(one["in"] == "path" for one in operation.get("parameters", ())):
                answers.pop("400")
        parts = schema.setdefault("components", {})
        parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        for name in ("HTTPValidationError", "ValidationError"):
            parts.get("schemas", {}).pop(name, None)
        health = schema["paths"]["/health"]["get"]
        health.pop("security")
        health["responses"].pop("401")
        app.openapi_schema = schema
    return app.openapi_schema


def _operations(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def _write_docs(schema: dict[str, Any]) -> Iterator[str]:
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sagasu</title>'
    yield '<link rel="stylesheet" href="/docs.css"></head><body><main>'
    yield f"<h1>Sagasu {html.escape(schema['info']['version'])}</h1>"
    yield "<p>Send the owner's token as <code>Authorization: Bearer …</code>. "
    yield 'The same as data: <a href="/openapi.json">/openapi.json</a>.</p>'
    for path, method, operation in _operations(schema):
        yield f"<h2><code>{method.upper()} {html.escape(path)}</code></h2>"
        yield f"<p>{html.escape(operation.get('description', ''))}</p>"
        yield from _write_fields(schema, operation)
        answers = ", ".join(
            f"{code} {html.escape(one['description'])}"
            for code, one in operation["responses"].items()
        )
        yield f"<p>Answers: {answers}</p>"
    yield "</main></body></html>"


def _write_fields(schema: dict[str, Any], operation: dict[str, Any]) -> Iterator[str]:
    rows = [
        (one["name"], one["schema"], one["required"], one.get("description", ""))
        for one in operation.get("parameters", ())
    ]
    content = operation.get("requestBody", {}).get("content", {})
    body = content.get("application/json", {}).get("schema")
    if body:
        reference = body.get("$ref") or next(
            (one["$ref"] for one in body.get("anyOf", ()) if "$ref" in one), ""
        )
        shape = schema["components"]["schemas"].get(reference.rpartition("/")[2], {})
        needed = shape.get("required", ())
        rows += [
            (name, one, name in needed, one.get("description", ""))
            for name, one in shape.get("properties", {}).items()
        ]
    if not rows:
        return
    yield "<table><tr><th>field</th><th>type</th><th>default</th><th>meaning</th></tr>"
    for name, shape, required, says in rows:
        default = "required" if required else shape.get("default", "")
        cells = (name, shape.get("type", ""), default, says)
        yield "<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in cells) + "</tr>"
    yield "</table>"
