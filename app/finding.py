"""How does the desk ask the real engine? The Finder port over engine.api.Engine."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from app.bridge import Ticket
from app.messages import Search
from app.pictures import Pictures
from app.ports import Pack
from app.recent import RecentSearches
from app.tables import show_table
from app.wire import Json
from engine.api import (
    Cancel,
    Cited,
    Engine,
    PassageRequest,
    SearchRequest,
    SearchResponse,
    cite,
    count_tokens,
)
from engine.errors import NotFoundError, OutsideRootsError, RequestError
from engine.models import DocumentView, Explanation, PassageView

PACK_TOKENS = 4_000
PACK_PASSAGES = 20
NEIGHBOUR = 1_200  # characters of the passages around that a preview shows


class EngineFinder:
    """Asks one open engine; safe from several threads."""

    def __init__(self, engine: Engine, recent: RecentSearches) -> None:
        self._engine = engine
        self._recent = recent
        self._pictures = Pictures()

    def close(self) -> None:
        """Ends the process that draws previews."""
        self._pictures.close()

    def search(self, request: Search, ticket: Ticket) -> SearchResponse:
        """The answer to a search of the page; its first stage leaves meaning out."""
        settings = self._engine.config.search
        meaning = settings.default_semantic_enabled and request.stage != "words"
        cancel = Cancel()
        ticket.on_cancel(cancel.cancel)
        return self._engine.search(
            SearchRequest(
                query=request.query,
                limit=min(request.limit, settings.max_limit),
                mode=request.mode or "hybrid",
                keyword_enabled=settings.default_keyword_enabled or not meaning,
                semantic_enabled=meaning,
                min_keyword_score=settings.default_min_keyword_score,
                min_semantic_score=settings.default_min_semantic_score,
                typing=request.typing,
                ignore_chips=request.ignore_chips,
                filters=request.filters,
            ),
            cancel,
        )

    def similar(self, id: str, limit: int) -> SearchResponse:
        """Documents close to this one."""
        return self._engine.similar(id, limit)

    def suggest(self, query: str, limit: int) -> Sequence[str]:
        """What might have been meant."""
        return self._engine.suggest(query, limit)

    def complete(self, query: str, limit: int) -> Sequence[str]:
        """Recent searches that go on like this, then words of the index."""
        typed = query.casefold()
        if not typed.strip():
            return []
        known = [one for one in self._recent.queries() if one.casefold().startswith(typed)]
        words = self._engine.complete(query, limit)
        return [one for one in dict.fromkeys((*known, *words)) if one != query][:limit]

    def preview(self, id: str, chunk: int, query: str) -> Mapping[str, Json]:
        """The passage where it lives, with what stands around it."""
        view = self._engine.document(id)
        at = _find_passage(view, chunk)
        if at is None:
            return {"title": view.title, "path": view.path, "kind": view.format}
        passage = view.passages[at]
        place = passage.location
        before = view.passages[at - 1].text[-NEIGHBOUR:] if at else ""
        after = view.passages[at + 1].text[:NEIGHBOUR] if at + 1 < len(view.passages) else ""
        marked = self._engine.mark_words(passage.text, view.language, query)
        meant = self._engine.find_sentence(passage.text, query)
        return {
            "title": view.title,
            "path": view.path,
            "trail": list(place.trail),
            "kind": view.format,
            "before": before,
            "passage": passage.text,
            "after": after,
            "highlights": list(marked),
            "meaning_range": meant,
            "page": place.page,
            "pages": _count_pages(view.passages),
            "line": place.line,
            "language": view.language,
            "code": place.kind == "definition" or view.format == "code",
            "table": show_table(view, at, marked, meant),
            "image_url": self._picture(view, place.page),
        }

    def explain(self, query: str, id: str) -> Explanation:
        """Why this document is in the answer, where it is."""
        most = self._engine.config.search.max_limit
        wanted = self._engine.document(id).id
        for one in self._engine.search(SearchRequest(query, limit=most, explain=True)).results:
            if one.id == wanted and one.why is not None:
                return one.why
        raise NotFoundError(what=f"This document among the first {most} answers")

    def passage(self, id: str, chunk: int) -> str:
        """The whole text of a passage; the first one when none is named."""
        view = self._engine.document(id)
        at = _find_passage(view, chunk)
        if at is None:
            raise NotFoundError(what="passage")
        return view.passages[at].text

    def pack(self, query: str, ids: Sequence[str], chunks: Sequence[int], budget: int) -> Pack:
        """The best passages with their sources; of the chosen documents when some are chosen."""
        room = budget or PACK_TOKENS
        if not ids:
            ask = PassageRequest(SearchRequest(query), most=PACK_PASSAGES)
            found = self._engine.context_pack(ask, room, name=_short)
            return Pack(found.markdown, found.tokens)
        parts: list[str] = []
        spent = 0
        for one in self._chosen(ids, chunks):
            part = f"[{len(parts) + 1}] {cite(one, _short(one.path))}\n{one.text.strip()}\n"
            cost = count_tokens(part)
            if spent + cost <= room:
                parts.append(part)
                spent += cost
        return Pack("\n".join(parts), spent)

    def locate(self, id: str) -> Path:
        """The file of a document; only below the searched folders, links followed."""
        path = self._engine.document(id).path
        if not path:
            raise NotFoundError(
                what="a file for this document", fix="It came as text, not as a file."
            )
        real = os.path.realpath(path)
        for root in self._engine.roots():
            above = os.path.realpath(root.path)
            if real == above or real.startswith(above.rstrip(os.sep) + os.sep):
                return Path(path)
        raise OutsideRootsError(path=path)

    def opened(self, id: str) -> None:
        """Somebody opened this document: its meaning is wanted before that of others."""
        self._engine.opened(id)

    def _picture(self, view: DocumentView, page: int | None) -> str:
        try:
            path = self.locate(view.id)
        except RequestError:
            return ""
        return self._pictures.draw(path, page)

    def _chosen(self, ids: Sequence[str], chunks: Sequence[int]) -> list[Cited]:
        found: list[Cited] = []
        for id in ids:
            view = self._engine.document(id)
            kept = [one for one in view.passages if one.chunk in chunks] or view.passages[:1]
            found += [
                Cited(view.id, view.path, view.title, one.chunk, one.text, one.location, 0.0, ())
                for one in kept
            ]
        return found


def _find_passage(view: DocumentView, chunk: int) -> int | None:
    for at, one in enumerate(view.passages):
        if one.chunk == chunk:
            return at
    return 0 if view.passages else None


def _count_pages(passages: Sequence[PassageView]) -> int | None:
    pages = [one.location.page for one in passages if one.location.page is not None]
    return max(pages) if pages else None


def _short(path: str) -> str:
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if path.startswith(home + os.sep) else path
