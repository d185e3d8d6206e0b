"""A tracker that only collects what the adapter tells it, and a place to run code under the adapter."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import torch
from torch import nn

from shapecell.adapters.torch import TorchAdapter, make_adapter
from shapecell.tracking.operation import Operation


class Collector:
    """Stands in for `Tracker`: every call is described, nothing settles."""

    def __init__(self) -> None:
        self.steady: dict[int, Any] = {}
        self.operations: list[Operation] = []
        self.keys: list[tuple[Any, ...]] = []
        self.frames: list[tuple[str, str, int]] = []
        self.operands: list[tuple[Any, ...]] = []
        self.results: list[tuple[Any, ...]] = []
        self.provenances: list[tuple[Any, ...]] = []
        self.failures: list[tuple[Operation, BaseException]] = []
        self.faults: list[tuple[str, BaseException]] = []
        self.problems: list[tuple[str, str]] = []

    def record(
        self,
        adapter: TorchAdapter,
        frame: FrameType,
        key: tuple[Any, ...],
        operands: tuple[Any, ...],
        results: tuple[Any, ...],
        describe: Callable[[], Operation],
    ) -> None:
        hash(key)
        self.keys.append(key)
        self.frames.append((frame.f_code.co_filename, frame.f_code.co_name, frame.f_lineno))
        self.operations.append(describe())
        self.operands.append(operands)
        self.results.append(results)
        self.provenances.append(tuple(map(adapter.provenance, operands)))

    def failed(
        self,
        adapter: TorchAdapter,
        frame: FrameType,
        key: tuple[Any, ...],
        operands: tuple[Any, ...],
        describe: Callable[[], Operation],
        error: BaseException,
    ) -> None:
        hash(key)
        self.failures.append((describe(), error))

    def fault(self, where: str, error: BaseException) -> None:
        self.faults.append((where, error))

    def problem(self, where: str, why: str) -> None:
        self.problems.append((where, why))

    def user_position(self, frame: FrameType) -> int:
        return 0


@contextlib.contextmanager
def watching(tracker: Any = None) -> Iterator[Any]:
    """Everything inside runs under a fresh adapter that reports to `tracker` (a `Collector` by default)."""
    tracker = tracker if tracker is not None else Collector()
    adapter = make_adapter()
    adapter.install(tracker)
    try:
        yield tracker
    finally:
        adapter.uninstall()


def followed(source: str, **names: Any) -> Collector:
    """What is collected while `source` runs; its names are torch's usual ones and `names`."""
    code = compile(source, "<followed>", "exec")
    space = {"torch": torch, "F": nn.functional, "nn": nn, "__name__": "__main__", **names}
    with watching() as collector:
        exec(code, space)
    assert not collector.faults, collector.faults
    return collector  # type: ignore[no-any-return]


def last(source: str, **names: Any) -> Operation:
    """The last operation of `source`."""
    return followed(source, **names).operations[-1]
