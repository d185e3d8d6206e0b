"""Runs every case of the corpus in a fresh shell and prints what was observed, as JSON.

``python -m tests.differential.runner plain|checked [NAME…]``
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import random
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy
import torch
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from tests.differential.corpus import CASES, Case

OPTIONS = "%%shapecheck --quiet"
_LINE = re.compile(r"^(# )?%%shapecheck.*\n?", re.MULTILINE)

# What differs from one run of the same plain cell to the next: addresses, times, and the hash of the typed cell,
# which has the magic's line in it.
_VARYING = (
    (re.compile(r"0x[0-9a-f]{6,}"), "0x…"),
    (re.compile(r"(started|stopped) \d+"), r"\1 …"),
    (re.compile(r"(<ipython-input-\d+-)[0-9a-f]{12}"), r"\1…"),
    (re.compile(r"(CPU times: ).*|(Wall time: ).*"), r"\1\2…"),
    (re.compile(r"[\d.]+ [nµμm]?s ± [\d.]+ [nµμm]?s"), "… ± …"),
)


def steady(text: str) -> str:
    for pattern, replacement in _VARYING:
        text = pattern.sub(replacement, text)
    return text


class Recorder:
    """A text stream that notes, with the other one, who wrote what."""

    encoding = "utf-8"
    errors = "strict"

    def __init__(self, name: str, log: list[list[str]], number: int) -> None:
        self._name = name
        self._log = log
        self._number = number

    def write(self, text: str) -> int:
        if self._log and self._log[-1][0] == self._name:
            self._log[-1][1] += text
        else:
            self._log.append([self._name, text])
        return len(text)

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return self._number


@contextmanager
def recorded(log: list[list[str]]) -> Iterator[None]:
    """Record both streams in order; what child processes write follows at the end."""
    streams = sys.stdout, sys.stderr
    kept = os.dup(1), os.dup(2)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        sys.stdout, sys.stderr = Recorder("out", log, 1), Recorder("err", log, 2)  # type: ignore[assignment]
        try:
            yield
        finally:
            sys.stdout, sys.stderr = streams
            for number, old in zip((1, 2), kept, strict=True):
                os.dup2(old, number)
                os.close(old)
            for name, file in (("child out", out), ("child err", err)):
                file.seek(0)
                text = file.read().decode()
                if text:
                    log.append([name, text])


def patched() -> list[object]:
    """Everything that a check patches, by identity."""
    return [
        numpy.ufunc.__dict__["__call__"],
        type(numpy.where).__dict__["__call__"],
        numpy.ndarray.__dict__["__setitem__"],
        numpy.ndarray.__dict__["__getitem__"],
        numpy.ndarray.__dict__["sum"],
        numpy.ufunc.__dict__["reduce"],
        torch.nn.Module.__dict__["__call__"],
        torch._C.TensorBase.__dict__["__add__"],
        torch.overrides._get_current_function_mode_stack(),
        list(sys.meta_path),
        list(warnings.filters),
        warnings.showwarning,
        warnings.WarningMessage,
        sys.excepthook,
        sys.displayhook,
    ]


def same(before: list[object], after: list[object]) -> list[bool]:
    return [x is y or (isinstance(x, list) and x == y) for x, y in zip(before, after, strict=True)]


def new_shell() -> InteractiveShell:
    InteractiveShell.clear_instance()
    settings = Config()
    settings.HistoryManager.enabled = False
    settings.InteractiveShell.colors = "nocolor"
    settings.InteractiveShell.history_length = 100
    shell = InteractiveShell.instance(config=settings)
    atexit.unregister(shell.atexit_operations)  # a full collection for each of some 200 shells
    for shared in ("outputs", "exceptions"):  # IPython keeps these on the class
        getattr(shell.history_manager, shared, {}).clear()
    return shell


def random_states() -> str:
    states = (random.getstate(), numpy.random.get_state(), torch.random.get_rng_state().tolist())
    return hashlib.sha256(repr(states).encode()).hexdigest()


def cell_of(case: Case, checked: bool) -> str:
    """The cell with the magic's line; else with a comment there, or nothing where another cell magic must be first."""
    if not checked and case.cell.lstrip().startswith("%%") and "{line}" not in case.cell:
        return case.cell
    line = OPTIONS if checked else f"# {OPTIONS}"
    return case.cell.replace("{line}", line) if "{line}" in case.cell else f"{line}\n{case.cell}"


