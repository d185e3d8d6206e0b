"""The cells of this folder, scored: no false alarm at all, and exactly the bugs that expected.json says."""

from __future__ import annotations

import json

import pytest

from tests.cases.score import EXPECTED, Cell, cells, expected, prove, recall, score

pytest.importorskip("torch")

CELLS = cells()
BUGS = [cell for cell in CELLS if cell.is_bug]
UPDATE = "if that is meant, run: python -m tests.cases.score --update"


def key(cell: Cell) -> str:
    return cell.key


@pytest.mark.parametrize("cell", CELLS, ids=key)
def test_cell_behaves_as_its_story_says(cell: Cell) -> None:
    assert bool(cell.bug_lines) == cell.is_bug, "cells in bugs/, and only they, mark lines with '# BUG: …'"
    prove(cell)


@pytest.mark.parametrize("cell", CELLS, ids=key)
def test_no_false_alarm(cell: Cell) -> None:
    result = score(cell)
    assert result.error is None
    assert not result.problems
    assert not result.false_alarms, "\n".join(map(str, result.false_alarms))


@pytest.mark.parametrize("cell", BUGS, ids=key)
def test_bug_is_found_as_expected(cell: Cell) -> None:
    was = expected().get(cell.key)
    now = "found" if score(cell).found else "missed"
    raised = "; ".join(map(str, score(cell).raised)) or "nothing"
    assert now == was, f"{cell.key} is {now}, expected.json says {was} (raised: {raised}); {UPDATE}"


def test_recall_per_kind_is_at_least_as_committed() -> None:
    committed = json.loads(EXPECTED.read_text(encoding="utf-8"))["recall"]
    now = recall(score(cell) for cell in BUGS)
    assert set(committed) == set(now), UPDATE
    for kind, (found, total) in now.items():
        least = int(committed[kind].split(" of ")[0])
        assert found >= least, f"{kind}: {found} of {total} found, expected.json says {committed[kind]}; {UPDATE}"


def test_expected_names_exactly_the_bug_cells() -> None:
    assert set(expected()) == {cell.key for cell in BUGS}, UPDATE


def test_a_wrong_line_is_not_credited() -> None:
    result = score(next(cell for cell in BUGS if cell.key.startswith("bugs/451_")))
    (line,) = result.cell.bug_lines
    assert result.found
    assert not any(r.covers([line + 1]) or r.covers([line - 1]) for r in result.raised if r.covers([line]))
