"""A report as one static HTML fragment, for every viewer of a saved notebook.

It must read with every attribute removed, on light and on dark paper: markers are text, structure is tables, and a
colour is only set together with its opaque background. No classes, ids, names, scripts, style sheets or addresses.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from shapecell.model import Broadcast, Finding, Report, Severity
from shapecell.render.layout import Cell, Diagram, Row, diagram
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
MAX_BROADCASTS = 100
MAX_PROBLEMS = 50

_LONGEST_NAME = 48
_LONGEST_SOURCE = 120

_BADGE = {
    "high": "color:#ffffff;background-color:#b3261e",
    "medium": "color:#2b2100;background-color:#f0c14b",
    "low": "color:#ffffff;background-color:#5b6570",
}
_EDGE = {"high": "#b3261e", "medium": "#d9a520", "low": "#8c959f"}
_MARKED = {
    "accident": "color:#5c3400;background-color:#ffe4a8;font-weight:bold",
    "fails": "color:#7d0d12;background-color:#ffd4d1;font-weight:bold",
}

_MONO = "font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:12px"
_CARD = "margin:4px 0;line-height:1.5;font-size:13px;text-align:left"
_PARAGRAPH = "margin:3px 0"
_TABLE = "margin:6px 0;border-collapse:collapse;border:none;table-layout:auto;font-size:12px"
_CELL = f"padding:2px 10px;border:none;text-align:right;white-space:nowrap;{_MONO}"
_LEFT = f"padding:2px 10px 2px 0;border:none;text-align:left;font-weight:normal;white-space:nowrap;{_MONO}"
_NOTE = "padding:2px 10px 2px 18px;border:none;text-align:left;font-weight:normal;font-size:12px"
_WRAPPED = "padding:2px 10px 2px 0;border:none;text-align:left;font-size:12px"
_UNMARKED = ";padding-right:25px"
_RULE = ";border-top:1px solid #8c959f"


def report_html(report: Report, *, level: Severity = "medium") -> str:
    """The report as static HTML.

    Parameters
    ----------
    report
        The report; it may still be running.
    level
        Findings of this severity or above stand open, the others are folded.
    """
    snapshot = report.snapshot()
    report = Report(snapshot)
    places = Places(snapshot.source)
    shown, rest = split_by_level(report, level)
    parts = [_heading(report)]
    parts += [_finding(finding, places) for finding in shown[:MAX_FINDINGS]]
    if len(shown) > MAX_FINDINGS:
        parts.append(_paragraph(f"and {len(shown) - MAX_FINDINGS:,} more findings"))
    for severity, findings in rest.items():
        inside = [_finding(finding, places) for finding in findings[:MAX_FINDINGS]]
        if len(findings) > MAX_FINDINGS:
            inside.append(_paragraph(f"and {len(findings) - MAX_FINDINGS:,} more findings"))
        parts.append(_folded(folded_title(severity, len(findings)), "".join(inside)))
    plain = plain_broadcasts(report)
    if plain:
        parts.append(_folded(plural(len(plain), "ordinary broadcast"), _broadcasts(plain, places)))
    if snapshot.suppressed:
        parts.append(_folded(f"{len(snapshot.suppressed):,} suppressed", _suppressed(snapshot.suppressed, places)))
    if snapshot.problems:
        lines = [
            f"note: {problem.where}: {problem.why}{f' (×{problem.count:,})' if problem.count > 1 else ''}"
            for problem in snapshot.problems[:MAX_PROBLEMS]
        ]
        if len(snapshot.problems) > MAX_PROBLEMS:
            lines.append(f"and {len(snapshot.problems) - MAX_PROBLEMS:,} more")
        parts.append(_folded(plural(len(snapshot.problems), "problem"), "".join(map(_paragraph, lines))))
    if snapshot.unrecorded:
        parts.append(_paragraph(unrecorded_text(snapshot.unrecorded)))
    return _tag("div", "".join(parts), _CARD)


# ---------------------------------------------------------------- elements


def _escape(text: str) -> str:
    return html.escape(visible(text), quote=True)


def _tag(name: str, content: str, style: str = "", *, scope: str = "", colspan: int = 0) -> str:
    """An element around `content`, which is HTML already. Attributes hold nothing that comes from outside."""
    scoped = f' scope="{scope}"' if scope else ""
    spanned = f' colspan="{colspan}"' if colspan > 1 else ""
    styled = f' style="{style}"' if style else ""
    return f"<{name}{scoped}{spanned}{styled}>{content}</{name}>"


def _code(text: str) -> str:
    return _tag("code", _escape(text), f"white-space:pre-wrap;{_MONO}")


def _small(text: str) -> str:
    return _tag("small", _escape(text))


def _paragraph(text: str) -> str:
    return _tag("p", _escape(text), _PARAGRAPH)


def _folded(title: str, content: str) -> str:
    return _tag("details", _tag("summary", _escape(title)) + content, _PARAGRAPH)


def _table(rows: Iterable[str], head: str = "") -> str:
    return _tag("table", (_tag("thead", head) if head else "") + _tag("tbody", "".join(rows)), _TABLE)


# ---------------------------------------------------------------- parts


def _heading(report: Report) -> str:
    first, *others = heading(report)
    rest = "".join(f" · {part}" for part in others)
    return _tag("p", f"<strong>shapecheck</strong> &nbsp;{_tag('strong', _escape(first))}{_escape(rest)}", _PARAGRAPH)


def _finding(finding: Finding, places: Places) -> str:
    broadcast = finding.broadcast
    badge = _tag(
        "strong",
        f"&nbsp;{_escape(finding.severity)}&nbsp;",
        f"{_BADGE[finding.severity]};border-radius:3px;font-size:12px",
    )
    count = f" ×{finding.count:,}" if finding.count > 1 else ""
    where = _escape(places.site(finding.site))
    source = _code(shorten(expression(broadcast), _LONGEST_SOURCE))
    parts = [
        _tag("p", f"{badge} &nbsp;{where} &nbsp;{source}{_small(count)}", _PARAGRAPH),
        _tag("p", f"{_tag('strong', _escape(finding.message))} {_small(f'[{finding.rule}]')}", _PARAGRAPH),
        _diagram(diagram(broadcast, finding=True)),
    ]
    if finding.why:
        parts.append(_paragraph(finding.why))
    remarks = [*places.way(finding.site), *seen(broadcast)]
    if remarks:
        parts.append(_tag("p", "<br>".join(map(_small, remarks)), _PARAGRAPH))
    if finding.fixes:
        parts.append(_tag("p", f"fix: {' &nbsp;or&nbsp; '.join(map(_code, finding.fixes))}", _PARAGRAPH))
    edge = f"margin:10px 0;padding:1px 0 1px 12px;border-left:3px solid {_EDGE[finding.severity]}"
    return _tag("div", "".join(parts), edge)


def _broadcasts(plain: Sequence[Broadcast], places: Places) -> str:
    rows = [
        _tag(
            "tr",
            _tag("td", _escape(places.site(b.site)), _LEFT)
            + _tag("td", _code(shorten(expression(b), _LONGEST_NAME)), _WRAPPED)
            + _tag("td", _escape(becomes(b)), _WRAPPED)
            + _tag("td", _escape(b.operation), _WRAPPED)
            + _tag("td", _escape(f"×{b.count:,}") if b.count > 1 else "", _WRAPPED),
        )
        for b in plain[:MAX_BROADCASTS]
    ]
    more = len(plain) - MAX_BROADCASTS
    return _table(rows) + (_paragraph(f"and {more:,} more") if more > 0 else "")


def _suppressed(findings: Sequence[Finding], places: Places) -> str:
    rows = [
        _tag(
            "tr",
            _tag("td", _escape(places.site(f.site)), _LEFT)
            + _tag("td", _escape(f.rule), _LEFT)
            + _tag("td", _code(shorten(expression(f.broadcast), _LONGEST_NAME)), _WRAPPED)
            + _tag("td", _escape(f.message), _WRAPPED),
        )
        for f in findings[:MAX_FINDINGS]
    ]
    more = len(findings) - MAX_FINDINGS
    return _table(rows) + (_paragraph(f"and {more:,} more") if more > 0 else "")


# ---------------------------------------------------------------- the diagram


def _diagram(picture: Diagram) -> str:
    noted = any(row.notes for row in picture.rows)
    marked = [
        any(row.cells and mark_text(row.cells[index]) for row in picture.rows) for index in range(len(picture.columns))
    ]
    rows = [_row(row, marked, noted) for row in picture.rows]
    names = [column.name for column in picture.columns]
    below = _tag("p", _small(axes_text(picture)), _PARAGRAPH) if beneath(picture) else ""
    if any(names) and not below:
        cells = [
            _tag("td", _small(name or ""), _CELL + (_UNMARKED if room else ""))
            for name, room in zip(names, marked, strict=True)
        ]
        rows.append(_tag("tr", _tag("th", _small("axes"), _LEFT, scope="row") + "".join(cells) + _note((), noted)))
    headers = [column_text(column) or picture.vanished for column in picture.columns]
    if not headers:
        return _table(rows) + below
    head = "".join(
        _tag("th", _small(text), f"{_CELL};font-weight:normal{_UNMARKED if room else ''}", scope="col")
        for text, room in zip(headers, marked, strict=True)
    )
    first, last = _tag("th", "", _LEFT), _tag("th", "", _NOTE) if noted else ""
    return _table(rows, _tag("tr", first + head + last)) + below


def _row(row: Row, marked: Sequence[bool], noted: bool) -> str:
    rule = _RULE if row.result else ""
    name = _escape(shorten(visible(row.label), _LONGEST_NAME))
    label = _tag("th", name if row.result else _tag("strong", name), _LEFT + rule, scope="row")
    if row.text is not None:
        mark = f";{_MARKED['fails']}" if row.result and row.text != "scalar" else ""
        cells = _tag("td", _escape(row.text), _CELL + rule + mark, colspan=len(marked))
    else:
        cells = "".join(_cell(cell, room, rule) for cell, room in zip(row.cells, marked, strict=True))
    return _tag("tr", label + cells + _note(row.notes, noted, rule))


def _cell(cell: Cell | None, room: bool, rule: str) -> str:
    """One cell. With `room`, another cell of its column has a mark: the numbers still stand below each other."""
    style = _CELL + rule
    if cell is None or cell.mark is None:
        return _tag("td", _escape(cell_text(cell)), style + (_UNMARKED if room else ""))
    return _tag("td", _escape(f"{cell_text(cell)} {mark_text(cell)}"), f"{style};{_MARKED[cell.mark]}")


def _note(notes: Sequence[str], noted: bool, rule: str = "") -> str:
    return _tag("td", _escape("; ".join(notes)), _NOTE + rule) if noted else ""
