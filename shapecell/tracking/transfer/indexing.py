"""Indexing: slices are parts, integers drop, None writes an axis, index arrays bring their own axes."""

from __future__ import annotations

from shapecell.model import Shape
from shapecell.tracking.align import broadcast_shape
from shapecell.tracking.axes import Atom, AxisIdentity, Layout, One, Origin, Outcome, fresh_layout
from shapecell.tracking.operation import Advanced, Gather, Index, Integer, Item, Mask, NewAxis, Operation, Slice
from shapecell.tracking.transfer.meeting import Meeting, ResultName


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


def place_of_arrays(items: tuple[Item, ...]) -> int | None:
    """Where the axes of index arrays and masks stand: in place if they are side by side, else in front.

    None where frameworks differ: a whole number beside an array is an index array too in NumPy, not in PyTorch.
    """
    if not any(isinstance(item, Advanced | Mask) for item in items):
        return 0
    places = {_side_by_side(items, (Advanced, Mask, Integer)), _side_by_side(items, (Advanced, Mask))}
    return places.pop() if len(places) == 1 else None


def _side_by_side(items: tuple[Item, ...], arrays: tuple[type, ...]) -> int:
    left = [item for item in items if isinstance(item, (*arrays, Slice, NewAxis))]
    places = [i for i, item in enumerate(left) if isinstance(item, arrays)]
    return places[0] if places == list(range(places[0], places[-1] + 1)) else 0


def index_axes(
    items: tuple[Item, ...],
    advanced_at: int,
    operation: Operation,
    layouts: tuple[Layout, ...],
    shape: Shape,
    result_name: ResultName,
) -> tuple[AxisIdentity, ...]:
    """The axes of ``operand 0[items]``, whose shape is `shape`; none where they cannot be told.

    Index arrays and masks are broadcast against each other; what they bring stands as one block at `advanced_at`.
    """
    source = list(layouts[0].axes)
    plain: list[tuple[AxisIdentity, Item]] = []
    arrays: list[Layout] = []
    masked: list[tuple[list[AxisIdentity], Layout | None]] = []
    for item in items:
        match item:
            case NewAxis():
                plain.append((AxisIdentity(1, one=One("a new axis that was written", "explicit")), item))
            case Slice():
                plain.append((source.pop(0), item))
            case Integer():
                source.pop(0)
            case Advanced(operand=operand):
                source.pop(0)
                arrays.append(layouts[operand])
            case Mask(operand=operand):
                mask = layouts[operand] if operand < len(layouts) else None
                count = len(mask.axes) if mask is not None else 1
                masked.append((source[:count], mask))
                del source[:count]
    width = max((len(array.axes) for array in arrays), default=0) or len(masked[:1])
    at = min(advanced_at, len(plain))
    if len(plain) + width != len(shape):
        return ()
    arrays.extend(Layout((_masked(taken, mask, shape[at + width - 1]),)) for taken, mask in masked)
    common = broadcast_shape([array.shape for array in arrays])
    if common is None:
        return ()
    brought = Meeting(arrays, common, result_name).axes
    picked = _picked(items, layouts[0])
    if picked is not None and len(brought) == 1 and brought[0].atom is not None and picked.atoms:
        brought = (AxisIdentity(brought[0].length, (brought[0].atom.picking(picked),)),)
    lengths = (*shape[:at], *shape[at + width :])
    out = [
        _sliced(axis, item, length) if isinstance(item, Slice) else axis
        for (axis, item), length in zip(plain, lengths, strict=True)
    ]
    return (*out[:at], *brought, *out[at:])


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
        axes.append(found[0] if found else fresh_layout(shape, Origin(None)).axes[position])
    layout = Layout(tuple(axes), layouts[0].gone)
    return Outcome(tuple(layout for _ in operation.results))
