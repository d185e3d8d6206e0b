"""The MIME bundle of a finished report: data for the interactive view, static HTML, and plain text."""

from __future__ import annotations

import dataclasses
from typing import Any

from shapecell.model import Report, Severity
from shapecell.render.html import report_html
from shapecell.render.text import report_text
from shapecell.render.words import plain_broadcasts

MIME_TYPE = "application/vnd.shapecell+json"

MAX_BROADCASTS = 300
"""Broadcasts without a finding that a saved notebook carries; the others are counted in `unrecorded`."""


def mime_bundle(report: Report, *, level: Severity = "medium") -> dict[str, Any]:
    """The report under exactly three MIME types.

    ``application/vnd.shapecell+json`` holds the report after ``report.schema.json``; its ``source_hash`` is the
    SHA-256 of the cell's source, by which an editor knows whether its marks still fit. No widget view and no SVG:
    a saved notebook must open without them.
    """
    return {
        MIME_TYPE: _bounded(report).to_dict(),
        "text/html": report_html(report, level=level),
        "text/plain": report_text(report, level=level),
    }


def _bounded(report: Report) -> Report:
    snapshot = report.snapshot()
    surplus = plain_broadcasts(Report(snapshot))[MAX_BROADCASTS:]
    if not surplus:
        return Report(snapshot)
    left_out = set(map(id, surplus))
    kept = tuple(broadcast for broadcast in snapshot.broadcasts if id(broadcast) not in left_out)
    unrecorded = snapshot.unrecorded + len(surplus)
    return Report(dataclasses.replace(snapshot, broadcasts=kept, unrecorded=unrecorded))
