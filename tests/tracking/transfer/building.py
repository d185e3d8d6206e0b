"""Layouts and outcomes for tests, without a framework."""

from __future__ import annotations

from shapecell.model import Shape
from shapecell.tracking.axes import AxisIdentity, Layout, Origin, Outcome, fresh_layout
from shapecell.tracking.operation import Drop, Elementwise, Insert, Meaning, Operation, Permute, Reduce
from shapecell.tracking.transfer import transfer


def array(name: str, *shape: int, parameter: bool = False, generic: bool = False) -> Layout:
    """The axes of an array that comes from outside."""
    return fresh_layout(shape, Origin(name, parameter=parameter, generic=generic))


def outcome(meaning: Meaning, *layouts: Layout, gives: Shape | tuple[Shape, ...]) -> Outcome:
    """What `meaning` makes of `layouts`; `gives` is the shape of the result, or those of several."""
    several = any(isinstance(shape, tuple) for shape in gives)
    results = gives if several else (gives,)
    shapes = tuple(layout.shape for layout in layouts)
    return transfer(Operation("test", meaning, shapes, results), layouts, lambda: "result")  # type: ignore[arg-type]


def add(*layouts: Layout, gives: Shape) -> Outcome:
    """Operands added, or otherwise broadcast against each other."""
    return outcome(Elementwise(), *layouts, gives=gives)


def mean(layout: Layout, *axes: int, keepdims: bool = False, statistic: str = "mean") -> Layout:
    """A reduction over `axes`."""
    gives = tuple(
        1 if index in axes else length for index, length in enumerate(layout.shape) if keepdims or index not in axes
    )
    return outcome(Reduce(axes, keepdims, statistic), layout, gives=gives).results[0]


def transposed(layout: Layout, *order: int) -> Layout:
    """Axes in another order; reversed if none is given."""
    order = order or tuple(reversed(range(len(layout.axes))))
    return outcome(Permute(order), layout, gives=tuple(layout.shape[axis] for axis in order)).results[0]


def unsqueezed(layout: Layout, position: int) -> Layout:
    """A 1 written at `position`."""
    gives = (*layout.shape[:position], 1, *layout.shape[position:])
    return outcome(Insert((position,)), layout, gives=gives).results[0]


def squeezed(layout: Layout, position: int) -> Layout:
    """The 1 at `position` dropped."""
    gives = (*layout.shape[:position], *layout.shape[position + 1 :])
    return outcome(Drop((position,)), layout, gives=gives).results[0]


def names(layout: Layout) -> list[str | None]:
    """Readable names of the axes."""
    return [axis.name() for axis in layout.axes]


def is_same(a: AxisIdentity, b: AxisIdentity) -> bool:
    """True if both axes are known to be the same one."""
    return [atom.root for atom in a.atoms] == [atom.root for atom in b.atoms] and a.length == b.length
