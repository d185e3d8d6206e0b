"""Shape algebra of broadcasting, after NumPy's rule: align from the right, a 1 stretches, a missing axis is a 1.

Source of the rule: NumPy user guide, "Broadcasting"; the Python array API standard, section "Broadcasting",
states the same for every framework that follows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from shapecell.model import Shape


def broadcast_shape(shapes: Sequence[Shape]) -> Shape | None:
    """The common shape of `shapes`, or None if they do not broadcast."""
    result: list[int] = []
    for position in range(1, max(map(len, shapes), default=0) + 1):
        lengths = {shape[-position] for shape in shapes if len(shape) >= position}
        lengths.discard(1)
        if len(lengths) > 1:
            return None
        result.append(lengths.pop() if lengths else 1)
    return tuple(reversed(result))


def failing_axis(shapes: Sequence[Shape]) -> int | None:
    """The right-most axis on which `shapes` disagree, counted from the left of the longest shape; else None."""
    rank = max(map(len, shapes), default=0)
    for position in range(1, rank + 1):
        lengths = {shape[-position] for shape in shapes if len(shape) >= position}
        lengths.discard(1)
        if len(lengths) > 1:
            return rank - position
    return None


def stretched_axes(shape: Shape, result: Shape) -> tuple[int, ...]:
    """Axes of `result` along which an operand of `shape` is stretched: its axis is 1 or missing, the result's not.

    A result axis of length 0 counts as stretched too: the operand's single element vanishes.
    """
    offset = len(result) - len(shape)
    return tuple(
        axis for axis, length in enumerate(result) if length != 1 and (axis < offset or shape[axis - offset] == 1)
    )


def growth(shapes: Sequence[Shape], result: Shape) -> float:
    """Elements of `result` over elements of the largest operand (1.0 where that is empty)."""
    largest = max((prod(shape) for shape in shapes), default=0)
    return prod(result) / largest if largest else 1.0


def is_mutual(shapes: Sequence[Shape], result: Shape) -> bool:
    """True if at least two operands are each stretched along an axis that the other one has.

    This is the signature of an outer product: ``(n, 1)`` against ``(m,)``.
    """
    stretched = [frozenset(stretched_axes(shape, result)) for shape in shapes]
    return any(a - b and b - a for i, a in enumerate(stretched) for b in stretched[i + 1 :])
