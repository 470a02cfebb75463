"""What does a sagasu:// address ask for?

    sagasu://search?q=tax%20return   →  UrlCommand(page="search", query="tax return")
    sagasu://settings, sagasu://coverage, sagasu://welcome

Any web page can call such an address, so it may show things and never open, change or delete.
"""

from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from engine.errors import InvalidValueError

SCHEME = "sagasu"
PAGES = ("search", "settings", "coverage", "welcome")
MAX_QUERY = 1_000


@dataclass(frozen=True, slots=True)
class UrlCommand:
    """Show this page, with this query in its field."""

    page: str
    query: str = ""


def parse_url(address: str) -> UrlCommand:
    """The command in `address`; InvalidValueError when it is not one of ours."""
    try:
        parts = urlsplit(address.strip())
        fields = parse_qs(parts.query, max_num_fields=10)
    except ValueError as exc:
        raise _complain(address, "cannot be read") from exc
    page = parts.netloc or parts.path.strip("/")
    if parts.scheme.lower() != SCHEME or page not in PAGES:
        raise _complain(address, "is not an address of Sagasu")
    typed = fields.get("q", [""])[0]
    query = " ".join("".join(c if c.isprintable() else " " for c in typed).split())
    if len(query) > MAX_QUERY:
        raise _complain(address, f"asks for more than {MAX_QUERY} characters")
    return UrlCommand(page, query if page == "search" else "")


def _complain(address: str, problem: str) -> InvalidValueError:
    shown = address if len(address) <= 80 else f"{address[:80]}…"
    return InvalidValueError(name=shown, problem=problem, fix="For example: sagasu://search?q=tax")
