"""What becomes of the report of a cell: bound, logged, shown, and the cell's failure with ``--strict``."""

from __future__ import annotations

import json
import re
from datetime import datetime
from pathlib import Path

from IPython.core.interactiveshell import ExecutionResult, InteractiveShell

from shapecell.model import Problem, Report, ShapeCheckError, Snapshot
from shapecell.notebook.display import guarded, show
from shapecell.notebook.lines import CellLines
from shapecell.notebook.options import Options


def finished(report: Report, lines: CellLines) -> Report:
    """The report of a check that has ended, as plain data, with the lines of the cell."""
    try:
        with lines.source():
            report.finish()
        return without_process(lines.in_cell(report))
    except Exception as error:
        return Report(Snapshot(problems=(Problem("making the report", f"{type(error).__name__}: {error}"),)))


_CELL_FILE = re.compile(r"""[^"\s]*ipykernel_\d+[/\\]+(\d+)\.py""")


def without_process(report: Report) -> Report:
    """`report` with the files of cells named by their content alone.

    A kernel names them after its process, so that a saved notebook would differ each time it is run.
    """
    text = report.to_json()
    stable = _CELL_FILE.sub(r"<ipython-input-\1>", text)
    return report if stable == text else Report.from_dict(json.loads(stable))


def deliver(shell: InteractiveShell, report: Report, options: Options, number: int | None) -> None:
    """Do with the report of cell `number` what the options say."""
    if options.name is not None:
        shell.user_ns[options.name] = report
    if options.log is not None:
        with guarded(f"writing to {options.log}"):
            append(options.log, report, number)
    if not options.quiet:
        with guarded("showing the report"):
            show(shell, report, options.level)


def append(path: Path, report: Report, number: int | None) -> None:
    """Append `report` to the log at `path`: one line of JSON, whose ``"report"`` is what `Report.from_dict` reads."""
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    line = {"time": now, "execution_count": number, "report": report.to_dict()}
    with path.open("a", encoding="utf-8") as log:
        log.write(json.dumps(line, ensure_ascii=False) + "\n")


def failure(report: Report, options: Options) -> ShapeCheckError | None:
    """The error with which a ``--strict`` cell fails, or None."""
    findings = report.at_level(options.level) if options.strict else []
    if not findings:
        return None
    first = findings[0]
    rest = f" and {len(findings) - 1} more" if findings[1:] else ""
    error = ShapeCheckError(f"--strict: {first.rule} on line {first.site.line}, {first.message}{rest}")
    # IPython asks the error for its traceback: there is none in the user's code.
    error._render_traceback_ = lambda: [f"ShapeCheckError: {error}"]  # type: ignore[attr-defined]
    return error


def fail(shell: InteractiveShell, result: ExecutionResult, error: ShapeCheckError) -> None:
    """Make `error` the outcome of a cell that has run.

    `result` is the very object from which IPython and a kernel's reply read whether the cell failed, so "Run all"
    stops here.
    """
    result.error_in_exec = error
    shell.last_execution_succeeded = False
    shell.showtraceback((type(error), error, None))
