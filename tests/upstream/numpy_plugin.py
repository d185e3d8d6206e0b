"""A pytest plugin for NumPy's own tests: each runs with the adapter in place, or (--unhooked) as it is.

Outcomes, and what shapecell could not follow, go to the file given with --outcomes.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from shapecell.adapters.numpy import make_adapter
from shapecell.tracking.tracker import Tracker

_adapter = make_adapter()
_outcomes: dict[str, str] = {}
_details: dict[str, str] = {}
_problems: dict[str, int] = {}
_operations = 0


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--outcomes", required=True)
    parser.addoption("--unhooked", action="store_true")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    global _operations
    if item.config.getoption("--unhooked"):
        return (yield)
    tracker = Tracker()
    _adapter.install(tracker)
    try:
        return (yield)
    finally:
        _adapter.uninstall()
        _operations += tracker.operations
        for problem in tracker.problems():
            text = f"{problem.where}: {problem.why}"
            _problems[text] = _problems.get(text, 0) + problem.count


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" or report.outcome != "passed":
        outcome = f"x{report.outcome}" if hasattr(report, "wasxfail") else report.outcome
        _outcomes[report.nodeid] = outcome
        if outcome == "failed":
            _details[report.nodeid] = report.longreprtext[-2000:]


def pytest_sessionfinish(session: pytest.Session) -> None:
    data = {"outcomes": _outcomes, "details": _details, "problems": _problems, "operations": _operations}
    Path(session.config.getoption("--outcomes")).write_text(json.dumps(data))
