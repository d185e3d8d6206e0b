"""Rows of NumPy: loops of small operations, and what a bare hook in the same place would add."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from shapecell.adapters.numpy.hooks import Hooks, Patch
from shapecell.adapters.numpy.watch import PATCHES
from tests.benchmarks.measure import CHECKED, PLAIN, Effort, Row, in_turns

LOOP = 200


def _bare(patch: Patch) -> Patch:
    original = patch.original

    def hook(*args: Any, **kwargs: Any) -> Any:
        return original(*args, **kwargs)

    return Patch(patch.owner, patch.name, original, hook)


@contextmanager
def pass_through() -> Iterator[None]:
    """The least that Python hooks in shapecell's places can do: call the original."""
    hooks = Hooks([_bare(patch) for patch in PATCHES])
    hooks.install()
    try:
        yield
    finally:
        hooks.remove()


def operations() -> dict[str, tuple[Callable[[], object], float | None]]:
    """Loops of `LOOP` executions of one small operation, each with its target in added microseconds."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(8, 8)), rng.normal(size=(8, 8))
    row, column = rng.normal(size=8), rng.normal(size=(8, 1))

    def equal_shapes() -> None:
        for _ in range(LOOP):
            a + b

    def unary() -> None:
        for _ in range(LOOP):
            np.exp(a)

    def broadcast() -> None:
        for _ in range(LOOP):
            a - row

    def both_stretched() -> None:
        for _ in range(LOOP):
            column * row

    def scalar() -> None:
        for _ in range(LOOP):
            a * 2.0

    def item_assignment() -> None:
        for _ in range(LOOP):
            a[0] = row

    def matrix_product() -> None:
        for _ in range(LOOP):
            a @ b

    def reduction() -> None:
        for _ in range(LOOP):
            a.sum(axis=1)

    def where() -> None:
        for _ in range(LOOP):
            np.where(a, a, b)

    def out() -> None:
        for _ in range(LOOP):
            np.add(a, b, out=b)

    return {
        "a + b, equal shapes": (equal_shapes, 0.6),
        "np.exp(a)": (unary, 0.6),
        "a - row, repeated broadcast": (broadcast, 1.5),
        "column * row, both stretched": (both_stretched, 1.5),
        "a * 2.0": (scalar, None),
        "a[0] = row": (item_assignment, None),
        "a @ b": (matrix_product, None),
        "a.sum(axis=1)": (reduction, None),
        "np.where(a, a, b)": (where, None),
        "np.add(a, b, out=b)": (out, None),
    }


def rows(effort: Effort) -> Iterator[Row]:
    variants = {"plain": PLAIN, "pass": pass_through, "checked": CHECKED}
    for name, (loop, target) in operations().items():
        spent = {key: value / LOOP * 1e6 for key, value in in_turns(loop, variants, effort).items()}
        hook, added = spent["pass"] - spent["plain"], spent["checked"] - spent["plain"]
        detail = f"plain {spent['plain']:.2f} µs, bare hook +{hook:.2f} µs"
        yield Row("NumPy operation, added", name, added, "µs", target, detail)
