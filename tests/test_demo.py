"""The demo notebooks do what they tell: executed in a real kernel, and compared with the outputs that are committed."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

import shapecell

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import demo  # noqa: E402  # a script, found through the path above

NOTEBOOK = ROOT / "demo_notebooks" / "01_the_model_that_learned_the_mean.ipynb"
MARK = "%%shapecheck\n"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def executed() -> Any:
    return demo.execute(NOTEBOOK)


@pytest.fixture(scope="module")
def committed() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)


@pytest.fixture(params=["executed", "committed"])
def notebook(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue(request.param)


def cell(notebook: Any, name: str) -> Any:
    return next(cell for cell in notebook.cells if cell["id"] == name)


def report_of(notebook: Any, name: str) -> shapecell.Report:
    (report,) = demo.reports(cell(notebook, name))
    return report


def numbers(notebook: Any, name: str) -> list[float]:
    return [float(text) for text in re.findall(r"-?\d+\.\d+", demo.printed(cell(notebook, name)))]


def test_the_bug_is_found_in_the_line_of_the_loss(notebook: Any) -> None:
    report = report_of(notebook, "check")
    source = cell(notebook, "check").source
    found = {(f.site.line, f.site.source, f.severity) for f in report.suspicious}
    line = next(n for n, text in enumerate(source.splitlines(), start=1) if "loss =" in text)
    assert found == {(line, "prediction - target", "high")}


def test_the_finding_tells_shapes_and_reason(notebook: Any) -> None:
    finding = report_of(notebook, "check").suspicious[0]
    shapes = {operand.name: operand.shape for operand in finding.broadcast.operands}
    assert shapes == {"prediction": (32, 1), "target": (32,)}
    assert finding.broadcast.result_shape == (32, 32)
    assert finding.broadcast.stretched == (True, True)


def test_the_fix_that_the_notebook_takes_is_the_first_one_of_the_report(notebook: Any) -> None:
    fix = report_of(notebook, "check").suspicious[0].fixes[0]
    wrong, right = cell(notebook, "check").source, cell(notebook, "fix").source
    assert wrong.replace("prediction - target", fix) == right


def test_nothing_is_found_after_the_fix(notebook: Any) -> None:
    report = report_of(notebook, "fix")
    assert report.suspicious == []
    assert report.operations > 1000


def test_the_model_learns_the_mean_before_and_the_data_after(notebook: Any) -> None:
    before, after = numbers(notebook, "after")
    network, line = numbers(notebook, "score")
    assert before == network
    assert abs(before) < 0.1
    assert after > 0.25
    assert after > line - 0.1


def test_the_predictions_hardly_differ(notebook: Any) -> None:
    predicted, true = numbers(notebook, "symptom")
    assert predicted < 0.15 * true


def test_the_table_is_what_the_text_says_it_is(notebook: Any) -> None:
    table, apart = numbers(notebook, "why")
    assert table == pytest.approx(apart, abs=2e-5)


def test_the_checked_cell_is_the_unchecked_one_with_one_line_on_top(notebook: Any) -> None:
    assert cell(notebook, "check").source == MARK + cell(notebook, "train").source


@pytest.mark.parametrize("name", ["score", "symptom", "after"])
def test_the_committed_figures_are_those_of_a_fresh_run(executed: Any, committed: Any, name: str) -> None:
    assert numbers(executed, name) == pytest.approx(numbers(committed, name), abs=0.03)


@pytest.mark.parametrize("name", ["check", "fix"])
def test_the_committed_reports_are_those_of_a_fresh_run(executed: Any, committed: Any, name: str) -> None:
    fresh, stored = report_of(executed, name), report_of(committed, name)
    assert [(f.rule, f.site.line, f.fixes, f.count) for f in fresh] == [
        (f.rule, f.site.line, f.fixes, f.count) for f in stored
    ]


def test_no_cell_failed_or_warned(notebook: Any) -> None:
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert [o for o in outputs if o["output_type"] == "error" or o.get("name") == "stderr"] == []


def test_every_cell_has_run_in_order(committed: Any) -> None:
    counts = [cell.execution_count for cell in committed.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))


def test_the_committed_notebook_holds_no_path_of_the_machine_that_ran_it() -> None:
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert re.findall(r"/(?:work|home|root|tmp)/[\w./-]*", text) == []


def test_the_demo_prints_the_reports_and_writes_a_page(
    executed: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    demo.show(executed)
    page = tmp_path / "pages" / "demo.html"
    demo.write_html(executed, page)
    printed = capsys.readouterr().out
    assert "prediction - target" in printed
    assert "R² after" in printed
    html = page.read_text(encoding="utf-8")
    assert "prediction - target" in html
    assert "The model that learned the mean" in html
