"""One framework call as the tables read it: arguments by position or keyword, and the arrays among them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import torch

from shapecell.model import Shape
from shapecell.tracking.operation import Elementwise, Meaning

Place = int | tuple[int, int] | str
Describe = Callable[["Call"], Meaning | None]
"""Puts a call into the vocabulary; None if this form of the call has no meaning there."""

LONGEST_STATIC = 32


class UnfollowableError(Exception):
    """The call's arrays have no plain shape (nested or symbolic): it cannot be followed."""


def is_array(value: Any) -> bool:
    """True for tensors and NumPy arrays."""
    if isinstance(value, torch.Tensor):
        return True
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.ndarray)


def shape_of(array: Any) -> Shape:
    """The shape of an array as plain integers.

    Raises
    ------
    UnfollowableError
        If it has none.
    """
    if getattr(array, "is_nested", False):
        raise UnfollowableError("a nested tensor has no single shape")
    shape = tuple(array.shape)
    if any(type(length) is not int for length in shape):
        raise UnfollowableError("a shape is symbolic")
    return shape


def arrays_in(value: Any) -> tuple[Any, ...]:
    """The arrays of a result: itself, or those in a tuple or list."""
    if is_array(value):
        return (value,)
    if isinstance(value, tuple | list):
        return tuple(part for part in value if is_array(part))
    return ()


def static(value: Any, general: bool, depth: int = 0) -> Hashable:
    """What of an argument tells calls apart: dimensions, sizes, modes; of arrays and floats only the type.

    With `general`, whole numbers are left out too.
    """
    if value is None or value is Ellipsis:
        return None if value is None else "..."
    if isinstance(value, str | torch.dtype | torch.device):
        return (str(value),)
    kind: type = type(value)
    if kind is bool:
        return (kind, value)
    if kind is int:
        return int if general else int(value)
    if kind is slice:
        return (slice, *(static(part, general) for part in (value.start, value.stop, value.step)))
    if isinstance(value, tuple | list) and depth < 2:
        if len(value) > LONGEST_STATIC:
            return (kind, len(value))
        return (kind, *(static(part, general, depth + 1) for part in value))
    return kind


class Call:
    """A call while it is being described.

    Attributes
    ----------
    base
        Name in the tables: ``"sub"`` for ``torch.sub``, ``Tensor.sub_``, ``__rsub__``.
    operands, places, shapes
        The arrays in call order, where they stand, and their shapes before the call.
    results
        Shapes of the arrays that came out.
    general
        Numbers in the arguments vary at this site: they stand for no particular element.
    """

    def __init__(
        self, base: str, args: tuple[Any, ...], kwargs: dict[str, Any], *, in_place: bool, reflected: bool
    ) -> None:
        self.base = base
        self.args = args[::-1] if reflected else args
        self.kwargs = kwargs
        self.in_place = in_place
        self.operands: list[Any] = []
        self.places: list[Place] = []
        self.results: tuple[Shape, ...] = ()
        self.general = False
        if base in {"__getitem__", "__setitem__"}:
            self._subscript()
        else:
            self._collect()
        self.shapes: tuple[Shape, ...] = tuple(map(shape_of, self.operands))

    def _add(self, value: Any, place: Place) -> None:
        if is_array(value):
            self.operands.append(value)
            self.places.append(place)

    def _collect(self) -> None:
        for index, value in enumerate(self.args):
            if isinstance(value, tuple | list):
                for element, part in enumerate(value):
                    self._add(part, (index, element))
            else:
                self._add(value, index)
        for keyword, value in self.kwargs.items():
            for part in value if isinstance(value, tuple | list) else (value,):
                self._add(part, keyword)

    def _subscript(self) -> None:
        """``a[items]`` and ``a[items] = value``: the value, if it is an array, comes second."""
        self._add(self.args[0], 0)
        for value in self.args[2:]:
            if not is_array(value):
                return
            self._add(value, 1)
        for place, item in enumerate(self.items):
            self._add(item, place + 1)

    @property
    def items(self) -> tuple[Any, ...]:
        """What stands in the brackets."""
        found = self.args[1]
        return found if isinstance(found, tuple) else (found,)

    @property
    def rank(self) -> int:
        """Number of axes of operand 0."""
        return len(self.shapes[0])

    @property
    def result(self) -> Shape:
        """Shape of the first result."""
        return self.results[0] if self.results else ()

    def has(self, position: int, keyword: str) -> bool:
        """True if the argument was given."""
        return keyword in self.kwargs or position < len(self.args)

    def get(self, position: int, keyword: str, default: Any = None) -> Any:
        """The argument at `position` or under `keyword`."""
        if keyword in self.kwargs:
            return self.kwargs[keyword]
        return self.args[position] if position < len(self.args) else default

    def operand(self, value: Any) -> int:
        """Number of the array `value` among the operands.

        Raises
        ------
        ValueError
            If it is not one of them.
        """
        for index, operand in enumerate(self.operands):
            if operand is value:
                return index
        raise ValueError("not an operand")

    def axis(self, value: Any, rank: int | None = None) -> int:
        """An axis number, counted from the left.

        Raises
        ------
        ValueError
            If it is no number (an axis name): such a call is not described.
        """
        rank = self.rank if rank is None else rank
        if type(value) is not int:
            raise ValueError("an axis that is no number")
        return value % max(rank, 1)

    def axes(self, value: Any, rank: int | None = None) -> tuple[int, ...]:
        """Axis numbers, counted from the left; every axis if `value` is None or empty."""
        rank = self.rank if rank is None else rank
        if value is None or (isinstance(value, tuple | list) and not value):
            return tuple(range(rank))
        values: Iterable[Any] = value if isinstance(value, tuple | list) else (value,)
        return tuple(sorted({self.axis(v, rank) for v in values})) if rank else ()

    def sizes(self, position: int, keyword: str) -> tuple[Any, ...]:
        """Sizes given one by one (``x.view(2, 3)``) or as one sequence (``x.view((2, 3))``)."""
        if keyword in self.kwargs:
            given: Sequence[Any] = (self.kwargs[keyword],)
        else:
            given = self.args[position:]
        if len(given) == 1 and isinstance(given[0], tuple | list):
            given = given[0]
        return tuple(given)

    def elementwise(self, *, pairs: bool = False) -> Elementwise:
        """Elementwise, with the operand that receives the result."""
        target: int | None = 0 if self.in_place else None
        out = self.kwargs.get("out")
        if out is not None and is_array(out):
            target = next((i for i, place in enumerate(self.places) if place == "out"), None)
        return Elementwise(target, pairs)
