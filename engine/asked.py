"""What can be asked of an index? Questions, and what it tells of itself; nothing is changed."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine import inspect as inspecting
from engine.cancel import Cancel
from engine.errors import NotFoundError
from engine.files.identity import clean_path
from engine.models import Coverage, DocumentView, Status
from engine.opened import OpenIndex
from engine.passages import Pack, PassageRequest, Passages, build_pack, find_passages
from engine.search.request import SearchRequest, SearchResponse
from engine.similar import find_similar
from engine.store import ledger
from engine.store.database import translated
from engine.store.ledger import Root

if TYPE_CHECKING:
    from engine.search.snippet import Ranges


class AskedIndex(OpenIndex):
    """An index that answers."""

    def search(self, request: SearchRequest, cancel: Cancel | None = None) -> SearchResponse:
        """The ranked answer to one question; SearchCancelledError when `cancel` ends it."""
        if cancel is not None:
            return cancel.run(lambda: self.search(request))
        self.asked = time.monotonic()
        with translated(self.database.path), self.database.cancellable():
            return self.searcher().search(request.check(self.config.search.max_limit))

    def find_passages(self, ask: PassageRequest) -> Passages:
        """The best passages, whole, without repetition: for those who read text, not files."""
        return find_passages(self, ask)

    def context_pack(
        self, ask: PassageRequest, budget: int, *, name: Callable[[str], str] = str
    ) -> Pack:
        """The best passages that fit `budget` tokens, each with its source (`name` of its path)."""
        return build_pack(self, ask, budget, name)

    def similar(self, uid: str, limit: int = 10, *, scopes: tuple[str, ...] = ()) -> SearchResponse:
        """The documents nearest in meaning to one, given by its id or path."""
        return find_similar(self, uid, limit, scopes)

    def status(self) -> Status:
        """The engine's numbers."""
        kept = self._keeper.state() if self._keeper is not None else None
        return inspecting.read_status(
            self.database, self.places, self.semantic(), self.progress, kept
        )

    def coverage(
        self,
        path: str = "",
        *,
        state: str = "",
        reason: str = "",
        limit: int = 100,
        offset: int = 0,
    ) -> Coverage:
        """What can be found below `path` (everywhere when empty), and why the rest cannot."""
        where = clean_path(path) if path else ""
        return inspecting.read_coverage(self.database, where, state, reason, limit, offset)

    def why(self, path: str) -> str:
        """One line on what became of a file, and the rule that decided it."""
        return inspecting.explain_file(self.database, self.rules, clean_path(path))

    def suggest(self, text: str, limit: int = 3) -> list[str]:
        """The question with its unknown words mended, the likeliest first."""
        return self.searcher().suggest(text, limit)

    def complete(self, text: str, limit: int = 8) -> list[str]:
        """How the last word of a question may go on."""
        return self.searcher().complete(text, limit)

    def mark_words(self, text: str, language: str, query: str) -> "Ranges":
        """Where the question's words stand in a text, as the index knows them."""
        from engine.search.closer import mark_question

        return mark_question(text, language, query, self.searcher().languages())

    def find_sentence(self, text: str, query: str) -> tuple[int, int] | None:
        """The sentence of a text that means what was asked; None when there is none."""
        from engine.search.closer import find_sentence

        embedder = self.embedder()
        return find_sentence(embedder, text, query) if embedder is not None else None

    def whynot(self, request: SearchRequest, path: str) -> str:
        """One line on why a file is not in the answer, or where it stands in it."""
        full = clean_path(path)
        if inspecting.find_document(self.database, full) is None:
            return self.why(full)
        from engine.search.whynot import explain_absence

        return explain_absence(self.searcher(), request, full)

    def document(self, uid: str) -> DocumentView:
        """One document with its passages, by id or by path."""
        found = inspecting.find_document(self.database, uid)
        if found is None:
            raise NotFoundError(what="document")
        return found

    def roots(self) -> list[Root]:
        """The searched folders."""
        return ledger.list_roots(self.database.connection())