def without_line(cell: str) -> str:
    """A typed cell without the only line in which both runs differ."""
    return _LINE.sub("", cell).lstrip("\n")


def parsed_history(cells: list[str], case: Case) -> list[str]:
    """What IPython made of the cells; a magic above ours is given its body as it was typed."""
    above = case.cell.startswith("%%") and "{line}" in case.cell
    return [cell.replace(f"# {OPTIONS}", OPTIONS) for cell in cells] if above else cells


def chain(error: BaseException | None) -> list[list[str]]:
    """An exception and all that it hangs on, with the frames of each traceback."""
    found = []
    while error is not None and len(found) < 10:
        frames = []
        traceback = error.__traceback__
        while traceback is not None:
            frames.append(f"{traceback.tb_frame.f_code.co_name}:{traceback.tb_lineno}")
            traceback = traceback.tb_next
        found.append([type(error).__name__, steady(str(error)), str(error.__suppress_context__), " ".join(frames)])
        error = error.__cause__ or error.__context__
    return found


def representation(value: object) -> str:
    return f"{type(value).__name__}: {steady(repr(value))}"


def observe(case: Case, checked: bool, magic: Callable[[InteractiveShell], Any]) -> dict[str, Any]:
    shell = new_shell()
    shell.run_cell("%load_ext shapecell", store_history=True)
    if case.before:
        shell.run_cell(case.before, store_history=True)
    random.seed(1)
    numpy.random.seed(1)
    torch.manual_seed(1)
    before = patched()
    log: list[list[str]] = []
    with recorded(log):
        result = shell.run_cell(cell_of(case, checked), store_history=True)
        later = [shell.run_cell(cell, store_history=True) for cell in case.after]
    states = random_states()
    left = same(before, patched())
    history = shell.history_manager
    report = magic(shell).last
    seen = {
        "streams": [[name, steady(text)] for name, text in log],
        "result": representation(result.result),
        "success": result.success,
        "before exec": chain(result.error_before_exec),
        "error": chain(result.error_in_exec),
        "later": [representation(r.result) for r in later],
        "names": sorted(name for name in shell.user_ns if not name.startswith("_i")),
        "underscores": [representation(shell.user_ns.get(name)) for name in ("_", "__", "___")],
        "values": {
            name: representation(value)
            for name, value in sorted(shell.user_ns.items())
            if isinstance(value, int | float | str | list | tuple | dict | numpy.ndarray | torch.Tensor)
            and not name.startswith("_")
            and name not in ("In", "Out", "quit", "exit")
        },
        "Out": {number: representation(value) for number, value in shell.user_ns["Out"].items()},
        "parsed history": parsed_history(history.input_hist_parsed, case),
        "raw history": [without_line(cell) for cell in history.input_hist_raw],
        "displayed": {
            number: [[output.output_type, steady(repr(output.bundle))] for output in outputs]
            for number, outputs in getattr(history, "outputs", {}).items()
        },
        "stored tracebacks": {
            number: steady(repr(stored)) for number, stored in getattr(history, "exceptions", {}).items()
        },
        "random": states,
        "count": shell.execution_count,
        "succeeded": shell.last_execution_succeeded,
    }
    return {
        "seen": seen,
        "left": left,
        "reported": report is not None,
        "operations": 0 if report is None else report.operations,
        "problems": [] if report is None else [f"{p.where}: {p.why}" for p in report.problems],
    }


def main(mode: str, names: list[str]) -> None:
    from shapecell.notebook.magics import Shapecheck

    def magic(shell: InteractiveShell) -> Shapecheck:
        owner = shell.magics_manager.magics["cell"]["shapecheck"].__self__
        assert isinstance(owner, Shapecheck)
        return owner

    os.environ["COLUMNS"] = "80"
    found = {case.name: observe(case, mode == "checked", magic) for case in CASES if not names or case.name in names}
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
