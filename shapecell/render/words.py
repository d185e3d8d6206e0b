"""What a report says in words: the heading, places, counts. Text and HTML use the same ones."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from shapecell.model import SEVERITIES, Broadcast, Finding, Report, Severity, Shape, Site
from shapecell.render.layout import Cell, Column, Diagram, shape_text

LONGEST_AXIS = 16
"""Names of axes up to this width stand in the diagram's columns."""

MAX_NAMED = 5
"""Entries of a one-line list; the others are counted."""

_SPACE = re.compile(r"[ \t\n\r\f\v]+")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINERS = frozenset("\u200c\u200d")
_CELL_FILE = re.compile(r"[/\\]ipykernel_\d+[/\\]|^<ipython-input-")
_SEPARATOR = re.compile(r"[/\\]")
_LIBRARY_ROOT = re.compile(r"^.*[/\\](?:site-packages|dist-packages|python3\.\d+|Lib)[/\\]")


def visible(text: str) -> str:
    """`text` on one line, with characters that hide or reorder others written as escapes.

    Control characters, bidirectional controls, invisible format characters and lone surrogates become ``\\x1b``,
    ``\\u202e`` and the like. The two joiners stay: scripts and emoji need them.
    """
    text = _SPACE.sub(" ", text)
    if text.isprintable():
        return text
    return "".join(_escape(c) if unicodedata.category(c) in _HIDDEN and c not in _JOINERS else c for c in text)


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def shorten(text: str, limit: int) -> str:
    """`text` with its middle cut out if it is wider than `limit` columns of a terminal."""
    if cell_len(text) <= limit:
        return text
    head = tail = ""
    start, end = 0, len(text) - 1
    while start <= end:
        if cell_len(head) <= 2 * cell_len(tail):
            head, start = head + text[start], start + 1
        else:
            tail, end = text[end] + tail, end - 1
        if cell_len(head) + cell_len(tail) >= limit - 1:
            break
    return f"{head}…{tail}"


def plural(count: int, word: str) -> str:
    """``1 broadcast``, ``3 broadcasts``, ``1,204 ops``."""
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


# ---------------------------------------------------------------- diagrams


def column_text(column: Column) -> str:
    """``axis -1``, ``axes -6…-4``; empty for an axis that is summed away."""
    if not column.axes:
        return ""
    if len(column.axes) == 1:
        return f"axis {column.axes[0]}"
    return f"axes {column.axes[0]}…{column.axes[-1]}"


def cell_text(cell: Cell | None) -> str:
    """``32``, ``1 → 32``, ``·``, ``· → 32``, without the mark."""
    if cell is None:
        return ""
    body = "·" if cell.lengths is None else "×".join(map(str, cell.lengths))
    return body if cell.stretched_to is None else f"{body} → {'×'.join(map(str, cell.stretched_to))}"


def mark_text(cell: Cell | None) -> str:
    """``⚠``, ``✗`` or nothing."""
    return "" if cell is None or cell.mark is None else "⚠" if cell.mark == "accident" else "✗"


def beneath(picture: Diagram) -> bool:
    """True if the names of the axes are too long to stand in the columns, so that they follow the diagram."""
    return any(cell_len(visible(column.name or "")) > LONGEST_AXIS for column in picture.columns)


def axes_text(picture: Diagram) -> str:
    """``axis -2 is x axis 0, axis -1 is y axis 0``."""
    return ", ".join(
        f"{column_text(column) or f'the {picture.vanished} axis'} is {shorten(visible(column.name), 60)}"
        for column in picture.columns
        if column.name
    )


# ---------------------------------------------------------------- places


