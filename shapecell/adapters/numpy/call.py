"""One NumPy call as the tables read it: arguments by parameter, and the arrays among them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from shapecell.model import Shape
from shapecell.tracking.operation import Meaning, Opaque, Operation

Place = int | tuple[int, int] | str
Describe = Callable[["Call"], Meaning]
"""Puts a call into the vocabulary; raises `UnfollowableError` if this form of the call has no meaning there."""

LONGEST = 32
NUMBERS = frozenset((int, float, complex, bool, *(t for t in np.sctypeDict.values() if t is not np.object_)))

_shape_of: Callable[[Any], Shape] = vars(np.ndarray)["shape"].__get__
"""The shape as the array has it, even if a subclass says something else or raises."""

METHODS: dict[str, tuple[str, ...]] = {
    "reshape": ("a", "*shape"),
    "transpose": ("a", "*axes"),
    "compress": ("a", "condition", "axis", "out"),
    "flatten": ("a", "order"),
    "astype": ("a", "dtype", "order"),
}
"""Parameters of methods that differ from those of the function of the same name."""

UFUNC_METHODS: dict[str, tuple[str, ...]] = {
    "reduce": ("a", "axis", "dtype", "out", "keepdims", "initial", "where"),
    "accumulate": ("a", "axis", "dtype", "out"),
    "reduceat": ("a", "indices", "axis", "dtype", "out"),
    "outer": ("a", "b"),
    "at": ("a", "indices", "b"),
}

_OPERAND_ORDER: dict[str, tuple[str, ...]] = {
    "ufunc.at": ("a", "b"), "put_along_axis": ("arr", "values"), "copyto": ("dst", "src"),
}  # fmt: skip
"""Assignments: the target is operand 0 and the value operand 1, wherever they stand in the call."""

_parameters: dict[Any, tuple[str, ...]] = {}


class UnfollowableError(Exception):
    """This form of the call has no meaning in the vocabulary."""


def shape_of(array: Any) -> Shape:
    """The true shape of an ndarray of any class, or the shape of a (nested) list as NumPy would read it."""
    if isinstance(array, np.ndarray):
        return _shape_of(array)
    shape: list[int] = []
    while isinstance(array, list | tuple):
        shape.append(len(array))
        if not array:
            break
        array = array[0]
    return (*shape, *_shape_of(array)) if isinstance(array, np.ndarray) else tuple(shape)


def arrays_in(value: Any) -> tuple[Any, ...]:
    """The arrays and NumPy scalars of a result: itself, or those in a tuple or list."""
    if isinstance(value, np.ndarray | np.generic):
        return (value,)
    if isinstance(value, tuple | list):
        return tuple(part for part in value if isinstance(part, np.ndarray | np.generic))
    return ()


def static(value: Any, numbers: bool, depth: int = 0) -> Hashable:
    """What of an argument tells calls apart: the shape of an array, axes and modes; of other numbers only the type.

    With `numbers` false, whole numbers are no axes or sizes, and only their type counts.
    """
    kind = value.__class__
    if kind is np.ndarray:
        return value.shape  # type: ignore[no-any-return]
    if value is None or kind is str or kind is bool:
        return value  # type: ignore[no-any-return]
    if kind is int:
        return value if numbers else kind
    if kind is slice:
        return (kind, *(static(part, numbers) for part in (value.start, value.stop, value.step)))
    if (kind is tuple or kind is list) and depth < 2:
        if len(value) <= LONGEST:
            return (kind, *(static(part, numbers, depth + 1) for part in value))
        return (kind, len(value), static(value[0], False, 2), static(value[-1], False, 2))
    if isinstance(value, np.ndarray):
        return (kind, _shape_of(value))
    return kind  # type: ignore[no-any-return]


def parameters_of(function: Any) -> tuple[str, ...]:
    """Names of the positional parameters of a function; ``"*name"`` for one that takes the rest."""
    known = _parameters.get(function)
    if known is None:
        names = []
        try:
            for parameter in inspect.signature(function).parameters.values():
                if parameter.kind is parameter.VAR_POSITIONAL:
                    names.append(f"*{parameter.name}")
                    break
                if parameter.kind is not parameter.KEYWORD_ONLY and parameter.kind is not parameter.VAR_KEYWORD:
                    names.append(parameter.name)
        except (TypeError, ValueError):
            names = ["*args"]
        known = _parameters[function] = tuple(names)
    return known


class Call:
    """A call that is to be recorded.

    Attributes
    ----------
    name, base
        As a user would write it (``"numpy.linalg.norm"``), and the name in the tables (``"linalg.norm"``).
    operands, places
        The arrays in call order, and where they stand. ``out=`` is an operand of elementwise functions only:
        elsewhere nothing is aligned with it.
    results
        Shapes of the arrays that came out.
    """

    def __init__(
        self, name: str, base: str, parameters: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        self.name = name
        self.base = base
        self.parameters = parameters
        self.args = args
        self.kwargs = kwargs
        self.operands: list[Any] = []
        self.places: list[Place] = []
        self.results: tuple[Shape, ...] = ()
        self._given: dict[str, Any] | None = None
        self._collect()

    def _collect(self) -> None:
        order = _OPERAND_ORDER.get(self.base, ())
        for name in order:
            place, value = self._find(name)
            self._add(value, place)
        for index, value in enumerate(self.args):
            name = self.parameters[index] if index < len(self.parameters) else ""
            if name not in order and name != "out":
                self._add_parts(value, index)
        for keyword, value in self.kwargs.items():
            if keyword not in order and keyword != "out":
                self._add_parts(value, keyword)

    def _find(self, name: str) -> tuple[Place, Any]:
        index = self.parameters.index(name)
        return (index, self.args[index]) if index < len(self.args) else (name, self.kwargs.get(name))

    def _add_parts(self, value: Any, place: int | str) -> None:
        if isinstance(value, tuple | list):
            for element, part in enumerate(value[:LONGEST]):
                self._add(part, (place, element) if isinstance(place, int) else place)
        else:
            self._add(value, place)

    def _add(self, value: Any, place: Place) -> None:
        if isinstance(value, np.ndarray):
            self.operands.append(value)
            self.places.append(place)

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return tuple(map(shape_of, self.operands))

    @property
    def given(self) -> dict[str, Any]:
        """The arguments by parameter."""
        if self._given is None:
            self._given = dict(self.kwargs)
            for index, name in enumerate(self.parameters):
                if name.startswith("*"):
                    rest = self.args[index:]
                    if name[1:] in self.kwargs:
                        break
                    one = len(rest) == 1 and (rest[0] is None or isinstance(rest[0], tuple | list))
                    self._given[name[1:]] = rest[0] if one and self.base in METHODS else rest
                    break
                if index < len(self.args):
                    self._given[name] = self.args[index]
        return self._given

    def get(self, name: str, default: Any = None) -> Any:
        """The argument for parameter `name`."""
        value = self.given.get(name, default)
        return default if value is np._NoValue else value

    @property
    def first(self) -> Any:
        """The first argument."""
        if not self.args and not self.kwargs:
            raise UnfollowableError("no argument")
        return self.args[0] if self.args else self.kwargs.get(self.parameters[0])

    @property
    def shape(self) -> Shape:
        """Shape of the first argument, which must be operand 0.

        Raises
        ------
        UnfollowableError
            If it is no array.
        """
        if not self.operands or self.operands[0] is not self.first:
            raise UnfollowableError("the first argument is no array")
        return shape_of(self.operands[0])

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def result(self) -> Shape:
        """Shape of the first result."""
        return self.results[0] if self.results else ()

    def operand(self, value: Any) -> int:
        """Number of the array `value` among the operands.

        Raises
        ------
        UnfollowableError
            If it is none of them.
        """
        for index, operand in enumerate(self.operands):
            if operand is value:
                return index
        raise UnfollowableError("not an array")

    def elements(self, value: Any) -> int:
        """How many arrays a sequence of arrays has; all of them must be operands, and the first ones.

        Raises
        ------
        UnfollowableError
            If it is no sequence of arrays only.
        """
        if isinstance(value, np.ndarray) or not isinstance(value, tuple | list) or not value:
            raise UnfollowableError("no sequence of arrays")
        if len(value) > LONGEST or any(part is not op for part, op in zip(value, self.operands, strict=False)):
            raise UnfollowableError("too many arrays, or not arrays only")
        if len(self.operands) < len(value):
            raise UnfollowableError("not arrays only")
        return len(value)

    def axis(self, value: Any, rank: int | None = None) -> int:
        """An axis number, counted from the left.

        Raises
        ------
        UnfollowableError
            If it is no axis.
        """
        rank = self.rank if rank is None else rank
        try:
            number = int(value.__index__())
        except (AttributeError, TypeError) as error:
            raise UnfollowableError("not an axis") from error
        if not -rank <= number < rank:
            raise UnfollowableError("no such axis")
        return number % rank

    def axes(self, value: Any, rank: int | None = None) -> tuple[int, ...]:
        """Axis numbers, counted from the left, in order; every axis if `value` is None."""
        rank = self.rank if rank is None else rank
        if value is None:
            return tuple(range(rank))
        return tuple(self.axis(v, rank) for v in (value if isinstance(value, tuple | list) else (value,)))

    def describe(self, table: dict[str, Describe]) -> Operation:
        """The operation. A form of call that no table knows is `Opaque`."""
        shapes = self.shapes
        try:
            found = table.get(self.base)
            meaning = found(self) if found is not None else Opaque()
        except UnfollowableError:
            meaning = Opaque()
        except Exception:
            if self.results:
                raise
            meaning = Opaque()  # the call failed because of the same arguments
        return Operation(self.name, meaning, shapes, self.results, tuple(self.places))


class UfuncCall(Call):
    """A call of a ufunc: lists are operands too, and so is ``out=`` unless it is an operand already."""

    def __init__(self, ufunc: np.ufunc, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.ufunc = ufunc
        self.in_place: int | None = None
        public = getattr(np, ufunc.__name__, None) is ufunc
        name = f"numpy.{ufunc.__name__}" if public else ufunc.__name__
        super().__init__(name, "ufunc", (), args, kwargs)

    def _collect(self) -> None:
        count = self.ufunc.nin
        for index, value in enumerate(self.args[:count]):
            if isinstance(value, np.ndarray | np.generic | list | tuple):
                self.operands.append(value)
                self.places.append(index)
        out = self.args[count:] or self.kwargs.get("out", ())
        for target in out if isinstance(out, tuple) else (out,):
            if isinstance(target, np.ndarray):
                place = next((i for i, operand in enumerate(self.operands) if operand is target), None)
                if place is None:
                    place = len(self.operands)
                    self._add(target, "out" if "out" in self.kwargs else count)
                if self.in_place is None:
                    self.in_place = place
        self._add(self.kwargs.get("where"), "where")
