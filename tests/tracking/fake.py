"""A framework of no numbers: arrays that only have a shape, and operations that only report themselves."""

from __future__ import annotations

import sys
from collections.abc import Hashable
from types import FrameType
from typing import Any

from shapecell.adapters.base import Provenance
from shapecell.model import Shape
from shapecell.tracking.align import broadcast_shape
from shapecell.tracking.groups import Steady, Value, position_of
from shapecell.tracking.operation import Elementwise, Insert, Meaning, Operation, Permute, Reduce
from shapecell.tracking.tracker import Tracker


class Array:
    """Something with a shape."""

    def __init__(self, *shape: int, base: Array | None = None, meaning: Meaning | None = None) -> None:
        self.shape: Shape = shape
        self.base = base
        self.meaning = meaning
        self.name: str | None = None
        self.parameter = False


class Scalar:
    """A result of no axes that allows no weak reference."""

    __slots__ = ()
    shape: Shape = ()


class Adapter:
    """Reports operations on `Array` s as an adapter does; the caller of its methods is the user's code."""

    framework = "fake"

    def __init__(self, tracker: Tracker) -> None:
        self.tracker = tracker
        self.described = 0

    def install(self, tracker: Tracker) -> None:
        self.tracker = tracker

    def uninstall(self) -> None:
        pass

    def provenance(self, array: Any) -> Provenance | None:
        if array.base is None and array.name is None and not array.parameter:
            return None
        return Provenance(array.name, array.parameter, array.base, array.meaning)

    def call(
        self,
        name: str,
        meaning: Meaning,
        operands: tuple[Any, ...],
        results: tuple[Any, ...],
        frame: FrameType,
        static: Hashable = None,
    ) -> Steady | None:
        """Report one call made by `frame`."""
        shapes = tuple(operand.shape for operand in operands)

        def describe() -> Operation:
            self.described += 1
            return Operation(name, meaning, shapes, tuple(result.shape for result in results))

        return self.tracker.record(self, frame, (name, shapes, static), operands, results, describe)

    def add(self, *operands: Any) -> Any:
        shape = broadcast_shape([operand.shape for operand in operands])
        frame = sys._getframe(1)
        if shape is None:
            error = ValueError("operands could not be broadcast together")
            shapes = tuple(operand.shape for operand in operands)
            self.tracker.failed(
                self, frame, ("add", shapes), operands, lambda: Operation("add", Elementwise(), shapes), error
            )
            raise error
        result = Array(*shape)
        self.call("add", Elementwise(), operands, (result,), frame)
        return result

    def quick_add(self, a: Array, b: Array) -> Array:
        """`add` as a real adapter does it: a settled site only counts."""
        frame = sys._getframe(1)
        shape = broadcast_shape([a.shape, b.shape])
        assert shape is not None
        result = Array(*shape)
        steady = self.tracker.steady.get(position_of(frame))
        while steady is not None:
            if steady.key == ("add", (a.shape, b.shape), None):
                steady.count += 1
                return result
            steady = steady.next
        self.call("add", Elementwise(), (a, b), (result,), frame)
        return result

    def mean(self, array: Any, axis: int) -> Any:
        result = Array(*(length for index, length in enumerate(array.shape) if index != axis))
        self.call("mean", Reduce((axis,), False, "mean"), (array,), (result,), sys._getframe(1), axis)
        return result

    def total(self, array: Any) -> Scalar:
        result = Scalar()
        self.call("sum", Reduce(tuple(range(len(array.shape)))), (array,), (result,), sys._getframe(1))
        return result

    def unsqueeze(self, array: Any, position: int) -> Any:
        result = Array(*array.shape[:position], 1, *array.shape[position:])
        self.call("unsqueeze", Insert((position,)), (array,), (result,), sys._getframe(1), position)
        return result

    def transpose(self, array: Any) -> Any:
        result = Array(*reversed(array.shape))
        order = tuple(reversed(range(len(array.shape))))
        self.call("transpose", Permute(order), (array,), (result,), sys._getframe(1))
        return result

    def known(self, array: Any) -> Value | None:
        """What the tracker knows of an array."""
        return self.tracker.identities.get(array)
