"""Reports: reading, JSON and back, merging, raising, tables."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings

from shapecell.model import SEVERITIES, Finding, Report, Severity, ShapeCheckError, Snapshot
from tests.render import examples as ex
from tests.render.strategies import colliding, harmless, hostile, reports


def unordered(report: Report) -> tuple[object, ...]:
    """What a report holds, whatever the order of groups, frameworks and variants."""

    def plain(item: Any) -> Any:
        if isinstance(item, Finding):
            return dataclasses.replace(item, broadcast=plain(item.broadcast))
        if hasattr(item, "variants"):
            return dataclasses.replace(item, variants=frozenset(item.variants))
        return item

    s = report.snapshot()
    groups = (Counter(map(plain, part)) for part in (s.findings, s.broadcasts, s.problems, s.suppressed))
    return (*groups, s.operations, s.unrecorded, frozenset(s.frameworks), s.source, s.source_hash)


# ---------------------------------------------------------------- reading


def test_an_empty_report() -> None:
    report = Report()
    assert (report.findings, report.broadcasts, report.operations, report.problems) == ([], [], 0, [])
    assert (report.suspicious, report.suppressed, report.unrecorded, report.frameworks) == ([], [], 0, ())
    assert len(report) == 0
    assert bool(report) is True
    assert repr(report) == "<Report: 0 suspicious, 0 broadcasts, 0 operations>"


def test_a_report_is_read_anew_until_it_is_finished() -> None:
    counts = iter(range(10))

    def read() -> Snapshot:
        return Snapshot(operations=next(counts))

    report = Report(read)
    assert [report.operations, report.operations] == [0, 1]
    report.finish()
    assert [report.operations, report.operations] == [2, 2]


def test_levels() -> None:
    report = ex.EVERYTHING
    assert [[f.rule for f in report.at_level(level)] for level in SEVERITIES] == [
        ["SC101", "SC001"],
        ["SC101", "SC001", "SC201"],
        ["SC101", "SC001", "SC201", "SC101"],
    ]
    assert report.suspicious == report.at_level("medium")
    assert [f.rule for f in report] == [f.rule for f in report.findings]


@pytest.mark.parametrize("read", [Report.at_level, Report.raise_if, lambda r, level: r.to_text(level=level)])
def test_unknown_level(read: Callable[[Report, Any], object]) -> None:
    with pytest.raises(ValueError, match="level must be one of high, medium, low, not 'loud'"):
        read(ex.EVERYTHING, "loud")


def test_raise_if() -> None:
    note = ex.report(ex.INSIDE_FINDING)
    note.raise_if("high")
    note.raise_if()
    with pytest.raises(ShapeCheckError, match=r"log_prob.*\n.*both operands are stretched into a table \[SC101\]"):
        note.raise_if("low")
    with pytest.raises(AssertionError):
        ex.EVERYTHING.raise_if("high")


# ---------------------------------------------------------------- JSON


@settings(max_examples=40, deadline=None)
@given(reports(harmless))
def test_round_trip(report: Report) -> None:
    assert Report.from_dict(report.to_dict()).snapshot() == report.snapshot()
    assert Report.from_dict(json.loads(report.to_json(indent=1))).snapshot() == report.snapshot()


@settings(max_examples=40, deadline=None)
@given(reports(hostile))
def test_json_can_always_be_written(report: Report) -> None:
    text = report.to_json().encode("utf-8")
    assert Report.from_dict(json.loads(text)).to_dict() == report.to_dict()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "not a shapecell report of version 1 (version is None)"),
        ({}, "not a shapecell report of version 1 (version is None)"),
        ({"version": 2}, "the report is of version 2, this shapecell reads version 1: update shapecell"),
        ({"version": 1}, "not a shapecell report: report lacks 'findings'"),
    ],
)
def test_what_is_no_report(data: Any, words: str) -> None:
    with pytest.raises(ValueError) as caught:
        Report.from_dict(data)
    assert str(caught.value) == words


def test_an_error_says_where() -> None:
    data = ex.report(ex.PAIRS_FINDING).to_dict()
    data["findings"][0]["broadcast"]["operands"][1]["axes"][0]["length"] = "32"
    with pytest.raises(ValueError) as caught:
        Report.from_dict(data)
    assert str(caught.value) == (
        "not a shapecell report: report.findings[0].broadcast.operands[1].axes[0].length must be of type int, not '32'"
    )
    data = ex.report(ex.PAIRS_FINDING).to_dict()
    data["findings"][0]["severity"] = "dire"
    with pytest.raises(ValueError, match=r"severity must be one of 'high', 'medium', 'low', not 'dire'"):
        Report.from_dict(data)


# ---------------------------------------------------------------- merging


@settings(max_examples=150, deadline=None)
@given(colliding, colliding, colliding)
def test_merge_is_associative(a: Report, b: Report, c: Report) -> None:
    assert unordered(a.merge(b).merge(c)) == unordered(a.merge(b.merge(c)))


@settings(max_examples=150, deadline=None)
@given(colliding, colliding)
def test_merge_is_commutative_up_to_order(a: Report, b: Report) -> None:
    assert unordered(a.merge(b)) == unordered(b.merge(a))


def test_merge_adds_counts() -> None:
    once = ex.report(ex.PAIRS_FINDING)
    later = dataclasses.replace(ex.PAIRS, count=2, first=4, last=9, variants=(((3, 1), (3,)),))
    again = ex.report(dataclasses.replace(ex.PAIRS_FINDING, count=2, broadcast=later))
    merged = once.merge(again)
    (finding,) = merged.findings
    (broadcast,) = merged.broadcasts
    assert finding.broadcast == broadcast
    assert (finding.count, broadcast.count, broadcast.first, broadcast.last) == (5002, 5002, 4, 250_003)
    assert broadcast.variants == (((7, 1), (7,)), ((3, 1), (3,)))
    assert merged.operations == 82
    assert len(once.findings) == 1
    assert once.findings[0].count == 5000


def test_merge_keeps_findings_apart_that_differ() -> None:
    elsewhere = dataclasses.replace(ex.PAIRS.site, line=3)
    other = dataclasses.replace(ex.PAIRS, site=elsewhere)
    merged = ex.report(ex.CROSSED_FINDING).merge(
        ex.report(ex.PAIRS_FINDING, dataclasses.replace(ex.PAIRS_FINDING, site=elsewhere, broadcast=other))
    )
    assert [(f.severity, f.site.line) for f in merged.findings] == [("high", 2), ("high", 3), ("medium", 7)]


def test_merged_report_is_about_no_single_cell() -> None:
    merged = ex.EVERYTHING.merge(Report())
    assert (merged.snapshot().source, merged.snapshot().source_hash) == (None, None)


# ---------------------------------------------------------------- tables


def test_to_frame() -> None:
    frame = ex.EVERYTHING.to_frame()
    assert list(frame["rule"]) == ["SC101", "SC001", "SC201", "SC101"]
    first = frame.iloc[0].to_dict()
    assert first == {
        "rule": "SC101", "severity": "high", "file": ex.CELL, "line": 2, "source": "pred - y", "operation": "torch.sub",
        "shapes": ((32, 1), (32,)), "result": (32, 32), "count": 5000, "message": ex.PAIRS_FINDING.message,
        "fix": "pred.squeeze(-1) - y",
    }  # fmt: skip
    assert frame["result"][1] is None
    assert list(Report().to_frame().columns) == list(frame.columns)


def test_to_frame_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"needs pandas: pip install 'shapecell\[pandas\]'"):
        ex.EVERYTHING.to_frame()


def test_every_severity_is_known() -> None:
    import typing

    assert typing.get_args(Severity) == SEVERITIES
