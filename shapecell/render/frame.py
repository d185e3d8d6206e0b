"""A report as a pandas DataFrame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecell.model import Finding, Report

if TYPE_CHECKING:
    import pandas

COLUMNS = (
    "rule", "severity", "file", "line", "source", "operation", "shapes", "result", "count", "message", "fix",
)  # fmt: skip


def report_frame(report: Report) -> pandas.DataFrame:
    """One row per finding of `report`, in its order.

    Raises
    ------
    ImportError
        If pandas is not installed.
    """
    try:
        import pandas
    except ImportError as error:
        raise ImportError("Report.to_frame() needs pandas: pip install 'shapecell[pandas]'") from error
    return pandas.DataFrame([_row(finding) for finding in report.findings], columns=list(COLUMNS))


def _row(f: Finding) -> tuple[object, ...]:
    b = f.broadcast
    return (
        f.rule, f.severity, f.site.filename, f.site.line, f.site.source, b.operation,
        tuple(operand.shape for operand in b.operands), b.result_shape, f.count, f.message,
        f.fixes[0] if f.fixes else None,
    )  # fmt: skip
