"""Line numbers as the user sees them: counted from the first line of the cell in the editor.

IPython strips empty lines at a cell's start, and a magic such as ``%%time`` or ``%%capture`` compiles its body apart.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from shapecell.model import Broadcast, Finding, Report, Site

TIMED = ("<timed exec>", "<timed eval>")
"""The file names under which ``%%time`` compiles its body; IPython registers no source for them."""


def lines_above(outer: str, inner: str) -> int | None:
    """How many lines of the text `outer` stand above `inner`, with which it ends; None if it does not."""
    outer, inner = outer.rstrip(), inner.rstrip()
    if not inner or not outer.endswith(inner):
        return None
    return outer[: len(outer) - len(inner)].count("\n")


def timed_body(cell: str) -> str | None:
    """The body if the first magic of `cell`, after ``%%shapecheck``, is ``%%time``."""
    lines = cell.splitlines(keepends=True)
    while lines and (lines[0].isspace() or lines[0].startswith("%%shapecheck")):
        del lines[0]
    return "".join(lines[1:]) if lines and lines[0].strip() == "%%time" else None


class CellLines:
    """The files that IPython makes of one cell in the editor, and where in the cell each of them begins."""

    def __init__(self) -> None:
        self._above: dict[str, int] = {}
        self._timed: Callable[[], str] | None = None

    def add(self, filename: str, above: int) -> None:
        """`filename` begins below the first `above` lines of the cell."""
        self._above[filename] = above

    def add_timed(self, body: Callable[[], str], above: int) -> None:
        """`body()` is what ``%%time`` runs; it begins below the first `above` lines of the cell."""
        self._timed = body
        for name in TIMED:
            self.add(name, above)

    @contextmanager
    def source(self) -> Iterator[None]:
        """While this is open, the body of ``%%time`` can be read by its file name."""
        if self._timed is None:
            yield
            return
        body = self._timed()
        before = {name: linecache.cache.get(name) for name in TIMED}
        for name in TIMED:
            linecache.cache[name] = (len(body), None, body.splitlines(keepends=True), name)
        try:
            yield
        finally:
            for name, entry in before.items():
                linecache.cache.pop(name, None)
                if entry is not None:
                    linecache.cache[name] = entry

    def in_cell(self, report: Report) -> Report:
        """`report` with the lines of these files counted from the first line of the cell."""
        if not any(self._above.values()):
            return report
        snapshot = report.snapshot()
        return Report(
            replace(
                snapshot,
                findings=tuple(map(self._finding, snapshot.findings)),
                suppressed=tuple(map(self._finding, snapshot.suppressed)),
                broadcasts=tuple(map(self._broadcast, snapshot.broadcasts)),
            )
        )

    def _finding(self, finding: Finding) -> Finding:
        return replace(finding, site=self._site(finding.site), broadcast=self._broadcast(finding.broadcast))

    def _broadcast(self, broadcast: Broadcast) -> Broadcast:
        return replace(broadcast, site=self._site(broadcast.site))

    def _site(self, site: Site) -> Site:
        down = self._above.get(site.filename, 0)
        stack = tuple(replace(frame, line=frame.line + self._above.get(frame.filename, 0)) for frame in site.stack)
        return replace(site, line=site.line + down, end_line=site.end_line + down, stack=stack)
