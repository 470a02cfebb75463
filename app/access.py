"""Which programs may ask? The page's Tokens port over the service's own tokens.

Every program may search and read; everything, unless folders are chosen for it. Only with the scope
"change" may it add or remove.
"""

from collections.abc import Sequence

from app.wire import Json
from engine.api import Engine
from engine.errors import InvalidValueError
from engine.server.tokens import Tokens

ALWAYS = ("search", "read")
CHANGE = "change"


class ServiceTokens:
    """Tokens as the settings page shows them."""

    def __init__(self, tokens: Tokens, engine: Engine) -> None:
        self._tokens = tokens
        self._engine = engine

    def listing(self) -> Json:
        """The tokens that open something, and the scopes that one can have."""
        rows: list[Json] = [
            {
                "id": one.name,
                "label": one.name,
                "scopes": [*ALWAYS, *([] if one.read_only else [CHANGE]), *one.folders],
                "created": one.created,
                "used": one.last_used or 0,
            }
            for one in self._tokens.rows()
            if one.revoked is None
        ]
        return {"tokens": rows, "scopes": [*ALWAYS, CHANGE, *self._folders()]}

    def create(self, label: str, scopes: Sequence[str]) -> str:
        """A new token; its text is seen this once."""
        known = self._folders()
        unknown = set(scopes) - {*ALWAYS, CHANGE, *known}
        if unknown or not label.strip():
            problem = f"unknown: {', '.join(sorted(unknown))}" if unknown else "a name is missing"
            raise InvalidValueError(name="token", problem=problem, fix="Choose from the list.")
        folders = [one for one in scopes if one in known]
        return self._tokens.create(label.strip(), read_only=CHANGE not in scopes, folders=folders)

    def revoke(self, id: str) -> None:
        """From now on it opens nothing."""
        self._tokens.revoke(id)

    def _folders(self) -> list[str]:
        return [root.path for root in self._engine.roots()]
