"""The same in a real kernel: outputs, execution counts and errors of a notebook with and without the magic."""

from __future__ import annotations

import re
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from shapecell import Report

MIME_TYPE = "application/vnd.shapecell+json"

CELLS = (
    "import numpy as np, sys, asyncio\na = np.arange(12.0).reshape(3, 4)",
    "a.mean(axis=0)",
    "print('one')\nprint('two', file=sys.stderr)\nfrom IPython.display import display, HTML\n"
    "display(HTML('<b>x</b>'))\nprint('three')\n(a - a.mean(1, keepdims=True)).sum()",
    "await asyncio.sleep(0.01)\nasync def numbers():\n    for i in range(3):\n        yield i\n"
    "[i async for i in numbers()], float((a + 1).sum())",
    "await asyncio.sleep(0)\na + np.ones(7)",
    "def f(p):\n    return p @ p\n\nf(a)",
    "!echo from the shell",
    "v = %pwd\nisinstance(v, str)",
    "np.ones(2) / 0",
    "raise SystemExit(3)",
    "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('w') from e",
    "def g(:",
    "import os, signal\nasync def h():\n    os.kill(os.getpid(), signal.SIGINT)\n    await asyncio.sleep(5)\nawait h()",
    "_, __, len(Out), sorted(n for n in globals() if not n.startswith('_'))",
    "np.random.seed(0)\nnp.random.rand(3), a.sum();",
)
TIMED = "%%time\nq = a - 1\nq.sum()"

_VARYING = (
    (re.compile(r"ipykernel_\d+/"), "ipykernel/"),
    (re.compile(r"\d{6,}\.py"), "cell.py"),
    (re.compile(r"(CPU times: ).*|(Wall time: ).*"), r"\1\2…"),
    (re.compile(r"(# )?%%shapecheck --quiet"), "magic"),
)


def steady(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: steady(item) for key, item in value.items()}
    if isinstance(value, list):
        return [steady(item) for item in value]
    if isinstance(value, str):
        for pattern, replacement in _VARYING:
            value = pattern.sub(replacement, value)
    return value


def run(cells: list[str], *, allow_errors: bool = True) -> nbformat.NotebookNode:
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(source) for source in cells]
    NotebookClient(notebook, timeout=120, kernel_name="python3", allow_errors=allow_errors).execute()
    return notebook


def test_notebook_runs_alike() -> None:
    plain = run(["%load_ext shapecell", *(f"# %%shapecheck --quiet\n{cell}" for cell in CELLS), TIMED])
    checked = run(
        ["%load_ext shapecell", *(f"%%shapecheck --quiet\n{cell}" for cell in (*CELLS, TIMED)), "%shapecheck last"]
    )
    for before, after in zip(plain.cells, checked.cells, strict=False):
        assert steady(after.outputs) == steady(before.outputs), after.source
        assert after.execution_count == before.execution_count
    report = Report.from_dict(checked.cells[-1].outputs[0].data[MIME_TYPE])
    assert report.operations > 0
    assert not report.problems


def test_report_stands_below_the_output() -> None:
    notebook = run(
        ["%load_ext shapecell\nimport numpy as np", "%%shapecheck\nprint('out')\n(np.ones((3, 1)) - np.ones(3)).sum()"]
    )
    cell = notebook.cells[1]
    assert [output.output_type for output in cell.outputs] == ["stream", "execute_result", "display_data"]
    data = cell.outputs[2].data
    assert set(data) == {MIME_TYPE, "text/html", "text/plain"}
    report = Report.from_dict(data[MIME_TYPE])
    assert [(finding.rule, finding.site.line) for finding in report.findings] == [("SC101", 3)]


def test_report_stands_below_the_traceback() -> None:
    notebook = run(["%load_ext shapecell\nimport numpy as np", "%%shapecheck\nnp.ones((4, 3)) - np.ones(4)"])
    assert [output.output_type for output in notebook.cells[1].outputs] == ["error", "display_data"]
    report = Report.from_dict(notebook.cells[1].outputs[1].data[MIME_TYPE])
    assert [finding.rule for finding in report.findings] == ["SC001"]


@pytest.mark.parametrize(
    "source",
    ["v = 5\n(np.ones((3, 1)) - np.ones(3)).sum()", "await asyncio.sleep(0)\nv = 5\nnp.ones((3, 1)) - np.ones(3)"],
)
def test_strict_stops_run_all(source: str) -> None:
    first = "%load_ext shapecell\nimport asyncio, numpy as np"
    with pytest.raises(CellExecutionError, match="ShapeCheckError") as caught:
        run([first, f"%%shapecheck --strict\n{source}", "print('not reached')"], allow_errors=False)
    assert "SC101" in str(caught.value)
    notebook = run([first, f"%%shapecheck --strict\n{source}", "v"])
    kinds = [output.output_type for output in notebook.cells[1].outputs]
    assert kinds == ["execute_result", "display_data", "error"]
    assert notebook.cells[1].outputs[2].ename == "ShapeCheckError"
    assert notebook.cells[2].outputs[0].data["text/plain"] == "5"


def test_strict_lets_a_clean_cell_pass() -> None:
    notebook = run(["%load_ext shapecell\nimport numpy as np", "%%shapecheck --strict\nnp.ones(3) - np.ones(3)"])
    assert [output.output_type for output in notebook.cells[1].outputs] == ["execute_result", "display_data"]


def test_silent_and_unstored_executions() -> None:
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel(kernel_name="python3")
    try:
        shown: list[tuple[str, str]] = []

        def note(message: dict[str, Any]) -> None:
            shown.append((message["msg_type"], str(message["content"].get("data", {}).get("text/plain", ""))))

        def ask(code: str, **options: Any) -> dict[str, Any]:
            shown.clear()
            reply: dict[str, Any] = client.execute_interactive(code, timeout=60, output_hook=note, **options)
            return reply["content"]  # type: ignore[no-any-return]

        ask("%load_ext shapecell\nimport numpy as np")
        assert ask("%%shapecheck\nv = np.ones((3, 1)) - np.ones(3)", silent=True)["status"] == "ok"
        assert not [kind for kind, _ in shown if kind != "status"]
        count = ask("1")["execution_count"]
        reply = ask("%%shapecheck\nv.shape", store_history=False)
        assert reply["status"] == "ok"
        kinds = [kind for kind, _ in shown if kind not in ("status", "execute_input")]
        assert kinds == ["execute_result", "display_data"]
        assert ask("2")["execution_count"] == count + 1
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
