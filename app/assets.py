"""Which file does the page ask for? Only those of resources/panel, each with its type and a CSP.

The page is loaded over a scheme of our own, not as file://: WebKit gives module scripts from files
no origin and refuses them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

SCHEME = "sagasu-panel"
HOST = "app"
START = "index.html"

# Nothing from outside, no inline script, nobody may frame it, and it may talk to nobody.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

TYPES: Mapping[str, str] = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".txt": "text/plain",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file of the page, ready to be sent."""

    status: int
    mime: str
    body: bytes

    def headers(self) -> dict[str, str]:
        """What is sent with it."""
        text = self.mime.startswith("text/") or self.mime.endswith(("json", "javascript"))
        return {
            "Content-Type": f"{self.mime}; charset=utf-8" if text else self.mime,
            "Content-Length": str(len(self.body)),
            "Content-Security-Policy": POLICY,
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store",
        }


MISSING = Asset(404, "text/plain", b"not found")


def page_address(page: str = START) -> str:
    """The address of one of our pages."""
    return f"{SCHEME}://{HOST}/{page}"


def is_ours(address: str) -> bool:
    """May the view go there?"""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme == SCHEME and parts.netloc == HOST


def find_asset(folder: Path, address: str) -> Asset:
    """The file that `address` names under `folder`; MISSING for anything else."""
    if not is_ours(address):
        return MISSING
    name = unquote(urlsplit(address).path).lstrip("/") or START
    if "\0" in name:
        return MISSING
    root = folder.resolve()
    path = (root / name).resolve()
    mime = TYPES.get(path.suffix.lower())
    if mime is None or not path.is_relative_to(root) or not path.is_file():
        return MISSING
    return Asset(200, mime, path.read_bytes())
