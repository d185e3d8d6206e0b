"""`shapecell.check` as context manager and decorator; nesting, re-entrancy, late imports, faults."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import numpy as np
import pytest

import shapecell
from shapecell import session
from tests.helpers import run_checked

COLUMN = np.ones((8, 1))
FLAT = np.arange(8.0)


def hooks() -> tuple[object, ...]:
    """Everything that a check patches, by identity."""
    import torch

    return (
        np.ufunc.__dict__["__call__"],
        type(np.where).__dict__["__call__"],
        np.ndarray.__dict__["__setitem__"],
        np.ndarray.__dict__["__getitem__"],
        np.ndarray.__dict__["sum"],
        np.ufunc.__dict__["reduce"],
        torch.overrides._get_current_function_mode_stack().__len__(),
        threading.Thread.run,
        tuple(sys.meta_path),
    )


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    before = hooks()
    yield
    assert hooks() == before


def codes(report: shapecell.Report) -> list[str]:
    return [finding.rule for finding in report.findings]


def test_context_manager() -> None:
    with shapecell.check() as report:
        COLUMN - FLAT
    assert codes(report) == ["SC101"]
    (finding,) = report.findings
    assert finding.site.source == "COLUMN - FLAT"
    assert finding.site.filename == __file__
    assert [operand.shape for operand in finding.broadcast.operands] == [(8, 1), (8,)]


def test_report_can_be_read_while_it_runs() -> None:
    with shapecell.check() as report:
        assert codes(report) == []
        COLUMN - FLAT
        assert codes(report) == ["SC101"]
        seen = report.operations
        COLUMN + 1
        assert report.operations > seen


def test_exception_passes_and_gets_a_diagram() -> None:
    with pytest.raises(ValueError, match="operands could not be broadcast"), shapecell.check() as report:
        np.ones((4, 3)) - np.ones(4)
    (finding,) = report.findings
    assert finding.rule == "SC001"
    assert finding.broadcast.result_shape is None
    assert finding.broadcast.failing_axis == 1


def test_caught_exception_is_no_finding() -> None:
    with shapecell.check() as report, pytest.raises(ValueError):
        np.ones((4, 3)) - np.ones(4)
    assert codes(report) == []


def test_decorator() -> None:
    @shapecell.check()
    def loss(p: Any, t: Any) -> Any:
        """Docstring."""
        return ((p - t) ** 2).mean()

    assert loss.__doc__ == "Docstring."
    assert loss(COLUMN, FLAT) == ((COLUMN - FLAT) ** 2).mean()
    loss(COLUMN, FLAT)
    assert [(f.rule, f.count) for f in loss.report.findings] == [("SC101", 2)]  # type: ignore[attr-defined]


def test_decorated_coroutine() -> None:
    @shapecell.check()
    async def work() -> Any:
        await asyncio.sleep(0)
        return COLUMN - FLAT

    assert asyncio.run(work()).shape == (8, 8)
    assert codes(work.report) == ["SC101"]  # type: ignore[attr-defined]


def test_decorated_generator_is_hooked_only_while_it_runs() -> None:
    before = hooks()

    @shapecell.check()
    def work() -> Iterator[Any]:
        got = yield COLUMN - FLAT
        yield got
        return 3

    generator = work()
    assert next(generator).shape == (8, 8)
    assert hooks() == before
    assert generator.send("sent") == "sent"
    with pytest.raises(StopIteration) as stop:
        next(generator)
    assert stop.value.value == 3
    assert codes(work.report) == ["SC101"]  # type: ignore[attr-defined]


def test_generator_abandoned_half_way() -> None:
    closed = []

    @shapecell.check()
    def work() -> Iterator[int]:
        try:
            yield 1
            yield 2
        finally:
            closed.append(True)

    generator = work()
    next(generator)
    generator.close()
    assert closed == [True]


def test_nested_checks_both_see_the_inner_operations() -> None:
    with shapecell.check() as outer:
        COLUMN - FLAT
        with shapecell.check() as inner:
            COLUMN * FLAT
        COLUMN / (1 + FLAT)
    assert [f.site.source for f in inner.findings] == ["COLUMN * FLAT"]
    assert sorted(f.site.source for f in outer.findings) == ["COLUMN * FLAT", "COLUMN - FLAT", "COLUMN / (1 + FLAT)"]


def test_sessions_that_end_in_the_wrong_order() -> None:
    first, second = session.Session(), session.Session()
    first.start()
    second.start()
    first.stop()
    COLUMN - FLAT
    second.stop()
    second.stop()
    assert [f.site.source for f in second.report.findings] == ["COLUMN - FLAT"]


def test_stop_all() -> None:
    one = session.Session()
    one.start()
    session.Session().start()
    session.stop_all()
    COLUMN - FLAT
    assert codes(one.report) == []


def test_async_generator_inside() -> None:
    async def numbers() -> AsyncIterator[Any]:
        for _ in range(3):
            await asyncio.sleep(0)
            yield COLUMN - FLAT

    async def main() -> int:
        return sum([x.shape[0] async for x in numbers()])

    with shapecell.check() as report:
        assert asyncio.run(main()) == 24
    assert [(f.rule, f.count) for f in report.findings] == [("SC101", 3)]


def test_threads() -> None:
    with shapecell.check() as report:
        thread = threading.Thread(target=lambda: COLUMN - FLAT)
        thread.start()
        thread.join()
    assert codes(report) == ["SC101"]


def test_strict() -> None:
    with pytest.raises(shapecell.ShapeCheckError, match="SC101"), shapecell.check(strict=True):
        COLUMN - FLAT
    with shapecell.check(strict=True):
        FLAT - FLAT

    def fails() -> None:
        COLUMN - FLAT
        raise KeyError("mine")

    with pytest.raises(KeyError), shapecell.check(strict=True):
        fails()


def test_only() -> None:
    with shapecell.check(only=["torch"]) as report:
        COLUMN - FLAT
    assert codes(report) == []
    assert report.frameworks == ("torch",)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"only": ["nunpy"]}, "unknown framework 'nunpy'; shapecell follows numpy, torch"),
        ({"scope": "mine"}, "scope must be 'user' or 'all', not 'mine'"),
        ({"level": "loud"}, "level must be one of high, medium, low, not 'loud'"),
    ],
)
def test_unknown_options(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError) as caught:
        shapecell.check(**options)
    assert words in str(caught.value)


def test_framework_imported_during_the_check() -> None:
    code = (
        "import sys, shapecell\n"
        "with shapecell.check() as report:\n"
        "    assert 'numpy' not in sys.modules\n"
        "    import numpy as np\n"
        "    loader = type(np.__spec__.loader).__name__\n"
        "    np.ones((8, 1)) - np.arange(8.0)\n"
        "print([f.rule for f in report.findings], report.frameworks, loader, type(np.__loader__).__name__)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['SC101'] ('numpy',) SourceFileLoader SourceFileLoader"


def test_a_fault_of_ours_is_a_problem_not_an_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    from shapecell.tracking import tracker

    def broken(*args: Any) -> Any:
        raise RuntimeError("our mistake")

    monkeypatch.setattr(tracker.Tracker, "_value", broken)
    with shapecell.check() as report:
        assert (COLUMN - FLAT).shape == (8, 8)
    assert any("our mistake" in problem.why for problem in report.problems)


def test_broken_rule_is_a_problem() -> None:
    import dataclasses

    from shapecell.rules import judge
    from shapecell.rules.catalogue import PAIRS

    def broken(scene: object) -> None:
        raise ZeroDivisionError("rule")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judge, "RULES", (dataclasses.replace(PAIRS, judge=broken),))
        report = run_checked("import numpy as np\nnp.ones((3, 1)) - np.ones(3)\n")
        assert any("rule SC101" in problem.where for problem in report.problems)


def test_no_array_outlives_its_time() -> None:
    import gc
    import weakref

    with shapecell.check() as report:
        big = np.ones((50, 1))
        table = big - np.arange(50.0)
        alive = [weakref.ref(big), weakref.ref(table)]
        del big, table
        gc.collect()
        assert [r() for r in alive] == [None, None]
    assert codes(report) == ["SC101"]


def test_counts_survive_settling() -> None:
    with shapecell.check() as report:
        for _ in range(1000):
            COLUMN - FLAT
    (finding,) = report.findings
    assert finding.count == 1000
    assert report.operations >= 1000