@dataclass(frozen=True, slots=True)
class Places:
    """Names places for the reader of one report. `source` is the source of the cell that it is about, if any."""

    source: str | None = None

    def line(self, filename: str, line: int, text: str, function: str = "<module>") -> str:
        """``line 2``, ``train.py line 12 in step``, ``another cell line 3 in loss``."""
        where = f"{self._file(filename, line, text)}line {line}"
        return where if function.startswith("<") else f"{where} in {function}"

    def _file(self, filename: str, line: int, text: str) -> str:
        if not _CELL_FILE.search(filename):
            return f"{_SEPARATOR.split(filename)[-1] or filename} "
        if self.source is None or not text:
            return ""
        # The source may hold the magic's own line, which line numbers leave out.
        nearby = self.source.split("\n")[max(line - 1, 0) : line + 1]
        return "" if any(text.split("\n")[0] in candidate for candidate in nearby) else "another cell "

    def site(self, site: Site) -> str:
        """Where a site is."""
        return self.line(site.filename, site.line, site.source, site.function)

    def way(self, site: Site) -> list[str]:
        """How control got to the operation: the library it is in, and the user's calls that lead there."""
        said = []
        library = site.library
        if library:
            inner = library[-1]
            path = _LIBRARY_ROOT.sub("", inner.filename).replace("\\", "/")
            here = self.line(site.filename, site.line, site.source)
            said.append(f"inside {path} ({inner.function}, line {inner.line}), called from {here}")
        outer = [frame for frame in site.stack if not frame.library][::-1]
        if outer:
            calls = [self.line(f.filename, f.line, f.source, f.function) for f in outer[:3]]
            more = f", and {len(outer) - 3} more" if len(outer) > 3 else ""
            said.append(f"reached from {', from '.join(calls)}{more}")
        return said


def expression(broadcast: Broadcast) -> str:
    """The source of the operation on one line, or its name where the source is not at hand."""
    return visible(broadcast.site.source).strip() or visible(broadcast.operation)


# ---------------------------------------------------------------- counts


def seen(broadcast: Broadcast) -> list[str]:
    """How often it ran and with which other shapes."""
    said = []
    if broadcast.count > 1:
        said.append(
            f"ran {broadcast.count:,} times, first as operation {broadcast.first:,}, last as {broadcast.last:,}"
        )
    if broadcast.variants:
        shown = "; ".join(shapes_text(variant) for variant in broadcast.variants[:MAX_NAMED])
        more = len(broadcast.variants) - MAX_NAMED
        said.append(f"also seen with {shown}{f'; and {more} more' if more > 0 else ''}")
    return said


def shapes_text(shapes: Sequence[Shape]) -> str:
    """``(7, 1) and (7,)``."""
    texts = [shape_text(shape) for shape in shapes]
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def becomes(broadcast: Broadcast) -> str:
    """``(32, 8) and (8,) → (32, 8)``."""
    result = "fails" if broadcast.result_shape is None else shape_text(broadcast.result_shape)
    return f"{shapes_text([operand.shape for operand in broadcast.operands])} → {result}"


# ---------------------------------------------------------------- the report as a whole


def heading(report: Report) -> list[str]:
    """The parts of the heading line, the verdict first."""
    snapshot = report.snapshot()
    suspicious = sum(finding.suspicious for finding in snapshot.findings)
    if not snapshot.operations and not snapshot.findings:
        return ["no array operations seen", *([", ".join(snapshot.frameworks)] if snapshot.frameworks else [])]
    parts = [
        f"{suspicious:,} suspicious" if suspicious else "nothing suspicious",
        plural(len(snapshot.broadcasts), "broadcast"),
        plural(snapshot.operations, "op"),
    ]
    if snapshot.frameworks:
        parts.append(", ".join(snapshot.frameworks))
    return parts


def split_by_level(report: Report, level: Severity) -> tuple[list[Finding], dict[Severity, list[Finding]]]:
    """The findings of severity `level` or above, and those below it by severity."""
    shown = report.at_level(level)
    below = SEVERITIES[SEVERITIES.index(level) + 1 :]
    rest = {severity: [f for f in report.findings if f.severity == severity] for severity in below}
    return shown, {severity: findings for severity, findings in rest.items() if findings}


def folded_title(severity: Severity, count: int) -> str:
    """``2 notes (low)``, ``1 more (medium)``."""
    return f"{plural(count, 'note')} (low)" if severity == "low" else f"{count:,} more ({severity})"


def listed(findings: Sequence[Finding], places: Places) -> str:
    """``SC103 line 4, SC101 line 9, and 3 more``."""
    texts = [f"{f.rule} {places.site(f.site)}" for f in findings[:MAX_NAMED]]
    if len(findings) > MAX_NAMED:
        texts.append(f"and {len(findings) - MAX_NAMED} more")
    return ", ".join(texts)


def plain_broadcasts(report: Report) -> list[Broadcast]:
    """The broadcasts that no finding is about."""
    accused = {(f.broadcast.site, f.broadcast.operation) for f in report.findings}
    return [b for b in report.broadcasts if (b.site, b.operation) not in accused]


def unrecorded_text(count: int) -> str:
    """What is said of groups for which there was no room."""
    return f"and {count:,} more {'group' if count == 1 else 'groups'} of operations, not recorded: there were too many"
