"""From a recorded group to the plain data that a report shows."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from shapecell.model import Axis, Broadcast, Operand, Shape
from shapecell.tracking.align import failing_axis, growth
from shapecell.tracking.axes import AxisIdentity, Layout
from shapecell.tracking.operation import KIND_OF, Assign, Contract, Elementwise, Loss, Operation, Reduce
from shapecell.tracking.tracker import Group


def positions(operation: Operation, operand: int, result_rank: int) -> tuple[int | None, ...]:
    """For each axis of `operand`, the axis of the result that it meets; None where it vanishes."""
    rank = len(operation.shapes[operand])
    match operation.meaning:
        case Contract(inputs=inputs, output=output) if operand < len(inputs):
            letters = inputs[operand]
            return tuple(output.index(letter) if letter in output else None for letter in letters)
        case Elementwise() | Loss():
            return _aligned(rank, result_rank)
        case Assign() if operand == 1:
            return _aligned(rank, result_rank)
        case Reduce(axes=axes, keepdims=keepdims) if operand == 0:
            kept = [axis for axis in range(rank) if axis not in axes]
            if keepdims:
                return tuple(range(rank))
            return tuple(kept.index(axis) if axis in kept else None for axis in range(rank))
    return tuple(None for _ in range(rank))


def _aligned(rank: int, result_rank: int) -> tuple[int | None, ...]:
    return tuple(position if (position := result_rank - rank + axis) >= 0 else None for axis in range(rank))


def _axis(
    length: int, identity: AxisIdentity | None, position: int | None, result: Shape | None, crossed: bool
) -> Axis:
    target = result[position] if result is not None and position is not None and length == 1 else length
    one = identity.one if identity is not None else None
    return Axis(
        length=length,
        name=identity.name() if identity is not None else None,
        reason=one.reason if one is not None else None,
        intent=one.intent if one is not None else None,
        position=position,
        stretched_to=target if target != length else None,
        crossed=crossed,
    )


def broadcast_of(
    group: Group,
    layouts: Sequence[Layout],
    names: Sequence[str],
    result: Shape | None,
    crossed: Sequence[tuple[int, int]] = (),
) -> Broadcast:
    """The plain form of `group` with operand axes `layouts`, operand `names`, and the shape they broadcast to."""
    operation = group.operation
    rank = len(result) if result is not None else max(map(len, operation.shapes), default=0)
    operands = []
    stretched = [False] * len(result or ())
    aligned = isinstance(operation.meaning, Elementwise | Loss)
    failing = failing_axis(operation.shapes) if result is None and aligned else None
    for index, shape in enumerate(operation.shapes):
        where = positions(operation, index, rank)
        identities = layouts[index].axes if index < len(layouts) else ()
        axes = tuple(
            _axis(
                length,
                identities[axis] if axis < len(identities) else None,
                where[axis],
                result,
                (index, axis) in crossed,
            )
            for axis, length in enumerate(shape)
        )
        operands.append(Operand(names[index], shape, axes))
        broadcasts = aligned or (isinstance(operation.meaning, Assign) and index == 1)
        for position in range(len(stretched)):
            here = [axis for axis in axes if axis.position == position]
            if here and here[0].stretched_to is not None:
                stretched[position] = True
            if not here and broadcasts and shape and result is not None and result[position] != 1:
                stretched[position] = True
    return Broadcast(
        operation=operation.name,
        framework=group.adapter,
        kind=KIND_OF[type(operation.meaning)],
        operands=tuple(operands),
        result_shape=result,
        stretched=tuple(stretched),
        growth=growth(operation.shapes, result) if result is not None else 1.0,
        site=group.site.resolve(),
        count=group.count,
        first=group.first,
        last=group.last,
        failing_axis=failing,
    )


def stretches(group: Group) -> bool:
    """True if an operand other than a scalar is stretched by a group's operation."""
    operation = group.operation
    meaning = operation.meaning
    if isinstance(meaning, Elementwise) and operation.results:
        result = operation.results[0]
        return any(shape and shape != result and prod(shape) != 0 for shape in operation.shapes)
    if isinstance(meaning, Loss):
        return len({shape for shape in operation.shapes[:2] if shape}) > 1
    if isinstance(meaning, Assign):
        values = operation.shapes[1:2]
        return any(shape and shape != meaning.selection for shape in values)
    if isinstance(meaning, Contract):
        lengths: dict[object, set[int]] = {}
        for letters, shape in zip(meaning.inputs, operation.shapes, strict=False):
            for letter, length in zip(letters, shape, strict=False):
                lengths.setdefault(letter, set()).add(length)
        return any(len(found) > 1 for found in lengths.values())
    return False
