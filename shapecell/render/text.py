"""A report as text: for terminals, logs and notebooks that show nothing else."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from shapecell.model import Broadcast, Finding, Report, Severity
from shapecell.render.layout import Diagram, Row, diagram
from shapecell.render.words import (
    Places,
    axes_text,
    becomes,
    beneath,
    cell_text,
    column_text,
    expression,
    folded_title,
    heading,
    listed,
    mark_text,
    plain_broadcasts,
    plural,
    seen,
    shorten,
    split_by_level,
    unrecorded_text,
    visible,
)

MAX_FINDINGS = 100
MAX_BROADCASTS = 50

_INDENT = " " * 8
_LONGEST_NAME = 28
_SYMBOLS = "×→⚠·✗…"
_ASCII = str.maketrans(
    {"×": "x", "→": "->", "⚠": "!", "·": ".", "✗": "X", "…": "...", "—": "-", "–": "-", "’": "'", "‘": "'"}
)

_COLOURS = {
    "title": "bold",
    "high": "bold red",
    "medium": "bold yellow",
    "low": "cyan",
    "source": "bold",
    "accident": "bold yellow",
    "fails": "bold red",
    "fix": "green",
    "dim": "dim",
}


class Span(NamedTuple):
    """A stretch of text and what it is, a key of `_COLOURS` or ``""``."""

    text: str
    style: str = ""


Line = list[Span]
Say = Callable[[str], str]


def report_text(
    report: Report, *, level: Severity = "medium", width: int = 100, show_broadcasts: bool | None = None
) -> str:
    """The report as plain text.

    Parameters
    ----------
    report
        The report; it may still be running.
    level
        Findings of this severity or above are shown in full, the others in one line.
    width
        Columns at which sentences are wrapped. A diagram is never wrapped.
    show_broadcasts
        Whether to list the broadcasts that no finding is about; by default only with level ``"low"``.
    """
    return _joined(_report(report, level, width, show_broadcasts, visible))


def finding_text(finding: Finding, *, width: int = 100) -> str:
    """One finding as plain text, with its diagram."""
    return _joined(_finding(finding, Places(), width, visible))


def broadcast_text(broadcast: Broadcast, *, width: int = 100) -> str:
    """The diagram of one operation as plain text."""
    return _joined(_diagram(diagram(broadcast), width, visible, ""))


def print_report(report: Report, *, level: Severity = "medium", file: TextIO | None = None) -> None:
    """Print the report: in colour where `file` is a terminal, plain elsewhere.

    Where the stream's encoding lacks the symbols of a diagram, ASCII stands in for them.
    """
    stream = sys.stdout if file is None else file
    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    width = max(60, min(console.width, 120)) if console.is_terminal else 100
    lines = _report(report, level, width, None, _speaker(stream))
    if not console.is_terminal:
        stream.write(_joined(lines) + "\n")
        return
    for line in lines:
        text = Text.assemble(*((span.text, _COLOURS.get(span.style, "")) for span in line))
        text.rstrip()
        console.print(text, soft_wrap=True)


def _speaker(stream: TextIO) -> Say:
    """How to put text into the encoding of `stream`."""
    encoding = getattr(stream, "encoding", None)
    if not encoding:
        return visible
    try:
        _SYMBOLS.encode(encoding)
        translate = {}
    except (UnicodeEncodeError, LookupError):
        translate = _ASCII

    def say(text: str) -> str:
        shown = visible(text).translate(translate)
        try:
            return shown.encode(encoding, "backslashreplace").decode(encoding)
        except LookupError:
            return shown.encode("ascii", "backslashreplace").decode("ascii")

    return say


def _joined(lines: Iterable[Line]) -> str:
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)


# ---------------------------------------------------------------- the report


def _report(report: Report, level: Severity, width: int, show_broadcasts: bool | None, say: Say) -> list[Line]:
    snapshot = report.snapshot()
    report = Report(snapshot)
    places = Places(snapshot.source)
    shown, rest = split_by_level(report, level)
    first, *others = heading(report)
    tone = shown[0].severity if shown and shown[0].suspicious else "title"
    lines: list[Line] = [
        [
            Span("shapecheck", "title"),
            Span("  "),
            Span(say(first), tone),
            Span(say("".join(f" · {part}" for part in others)), "dim"),
        ]
    ]
    for finding in shown[:MAX_FINDINGS]:
        lines += [[], *_finding(finding, places, width, say)]
    after: list[Line] = []
    if len(shown) > MAX_FINDINGS:
        after += _sentence(f"and {len(shown) - MAX_FINDINGS:,} more findings", width, say)
    for severity, findings in rest.items():
        after += _sentence(f"{folded_title(severity, len(findings))}: {listed(findings, places)}", width, say)
    suppressed = snapshot.suppressed
    if suppressed:
        after += _sentence(f"{len(suppressed):,} suppressed: {listed(suppressed, places)}", width, say)
    for problem in snapshot.problems:
        often = f" (×{problem.count:,})" if problem.count > 1 else ""
        after += _sentence(f"note: {problem.where}: {problem.why}{often}", width, say)
    if snapshot.unrecorded:
        after += _sentence(unrecorded_text(snapshot.unrecorded), width, say)
    if after:
        lines += [[], *after] if shown else after
    if show_broadcasts or (show_broadcasts is None and level == "low"):
        lines += _broadcasts(report, places, say)
    return lines


def _sentence(text: str, width: int, say: Say, indent: str = "  ", style: str = "dim") -> list[Line]:
    """`text` wrapped, continuation lines set in further."""
    wrapped = textwrap.wrap(
        say(text),
        max(width, 40),
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [[Span(line, style)] for line in wrapped]


def _broadcasts(report: Report, places: Places, say: Say) -> list[Line]:
    plain = plain_broadcasts(report)
    if not plain:
        return []
    shown = plain[:MAX_BROADCASTS]
    rows = [
        [say(places.site(b.site)), shorten(say(expression(b)), 40), say(becomes(b)),
         say(f"×{b.count:,}") if b.count > 1 else ""]
        for b in shown
    ]  # fmt: skip
    widths = [max(cell_len(row[i]) for row in rows) for i in range(3)]
    lines: list[Line] = [[], [Span(f"  {plural(len(plain), 'ordinary broadcast')}", "title")]]
    for row in rows:
        cells = "  ".join(text + " " * (size - cell_len(text)) for text, size in zip(row, widths, strict=False))
        lines.append([Span(f"    {cells}  {row[3]}", "dim")])
    if len(plain) > len(shown):
        lines.append([Span(f"    and {len(plain) - len(shown):,} more", "dim")])
    return lines


# ---------------------------------------------------------------- one finding


def _finding(finding: Finding, places: Places, width: int, say: Say) -> list[Line]:
    broadcast = finding.broadcast
    where = say(places.site(finding.site))
    source = shorten(say(expression(broadcast)), 60)
    count = say(f"  ×{finding.count:,}") if finding.count > 1 else ""
    message, code = say(finding.message), f"[{say(finding.rule)}]"
    start = [
        Span("  "), Span(say(finding.severity), finding.severity), Span(f"  {where}  "),
        Span(source, "source"), Span(count, "dim"),
    ]  # fmt: skip
    taken = sum(cell_len(span.text) for span in start)
    if taken + cell_len(message) + cell_len(code) + 5 <= width:
        lines = [[*start, Span(f"   {message}  "), Span(code, "dim")]]
    else:
        lines = [start, *_sentence(f"{message}  {code}", width, say, _INDENT, "")]
    lines += _diagram(diagram(broadcast, finding=True), width, say, _INDENT)
    if finding.why:
        lines += _sentence(finding.why, width, say, _INDENT, "")
    for remark in (*places.way(finding.site), *seen(broadcast)):
        lines += _sentence(remark, width, say, _INDENT)
    return [*lines, *_fixes(finding, width, say)]


def _fixes(finding: Finding, width: int, say: Say) -> list[Line]:
    fixes = [say(fix) for fix in finding.fixes]
    if not fixes:
        return []
    line: Line = [Span(f"{_INDENT}fix: "), Span(fixes[0], "fix")]
    for fix in fixes[1:]:
        line += [Span("   or   ", "dim"), Span(fix, "fix")]
    if sum(cell_len(span.text) for span in line) <= width:
        return [line]
    first: Line = [Span(f"{_INDENT}fix: "), Span(fixes[0], "fix")]
    return [first, *([Span(f"{_INDENT} or: ", "dim"), Span(fix, "fix")] for fix in fixes[1:])]


# ---------------------------------------------------------------- the diagram


class _Grid:
    """The columns of a diagram in characters: each a body, set to the right, and room for a mark."""

    def __init__(self, picture: Diagram, say: Say) -> None:
        self._picture = picture
        self._say = say
        rows = [row for row in picture.rows if row.cells]
        self.names = ["" if beneath(picture) else say(column.name or "") for column in picture.columns]
        self.headers = [self._header(index) for index in range(len(picture.columns))]
        self._marks = [
            max((cell_len(say(mark_text(row.cells[i]))) for row in rows), default=0)
            for i in range(len(picture.columns))
        ]
        self._bodies = [
            max(
                cell_len(self.headers[i]),
                cell_len(self.names[i]),
                *(cell_len(say(cell_text(row.cells[i]))) for row in rows),
            )
            for i in range(len(picture.columns))
        ]

    def _header(self, index: int) -> str:
        column = self._picture.columns[index]
        if not column.axes and (index == 0 or self._picture.columns[index - 1].axes):
            return self._say(self._picture.vanished)
        return self._say(column_text(column))

    def line(self, texts: Sequence[str], marks: Sequence[str], styles: Sequence[str]) -> Line:
        """One line of the grid."""
        out: Line = []
        for index, (text, mark, style) in enumerate(zip(texts, marks, styles, strict=True)):
            vanished = not self._picture.columns[index].axes
            apart = vanished and index > 0 and bool(self._picture.columns[index - 1].axes)
            out.append(Span(" " * (6 if apart else 3)))
            out.append(Span(" " * (self._bodies[index] - cell_len(text)) + text, style))
            room = self._marks[index] + 1 if self._marks[index] else 0
            out.append(Span((f" {mark}" if mark else "").ljust(room), style))
        return out

    def row(self, row: Row) -> Line:
        """The cells of `row`, or the text in their place."""
        if row.text is not None:
            return [Span("   "), Span(self._say(row.text), "fails" if row.result and row.text != "scalar" else "")]
        texts = [self._say(cell_text(cell)) for cell in row.cells]
        marks = [self._say(mark_text(cell)) for cell in row.cells]
        styles = [
            cell.mark or ("dim" if cell.lengths is None and cell.stretched_to is None else "")
            if cell is not None
            else ""
            for cell in row.cells
        ]
        return self.line(texts, marks, styles)


def _width(line: Line) -> int:
    return sum(cell_len(span.text) for span in line)


def _diagram(picture: Diagram, width: int, say: Say, indent: str) -> list[Line]:
    """The diagram, one line per row. Notes that do not fit beside it follow below."""
    grid = _Grid(picture, say)
    blank = [""] * len(picture.columns)
    labels = [shorten(say(row.label), _LONGEST_NAME) for row in picture.rows]
    room = max(map(cell_len, labels))
    drawn: list[Line] = []
    if picture.columns:
        drawn.append([Span(indent + " " * room), *grid.line(grid.headers, blank, ["dim"] * len(blank))])
    body = [
        [Span(indent), Span(label + " " * (room - cell_len(label)), "dim" if row.result else ""), *grid.row(row)]
        for label, row in zip(labels, picture.rows, strict=True)
    ]
    edge = max(_width(line) for line in (*drawn, *body))
    below: list[Line] = []
    for label, row, line in zip(labels, picture.rows, body, strict=True):
        note = say("; ".join(row.notes))
        if note and edge + 3 + cell_len(note) <= width:
            line.append(Span(" " * (edge + 3 - _width(line)) + note, "dim"))
        elif note:
            below += _sentence(f"{label}: {note}", width, say, indent)
    if any(grid.names):
        names = grid.line(grid.names, blank, ["dim"] * len(blank))
        body.append([Span(indent), Span("axes".ljust(room), "dim"), *names])
    if beneath(picture):
        below += _sentence(axes_text(picture), width, say, indent)
    return [*drawn, *body, *below]
