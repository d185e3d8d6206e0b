"""``%%shapecheck``: from IPython's events to a check, and back out of it whatever happened.

The cell itself is run by IPython: `transform` takes the magic's line out, ``pre_run_cell`` starts the check and
``post_run_cell`` ends it. The ordinary cell magic does the work only where another magic stands above.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import Any

from IPython.core.error import UsageError
from IPython.core.interactiveshell import ExecutionInfo, ExecutionResult, InteractiveShell

from shapecell import session
from shapecell.model import Report
from shapecell.notebook.body import compile_body, run_compiled
from shapecell.notebook.display import guarded, register_formatter, unregister_formatter
from shapecell.notebook.lines import CellLines, lines_above, timed_body
from shapecell.notebook.options import Options, OptionsError, help_text, parse
from shapecell.notebook.outcome import deliver, fail, failure, finished
from shapecell.notebook.tracebacks import CleanTracebacks
from shapecell.notebook.transform import RUN_CODE, Transformer, inside_a_cell, runs_a_cell


@dataclass(eq=False)
class Check:
    """One check in a cell. `restored` is False while a hook of it may still be in place."""

    options: Options
    session: session.Session
    restored: bool = False

    def stop(self, error: BaseException | None) -> None:
        self.session.stop(error)
        self.restored = True


@dataclass(eq=False)
class Cell:
    """A cell that IPython runs, checked or not.

    Attributes
    ----------
    info
        IPython's record of the run; the cell is known by its identity.
    thread
        The thread that runs it.
    above
        How many lines of the cell in the editor stand above the text of this one.
    lines
        Shared by a cell and those that magics make of its body.
    number
        The execution count under which the cell goes into the history, if it does.
    checks
        The checks in it.
    """

    info: ExecutionInfo
    thread: int
    above: int
    lines: CellLines
    number: int | None = None
    checks: list[Check] = field(default_factory=list)


class Shapecheck:
    """The magic in one shell."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell
        self.transformer = Transformer(shell)
        self.cells: list[Cell] = []
        self.last: Report | None = None
        self.tracebacks = CleanTracebacks(shell)
        self.events: dict[str, Callable[..., None]] = {
            "pre_run_cell": guarded("starting the check")(self._pre_run_cell),
            "post_execute": guarded("ending the check")(self._post_execute),
            "post_run_cell": guarded("ending the check")(self._post_run_cell),
        }

    def register(self) -> None:
        self.shell.input_transformers_cleanup.append(self.transformer)
        for event, function in self.events.items():
            self.shell.events.register(event, function)
        self.shell.register_magic_function(self.magic, "line_cell", "shapecheck")
        register_formatter(self.shell)

    def unregister(self) -> None:
        self._abandon(list(self.cells))
        unregister_formatter(self.shell)
        for kind in ("line", "cell"):
            self.shell.magics_manager.magics[kind].pop("shapecheck", None)
        for event, function in self.events.items():
            self.shell.events.unregister(event, function)
        self.shell.input_transformers_cleanup.remove(self.transformer)

    # ------------------------------------------------------------ events

    def _pre_run_cell(self, info: ExecutionInfo) -> None:
        thread = threading.get_ident()
        outer = self._innermost()
        if outer is not None and not inside_a_cell():
            self._abandon([cell for cell in self.cells if cell.thread == thread])
            outer = None
        if outer is None and "%%shapecheck" not in info.raw_cell:
            return
        cell = self._cell(info, thread, outer)
        self.cells.append(cell)
        options = self.transformer.options(info.raw_cell)
        if options is not None and runs_a_cell():
            self._start(cell, options)

    def _post_execute(self) -> None:
        """Fires for widgets' messages and inner cells too, so it ends only the checks of a cell that is over."""
        result = self.shell.last_execution_result
        for cell in self.cells:
            if result is not None and cell.info is result.info:
                self._stop(cell, result)

    def _post_run_cell(self, result: ExecutionResult | None) -> None:
        cell = self._ended(result)
        if cell is None:
            return
        self._stop(cell, result)
        inner = [other for other in self.cells[self.cells.index(cell) :] if other.thread == cell.thread]
        self._abandon(inner)
        never_ran = result is not None and result.error_before_exec is not None
        for report, options in self._reports(cell):
            if never_ran and not report.operations:
                continue
            deliver(self.shell, report, options, cell.number)
            error = failure(report, options)
            if error is not None and result is not None and result.success:
                fail(self.shell, result, error)

    # ------------------------------------------------------------ the magics

    def magic(self, line: str, cell: str | None = None) -> Any:
        """Check the shapes of a cell: ``%%shapecheck`` on its first line; ``%shapecheck --help`` tells more.

        ``%shapecheck last`` is the last report, ``%shapecheck explain SC101`` prints the page of a rule.
        """
        __tracebackhide__ = True
        if cell is None:
            return self._line_magic(line.split())
        try:
            options = parse(line)
        except OptionsError as error:
            raise UsageError(str(error)) from None
        if options.help:
            print(help_text())
            return None
        return self._run(options, cell)

    def _line_magic(self, words: list[str]) -> Report | None:
        match words:
            case ["last"]:
                if self.last is None:
                    raise UsageError("%shapecheck last: there is no report yet; run a cell under %%shapecheck first.")
                return self.last
            case ["explain", code]:
                from shapecell.rules.explain import explain

                try:
                    print(explain(code))
                except KeyError as error:
                    raise UsageError(f"%shapecheck explain: {error.args[0]}.") from None
            case [] | ["--help"]:
                print(help_text())
            case _:
                raise UsageError(
                    f"%shapecheck {' '.join(words)}: not understood. Put %%shapecheck on the first line of a cell to "
                    "check it; the line magics are %shapecheck last, %shapecheck explain SC101 and %shapecheck --help."
                )
        return None

    def _run(self, options: Options, body: str) -> Any:
        """Run a body under a check; its report is shown when the cell around it, if there is one, has ended."""
        __tracebackhide__ = True
        outer = self._innermost()
        owner = outer or Cell(ExecutionInfo(body, False, False, True, None), threading.get_ident(), 0, CellLines())
        name, statements, last = compile_body(self.shell, body)
        above = owner.above + (lines_above(owner.info.raw_cell, body) or 0)
        owner.lines.add(name, above + self.transformer.stripped(body))
        check = self._start(owner, options)
        error: BaseException | None = None
        try:
            value = run_compiled(self.shell, statements, last)
        except BaseException as raised:
            error = raised
            raise
        finally:
            if check is not None:
                check.stop(error)
            if outer is None:
                for report, wanted in self._reports(owner):
                    deliver(self.shell, report, wanted, None)
        strict = failure(self.last, options) if outer is None and self.last is not None else None
        if strict is not None:
            raise strict
        return value

    # ------------------------------------------------------------ one cell

    def _cell(self, info: ExecutionInfo, thread: int, outer: Cell | None) -> Cell:
        number = self.shell.execution_count - bool(info.store_history)
        cell = Cell(info, thread, 0, CellLines(), number if info.store_history else None)
        inside = None if outer is None else lines_above(outer.info.raw_cell, info.raw_cell)
        if outer is not None and inside is not None:
            cell.above, cell.lines = outer.above + inside, outer.lines
        first = cell.above + self.transformer.stripped(info.raw_cell)
        transformed = getattr(info, "transformed_cell", None) or self.shell.transform_cell(info.raw_cell)
        cell.lines.add(self.shell.compile.get_code_name(info.raw_cell, transformed, number), first)
        source = "".join(self.transformer.clean(info.raw_cell))
        timed = timed_body(source)
        if timed is not None:
            above = first + (lines_above(source, timed) or 0) + self.transformer.stripped(timed)
            cell.lines.add_timed(partial(self.shell.transform_cell, timed), above)
        return cell

    def _innermost(self) -> Cell | None:
        thread = threading.get_ident()
        return next((cell for cell in reversed(self.cells) if cell.thread == thread), None)

    def _start(self, cell: Cell, options: Options) -> Check | None:
        with guarded("starting the check"):
            started = session.Session(only=options.only, scope=options.scope, source=cell.info.raw_cell)
            check = Check(options, started)
            cell.checks.append(check)
            self.tracebacks.install()
            started.start(RUN_CODE)
            return check
        return None

    def _stop(self, cell: Cell, result: ExecutionResult | None) -> None:
        for check in cell.checks:
            check.stop(None if result is None else result.error_in_exec)

    def _ended(self, result: ExecutionResult | None) -> Cell | None:
        """The cell whose end `result` is. IPython makes a new record, or none, if the run itself was interrupted."""
        for cell in self.cells:
            if result is not None and cell.info is result.info:
                return cell
        innermost = self._innermost()
        if innermost is not None and (result is None or result.info.raw_cell == innermost.info.raw_cell):
            return innermost
        return None

    def _abandon(self, cells: list[Cell]) -> None:
        """Forget `cells`, and end those of their checks whose end IPython did not tell."""
        left = [check for cell in cells for check in cell.checks if not check.restored]
        for check in left:
            check.session.stop()
        if left:
            session.stop_all()
        self.cells = [cell for cell in self.cells if cell not in cells]
        if not any(cell.checks for cell in self.cells):
            self.tracebacks.remove()

    def _reports(self, cell: Cell) -> list[tuple[Report, Options]]:
        """The reports of an ended cell; those of a body that a magic ran many times are one."""
        reports = []
        for options, checks in groupby(cell.checks, key=lambda check: check.options):
            first, *more = [finished(check.session.report, cell.lines) for check in checks]
            for report in more:
                first = first.merge(report)
            reports.append((first, options))
            self.last = first
        return reports


def _loaded(ipython: InteractiveShell) -> Shapecheck | None:
    owner = getattr(ipython.magics_manager.magics["cell"].get("shapecheck"), "__self__", None)
    return owner if isinstance(owner, Shapecheck) else None


def load(ipython: InteractiveShell) -> None:
    """Register the magic in `ipython`. Idempotent."""
    if _loaded(ipython) is None:
        Shapecheck(ipython).register()


def unload(ipython: InteractiveShell) -> None:
    """Take the magic, and every hook if a check runs, away from `ipython`. Idempotent."""
    magic = _loaded(ipython)
    if magic is not None:
        magic.unregister()
