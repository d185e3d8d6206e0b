"""Timing in turns: every variant is measured in every round, so that a busy machine slows all of them alike.

Time is the processor time of this thread, which leaves out the time when other programs had the core.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import shapecell

Clock = Callable[[], float]
Variant = Callable[[], AbstractContextManager[Any]]

PLAIN: Variant = nullcontext
CHECKED: Variant = shapecell.check


@dataclass(frozen=True)
class Effort:
    """How much to measure: rounds of all variants, and seconds of plain work per timing."""

    rounds: int = 7
    seconds: float = 0.1
    warm: int = 15

    @classmethod
    def small(cls) -> Effort:
        """Enough to see that everything runs; the figures mean nothing."""
        return cls(rounds=1, seconds=0.002, warm=8)


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes
    ----------
    group, name
        What was measured.
    value, unit
        The figure: a ratio (``"×"``), microseconds (``"µs"``), or mebibytes (``"MiB"``).
    target
        The largest value that is good enough, or None if there is no target.
    detail
        What the figure was worked out from.
    """

    group: str
    name: str
    value: float
    unit: str
    target: float | None = None
    detail: str = ""

    @property
    def verdict(self) -> str:
        if self.target is None:
            return ""
        return "ok" if self.value <= self.target else "MISSED"


def _timed(step: Callable[[], object], number: int, clock: Clock = time.thread_time) -> float:
    """Seconds of one call of `step`, averaged over `number` calls."""
    gc.collect()
    gc.disable()
    try:
        start = clock()
        for _ in range(number):
            step()
        return (clock() - start) / number
    finally:
        gc.enable()


def number_for(step: Callable[[], object], seconds: float, clock: Clock = time.thread_time) -> int:
    """How many calls of `step` take about `seconds`."""
    number = 1
    while True:
        spent = _timed(step, number, clock) * number
        if spent >= seconds / 4:
            return max(1, round(number * seconds / spent))
        number *= 4


def _followed(context: object) -> None:
    if isinstance(context, shapecell.Report) and not context.operations:
        raise RuntimeError(f"the check followed no operation, so there is nothing to measure: {context.problems}")


def in_turns(
    step: Callable[[], object], variants: Mapping[str, Variant], effort: Effort, clock: Clock = time.thread_time
) -> dict[str, float]:
    """Seconds of one call of `step` under each of `variants`: the shortest of all rounds.

    Each timing comes after `effort.warm` calls in the same context: it is the cost of a later pass.

    Raises
    ------
    RuntimeError
        If a check saw no operation: it would cost nothing, and the figure would be a lie.
    """
    for _ in range(effort.warm):
        step()
    number = number_for(step, effort.seconds, clock)
    best = dict.fromkeys(variants, float("inf"))
    for _ in range(effort.rounds):
        for name, variant in variants.items():
            with variant() as context:
                for _ in range(effort.warm):
                    step()
                best[name] = min(best[name], _timed(step, number, clock))
            _followed(context)
    return best


def passes(make: Callable[[], Callable[[], object]], settled: int, effort: Effort) -> tuple[float, float, float]:
    """Seconds of a plain call, of the first call in a new check, and of a call after `settled` others.

    `make` gives the step; the shortest of all rounds counts.
    """
    step = make()
    for _ in range(settled):
        step()
    number = number_for(step, effort.seconds / 4)
    plain = first = later = float("inf")
    for _ in range(effort.rounds):
        plain = min(plain, _timed(step, number))
        with shapecell.check() as report:
            first = min(first, _timed(step, 1))
            for _ in range(settled):
                step()
            later = min(later, _timed(step, number))
        _followed(report)
    return plain, first, later
