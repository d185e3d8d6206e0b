"""Score shapecell on the cells in this folder.

usage: python -m tests.cases.score [--only SUBSTRING] [--verbose] [--update]

Each file in bugs/, fixed/ and clean/ is one notebook cell above the PROOF line; what stands below it shows that
the cell does what its story says. Lines that carry the bug end in a comment ``# BUG: …``. Comments are blanked
before the cell runs, so the check can read none of them. A finding of severity "high" or "medium" is *raised*; it
counts for every line of the cell that its site spans. A bug is *found* if a raised finding covers one of its BUG
lines. A *false alarm* is any raised finding in fixed/ and clean/, and in bugs/ one that starts above the first BUG
line; below that line the values are wrong already, and findings are neutral.

``--update`` rewrites expected.json, which test_cases.py compares with.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import io
import json
import linecache
import re
import sys
import tokenize
import traceback
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import shapecell

FOLDER = Path(__file__).parent
EXPECTED = FOLDER / "expected.json"
PROOF = "# --- proof (not part of the cell) ---"


@dataclass(frozen=True)
class Cell:
    """One file: a cell, its header, and the proof that it behaves as its story says."""

    path: Path

    @property
    def key(self) -> str:
        """Folder and file name, ``"bugs/004_column_plus_flat_vector.py"``."""
        return f"{self.path.parent.name}/{self.path.name}"

    @property
    def is_bug(self) -> bool:
        """True in bugs/."""
        return self.path.parent.name == "bugs"

    @cached_property
    def text(self) -> str:
        """The whole file."""
        return self.path.read_text(encoding="utf-8")

    def header(self, name: str) -> str:
        """A field of the comment header, such as ``"detect"``."""
        found = re.search(rf"^# {re.escape(name)}: (.*)$", self.text, re.MULTILINE)
        if found is None:
            raise ValueError(f"{self.key} has no header '# {name}: …'")
        return found[1].strip()

    @cached_property
    def bug_lines(self) -> frozenset[int]:
        """Lines that end in a comment ``# BUG``."""
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        return frozenset(t.start[0] for t in tokens if t.type == tokenize.COMMENT and re.match(r"#\s*BUG\b", t.string))

    @cached_property
    def source(self) -> str:
        """The cell without comments and proof; every line and column stays where it was."""
        cell = self.text.split(PROOF)[0]
        lines = cell.splitlines(keepends=True)
        for token in tokenize.generate_tokens(io.StringIO(cell).readline):
            if token.type == tokenize.COMMENT:
                row, column = token.start
                lines[row - 1] = lines[row - 1][:column].rstrip() + "\n"
        return "".join(lines)


@dataclass(frozen=True)
class Raised:
    """A raised finding, as far as scoring needs it."""

    first_line: int
    last_line: int
    rule: str
    message: str

    def covers(self, lines: Iterable[int]) -> bool:
        """True if its site spans one of `lines`."""
        return any(self.first_line <= line <= self.last_line for line in lines)

    def __str__(self) -> str:
        return f"line {self.first_line} {self.rule}: {self.message}"


@dataclass(frozen=True)
class Score:
    """What a check of one cell raised."""

    cell: Cell
    raised: tuple[Raised, ...]
    error: str | None
    problems: tuple[str, ...]

    @property
    def found(self) -> bool:
        """True if a raised finding covers a BUG line."""
        return any(r.covers(self.cell.bug_lines) for r in self.raised)

    @property
    def false_alarms(self) -> tuple[Raised, ...]:
        """Raised findings where nothing is wrong (yet)."""
        bugs = self.cell.bug_lines
        first = min(bugs, default=sys.maxsize)
        return tuple(r for r in self.raised if r.first_line < first and not r.covers(bugs))

    @property
    def bug_lines_found(self) -> int:
        """How many of the BUG lines are covered."""
        return sum(any(r.covers([line]) for r in self.raised) for line in self.cell.bug_lines)


def cells() -> list[Cell]:
    """Every cell of this folder, in the order bugs, fixed, clean."""
    return [Cell(path) for part in ("bugs", "fixed", "clean") for path in sorted((FOLDER / part).glob("*.py"))]


