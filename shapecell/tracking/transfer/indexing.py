"""Indexing: slices are parts, integers drop, None writes an axis, index arrays bring their own axes."""

from __future__ import annotations

from shapecell.model import Shape
from shapecell.tracking.align import broadcast_shape
from shapecell.tracking.axes import Atom, AxisIdentity, Layout, One, Origin, Outcome
from shapecell.tracking.operation import Advanced, Gather, Index, Integer, Item, Mask, NewAxis, Operation, Slice
from shapecell.tracking.transfer.meeting import Meeting, ResultName


def _advanced(
    operands: list[int], operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName
) -> tuple[AxisIdentity, ...]:
    """The axes that index arrays bring: their own, broadcast against each other."""
    arrays = [layouts[operand] for operand in operands if operand < len(layouts)]
    shape = broadcast_shape([layout.shape for layout in arrays])
    return Meeting(arrays, shape, result_name).axes if arrays and shape is not None else ()


def _sliced(axis: AxisIdentity, item: Slice, length: int) -> AxisIdentity:
    if item.whole and length == axis.length:
        return axis
    if length == 1:
        if axis.length == 1:
            return axis
        return AxisIdentity(1, one=One("a slice of length 1", "explicit", frozenset(axis.atoms)))
    if axis.atom is not None:
        return AxisIdentity(length, (axis.atom.part(item.key, length),))
    return AxisIdentity(length, (Atom(Origin(axis.name), 0, length),))


def _masked(axes: list[AxisIdentity], mask: Layout | None, length: int) -> AxisIdentity:
    """The axis that a boolean mask leaves: a part of what was masked, the same for masks with the same axes."""
    if length == 1:
        return AxisIdentity(1, one=One("a mask that left one element", "incidental"))
    key = ("mask", mask)
    first = next((axis.atom for axis in axes if axis.atom is not None), None)
    if first is not None:
        return AxisIdentity(length, (first.part(key, length),))
    return AxisIdentity(length, (Atom(Origin(None), 0, length),))


def _picked(items: tuple[Item, ...], source: Layout) -> AxisIdentity | None:
    """The axis that the only index array picks from; None if there are several, or a mask."""
    position, found = 0, None
    for item in items:
        if isinstance(item, Mask):
            return None
        if isinstance(item, Advanced):
            if found is not None or position >= len(source.axes):
                return None
            found = source.axes[position]
        if not isinstance(item, NewAxis):
            position += 1
    return found


def index_axes(
    items: tuple[Item, ...],
    advanced_at: int,
    operation: Operation,
    layouts: tuple[Layout, ...],
    shape: Shape,
    result_name: ResultName,
) -> tuple[AxisIdentity, ...]:
    """The axes of ``operand 0[items]``, whose shape is `shape`; fewer where they cannot be told."""
    source = list(layouts[0].axes)
    arrays = [item.operand for item in items if isinstance(item, Advanced)]
    brought = _advanced(arrays, operation, layouts, result_name)
    picked = _picked(items, layouts[0])
    if picked is not None and len(brought) == 1 and brought[0].atom is not None and picked.atoms:
        brought = (AxisIdentity(brought[0].length, (brought[0].atom.picking(picked),)),)
    out: list[AxisIdentity] = []
    if arrays and advanced_at == 0:
        out.extend(brought)
    placed = advanced_at == 0
    for item in items:
        if arrays and not placed and len(out) >= advanced_at:
            out.extend(brought)
            placed = True
        match item:
            case NewAxis():
                out.append(AxisIdentity(1, one=One("a new axis that was written", "explicit")))
            case Integer():
                source.pop(0)
            case Slice():
                axis = source.pop(0)
                length = shape[len(out)] if len(out) < len(shape) else axis.length
                out.append(_sliced(axis, item, length))
            case Advanced():
                source.pop(0)
            case Mask(operand=operand):
                mask = layouts[operand] if operand < len(layouts) else None
                count = len(mask.axes) if mask is not None else 1
                taken, source = source[:count], source[count:]
                length = shape[len(out)] if len(out) < len(shape) else 0
                out.append(_masked(taken, mask, length))
    if arrays and not placed:
        out.extend(brought)
    return tuple(out)


def index(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """``a[items]``."""
    meaning = operation.meaning
    assert isinstance(meaning, Index)
    if not operation.results:
        return Outcome(())
    shape = operation.results[0]
    axes = index_axes(meaning.items, meaning.advanced_at, operation, layouts, shape, result_name)
    layout = Layout(axes, layouts[0].gone, layouts[0].normalised)
    return Outcome(tuple(layout for _ in operation.results))


def gather(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """Operand 0's axes, but along one axis those of the index array; shorter ones are parts."""
    meaning = operation.meaning
    assert isinstance(meaning, Gather)
    if not operation.results or len(layouts) < 2:
        return Outcome(())
    shape = operation.results[0]
    axes = []
    for position, length in enumerate(shape):
        candidates = [layouts[1], layouts[0]] if position == meaning.axis else [layouts[0], layouts[1]]
        found = [c.axes[position] for c in candidates if position < len(c.axes) and c.axes[position].length == length]
        axes.append(found[0] if found else AxisIdentity(length, (Atom(Origin(None), position, length),)))
    layout = Layout(tuple(axes), layouts[0].gone)
    return Outcome(tuple(layout for _ in operation.results))
