"""Arrays joined along an axis, and split along one."""

from __future__ import annotations

from shapecell.tracking.axes import Atom, AxisIdentity, Layout, One, Origin, Outcome
from shapecell.tracking.operation import Concatenate, Operation, Split, Stack
from shapecell.tracking.transfer.meeting import ResultName, combined_one, learn, told_apart, union_of_gone


def _alike(axes: list[AxisIdentity], length: int, origin: Origin, position: int) -> AxisIdentity:
    """The axis that several arrays have in common."""
    same = [axis for axis in axes if axis.length == length]
    if length == 1:
        ones = [axis.one for axis in same if axis.one is not None]
        return AxisIdentity(
            1, one=combined_one(ones) if ones else One(None, "incidental", origin=origin, index=position)
        )
    full = [axis for axis in same if axis.atoms]
    for other in full[1:]:
        learn(full[0], other)
    return full[0] if full else AxisIdentity(length, (Atom(origin, position, length),))


def _new(length: int, origin: Origin, position: int, reason: str) -> AxisIdentity:
    if length == 1:
        return AxisIdentity(1, one=One(reason, "explicit", origin=origin, index=position))
    return AxisIdentity(length, (Atom(origin, position, length),))


def concatenate(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """The joined axis is new; the others are common to all operands."""
    meaning = operation.meaning
    assert isinstance(meaning, Concatenate)
    if not operation.results:
        return Outcome(())
    origin = Origin(lambda: result_name() or "the joined array")
    whole = [layout for layout in layouts if len(layout.axes) == len(operation.results[0])]
    axes = []
    for position, length in enumerate(operation.results[0]):
        parts = [layout.axes[position] for layout in whole]
        if position == meaning.axis and not (len(parts) == 1 and parts[0].length == length):
            if length == 1 and parts:
                axes.append(_alike(parts, length, origin, position))
            else:
                axes.append(_new(length, origin, position, "one array joined alone"))
        else:
            axes.append(_alike(parts, length, origin, position))
    layout = Layout(told_apart(axes, result_name), union_of_gone(layouts))
    return Outcome(tuple(layout for _ in operation.results))


def stack(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """A new axis; the others are common to all operands."""
    meaning = operation.meaning
    assert isinstance(meaning, Stack)
    if not operation.results:
        return Outcome(())
    origin = Origin(lambda: result_name() or "the stacked array")
    axes = []
    for position, length in enumerate(operation.results[0]):
        own = position if position < meaning.axis else position - 1
        if position == meaning.axis:
            axes.append(_new(length, origin, position, "a stack of one array"))
        else:
            axes.append(
                _alike([layout.axes[own] for layout in layouts if own < len(layout.axes)], length, origin, position)
            )
    layout = Layout(told_apart(axes, result_name), union_of_gone(layouts))
    return Outcome(tuple(layout for _ in operation.results))


def split(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """Each result is a part along one axis, or one element of it (unbind)."""
    meaning = operation.meaning
    assert isinstance(meaning, Split)
    source = layouts[0]
    axis = source.axes[meaning.axis]
    results = []
    for number, shape in enumerate(operation.results):
        before, after = source.axes[: meaning.axis], source.axes[meaning.axis + 1 :]
        if meaning.removed:
            results.append(Layout((*before, *after), source.gone))
            continue
        length = shape[meaning.axis] if meaning.axis < len(shape) else 1
        if length == axis.length:
            part = axis
        elif length == 1:
            part = AxisIdentity(1, one=One("a split into single elements", "explicit", frozenset(axis.atoms)))
        elif axis.atom is not None:
            part = AxisIdentity(length, (axis.atom.part(("split", number), length),))
        else:
            part = AxisIdentity(length, (Atom(Origin(axis.name), 0, length),))
        results.append(Layout((*before, part, *after), source.gone))
    return Outcome(tuple(results))