@cache
def score(cell: Cell) -> Score:
    """Run a cell as a notebook would, under a check."""
    name = f"<cell {cell.key}>"
    linecache.cache[name] = (len(cell.source), None, cell.source.splitlines(keepends=True), name)
    error = None
    quiet = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
        warnings.simplefilter("ignore")
        with shapecell.check() as report:
            try:
                exec(compile(cell.source, name, "exec"), {"__name__": "__main__"})
            except Exception:
                error = traceback.format_exc(limit=-3)
    raised = tuple(
        Raised(f.site.line, f.site.end_line, f.rule, f.message) for f in report.suspicious if f.site.filename == name
    )
    return Score(cell, raised, error, tuple(f"{p.where}: {p.why}" for p in report.problems))


def prove(cell: Cell) -> None:
    """Run a cell with its proof, without a check.

    Raises
    ------
    AssertionError
        If the cell does not behave as its story says.
    """
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        exec(compile(cell.text, str(cell.path), "exec"), {"__name__": "__main__"})


def recall(scores: Iterable[Score]) -> dict[str, tuple[int, int]]:
    """Per detect kind: bugs found, and bugs."""
    found: collections.Counter[str] = collections.Counter()
    total: collections.Counter[str] = collections.Counter()
    for one in scores:
        if one.cell.is_bug:
            total[one.cell.header("detect")] += 1
            found[one.cell.header("detect")] += one.found
    return {kind: (found[kind], total[kind]) for kind in sorted(total)}


def expected() -> dict[str, str]:
    """The committed table: ``"found"`` or ``"missed"`` per bug cell."""
    table = json.loads(EXPECTED.read_text(encoding="utf-8"))["cells"]
    assert isinstance(table, dict)
    return table


def write_expected(scores: Sequence[Score]) -> None:
    """Rewrite the committed table from `scores`."""
    table = {
        "recall": {kind: f"{found} of {total}" for kind, (found, total) in recall(scores).items()},
        "cells": {s.cell.key: "found" if s.found else "missed" for s in scores if s.cell.is_bug},
    }
    EXPECTED.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the score; exit status 1 if a cell failed to run."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        prog="python -m tests.cases.score", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", metavar="SUBSTRING", help="score only the cells with it in their name")
    parser.add_argument("--verbose", action="store_true", help="print every cell, with what is raised in it")
    parser.add_argument("--update", action="store_true", help="rewrite expected.json")
    options = parser.parse_args(arguments)
    if options.update and options.only:
        parser.error("--update needs every cell: leave --only out")
    scores = [score(cell) for cell in cells() if options.only in cell.key]
    for s in scores:
        if s.error:
            state = "ERROR"
        elif s.false_alarms:
            state = "FALSE ALARM"
        else:
            state = "ok" if s.found or not s.cell.is_bug else "MISSED"
        if options.verbose or state != "ok":
            shown = s.error.strip().splitlines()[-1] if s.error else s.cell.header("kind")
            print(f"{state:12} {s.cell.key}  [{s.cell.header('detect')}] {shown}")
            for r in s.raised if options.verbose else s.false_alarms:
                print(f"{'':12}   {r}")
        for problem in s.problems:
            print(f"{'NOT FOLLOWED':12} {s.cell.key}  {problem}")
    bugs = [s for s in scores if s.cell.is_bug]
    good = [s for s in scores if not s.cell.is_bug]
    failed = sum(s.error is not None for s in scores)
    print()
    for kind, (found, total) in recall(bugs).items():
        print(f"  {kind:12} {found:3} of {total:3} found")
    print(
        f"bugs found {sum(s.found for s in bugs)} of {len(bugs)}, "
        f"lines {sum(s.bug_lines_found for s in bugs)} of {sum(len(s.cell.bug_lines) for s in bugs)}; "
        f"cells with a false alarm: {sum(bool(s.false_alarms) for s in good)} of {len(good)} correct ones, "
        f"{sum(bool(s.false_alarms) for s in bugs)} of {len(bugs)} with a bug; failed to run {failed}"
    )
    if options.update:
        write_expected(scores)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
