"""The magic: what it checks, what it does with the report, and that it always lets go."""

from __future__ import annotations

import contextlib
import json
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from shapecell import Report, session
from shapecell.notebook import magics
from shapecell.notebook.magics import Shapecheck, load, unload

SUSPICIOUS = "column - flat"


def hooked() -> bool:
    return np.ufunc.__dict__["__call__"] is not ORIGINAL


ORIGINAL = np.ufunc.__dict__["__call__"]


@pytest.fixture(autouse=True)
def _restored() -> Any:
    yield
    assert not hooked()


def places(report: Report | None) -> list[tuple[str, int, str]]:
    assert report is not None
    return [(finding.rule, finding.site.line, finding.site.source) for finding in report.findings]


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ("%%shapecheck\n1\n{}", 3),
        ("\n\n%%shapecheck\n{}", 4),
        ("%%shapecheck\n\n\n{}", 4),
        ("%%shapecheck --level high\n%%time\n\nq = {}\nq.sum()", 4),
        ("%%shapecheck\n%%time\n{}", 3),
        ("%%shapecheck\n\n%%capture c\n1\n{}", 5),
        ("%%capture c\n1\n%%shapecheck\n{}", None),
        ("%%capture c\n%%shapecheck\n1\n{}", 4),
        ("%%time\n\n%%shapecheck\n{}", 4),
        ("%%time\n%%shapecheck\nq = {}\nq.sum()", 3),
        ("\n%%shapecheck\n%%capture c\n%%time\nq = {}\nq.sum()", 5),
        ("  %%shapecheck\n  1\n  {}", 3),
        ("%%shapecheck\nimport asyncio\nawait asyncio.sleep(0)\n{}", 4),
        ("%%shapecheck\ndef f():\n    return {}\nf()", 3),
    ],
)
def test_line_is_that_of_the_editor(shell: InteractiveShell, magic: Shapecheck, cell: str, line: int | None) -> None:
    shell.run_cell(cell.format(SUSPICIOUS), store_history=True)
    if line is None:
        assert magic.last is None
    else:
        assert places(magic.last) == [("SC101", line, SUSPICIOUS)]


