"""What stands on the page? The results of one page, their files looked at before they are shown."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.models import Result
from engine.search.combine import Fused
from engine.search.request import SearchRequest
from engine.search.results import Shown, build_results
from engine.search.verify import Checked, Verifier
from engine.store.database import Database

Built = dict[int, list[Result]]  # by document: what was made for one list serves the others


class Pages:
    """Makes results of fused documents; what turns out to be stale is reported."""

    def __init__(
        self, database: Database, report_stale: Callable[[Sequence[str]], None]
    ) -> None:
        self._database = database
        self._report_stale = report_stale
        self._verifier = Verifier()

    def close(self) -> None:
        """End the threads that look at files."""
        self._verifier.close()

    def check(self, request: SearchRequest, results: list[Result]) -> list[Result]:
        """Results that have no next ones in line, their files looked at."""
        if not request.verify or not results:
            return results
        return list(self._report(self._verifier.verify(self._database.connection(), results)))

    def show(
        self, request: SearchRequest, fused: Sequence[Fused], shown: Shown, built: Built
    ) -> Checked:
        """One page of the list; for a file that is gone the next in line is taken."""
        connection = self._database.connection()

        def build(wanted: Sequence[Fused], first: int) -> list[Result]:
            if not request.two_lists:
                return build_results(connection, wanted, shown, first)
            results: list[Result] = []
            for one in wanted:
                if one.document_id not in built:
                    built[one.document_id] = build_results(connection, [one], shown, 1)
                for row in built[one.document_id]:
                    results.append(replace(row, rank=first + len(results)))
            return results

        if not request.verify:
            wanted = fused[request.offset : request.offset + request.limit]
            return Checked(tuple(build(wanted, request.offset + 1)))
        page = self._verifier.fill_page(
            connection, fused, offset=request.offset, limit=request.limit, build=build
        )
        self._report(page)
        return page

    def show_lists(
        self, request: SearchRequest, fused: Sequence[Fused], shown: Shown, built: Built
    ) -> tuple[tuple[Result, ...], tuple[Result, ...]]:
        """Sagasu's lists, a page of each: found by words, and by meaning alone."""
        if not request.two_lists:
            return (), ()
        words = sorted((one for one in fused if one.keyword > 0), key=lambda one: -one.keyword)
        meaning = sorted((one for one in fused if one.keyword <= 0), key=lambda one: -one.semantic)
        return (
            self.show(request, words, shown, built).results,
            self.show(request, meaning, shown, built).results,
        )

    def _report(self, checked: Checked) -> tuple[Result, ...]:
        if checked.stale:
            self._report_stale(checked.stale)
        return checked.results
