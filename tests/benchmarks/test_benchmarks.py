"""The benchmark itself: it measures what it says, and it can say MISSED."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import shapecell
from tests.benchmarks.__main__ import line, main
from tests.benchmarks.measure import PLAIN, Effort, Row, in_turns, number_for
from tests.benchmarks.outside_rows import attributes, differences


def test_a_slower_variant_is_measured_as_slower() -> None:
    delay = 0.0

    @contextmanager
    def slow() -> Iterator[None]:
        nonlocal delay
        delay = 0.004
        yield
        delay = 0.0

    def step() -> None:
        time.sleep(0.001 + delay)

    spent = in_turns(step, {"plain": PLAIN, "slow": slow}, Effort(rounds=2, seconds=0.02, warm=1), time.perf_counter)
    assert 0.001 <= spent["plain"] < spent["slow"]
    assert spent["slow"] >= 0.005


def test_the_number_of_calls_fits_the_time() -> None:
    number = number_for(lambda: time.sleep(0.001), 0.05, time.perf_counter)
    assert 10 <= number <= 60


@pytest.mark.parametrize(
    ("value", "target", "verdict"), [(1.0, 1.5, "ok"), (1.5, 1.5, "ok"), (1.51, 1.5, "MISSED"), (9.0, None, "")]
)
def test_verdicts(value: float, target: float | None, verdict: str) -> None:
    row = Row("group", "name", value, "×", target, "detail")
    assert row.verdict == verdict
    assert verdict in line(row)


def test_nothing_is_left_when_a_check_ends_and_something_is_there_while_it_runs() -> None:
    before = attributes()
    with shapecell.check():
        np.ones(3) + np.ones((3, 1))
        during = attributes()
    after = attributes()
    assert differences(before, during), "the look at the attributes sees no hook: it proves nothing"
    assert differences(before, after) == []


def test_the_parts_run_and_write_their_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "benchmarks.json"
    assert main(["outside", "numpy", "--small", "--output", str(target)]) == 0
    written = json.loads(target.read_text(encoding="utf-8"))
    names = {row["name"] for row in written["rows"]}
    assert {"a + b, equal shapes", "a - row, repeated broadcast", "numpy a + b"} <= names
    printed = capsys.readouterr().out
    assert "targets met" in printed
    assert all(name in printed for name in names)


@pytest.mark.slow
def test_every_part_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--small", "--operations", "5000"]) == 0
    printed = capsys.readouterr().out
    for group in (
        "torch training step on one thread, checked / plain",
        "scikit-learn fit",
        "memory that a long loop adds",
    ):
        assert group in printed


def test_an_unknown_part_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["everything"])
    assert stop.value.code == 2
    assert "unknown part 'everything'; the parts are outside, numpy" in capsys.readouterr().err
