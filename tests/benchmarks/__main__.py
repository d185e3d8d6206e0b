"""Measure what a check costs, print a table, and write it to a file."""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from tests.benchmarks import memory_rows, numpy_rows, outside_rows, sklearn_rows, torch_rows
from tests.benchmarks.measure import Effort, Row

PARTS: dict[str, Callable[[Effort, int], Iterable[Row]]] = {
    "outside": lambda effort, operations: outside_rows.rows(effort),
    "numpy": lambda effort, operations: numpy_rows.rows(effort),
    "torch": lambda effort, operations: torch_rows.rows(effort),
    "sklearn": lambda effort, operations: sklearn_rows.rows(effort),
    "memory": lambda effort, operations: memory_rows.rows(operations),
}


def line(row: Row) -> str:
    """One line of the table."""
    figure = f"{row.value:.0f}" if not row.unit else f"{row.value:.2f} {row.unit}"
    target = "" if row.target is None else f"≤ {row.target:g}"
    return f"  {row.name:<44} {figure:>10}   {target:<7} {row.verdict:<7} {row.detail}".rstrip()


def document(rows: list[Row], seconds: float) -> dict[str, object]:
    """Everything as JSON-ready data."""
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "versions": {name: version(name) for name in ("shapecell", "numpy", "torch", "scikit-learn")},
        "seconds": round(seconds, 1),
        "rows": [{**asdict(row), "verdict": row.verdict} for row in rows],
    }


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"default: all of {', '.join(PARTS)}")
    parser.add_argument("--output", type=Path, help="write the table to this file as JSON")
    parser.add_argument("--operations", type=int, default=1_000_000, help="length of the loop that measures memory")
    parser.add_argument("--small", action="store_true", help="only show that everything runs; the figures mean nothing")
    options = parser.parse_args(arguments)
    unknown = [part for part in options.parts if part not in PARTS]
    if unknown:
        parser.error(f"unknown part {unknown[0]!r}; the parts are {', '.join(PARTS)}")
    effort = Effort.small() if options.small else Effort()
    start = time.perf_counter()
    rows: list[Row] = []
    group = None
    # What is outside a check is measured first: its "before" must be a process that never checked anything.
    for part in PARTS:
        if options.parts and part not in options.parts:
            continue
        for row in PARTS[part](effort, options.operations):
            if row.group != group:
                group = row.group
                print(f"\n{group}")
            print(line(row), flush=True)
            rows.append(row)
    missed = sum(row.verdict == "MISSED" for row in rows)
    judged = sum(row.target is not None for row in rows)
    print(f"\n{judged - missed} of {judged} targets met" + (f", {missed} MISSED" if missed else ""))
    if options.output is not None:
        text = json.dumps(document(rows, time.perf_counter() - start), indent=1, ensure_ascii=False)
        options.output.write_text(text + "\n", encoding="utf-8")
        print(f"written to {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