def test_report_follows_the_output(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell(f"%%shapecheck\nprint('mine')\n({SUSPICIOUS}).sum()", store_history=True)
    out = capsys.readouterr().out
    assert out.index("mine") < out.index("Out[") < out.index("1 suspicious") < out.index(SUSPICIOUS)


def test_quiet_and_last(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell(f"%%shapecheck --quiet\nv = {SUSPICIOUS}")
    assert capsys.readouterr().out == ""
    shell.run_cell("%shapecheck last")
    assert "SC101" in capsys.readouterr().out
    shell.run_cell("kept = %shapecheck last")
    assert places(shell.user_ns["kept"]) == [("SC101", 2, SUSPICIOUS)]


def test_last_without_a_report(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("%shapecheck last")
    assert "there is no report yet" in capsys.readouterr().err


def test_as_binds_the_report(shell: InteractiveShell) -> None:
    shell.run_cell(f"%%shapecheck --as found --quiet\n{SUSPICIOUS};")
    assert places(shell.user_ns["found"]) == [("SC101", 2, SUSPICIOUS)]


def test_log_appends_lines(shell: InteractiveShell, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    for _ in range(2):
        shell.run_cell(f"%%shapecheck --quiet --log {log}\n{SUSPICIOUS};", store_history=True)
    first, second = [json.loads(line) for line in log.read_text().splitlines()]
    assert second["execution_count"] == first["execution_count"] + 1
    assert places(Report.from_dict(second["report"])) == [("SC101", 2, SUSPICIOUS)]


def test_log_that_cannot_be_written(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    result = shell.run_cell("%%shapecheck --log /nowhere/at/all\n5")
    assert result.success
    assert "writing to /nowhere/at/all failed" in capsys.readouterr().err


def test_strict(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    result = shell.run_cell(f"%%shapecheck --strict\nv = {SUSPICIOUS}\n7", store_history=True)
    assert not result.success
    assert result.result == 7
    assert shell.user_ns["_"] == 7
    assert shell.user_ns["v"].shape == (3, 3)
    out = capsys.readouterr().out
    assert out.index("1 suspicious") < out.index("ShapeCheckError: --strict: SC101 on line 2")
    assert shell.run_cell("%%shapecheck --strict\nflat - flat").success


def test_strict_below_another_magic(shell: InteractiveShell) -> None:
    assert not shell.run_cell(f"%%time\n%%shapecheck --strict\n{SUSPICIOUS};").success


def test_strict_leaves_the_users_error(shell: InteractiveShell) -> None:
    result = shell.run_cell(f"%%shapecheck --strict\n{SUSPICIOUS}\n1 / 0")
    assert isinstance(result.error_in_exec, ZeroDivisionError)


def test_magic_outside_a_cell(shell: InteractiveShell, magic: Shapecheck, capsys: pytest.CaptureFixture[str]) -> None:
    assert shell.run_cell_magic("shapecheck", "", f"({SUSPICIOUS}).shape") == (3, 3)
    assert "1 suspicious" in capsys.readouterr().out
    assert places(magic.last) == [("SC101", 1, SUSPICIOUS)]


def test_unknown_option_does_not_run_the_cell(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("%%shapecheck --levle high\nran = True")
    assert "ran" not in shell.user_ns
    assert "No such option '--levle'" in capsys.readouterr().err


def test_help_does_not_run_the_cell(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("%%shapecheck --help\nran = True")
    assert "ran" not in shell.user_ns
    assert "--strict" in capsys.readouterr().out


def test_explain(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("%shapecheck explain sc101")
    assert "SC101" in capsys.readouterr().out
    shell.run_cell("%shapecheck explain SC9")
    assert "no rule 'SC9'" in capsys.readouterr().err


def test_cell_with_a_syntax_error_has_no_report(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    shell.run_cell("%%shapecheck\ndef f(:")
    assert "shapecheck  " not in capsys.readouterr().out


def test_completeness_waits_for_a_blank_line(shell: InteractiveShell) -> None:
    assert shell.check_complete("%%shapecheck")[0] == "incomplete"
    assert shell.check_complete("%%shapecheck\nv = 1")[0] == "incomplete"
    assert shell.check_complete("%%shapecheck\nv = 1\n\n")[0] == "complete"


def test_many_runs_of_one_body_are_one_report(shell: InteractiveShell, magic: Shapecheck) -> None:
    shell.run_cell(f"%%timeit -n2 -r2\n%%shapecheck --quiet\n{SUSPICIOUS}")
    assert magic.last is not None
    assert sum(finding.count for finding in magic.last.findings) >= 4


# ---------------------------------------------------------------- letting go


@pytest.mark.parametrize(
    "source",
    [
        "1 / 0",
        "raise SystemExit",
        "raise KeyboardInterrupt",
        "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(3)",
        "import asyncio\nawait asyncio.sleep(0)\nraise KeyboardInterrupt",
        "def f(:",
        "get_ipython().run_cell('1/0')",
        "get_ipython().run_cell('%%shapecheck --quiet\\ncolumn - flat')",
        "%unload_ext shapecell\ncolumn - flat",
    ],
)
def test_hooks_are_taken_away(shell: InteractiveShell, source: str) -> None:
    shell.run_cell(f"%%shapecheck --quiet\n{source}")
    assert not hooked()


def test_hooked_only_inside(shell: InteractiveShell) -> None:
    shell.user_ns["hooked"] = hooked
    assert shell.run_cell("%%shapecheck --quiet\nhooked()").result is True
    assert shell.run_cell("hooked()").result is False


def test_nested_cell_is_checked_by_both(shell: InteractiveShell, magic: Shapecheck) -> None:
    inner = "%%shapecheck --quiet --as inner\\ncolumn - flat"
    shell.run_cell(f"%%shapecheck --quiet --as outer\nr = get_ipython().run_cell('{inner}')\ncolumn * flat")
    assert [source for _, _, source in places(shell.user_ns["inner"])] == ["column - flat"]
    assert sorted(source for _, _, source in places(shell.user_ns["outer"])) == ["column * flat", "column - flat"]


def test_failing_start_leaves_the_cell_alone(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(self: object, entry_code: object = None) -> None:
        raise RuntimeError("our mistake")

    monkeypatch.setattr(session.Session, "start", broken)
    assert shell.run_cell("%%shapecheck\n5").result == 5
    assert "starting the check failed (RuntimeError: our mistake); your code is not affected" in capsys.readouterr().err


def test_failing_report_says_so(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, magic: Shapecheck, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise RuntimeError("our mistake")

    monkeypatch.setattr(session, "judge", broken)
    assert shell.run_cell(f"%%shapecheck\n{SUSPICIOUS}\n5").result == 5
    assert "RuntimeError: our mistake" in capsys.readouterr().out
    assert magic.last is not None
    assert [problem.where for problem in magic.last.problems] == ["making the report"]


def test_failing_renderer_says_so(
    shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise RuntimeError("our mistake")

    monkeypatch.setattr(Report, "print", broken)
    assert shell.run_cell("%%shapecheck\n5").result == 5
    assert "showing the report failed (RuntimeError: our mistake)" in capsys.readouterr().err


def test_leftover_of_an_interrupted_end(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: object, error: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(magics.Check, "stop", interrupted)
        shell.run_cell("%%shapecheck --quiet\n1")
        assert hooked()
    shell.run_cell("1")
    assert not hooked()


def test_interrupts_at_any_moment(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of start, run, end or display: by the next cell nothing is left of the check."""
    # An interrupt that strikes in a destructor cannot be raised; pytest would take it for a fault.
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: None)
    moments = random.Random(7)
    shell.user_ns["hooked"] = hooked
    cell = f"%%shapecheck\nfor _ in range(20):\n    {SUSPICIOUS}"
    started = time.perf_counter()
    shell.run_cell(cell)
    duration = time.perf_counter() - started

    interrupts = []

    def interrupt(number: int, frame: object) -> None:
        interrupts.append(number)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for _ in range(150):
            with contextlib.suppress(KeyboardInterrupt):
                try:
                    signal.setitimer(signal.ITIMER_REAL, moments.uniform(1e-5, duration), duration / 7)
                    shell.run_cell(cell)
                finally:
                    signal.setitimer(signal.ITIMER_REAL, 0)
            assert shell.run_cell("hooked()").result is False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(interrupts) > 20
    assert shell.run_cell("%%shapecheck --quiet --as after\ncolumn - flat;").success
    assert places(shell.user_ns["after"]) == [("SC101", 2, SUSPICIOUS)]


def test_load_and_unload(shell: InteractiveShell) -> None:
    transformers = list(shell.input_transformers_cleanup)
    events = {name: list(functions) for name, functions in shell.events.callbacks.items()}
    load(shell)
    assert shell.input_transformers_cleanup == transformers
    assert {name: list(functions) for name, functions in shell.events.callbacks.items()} == events
    unload(shell)
    unload(shell)
    assert len(shell.input_transformers_cleanup) == len(transformers) - 1
    assert "shapecheck" not in shell.magics_manager.magics["cell"]
    assert "shapecheck" not in shell.magics_manager.magics["line"]
    assert not shell.run_cell("%%shapecheck\n1").success
