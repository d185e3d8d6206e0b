"""Rows of memory: what a long checked loop holds at a tenth, at half and at the end of it."""

from __future__ import annotations

import gc
import os
import tracemalloc
from collections.abc import Callable, Iterator

import numpy as np
import torch

import shapecell
from tests.benchmarks.measure import Row

PAGE = os.sysconf("SC_PAGE_SIZE")
MIB = 2**20
PER_ROUND = 10


def resident() -> float:
    """Resident memory of this process in MiB."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * PAGE / MIB


def ten_operations() -> Callable[[int], object]:
    """Ten operations of both frameworks; the argument is the number of the round."""
    rng = np.random.default_rng(0)
    a, b, row, column = rng.normal(size=(8, 8)), rng.normal(size=(8, 8)), rng.normal(size=8), rng.normal(size=(8, 1))
    t, u = torch.randn(8, 8), torch.randn(8)

    def step(_: int) -> None:
        c = a + b
        d = c - row
        e = column * row
        c[0] = row
        f = np.exp(d) @ e
        f.sum(axis=1)
        v = t * u
        v.unsqueeze(-1)
        torch.relu(v)

    return step


def changing_shapes() -> Callable[[int], object]:
    """Ten operations whose shapes are different in every one of 5,000 rounds."""
    matrix, vector = np.ones((3, 5_000)), np.ones(5_000)

    def step(number: int) -> None:
        n = number % 5_000 + 1
        x, v = matrix[:, :n], vector[:n]
        y = x + v
        y = y * x
        y -= v
        y[0] = v
        z = np.exp(y) / (x + 1.0)
        z = z - z.mean(axis=0)
        np.where(z, z, v)

    return step


def held(step: Callable[[int], object], rounds: int) -> tuple[list[float], list[float], int]:
    """MiB that Python has allocated, and resident MiB, at 10 %, 50 % and 100 % of `rounds`; operations seen."""
    marks = {max(1, rounds // 10), max(2, rounds // 2), rounds}
    traced, real = [], []
    gc.collect()
    tracemalloc.start()
    try:
        with shapecell.check() as report:
            for number in range(1, rounds + 1):
                step(number)
                if number in marks:
                    gc.collect()
                    traced.append(tracemalloc.get_traced_memory()[0] / MIB)
                    real.append(resident())
    finally:
        tracemalloc.stop()
    return traced, real, report.operations


def rows(operations: int) -> Iterator[Row]:
    loops = {
        "same shapes, 10 % to 100 %": (ten_operations(), operations, 0),
        "ever-changing shapes, 50 % to 100 %": (changing_shapes(), operations // 10, 1),
    }
    for name, (step, count, start) in loops.items():
        traced, real, seen = held(step, count // PER_ROUND)
        if seen < count // 2:
            raise RuntimeError(f"the check followed {seen} of about {count} operations: nothing was measured")
        detail = (
            f"{seen:,} operations; allocated {', '.join(f'{m:.2f}' for m in traced)} MiB, "
            f"resident {', '.join(f'{m:.0f}' for m in real)} MiB at 10, 50, 100 %"
        )
        yield Row("memory that a long loop adds", name, traced[-1] - traced[start], "MiB", 0.5, detail)
