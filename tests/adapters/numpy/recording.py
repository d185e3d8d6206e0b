"""A tracker that only collects, and shapes implied by a meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from shapecell.adapters.numpy import make_adapter
from shapecell.tracking.operation import Operation

ADAPTER = make_adapter()


class Collector:
    """Stands in for `Tracker`: describes every call, settles nothing."""

    def __init__(self) -> None:
        self.steady: dict[int, Any] = {}
        self.operations: list[Operation] = []
        self.keys: list[tuple[Any, ...]] = []
        self.failures: list[tuple[Operation, BaseException]] = []
        self.faults: list[tuple[str, BaseException]] = []
        self.problems: list[tuple[str, str]] = []

    def record(
        self,
        adapter: Any,
        frame: Any,
        key: tuple[Any, ...],
        operands: tuple[Any, ...],
        results: tuple[Any, ...],
        describe: Callable[[], Operation],
    ) -> None:
        hash(key)
        operation = describe()
        assert len(operation.shapes) == len(operands) == len(operation.places)
        self.operations.append(operation)
        self.keys.append(key)

    def failed(
        self,
        adapter: Any,
        frame: Any,
        key: tuple[Any, ...],
        operands: tuple[Any, ...],
        describe: Callable[[], Operation],
        error: BaseException,
    ) -> None:
        self.failures.append((describe(), error))

    def fault(self, where: str, error: BaseException) -> None:
        self.faults.append((where, error))

    def problem(self, where: str, why: str) -> None:
        self.problems.append((where, why))


@contextmanager
def collecting() -> Iterator[Collector]:
    """NumPy hooked for a `Collector`; a fault of ours fails the test."""
    collector = Collector()
    ADAPTER.install(collector)  # type: ignore[arg-type]
    try:
        yield collector
    finally:
        ADAPTER.uninstall()
    assert collector.faults == []
    assert collector.problems == []


NAMESPACE = {
    "np": np, "a": np.arange(12.0).reshape(3, 4), "b": np.arange(4.0), "c": np.arange(3.0), "s": np.array(2.0),
    "t": np.arange(24.0).reshape(2, 3, 4), "sq": np.eye(4) * 3 + 1, "one": np.ones((3, 1)), "i": np.array([0, 2]),
    "m": np.array([True, False, True]), "m2": np.arange(12).reshape(3, 4) > 3, "ij": np.array([[0], [1]]),
    "ia": np.zeros((3, 4), int), "out": np.zeros((3, 4)),
}  # fmt: skip
"""Arrays under short names, for tests written as expressions."""


def last_operation(source: str) -> Operation:
    """What is recorded last of `source`, run on fresh copies of `NAMESPACE`."""
    names = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in NAMESPACE.items()}
    code = compile(source, "<test>", "exec")
    with collecting() as collector:
        exec(code, names)
    assert collector.operations, "nothing was recorded"
    return collector.operations[-1]
